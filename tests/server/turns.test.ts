import fc from 'fast-check'
import { eq, gt, inArray, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { testShop } from '../fixtures/merchant.ts'
import { placesOf, queue, testQueue } from '../fixtures/server-queue.ts'
import { settle } from '#server/billing/follow'
import type { Database } from '#server/database/open'
import { identities, jobs, lanes } from '#server/database/schema'
import { finishJob, takeJob } from '#server/jobs/queue'
import { LANES, CONCURRENT_JOBS } from '#server/jobs/turns'

const members = ['m', 'n']
const guests = ['g', 'h']
const people = [...members, ...guests]
const done = { state: 'done', outputs: [], note: undefined, isCharged: true } as const

type Step = { readonly by: string; readonly count: number } | 'take' | 'end'

const steps = fc.array(
  fc.oneof(
    { weight: 2, arbitrary: fc.record({ by: fc.constantFrom(...people), count: fc.integer({ min: 1, max: 4 }) }) },
    { weight: 4, arbitrary: fc.constant('take' as const) },
    { weight: 3, arbitrary: fc.constant('end' as const) },
  ),
  { minLength: 10, maxLength: 60 },
)

/** What was seen: jobs that waited, each with how many of its owner waited with it, and the order in which jobs were taken. */
class Watched {
  readonly running: string[] = []
  readonly #waiting = new Map<string, { readonly nth: number; readonly since: Map<string, number> }>()
  readonly #numbers = new Map<string, number>()

  async submit(db: Database, by: string, count: number): Promise<void> {
    const first = this.#numbers.get(by) ?? 0
    this.#numbers.set(by, first + count)
    const before = [...this.#waiting.keys()].filter((id) => id.startsWith(by)).length
    await queue(db, by, count, 'usual', first)
    for (let n = 0; n < count; n++) this.#waiting.set(`${by}${first + n}`, { nth: before + n + 1, since: new Map() })
  }

  /** Notes what was taken; gives who was served before it more often than is fair. */
  take(id: string): readonly string[] {
    const by = id.slice(0, 1)
    const own = this.#waiting.get(id)
    this.#waiting.delete(id)
    this.running.push(id)
    for (const [waiting, { since }] of this.#waiting) if (!waiting.startsWith(by)) since.set(by, (since.get(by) ?? 0) + 1)
    // Once a turn, and once in the turn that was going on when it came.
    return [...(own?.since ?? [])].flatMap(([other, count]) => (count > (own?.nth ?? 0) + 1 ? [other] : []))
  }

  /** Who waits and has less than his share running. */
  get able(): readonly string[] {
    const busy = (by: string): number => this.running.filter((id) => id.startsWith(by)).length
    return [...this.#waiting.keys()].filter((id) => busy(id.slice(0, 1)) < CONCURRENT_JOBS)
  }
}

describe('turns', () => {
  let queued: Awaited<ReturnType<typeof testQueue>>
  beforeAll(async () => void (queued = await testQueue()))
  afterAll(() => queued[Symbol.asyncDispose]())
  beforeEach(() => empty(queued.db))

  async function empty(db: Database): Promise<void> {
    await db.execute(sql`truncate jobs, ledger, lanes cascade`)
    await db
      .insert(identities)
      .values(people.map((id) => ({ id, accountIndex: id, accountCipher: '', username: '' })))
      .onConflictDoNothing()
    await db.update(identities).set({ memberSince: new Date() }).where(inArray(identities.id, members))
  }

  const takeOne = async (): Promise<{ id: string; lease: string } | undefined> => takeJob(queued.db, LANES)

  it('nobody waits for more than one job of each other person a turn, whatever comes and goes, and all are served', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (plan: readonly Step[]) => {
        await empty(queued.db)
        const watched = new Watched()
        const leases = new Map<string, string>()
        const take = async (): Promise<void> => {
          const isAny = watched.able.length > 0
          const job = await takeOne()
          expect(job !== undefined).toBe(isAny)
          if (!job) return
          leases.set(job.id, job.lease)
          expect(watched.take(job.id)).toEqual([])
        }
        const end = async (): Promise<void> => {
          const id = watched.running.shift()
          if (id !== undefined) await finishJob(queued.db, leases.get(id) ?? '', done, Date.now())
        }
        for (const step of plan) {
          if (step === 'take') await take()
          else if (step === 'end') await end()
          else await watched.submit(queued.db, step.by, step.count)
        }
        while (watched.able.length > 0 || watched.running.length > 0) {
          await take()
          await end()
        }
        expect(await placesOf(queued.db)).toEqual(new Map())
      }),
      { numRuns: 8 },
    )
  })

  it('a member’s n-th job goes before a guest’s n-th, and after a guest’s one before', async () => {
    for (const by of ['g', 'm', 'h', 'n']) await queue(queued.db, by, 2)
    const order = [...(await placesOf(queued.db))].toSorted((left, right) => left[1] - right[1]).map(([id]) => id)
    expect(order).toEqual(['m0', 'n0', 'g0', 'h0', 'm1', 'n1', 'g1', 'h1'])
    for (const id of order) expect((await takeOne())?.id).toBe(id)
  })

  it('one worker alone that ends each job before the next serves a single file among five hundred second', async () => {
    await queue(queued.db, 'm', 500)
    const first = await takeOne()
    await finishJob(queued.db, first?.lease ?? '', done, Date.now())
    await queue(queued.db, 'g', 1)
    await finishJob(queued.db, (await takeOne())?.lease ?? '', done, Date.now())
    expect((await takeOne())?.id).toBe('g0')
  })

  it('who was served much before begins where everybody is', async () => {
    await queue(queued.db, 'g', 3)
    for (let n = 0; n < 3; n++) await finishJob(queued.db, (await takeOne())?.lease ?? '', done, Date.now())
    expect(await queued.db.select({ turn: lanes.turn }).from(lanes).where(eq(lanes.lane, 'usual'))).toEqual([{ turn: 3 }])
    await queue(queued.db, 'g', 2, 'usual', 3)
    await queue(queued.db, 'h', 2)
    expect([...(await placesOf(queued.db))].toSorted((left, right) => left[1] - right[1]).map(([id]) => id)).toEqual([
      'g3',
      'h0',
      'g4',
      'h1',
    ])
    expect(await queued.db.select({ turn: jobs.turn }).from(jobs).where(eq(jobs.id, 'h1'))).toEqual([{ turn: 5 }])
  })

  it('who becomes a member goes as one with what waits already, and hears of the place', async () => {
    await using shop = await testShop(async () => ({ db: queued.db, [Symbol.asyncDispose]: async () => {} }))
    const order = await shop.order('h', 'wechat', 'bigWeb')
    for (const by of ['g', 'h']) await queue(queued.db, by, 2)
    const before = await queued.db.select({ changed: jobs.changed }).from(jobs)
    await shop.pay(order)
    await settle(shop.till, order)
    const places = [...(await placesOf(queued.db))].toSorted((left, right) => left[1] - right[1]).map(([id]) => id)
    expect(places).toEqual(['h0', 'g0', 'h1', 'g1'])
    const told = await queued.db
      .select({ id: jobs.id })
      .from(jobs)
      .where(gt(jobs.changed, Math.max(...before.map(({ changed }) => changed))))
    expect(told.map(({ id }) => id).toSorted()).toEqual(['h0', 'h1'])
    await queued.db.update(identities).set({ memberSince: null }).where(eq(identities.id, 'h'))
  })
})
