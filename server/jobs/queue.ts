import { and, eq, inArray, sql, type SQL } from 'drizzle-orm'
import { nextInTurn, reachTurn } from './turns.ts'
import { commit, release } from '../billing/ledger.ts'
import type { Database } from '../database/open.ts'
import { jobs, type StoredOutput } from '../database/schema.ts'
import { orders } from '../database/schema-billing.ts'
import { randomText } from '../secrets.ts'
import type { Note } from '#engine/processor'
import type { WireError } from '#shared/errors/app-error'
import { SECRET_KEY } from '#shared/tools/finding'

/** A job as the database holds it. */
export type JobRow = typeof jobs.$inferSelect

/** What jobs wait for apart from one another: models are few and slow, and nobody who compresses pictures waits for them. */
export type Lane = JobRow['lane']

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
export const changing = <T>(db: Database, change: (tx: Database) => Promise<T>, isFlushed = true): Promise<T> =>
  db.transaction(async (tx) => {
    // Set together: each question is a way to the database and back, while everybody waits.
    const unflushed = sql`, set_config('synchronous_commit', 'off', true)`
    await tx.execute(sql`select pg_advisory_xact_lock(${CHANGING})${isFlushed ? sql`` : unflushed}`)
    return change(tx)
  })

/** Said of every change, so that readers can ask what came after. */
export const nextChange = sql`nextval('job_changes')`

/** Tells listeners whose jobs changed, in the transaction that changes them; and wakes idle workers, here and on other hosts, where there may be work. */
export async function announce(db: Database, rows: readonly Pick<JobRow, 'identityId'>[], hasWork = false): Promise<void> {
  if (rows.length === 0) return
  const owners = [...new Set(rows.map(({ identityId }) => identityId))]
  const told = sql`select pg_notify('jobs', owner) from unnest(array[${sql.join(owners, sql`, `)}]::text[]) owner`
  await db.execute(hasWork ? sql`${told} union all select pg_notify('queue', '')` : told)
}

/** Leases the next job in turn of some lanes, or nothing when none may run now. */
export const takeJob = (db: Database, lanes: readonly Lane[]): Promise<(JobRow & { lease: string }) | undefined> =>
  changing(db, async (tx) => {
    const lease = randomText(20)
    const [row] = await tx
      .update(jobs)
      .set({ state: 'running', lease, leaseUntil: LEASE, progress: 0, changed: nextChange })
      .where(and(eq(jobs.id, nextInTurn(lanes)), eq(jobs.state, 'queued')))
      .returning()
    if (!row) return undefined
    await reachTurn(tx, row)
    return { ...row, lease }
  })

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

/** How far a job is, and where that is, in words. */
export type Progress = readonly [lease: string, fraction: number, step: string | undefined]

/** Records how far some jobs are. Not worth a disk flush: after a crash the jobs start over. */
export const reportProgress = (db: Database, news: readonly Progress[]): Promise<void> =>
  changing(
    db,
    async (tx) => {
      const told = sql.join(
        news.map(([lease, fraction, step]) => sql`(${lease}::text, ${fraction}::real, ${step ?? null}::text)`),
        sql`, `,
      )
      const rows = await tx
        .update(jobs)
        .set({ progress: sql`told.progress`, step: sql`told.step`, changed: nextChange })
        .from(sql`(values ${told}) as told(lease, progress, step)`)
        .where(and(sql`${jobs.lease} = told.lease`, eq(jobs.state, 'running')))
        .returning({ identityId: jobs.identityId })
      await announce(tx, rows)
    },
    false,
  )

/** Puts the waiting jobs of whoever paid an order among members' jobs. */
export async function raiseRank(db: Database, orderId: string): Promise<void> {
  const payer = db.select({ id: orders.identityId }).from(orders).where(eq(orders.id, orderId))
  const isBehind = and(inArray(jobs.identityId, payer), eq(jobs.state, 'queued'), eq(jobs.isGuest, true))
  // Most who pay have nothing in the queue, whose lock is everybody's.
  const [behind] = await db.select({ id: jobs.id }).from(jobs).where(isBehind).limit(1)
  if (!behind) return
  await changing(db, async (tx) => {
    const rows = await tx
      .update(jobs)
      .set({ isGuest: false, changed: nextChange })
      .where(isBehind)
      .returning({ identityId: jobs.identityId })
    await announce(tx, rows)
  })
}

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
    // The identity may have been at its share of jobs at a time.
    await announce(tx, [row], true)
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
  const isLost = and(eq(jobs.state, 'running'), which === 'all' ? undefined : sql`${jobs.leaseUntil} < now()`)
  // Many look, and others need not wait for those who find nothing.
  const [lost] = await db.select({ id: jobs.id }).from(jobs).where(isLost).limit(1)
  if (lost) await putBack(db, isLost, { counted: { interruptions: sql`${jobs.interruptions} + 1` }, error: 'job.failed', now })
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
    }
    await announce(tx, rows, true)
  })
}
