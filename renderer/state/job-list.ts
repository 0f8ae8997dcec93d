import { transport } from '../platform/http.ts'
import { listJobs, type JobView } from '#shared/api/jobs'
import { CONTROL_MS, send } from '#shared/api/send'

/** Jobs that changed after a number, in the order of their changes; `LISTED_JOBS` at most. Throws AppError as `send` does. */
export const readChanges = (after: number): Promise<readonly JobView[]> =>
  send(transport, listJobs, undefined, { query: { after: String(after) }, deadlineMs: CONTROL_MS })

/** Jobs that wait, with their places in the queue. Throws AppError as `send` does. */
export const readPlaces = async (): Promise<readonly JobView[]> => {
  const views = await send(transport, listJobs, undefined, { deadlineMs: CONTROL_MS })
  return views.filter(({ state }) => state === 'queued')
}
