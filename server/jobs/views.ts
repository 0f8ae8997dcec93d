import type { JobRow } from './queue.ts'
import { isSame, sign } from '../secrets.ts'
import type { JobView } from '#shared/api/jobs'
import { AppError } from '#shared/errors/app-error'

const URL_LASTS_MS = 15 * 60_000

/** The address of a job's n-th result: signed, good for 15 minutes, and only for the owner's session. */
export function resultUrl(key: Buffer, jobId: string, n: number, now: number): string {
  // In steps of a minute, so that reading a job twice gives one address and the browser's cache serves.
  const until = Math.ceil((now + URL_LASTS_MS) / 60_000) * 60
  return `/f/${jobId}/${n}?e=${until}&s=${signature(key, jobId, n, until)}`
}

const signature = (key: Buffer, jobId: string, n: number, until: number): string => sign(key, `${jobId}/${n}/${until}`)

/** Throws `result.expired` for an address that is over, `request.refused` for one not signed here. */
export function checkResultUrl(key: Buffer, jobId: string, n: number, until: number, given: string, now: number): void {
  if (!isSame(given, signature(key, jobId, n, until))) throw new AppError('request.refused', {})
  if (until * 1000 < now) throw new AppError('result.expired', {})
}

/** How a job is shown to its owner. */
export function viewOf(row: JobRow, { key, now, ahead }: { key: Buffer; now: number; ahead: number | undefined }): JobView {
  const { id, changed, tool, state, progress, step, inputs, outputs, note, error, createdAt, expiresAt } = row
  return {
    id,
    change: changed,
    tool,
    state,
    ahead: state === 'queued' ? (ahead ?? 0) : 0,
    progress,
    ...(step !== null && { step }),
    inputs: inputs.map(({ place: _place, ...input }) => input),
    outputs: outputs.map(({ key: _stored, ...output }, n) => ({ ...output, url: resultUrl(key, id, n, now) })),
    ...(note && { note }),
    ...(error && { error }),
    createdAt: createdAt.toISOString(),
    ...(expiresAt && { expiresAt: expiresAt.toISOString() }),
  }
}
