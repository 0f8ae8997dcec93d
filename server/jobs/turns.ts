import { eq, sql, type SQL } from 'drizzle-orm'
import type { JobRow, Lane } from './queue.ts'
import type { Database } from '../database/open.ts'
import { jobs, lanes } from '../database/schema.ts'

/*
 * The rule: of everybody's waiting jobs of a lane the first ones come first, then the second ones, and so on, members' before guests' each
 * time, and whoever comes later begins at the turn the lane has reached.
 *
 * That is start-time fair queueing (Goyal, Vin, Cheng 1996) with a cost of one a job. A job gets its turn once, when it is accepted, so the
 * next one is found by an index. Nobody has two jobs of one turn, and what comes later has a later turn than any that was taken: so at
 * most one job of each person goes before another's at every turn, members' included, and guests wait no longer than that.
 */

/** What waits apart from one another. */
export const LANES: readonly Lane[] = ['usual', 'ai', 'document']
/** Jobs of one identity that run at a time in a lane. */
export const CONCURRENT_JOBS = 6

/** The first of the turns that jobs get which somebody adds to a lane now: in the transaction that adds them. */
export const waitingTurn = (identityId: string, lane: Lane): SQL => sql`greatest(
  (select coalesce(max(turn), 0) from ${jobs} where identity_id = ${identityId} and lane = ${lane} and state = 'queued'),
  (select turn from ${lanes} where lane = ${lane})) + 1`

/** The id of the job to be taken next from some lanes; of those who have enough running already none. */
export const nextInTurn = (among: readonly Lane[]): SQL => sql`(
  select next.id from unnest(array[${sql.join([...among], sql`, `)}]::text[]) with ordinality as free(lane, n)
  cross join lateral (
    select id from jobs where state = 'queued' and lane = free.lane and (identity_id, lane) not in (
      select identity_id, lane from jobs where state = 'running' group by identity_id, lane having count(*) >= ${CONCURRENT_JOBS})
    order by turn, is_guest, position limit 1) next
  order by free.n limit 1)`

/** Notes that a lane has come to a job's turn, and says so to its owner. One that was put back had its turn before. */
export const reachTurn = async (tx: Database, { lane, turn, identityId }: JobRow): Promise<void> => {
  await tx
    .insert(lanes)
    .values({ lane, turn })
    .onConflictDoUpdate({ target: lanes.lane, set: { turn: sql`greatest(${lanes.turn}, excluded.turn)` } })
    .returning({ told: sql`pg_notify('jobs', ${identityId})` })
}

/** What a waiting job's place follows from. */
export type Waiting = Pick<JobRow, 'lane' | 'turn' | 'isGuest' | 'position'>

const FRESH_MS = 1000

const order = (left: Waiting, right: Waiting): number =>
  left.turn - right.turn || Number(left.isGuest) - Number(right.isGuest) || left.position - right.position

/** How many of an ordered list come before one, and whether it is in it. */
function findPlace(list: readonly Waiting[], one: Waiting): { readonly ahead: number; readonly isIn: boolean } {
  let [low, high] = [0, list.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const there = list[middle]
    if (there && order(there, one) < 0) low = middle + 1
    else high = middle
  }
  return { ahead: low, isIn: list[low]?.position === one.position }
}

/** Places in the queue, by one look at all of it a second however many ask. */
export class Places {
  readonly #db: Database
  #looked: { readonly at: number; readonly lists: Promise<ReadonlyMap<Lane, Waiting[]>> } | undefined

  constructor(db: Database) {
    this.#db = db
  }

  /** How many jobs of its lane come before each job that waits. Those that came after the last look are counted in. */
  async ahead(waiting: readonly Waiting[]): Promise<readonly number[]> {
    const lists = await this.#fresh()
    for (const one of waiting) {
      const list = lists.get(one.lane)
      const place = list && findPlace(list, one)
      if (place && !place.isIn) list.splice(place.ahead, 0, one)
    }
    return waiting.map((one) => findPlace(lists.get(one.lane) ?? [], one).ahead)
  }

  /** Where jobs stand that waited when last heard of; undefined for those that wait no longer. */
  async still(waiting: readonly Waiting[]): Promise<readonly (number | undefined)[]> {
    const lists = await this.#fresh()
    return waiting.map((one) => {
      const { ahead, isIn } = findPlace(lists.get(one.lane) ?? [], one)
      return isIn ? ahead : undefined
    })
  }

  #fresh(): Promise<ReadonlyMap<Lane, Waiting[]>> {
    const now = performance.now()
    if (!this.#looked || now - this.#looked.at > FRESH_MS) {
      this.#looked = { at: now, lists: this.#look() }
      this.#looked.lists.catch(() => (this.#looked = undefined))
    }
    return this.#looked.lists
  }

  async #look(): Promise<ReadonlyMap<Lane, Waiting[]>> {
    const lists = new Map<Lane, Waiting[]>(LANES.map((lane) => [lane, []]))
    const { lane, turn, isGuest, position } = jobs
    const rows = await this.#db
      .select({ lane, turn, isGuest, position })
      .from(jobs)
      .where(eq(jobs.state, 'queued'))
      .orderBy(turn, isGuest, position)
    for (const row of rows) lists.get(row.lane)?.push(row)
    return lists
  }
}
