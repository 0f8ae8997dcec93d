import { setPriority } from 'node:os'
import { build } from '#build/build'

/** As low as servers have their children. */
const CHILD_NICENESS = 10

/** Child processes run the compiled sources, and servers copy the database's template, so these are made current before any test. */
export const setup = async (): Promise<void> => {
  await build()
  // A server's children give way to it; here they would also give way to every other test, and be waited for by theirs. What measures leaves it as it is.
  if (process.env['SOAK'] === undefined) setPriority(CHILD_NICENESS)
}
