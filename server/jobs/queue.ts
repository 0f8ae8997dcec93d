import { and, eq, inArray, sql, type SQL } from 'drizzle-orm'
import { commit, release } from '../billing/ledger.ts'
import type { Database } from '../database/open.ts'
import { jobs, type StoredOutput } from '../database/schema.ts'
import { randomText } from '../secrets.ts'
import type { Note } from '#engine/processor'
import type { WireError } from '#shared/errors/app-error'
import { SECRET_KEY } from '#shared/tools/finding'

/** A job as the database holds it. */
export type JobRow = typeof jobs.$inferSelect

/** What jobs wait for apart from one another: models are few and slow, and nobody who compresses pictures waits for them. */
export type Lane = JobRow['lane']

/** Jobs of one identity that run at a time in a lane. */
export const CONCURRENT_JOBS = 6
/** How long files are kept after a job's end, and uploads after their arrival. */
export const KEPT_MS = 2 * 3_600_000
const LEASE = sql`now() + interval '30 seconds'`
/** A job under which a process crashed so often is given up: it is what makes them crash. */
const CRASHES_ALLOWED = 1
/** A job whose process was killed, or whose server or storage went away, so often is given up as well: of the storage, after ten minutes. */
const INTERRUPTIONS_ALLOWED = 20
/** Any number, the same in every process. */
const CHANGING = 7_310_201

/**
 * A transaction that changes jobs. They wait for one another, wherever they run: so the numbers of changes appear in their order, and a
 * reader who has seen one has missed none before it; two takers never exceed an identity's share; a call sent twice is one.
 */
