import { build } from '#build/build'

/** Child processes run the compiled sources, and servers copy the database's template, so these are made current before any test. */
export const setup = (): Promise<void> => build()
