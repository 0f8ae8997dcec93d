import { transport } from '../platform/http.ts'
import type { cancelJob, deleteJob } from '#shared/api/jobs'
import { CONTROL_MS, send } from '#shared/api/send'

/** Ends or removes a job on the server. Nobody waits for it: the page has gone on, and what is not heard ends by itself. */
export function tellServer(call: typeof cancelJob | typeof deleteJob, jobId: string): void {
  void send(transport, call, {}, { params: { id: jobId }, deadlineMs: CONTROL_MS }).catch(() => {})
}
