import { count, eq, sql } from 'drizzle-orm'
import { waitingTurn } from './turns.ts'
import type { JobRow, Lane } from './queue.ts'
import type { Database } from '../database/open.ts'
import { identities, jobs } from '../database/schema.ts'

const COUNTED_EVERY_MS = 1000

/** A job of a call that has come in before. */
export type EarlierJob = Pick<JobRow, 'id' | 'tool' | 'options' | 'inputs' | 'isCleared'>

/** Who calls, under which name of his, and where his jobs would wait. */
interface Asking {
  readonly identityId: string
  readonly requestKey: string
  readonly lane: Lane
}

/** How the queue is to a call that comes in. */
export interface Standing {
  /** The jobs of an earlier call under the same key, in their order. */
  readonly earlier: readonly EarlierJob[]
  /** Jobs of the caller that wait. */
  readonly own: number
  /** The first of the turns that his jobs get, and whether they go as a guest's. */
  readonly turn: number
  readonly isGuest: boolean
}

/** All a call has to know of the queue, in one question: each is a way to the database and back, most of them while everybody waits for the same lock. */
export async function readStanding(db: Database, { identityId, requestKey, lane }: Asking): Promise<Standing> {
  const { rows } = await db.execute<{ earlier: EarlierJob[]; own: number; turn: number | string; guest: boolean | null }>(sql`
    select
      (select coalesce(json_agg(json_build_object('id', id, 'tool', tool, 'options', options, 'inputs', inputs, 'isCleared', is_cleared)
        order by ordinal), '[]') from ${jobs} where identity_id = ${identityId} and request_key = ${requestKey}) as earlier,
      (select count(*)::integer from ${jobs} where state = 'queued' and identity_id = ${identityId}) as own,
      ${waitingTurn(identityId, lane)} as turn,
      (select member_since is null from ${identities} where id = ${identityId}) as guest`)
  const [row] = rows
  if (!row) throw new Error('a question without an answer')
  return { ...row, turn: Number(row.turn), isGuest: row.guest ?? true }
}

/**
 * How many jobs wait in all: counted once a second, since that takes longer the more there are, and with those that were accepted here since.
 * So what several servers let in together may be more by what the others accept in a second.
 */
export class QueueLength {
  #countedAt = -Infinity
  #jobs = 0

  /** As far as is known here. */
  get jobs(): number {
    return this.#jobs
  }

  add(accepted: number): void {
    this.#jobs += accepted
  }

  async count(db: Database): Promise<void> {
    if (performance.now() - this.#countedAt < COUNTED_EVERY_MS) return
    const [row] = await db.select({ jobs: count() }).from(jobs).where(eq(jobs.state, 'queued'))
    this.#countedAt = performance.now()
    this.#jobs = row?.jobs ?? 0
  }
}
