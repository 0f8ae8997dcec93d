import { transport } from '../platform/http.ts'
import type { Row } from '../state/rows.ts'
import { lacksSubject } from '../tools/row-actions.ts'
import { readJob } from '#shared/api/jobs'
import { CONTROL_MS, send } from '#shared/api/send'
import { AppError } from '#shared/errors/app-error'

/** What a cut-out is worked on with: where no subject was found there is the picture and nothing else. */
export interface Parts {
  readonly source: Blob
  readonly foreground?: Blob
  readonly matte?: Blob
  /** The file itself, where this tab has it. */
  readonly file?: Blob | undefined
}

/** The parts of a row's job; undefined where there are none, or none any more. Throws where they couldn't be had just now. */
export async function loadParts(row: Row, signal: AbortSignal): Promise<Parts | undefined> {
  const parts = row.jobId === undefined ? undefined : await addressesOf(row.jobId)
  if (parts?.foreground !== undefined && parts.matte !== undefined) {
    const [source, foreground, matte] = await Promise.all(
      [parts.source, parts.foreground, parts.matte].map((address) => download(address, signal)),
    )
    return source && foreground && matte ? { source, foreground, matte, file: row.file } : undefined
  }
  return lacksSubject(row) && row.file ? { source: row.file, file: row.file } : undefined
}

/** Asked for anew: those that came with the result last a quarter of an hour. */
export async function addressesOf(jobId: string) {
  try {
    const { parts } = await send(transport, readJob, undefined, { params: { id: jobId }, deadlineMs: CONTROL_MS })
    return parts
  } catch (error) {
    if (error instanceof AppError && error.code === 'job.not-found') return undefined
    throw error
  }
}

/** A file of the job's; undefined for one that is gone. */
export async function download(address: string, signal: AbortSignal): Promise<Blob | undefined> {
  const answer = await fetch(address, { signal })
  if (answer.status === 404 || answer.status === 410) return undefined
  if (!answer.ok) throw new Error(`${address} answered ${answer.status}`)
  return answer.blob()
}
