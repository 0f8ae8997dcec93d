import { and, eq, inArray, isNull, lte, not, or, sql } from 'drizzle-orm'
import { isOwnUpload, ownerOfResult, resultPrefix } from './keys.ts'
import { announce, KEPT_MS, nextChange, type JobRow } from './queue.ts'
import type { StoredBytes } from './usage.ts'
import type { Database } from '../database/open.ts'
import { jobs, sessions, tickets } from '../database/schema.ts'
import type { ObjectStore } from '../storage/object-store.ts'

/** An upload may just be on its way into a job: it is given so much longer. */
const SLACK_MS = 5 * 60_000
/** How long an ended job is remembered after its files are gone. */
const REMEMBERED_MS = 24 * 3_600_000

/** What sweeping works on. */
export interface Sweepable {
  readonly db: Database
  readonly store: ObjectStore
  readonly usage: StoredBytes
  readonly now: () => number
}

/** Removes everything whose time is over: results and uploads after two hours, what crashes left behind, sessions, tickets. */
export async function sweep(sweepable: Sweepable): Promise<void> {
  const { db, now } = sweepable
  await expireDue(db, now())
  for (const row of await unclearedJobs(db)) await clearFiles(sweepable, row)
  await sweepUploads(sweepable)
  await sweepResults(sweepable)
  sweepable.usage.forget()
  await db.delete(tickets).where(lte(tickets.expiresAt, new Date(now())))
  await db.delete(sessions).where(lte(sessions.expiresAt, new Date(now())))
  await db.delete(jobs).where(and(eq(jobs.isCleared, true), lte(jobs.expiresAt, new Date(now() - REMEMBERED_MS))))
}

async function expireDue(db: Database, now: number): Promise<void> {
  await db.transaction(async (tx) => {
    const rows = await tx
      .update(jobs)
      .set({ state: 'expired', outputs: [], note: null, changed: nextChange })
      .where(and(inArray(jobs.state, ['done', 'failed', 'cancelled']), lte(jobs.expiresAt, new Date(now))))
      .returning()
    for (const row of rows) await announce(tx, row)
  })
}

const unclearedJobs = (db: Database): Promise<JobRow[]> =>
  db
    .select()
    .from(jobs)
    .where(and(eq(jobs.state, 'expired'), eq(jobs.isCleared, false)))
    .limit(2000)

/** Removes an expired job's results, and its inputs unless another job of the same person still needs them. Can be repeated. */
export async function clearFiles({ db, store, usage }: Sweepable, { id, identityId, inputs }: JobRow): Promise<void> {
  const keys: string[] = []
  for await (const { key } of store.list(resultPrefix(identityId, id))) keys.push(key)
  for (const { key } of inputs) if (isOwnUpload(identityId, key) && !(await isNeeded(db, identityId, key))) keys.push(key)
  if (keys.length > 0) await store.remove(keys)
  await db.update(jobs).set({ isCleared: true }).where(eq(jobs.id, id))
  usage.forget(identityId)
}

/** Whether a job that has not expired works, or could be repeated, on this upload. */
async function isNeeded(db: Database, identityId: string, key: string): Promise<boolean> {
  const rows = await db
    .select({ id: jobs.id })
    .from(jobs)
    .where(and(eq(jobs.identityId, identityId), not(eq(jobs.state, 'expired')), sql`${jobs.inputs} @> ${JSON.stringify([{ key }])}::jsonb`))
    .limit(1)
  return rows.length > 0
}

/** Uploads go two hours after they came, unless a job is still waiting for them. */
async function sweepUploads({ db, store, now }: Sweepable): Promise<void> {
  const due: string[] = []
  for await (const { key, modifiedMs } of store.list('u/')) {
    if (modifiedMs < now() - KEPT_MS - SLACK_MS && !(await isAwaited(db, key))) due.push(key)
  }
  if (due.length > 0) await store.remove(due)
  await store.abortUploadsBefore('u/', now() - KEPT_MS)
}

async function isAwaited(db: Database, key: string): Promise<boolean> {
  const rows = await db
    .select({ id: jobs.id })
    .from(jobs)
    .where(and(inArray(jobs.state, ['queued', 'running']), sql`${jobs.inputs} @> ${JSON.stringify([{ key }])}::jsonb`))
    .limit(1)
  return rows.length > 0
}

/** Results no job speaks of, left by a worker that lost its job or was killed between storing and recording. */
async function sweepResults({ db, store, now }: Sweepable): Promise<void> {
  const orphans: string[] = []
  for await (const { key, modifiedMs } of store.list('r/')) {
    const owner = ownerOfResult(key)
    if (modifiedMs > now() - SLACK_MS) continue
    if (!owner || !(await speaksOf(db, owner.jobId))) orphans.push(key)
  }
  if (orphans.length > 0) await store.remove(orphans)
}

async function speaksOf(db: Database, jobId: string): Promise<boolean> {
  const rows = await db
    .select({ id: jobs.id })
    .from(jobs)
    .where(and(eq(jobs.id, jobId), or(inArray(jobs.state, ['queued', 'running', 'done']), isNull(jobs.finishedAt))))
    .limit(1)
  return rows.length > 0
}
