import { and, eq, gt, inArray, isNull, lte, not, or, sql } from 'drizzle-orm'
import { forgetWorkers } from './heartbeat.ts'
import { isOwnUpload, ownerOfResult, storedResults } from './keys.ts'
import { announce, changing, KEPT_MS, nextChange, type JobRow } from './queue.ts'
import type { StoredBytes } from './usage.ts'
import { sweepAccounts } from '../accounts/sweep.ts'
import { forgetConversions } from '../attribution/sender.ts'
import { forgetAllowances } from '../billing/allowance.ts'
import { forgetLines } from '../billing/ledger.ts'
import { takeUnsettled } from '../billing/local-jobs.ts'
import { forgetUnpaid } from '../billing/orders.ts'
import type { Database } from '../database/open.ts'
import { jobs, tickets } from '../database/schema.ts'
import { forgetOperatorSessions } from '../operators/session.ts'
import type { ObjectStore, StoredObject } from '../storage/object-store.ts'

/** An upload may just be on its way into a job: it is given so much longer. */
const SLACK_MS = 5 * 60_000
/** How long an ended job is remembered after its files are gone. */
const REMEMBERED_MS = 24 * 3_600_000
const BATCH = 500

/** What sweeping works on. */
export interface Sweepable {
  readonly db: Database
  readonly store: ObjectStore
  readonly usage: StoredBytes
  readonly now: () => number
}

/**
 * Removes everything whose time is over: results and uploads after two hours, what crashes left behind, tickets, what is over of accounts. What fails
 * keeps nothing else from going; the first failure is thrown at the end.
 */
export async function sweep(sweepable: Sweepable): Promise<void> {
  const { db, now, usage } = sweepable
  const steps: readonly (() => Promise<unknown>)[] = [
    () => expireDue(db, now()),
    () => clearExpired(sweepable),
    () => sweepUploads(sweepable),
    () => sweepResults(sweepable),
    async () => usage.forget(),
    () => takeUnsettled(db, now()),
    () => forgetAllowances(db, now()),
    () => forgetLines(db, now()),
    () => forgetUnpaid(db, now()),
    () => forgetConversions(db, now()),
    () => forgetOperatorSessions(db, now()),
    () => db.delete(tickets).where(lte(tickets.expiresAt, new Date(now()))),
    () => forgetCleared(db, now()),
    () => sweepAccounts(db, now()),
    () => forgetWorkers(db),
  ]
  const failures: unknown[] = []
  for (const step of steps) await step().catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw failures[0]
}

/** Does a thing to some rows at a time until there are no more: after a day without a sweep there may be a million, and others wait for their locks. */
async function inBatches(doSome: () => Promise<number>): Promise<void> {
  while ((await doSome()) === BATCH);
}

const expireDue = (db: Database, now: number): Promise<void> =>
  inBatches(() =>
    changing(db, async (tx) => {
      const due = tx
        .select({ id: jobs.id })
        .from(jobs)
        .where(and(inArray(jobs.state, ['done', 'failed', 'cancelled']), lte(jobs.expiresAt, new Date(now))))
        .limit(BATCH)
      const rows = await tx
        .update(jobs)
        .set({ state: 'expired', outputs: [], note: null, changed: nextChange })
        .where(inArray(jobs.id, due))
        .returning({ identityId: jobs.identityId })
      await announce(tx, rows)
      return rows.length
    }),
  )

const forgetCleared = (db: Database, now: number): Promise<void> =>
  inBatches(async () => {
    const over = db
      .select({ id: jobs.id })
      .from(jobs)
      .where(and(eq(jobs.isCleared, true), lte(jobs.expiresAt, new Date(now - REMEMBERED_MS))))
      .limit(BATCH)
    return (await db.delete(jobs).where(inArray(jobs.id, over)).returning({ id: jobs.id })).length
  })

async function clearExpired(sweepable: Sweepable): Promise<void> {
  for (let after = 0; ;) {
    const rows = await sweepable.db
      .select()
      .from(jobs)
      .where(and(eq(jobs.state, 'expired'), eq(jobs.isCleared, false), gt(jobs.position, after)))
      .orderBy(jobs.position)
      .limit(BATCH)
    for (const row of rows) await clearFiles(sweepable, row)
    const last = rows.at(-1)
    if (!last) return
    after = last.position
  }
}

/**
 * Removes an expired job's results, and its inputs unless another job of the same person still needs them; what files were called and what
 * was to be done to them goes from its row. Can be repeated.
 */
export async function clearFiles({ db, store, usage }: Sweepable, { id, identityId, inputs }: JobRow): Promise<void> {
  const keys = await storedResults(store, identityId, id)
  for (const { key } of inputs) if (isOwnUpload(identityId, key) && !(await isNeeded(db, identityId, key))) keys.push(key)
  if (keys.length > 0) await store.remove(keys)
  const nameless = inputs.map(({ key, bytes, isAttachment }) => ({ key, name: '', bytes, ...(isAttachment && { isAttachment }) }))
  await db.update(jobs).set({ isCleared: true, inputs: nameless, options: {}, error: null }).where(eq(jobs.id, id))
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
  // Asked once: what is old enough to go is too old for a new job.
  const active = await db
    .select({ inputs: jobs.inputs })
    .from(jobs)
    .where(inArray(jobs.state, ['queued', 'running']))
  const awaited = new Set(active.flatMap(({ inputs }) => inputs.map(({ key }) => key)))
  for await (const batch of batches(store.list('u/'))) {
    const due = batch.filter(({ key, modifiedMs }) => modifiedMs < now() - KEPT_MS - SLACK_MS && !awaited.has(key))
    if (due.length > 0) await store.remove(due.map(({ key }) => key))
  }
  await store.abortUploadsBefore('u/', now() - KEPT_MS)
}

/** Results no job speaks of, left by a worker that lost its job or was killed between storing and recording. */
async function sweepResults({ db, store, now }: Sweepable): Promise<void> {
  for await (const batch of batches(store.list('r/'))) {
    const old = batch.filter(({ modifiedMs }) => modifiedMs <= now() - SLACK_MS)
    const spokenOf = await jobsWithResults(db, [...new Set(old.flatMap(({ key }) => ownerOfResult(key)?.jobId ?? []))])
    const orphans = old.filter(({ key }) => !spokenOf.has(ownerOfResult(key)?.jobId ?? ''))
    if (orphans.length > 0) await store.remove(orphans.map(({ key }) => key))
  }
  // A large result whose storing was broken off, where the storage did not take the end of it either.
  await store.abortUploadsBefore('r/', now() - KEPT_MS)
}

async function jobsWithResults(db: Database, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .select({ id: jobs.id })
    .from(jobs)
    .where(and(inArray(jobs.id, [...ids]), or(inArray(jobs.state, ['queued', 'running', 'done']), isNull(jobs.finishedAt))))
  return new Set(rows.map(({ id }) => id))
}

async function* batches(objects: AsyncIterable<StoredObject>): AsyncGenerator<readonly StoredObject[]> {
  let batch: StoredObject[] = []
  for await (const object of objects) {
    batch.push(object)
    if (batch.length < BATCH) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
