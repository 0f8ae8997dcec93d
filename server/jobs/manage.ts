import { and, asc, desc, eq, gt, inArray, ne, sql } from 'drizzle-orm'
import { announce, changing, ended, nextChange, type JobRow } from './queue.ts'
import { release } from '../billing/ledger.ts'
import type { Owners } from '../accounts/caller.ts'
import type { Database } from '../database/open.ts'
import { jobs } from '../database/schema.ts'
import { LISTED_JOBS } from '#shared/api/jobs'
import { AppError } from '#shared/errors/app-error'

const isOf = (owners: Owners) => inArray(jobs.identityId, [...owners])

/** The jobs of their owners, newest first. */
export const ownJobs = (db: Database, owners: Owners): Promise<JobRow[]> =>
  db.select().from(jobs).where(isOf(owners)).orderBy(desc(jobs.position)).limit(LISTED_JOBS)

/**
 * The jobs of their owners that changed after a number, in the order of their changes. A number from before the data was replaced
 * means nothing: its reader starts over.
 */
export const changedJobs = (db: Database, owners: Owners, after: number, limit: number): Promise<JobRow[]> => {
  const known = sql`case when ${after}::bigint > (select last_value from job_changes) then 0 else ${after}::bigint end`
  return db
    .select()
    .from(jobs)
    .where(and(isOf(owners), gt(jobs.changed, known)))
    .orderBy(asc(jobs.changed))
    .limit(limit)
}

/** One job of its owners. Throws `job.not-found`; another's job is as good as none. */
export async function ownJob(db: Database, owners: Owners, id: string): Promise<JobRow> {
  const [row] = await db
    .select()
    .from(jobs)
    .where(and(eq(jobs.id, id), isOf(owners)))
  if (!row) throw new AppError('job.not-found', {})
  return row
}

const isActive = inArray(jobs.state, ['queued', 'running'])

/** Ends a job that has not ended, gives its cost back and stops whoever runs it. */
export async function cancelJob(db: Database, owners: Owners, id: string, now: number): Promise<void> {
  await ownJob(db, owners, id)
  await changing(db, async (tx) => {
    const [row] = await tx
      .update(jobs)
      .set({ state: 'cancelled', ...ended(now), changed: nextChange })
      .where(and(eq(jobs.id, id), isActive))
      .returning()
    if (row) await stop(tx, row, now)
  })
}

/** Ends a job whatever its state and marks its files for removal. */
export async function expireJob(db: Database, owners: Owners, id: string, now: number): Promise<JobRow> {
  const row = await ownJob(db, owners, id)
  await changing(db, async (tx) => {
    const [expired] = await tx
      .update(jobs)
      .set({ state: 'expired', outputs: [], note: null, ...ended(now), expiresAt: new Date(now), changed: nextChange })
      .where(and(eq(jobs.id, id), ne(jobs.state, 'expired')))
      .returning()
    if (expired) await stop(tx, expired, now)
  })
  return row
}

async function stop(tx: Database, row: JobRow, now: number): Promise<void> {
  await release(tx, row.id, now)
  await announce(tx, [row])
  await tx.execute(sql`select pg_notify('stopped', ${row.id})`)
}