export const changing = <T>(db: Database, change: (tx: Database) => Promise<T>): Promise<T> =>
  db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${CHANGING})`)
    return change(tx)
  })

/** Said of every change, so that readers can ask what came after. */
export const nextChange = sql`nextval('job_changes')`

/**
 * Queued jobs with their turn: an identity's n-th waiting job of a lane comes after the n-th of everyone else, counting those that
 * run already, so that one person's five hundred files never hold up another's single one.
 */
const turns = sql`
  select waiting.id, waiting.lane, waiting.position,
    row_number() over (partition by waiting.identity_id, waiting.lane order by waiting.position) + coalesce(active.running, 0) as turn
  from jobs waiting
  left join (select identity_id, lane, count(*) as running from jobs where state = 'running' group by identity_id, lane) active
    on active.identity_id = waiting.identity_id and active.lane = waiting.lane
  where waiting.state = 'queued'`

/** Tells listeners of a change, in the transaction that makes it. */
export async function announce(db: Database, row: Pick<JobRow, 'id' | 'identityId'>): Promise<void> {
  await db.execute(sql`select pg_notify('jobs', ${`${row.identityId} ${row.id}`})`)
}

/** Wakes idle workers, here and on other hosts. */
export const wakeWorkers = async (db: Database): Promise<void> => {
  await db.execute(sql`select pg_notify('queue', '')`)
}

/** Leases the next job in turn of some lanes, or nothing when none may run now. */
export const takeJob = (db: Database, lanes: readonly Lane[]): Promise<(JobRow & { lease: string }) | undefined> =>
  changing(db, async (tx) => {
    const lease = randomText(20)
    const isIn = inArray(sql`lane`, [...lanes])
    const next = sql`(select id from (${turns}) queue where ${isIn} and turn <= ${CONCURRENT_JOBS} order by turn, position limit 1)`
    const [row] = await tx
      .update(jobs)
      .set({ state: 'running', lease, leaseUntil: LEASE, progress: 0, changed: nextChange })
      .where(and(eq(jobs.id, next), eq(jobs.state, 'queued')))
      .returning()
    if (row) await announce(tx, row)
    return row && { ...row, lease }
  })

/** How many jobs of its lane will be taken before each queued one. */
export async function queuePositions(db: Database): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .select({ id: jobs.id, ahead: sql<number>`queue.ahead`.mapWith(Number) })
    .from(jobs)
    .innerJoin(
      sql`(select id, row_number() over (partition by lane order by turn, position) - 1 as ahead from (${turns}) numbered) queue`,
      sql`queue.id = ${jobs.id}`,
    )
  return new Map(rows.map(({ id, ahead }) => [id, ahead]))
}

/** Keeps leases for another 30 s; returns those that are still held. */
export async function renewLeases(db: Database, leases: readonly string[]): Promise<ReadonlySet<string>> {
  if (leases.length === 0) return new Set()
  const rows = await db
    .update(jobs)
    .set({ leaseUntil: LEASE })
    .where(and(inArray(jobs.lease, [...leases]), eq(jobs.state, 'running')))
    .returning({ lease: jobs.lease })
  return new Set(rows.flatMap(({ lease }) => lease ?? []))
}

/** Changes a job only if this lease still runs it; whether it did. */
const underLease = (lease: string): SQL | undefined => and(eq(jobs.lease, lease), eq(jobs.state, 'running'))

/** Records how far a job is. Not worth a disk flush: after a crash the job starts over. */
export const reportProgress = (db: Database, lease: string, progress: number, step: string | undefined): Promise<void> =>
  changing(db, async (tx) => {
    await tx.execute(sql`set local synchronous_commit = off`)
    const [row] = await tx
      .update(jobs)
      .set({ progress, step: step ?? null, changed: nextChange })
      .where(underLease(lease))
      .returning()
    if (row) await announce(tx, row)
  })

/** What a job came to. */
export type Outcome =
  | { readonly state: 'done'; readonly outputs: readonly StoredOutput[]; readonly note: Note | undefined; readonly isCharged: boolean }
  | { readonly state: 'failed'; readonly error: WireError }

/** Ends a job and settles its cost, at once or not at all. False when the lease was lost: then nothing changed. */
export const finishJob = (db: Database, lease: string, outcome: Outcome, now: number): Promise<boolean> =>
  changing(db, async (tx) => {
    const { state } = outcome
    const result = state === 'done' ? { outputs: outcome.outputs, note: outcome.note ?? null } : { error: outcome.error }
    const [row] = await tx
      .update(jobs)
      .set({ ...result, state, progress: 1, ...ended(now), changed: nextChange })
      .where(underLease(lease))
      .returning()
    if (!row) return false
    await (state === 'done' && outcome.isCharged ? commit : release)(tx, row.id, now)
    await announce(tx, row)
    // The identity may have been at its share of jobs at a time.
    await wakeWorkers(tx)
    return true
  })

/** Whether a job has ended without results, or is forgotten. */
export async function isOver(db: Database, id: string): Promise<boolean> {
  const [row] = await db.select({ state: jobs.state }).from(jobs).where(eq(jobs.id, id))
  return row === undefined || ['failed', 'cancelled', 'expired'].includes(row.state)
}

/** What every ended job has: no lease, and a time at which its files go. */
export const ended = (now: number) => ({
  options: sql`${jobs.options} - ${SECRET_KEY}::text`,
  lease: null,
  leaseUntil: null,
  finishedAt: new Date(now),
  expiresAt: new Date(now + KEPT_MS),
})

/** Why a job did not come to an end: its process crashed, was killed, this server stops, or the storage is away. */
export type Interruption = 'crash' | 'kill' | 'stop' | 'away'

/** Puts a leased job back. Gives it up when it was interrupted too often. */
export async function giveBack(db: Database, lease: string, why: Interruption, now: number): Promise<void> {
  const counted = {
    ...(why === 'crash' && { crashes: sql`${jobs.crashes} + 1` }),
    ...((why === 'kill' || why === 'away') && { interruptions: sql`${jobs.interruptions} + 1` }),
  }
  await putBack(db, underLease(lease), { counted, error: why === 'away' ? 'service.unavailable' : 'job.failed', now })
}

/** Puts back the jobs whose worker let its lease run out; all running ones when no other server can be running them. */
export async function recoverJobs(db: Database, which: 'lost' | 'all', now: number): Promise<void> {
  const isLost = which === 'all' ? undefined : sql`${jobs.leaseUntil} < now()`
  const counted = { interruptions: sql`${jobs.interruptions} + 1` }
  await putBack(db, and(eq(jobs.state, 'running'), isLost), { counted, error: 'job.failed', now })
}

/** What is counted of jobs that are put back, and what those are told that are given up. */
interface PutBack {
  readonly counted: { readonly crashes?: SQL; readonly interruptions?: SQL }
  readonly error: 'job.failed' | 'service.unavailable'
  readonly now: number
}

async function putBack(db: Database, which: SQL | undefined, { counted, error: code, now }: PutBack): Promise<void> {
  await changing(db, async (tx) => {
    const rows = await tx
      .update(jobs)
      .set({ ...counted, state: 'queued', lease: null, leaseUntil: null, progress: 0, step: null, changed: nextChange })
      .where(which)
      .returning()
    for (const row of rows) {
      const isHopeless = row.crashes > CRASHES_ALLOWED || row.interruptions > INTERRUPTIONS_ALLOWED
      if (isHopeless) {
        const error: WireError = { code, data: {} }
        await tx
          .update(jobs)
          .set({ state: 'failed', error, ...ended(now) })
          .where(eq(jobs.id, row.id))
        await release(tx, row.id, now)
      }
      await announce(tx, row)
    }
    if (rows.length > 0) await wakeWorkers(tx)
  })
}
