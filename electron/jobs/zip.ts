import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { PassThrough, Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import type { LocalJob } from './job.ts'
import type { JobQueue } from './queue.ts'
import { downloadHeaders } from '#shared/downloads'
import { AppError } from '#shared/errors/app-error'
import { folderNames, freeName } from '#shared/names'

const TICKETS = 20

/** Results as a zip, for those who want one: the files themselves lie in their folders already. */
export class Zips {
  readonly #queue: JobQueue
  readonly #tickets = new Map<string, readonly string[]>()

  constructor(queue: JobQueue) {
    this.#queue = queue
  }

  /** A ticket for one download. Throws `job.not-found` where a job is not there, `result.expired` when none has a result. */
  issue(ids: readonly string[]): string {
    const jobs = ids.map((id) => this.#queue.find(id))
    if (jobs.includes(undefined)) throw new AppError('job.not-found', {})
    if (jobs.every((job) => job?.outputs.length === 0)) throw new AppError('result.expired', {})
    const ticket = randomBytes(16).toString('hex')
    this.#tickets.set(ticket, [...new Set(ids)])
    const [oldest] = this.#tickets.keys()
    if (oldest !== undefined && this.#tickets.size > TICKETS) this.#tickets.delete(oldest)
    return ticket
  }

  /** Uses a ticket up. Throws `result.expired` for one that is none. */
  take(ticket: string): Response {
    const ids = this.#tickets.get(ticket)
    this.#tickets.delete(ticket)
    if (!ids) throw new AppError('result.expired', {})
    const body = Readable.toWeb(streamZip(ids.flatMap((id) => this.#queue.find(id) ?? []))) as ReadableStream<Uint8Array> // Node's declaration leaves the chunks open; a zip's are bytes
    return new Response(body, { headers: { ...downloadHeaders('轻图.zip', 'application/zip'), 'cache-control': 'no-store' } })
  }
}

/** Stored, not deflated: pictures are compressed already. A zip that could not be finished does not look like one that is. */
function streamZip(jobs: readonly LocalJob[]): Readable {
  const zip = new ZipFile()
  const bytes = new PassThrough()
  zip.outputStream.pipe(bytes)
  zip.on('error', (error: Error) => bytes.destroy(error))
  const taken = folderNames(jobs.map(({ inputs }) => inputs[0].folder))
  for (const { inputs, outputs, endedAt } of jobs) {
    const { folder } = inputs[0]
    for (const { path, name } of outputs) {
      const entry = freeName(taken, folder === undefined ? '' : `${folder}/`, name)
      zip.addReadStreamLazy(entry, { compress: false, mtime: new Date(endedAt ?? Date.now()) }, (pass) => {
        const file = createReadStream(path)
        file.once('error', (error) => bytes.destroy(error))
        bytes.once('close', () => file.destroy())
        pass(null, file)
      })
    }
  }
  zip.end()
  return bytes
}
