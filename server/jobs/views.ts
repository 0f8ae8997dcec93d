import type { JobRow } from './queue.ts'
import type { StoredInput, StoredOutput } from '../database/schema.ts'
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

type Address = (n: number) => string

/** What a person sees of an upload that a job works on; the background beside it is none. */
const inputsOf = (inputs: readonly StoredInput[]): JobView['inputs'] =>
  inputs.flatMap(({ isAttachment, key, name, path, bytes }) =>
    isAttachment ? [] : { key, name, ...(path !== undefined && { path }), bytes },
  )

const outputsOf = (outputs: readonly StoredOutput[], url: Address): JobView['outputs'] =>
  outputs.flatMap(({ key: _stored, part, ...output }, n) => (part ? [] : { ...output, url: url(n) }))

/** The addresses of what an editor works on, where a job left all of it. */
function partsOf(outputs: readonly StoredOutput[], url: Address): JobView['parts'] {
  const addresses = Object.fromEntries(outputs.flatMap(({ part }, n) => (part === undefined ? [] : [[part, url(n)] as const])))
  const { source, matte, foreground } = addresses
  return source !== undefined && (matte === undefined) === (foreground === undefined) ? { ...addresses, source } : undefined
}

/** How a job is shown to its owner. */
export function viewOf(row: JobRow, { key, now, ahead }: { key: Buffer; now: number; ahead: number | undefined }): JobView {
  const { id, changed, tool, state, progress, step, inputs, outputs, note, error, createdAt, expiresAt } = row
  const url: Address = (n) => resultUrl(key, id, n, now)
  const parts = partsOf(outputs, url)
  return {
    id,
    change: changed,
    tool,
    state,
    ahead: state === 'queued' ? (ahead ?? 0) : 0,
    progress,
    ...(step !== null && { step }),
    inputs: inputsOf(inputs),
    outputs: outputsOf(outputs, url),
    ...(parts && { parts }),
    ...(note && { note }),
    ...(error && { error }),
    createdAt: createdAt.toISOString(),
    ...(expiresAt && { expiresAt: expiresAt.toISOString() }),
  }
}
