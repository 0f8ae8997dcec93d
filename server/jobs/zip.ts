import { PassThrough, Readable } from 'node:stream'
import { and, eq, gt, inArray } from 'drizzle-orm'
import { ZipFile } from 'yazl'
import type { JobRow } from './queue.ts'
import type { Owners } from '../accounts/caller.ts'
import type { Database } from '../database/open.ts'
import { jobs, tickets } from '../database/schema.ts'
import { randomText } from '../secrets.ts'
import type { ObjectStore } from '../storage/object-store.ts'
import { AppError } from '#shared/errors/app-error'
import { folderNames, freeName } from '#shared/names'

const TICKET_LASTS_MS = 5 * 60_000

/** A ticket for one download of the results of some jobs. Throws `job.not-found` unless all are the caller's, `result.expired` when none has a result. */
export async function issueTicket(db: Database, owners: Owners, ids: readonly string[], now: number): Promise<string> {
  const jobIds = [...new Set(ids)]
  const rows = await ownedJobs(db, owners, jobIds)
  if (rows.length !== jobIds.length) throw new AppError('job.not-found', {})
  if (rows.every(({ outputs }) => outputs.length === 0)) throw new AppError('result.expired', {})
  const id = randomText(32)
  await db.insert(tickets).values({ id, identityId: owners[0], jobIds, expiresAt: new Date(now + TICKET_LASTS_MS) })
  return id
}

const ownedJobs = (db: Database, owners: Owners, ids: readonly string[]): Promise<JobRow[]> =>
  db
    .select()
    .from(jobs)
    .where(and(inArray(jobs.identityId, [...owners]), inArray(jobs.id, [...ids])))
    .orderBy(jobs.position)

/** Uses a ticket up. Throws `result.expired` when it is used, over, or another's. */
export async function takeTicket(db: Database, owners: Owners, id: string, now: number): Promise<readonly JobRow[]> {
  const [ticket] = await db
    .delete(tickets)
    .where(and(eq(tickets.id, id), inArray(tickets.identityId, [...owners]), gt(tickets.expiresAt, new Date(now))))
    .returning()
  if (!ticket) throw new AppError('result.expired', {})
  return ownedJobs(db, owners, ticket.jobIds)
}

/** The results as a zip, in the folders their sources were picked from. Stored, not deflated: pictures are compressed already. */
export function streamZip(store: ObjectStore, rows: readonly JobRow[]): Readable {
  const zip = new ZipFile()
  const bytes = new PassThrough()
  zip.outputStream.pipe(bytes)
  // A zip that could not be finished must not look like one that is.
  zip.on('error', (error: Error) => bytes.destroy(error))
  const taken = folderNames(rows.map(({ inputs }) => inputs[0]?.path))
  for (const { inputs, outputs, finishedAt } of rows) {
    const folder = inputs[0]?.path
    for (const { key, name, part } of outputs) {
      if (part) continue
      const path = freeName(taken, folder ? `${folder}/` : '', name)
      zip.addReadStreamLazy(path, { compress: false, mtime: finishedAt ?? new Date() }, (pass) => {
        openEntry(store, key, bytes).then(
          (stream) => pass(null, stream),
          (error: unknown) => pass(error, Readable.from([])),
        )
      })
    }
  }
  zip.end()
  return bytes
}

/** A result that ends with its zip, and whose failure is the zip's. */
async function openEntry(store: ObjectStore, key: string, bytes: PassThrough): Promise<Readable> {
  const stream = await store.read(key)
  stream.once('error', (error) => bytes.destroy(error))
  const stop = (): void => void stream.destroy()
  if (bytes.destroyed) stop()
  bytes.once('close', stop)
  stream.once('close', () => bytes.off('close', stop))
  return stream
}
