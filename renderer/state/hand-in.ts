import { whenIdle } from './arrival.ts'
import type { Waiting } from './lanes.ts'
import { changeRow, isGoing } from './rows.ts'
import type { Submission } from './submit.ts'
import { AppError, toWire } from '#shared/errors/app-error'

// Uploads and calls are a good part of the scripts, and nothing is seen of them before a file is started.
const lanes = whenIdle(() => import('./lanes.ts'))
let here: Awaited<typeof lanes.coming> | undefined
lanes.coming.then(
  (module) => (here = module),
  () => {},
)

/** Has rows uploaded and handed in, in the order in which they come. */
export const enterLanes = (rows: readonly Waiting[]): void => handIn(rows, (module) => module.enterLanes(rows))

/** Hands uploaded rows in as one job. */
export const submitTogether = (rows: readonly Submission[]): void => handIn(rows, (module) => module.submitTogether(rows))

/** Stops the upload of a row, if there is one. */
export const stopUpload = (id: string): void => here?.stopUpload(id)

function handIn(rows: readonly { readonly id: string }[], how: (module: NonNullable<typeof here>) => void): void {
  if (here) return how(here)
  lanes.ask()
  lanes.coming.then(how, () => {
    const error = toWire(new AppError('network.offline', {}))
    for (const { id } of rows) if (isGoing(id)) changeRow(id, { status: { at: 'failed', error } })
  })
}
