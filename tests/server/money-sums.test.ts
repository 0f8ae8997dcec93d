import { and, eq, inArray, lte } from 'drizzle-orm'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { noticeOf, testShop, type Shop } from '../fixtures/merchant.ts'
import { person } from '../fixtures/members.ts'
import { testPlace } from '../fixtures/places.ts'
import { guest, plenty } from '../fixtures/server-queue.ts'
import { creditPayment } from '#server/billing/credit'
import { followDue, settle } from '#server/billing/follow'
import { commit, release, reserve } from '#server/billing/ledger'
import { payBackDue, refundOrder } from '#server/billing/refunds'
import { findPayment } from '#server/billing/sandbox/payments'
import { identities } from '#server/database/schema'
import { grants, ledger, orders, refunds, sandboxPayments, type Order } from '#server/database/schema-billing'
import { AppError } from '#shared/errors/app-error'
import type { PlanCode } from '#shared/plans'

const STEPS = 400
const AT_ONCE = 4
const PEOPLE = ['a', 'b', 'c', 'd'] as const
const MINUTE_MS = 60_000

type Step =
  | { readonly do: 'order'; readonly who: (typeof PEOPLE)[number]; readonly method: 'alipay' | 'wechat'; readonly plan: PlanCode }
  | { readonly do: 'pay' | 'notify' | 'query' | 'refund' | 'close' | 'expire'; readonly which: number }
  | { readonly do: 'reserve'; readonly who: (typeof PEOPLE)[number]; readonly units: number }
  | { readonly do: 'commit' | 'release'; readonly which: number }
  | { readonly do: 'follow' | 'pay back' }
  | { readonly do: 'wait'; readonly minutes: number }

const who = fc.constantFrom(...PEOPLE)
const which = fc.nat(11)
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('order' as const),
      who,
      method: fc.constantFrom('alipay' as const, 'wechat' as const),
      plan: fc.constantFrom('bigWeb' as const, 'smallWeb' as const, 'retentionWeb' as const),
    }),
  },
  { weight: 8, arbitrary: fc.record({ do: fc.constantFrom('pay' as const, 'notify' as const, 'query' as const), which }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('refund' as const, 'close' as const, 'expire' as const), which }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('reserve' as const), who, units: fc.integer({ min: 1, max: 30 }) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('commit' as const, 'release' as const), which }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('follow' as const, 'pay back' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('wait' as const), minutes: fc.integer({ min: 1, max: 40 }) }) },
)

interface World extends Shop {
  readonly made: Order[]
  readonly jobs: string[]
}

/** One of the last dozen: what is older is mostly over. */
const recent = <T>(list: readonly T[], at: number): T | undefined => list.slice(-12)[at % Math.min(12, Math.max(1, list.length))]

async function touch(
  world: World,
  one: Exclude<Step, { do: 'order' | 'reserve' | 'commit' | 'release' | 'follow' | 'pay back' | 'wait' }>,
) {
  const { db, till, clock } = world
  const order = recent(world.made, one.which)
  if (!order) return
  switch (one.do) {
    case 'pay':
      return world.pay(order)
    case 'notify': {
      const payment = await findPayment(db, order.method, order.id)
      if (!payment?.paidAt) return
      const told = world.provider(order.method).readNotice(noticeOf(world.gateway, payment), clock.now)
      if (told) await Promise.all([1, 2].map(() => creditPayment(db, told, clock.now)))
      return
    }
    case 'query':
      return settle(till, await world.read(order))
    case 'refund':
      return refundOrder(db, order.id, '', clock.now).catch((error: unknown) => {
        if (!(error instanceof AppError && error.code === 'order.not-found')) throw error
      })
    case 'close':
      // What is paid can't be closed.
      return world
        .provider(order.method)
        .close(order.id)
        .catch(() => {})
    case 'expire':
      return db
        .update(orders)
        .set({ expiresAt: new Date(clock.now), nextQueryAt: new Date(clock.now) })
        .where(and(eq(orders.id, order.id), eq(orders.state, 'new')))
  }
}

async function take(world: World, one: Step): Promise<unknown> {
  const { db, till, clock, jobs } = world
  switch (one.do) {
    case 'order':
      return world.made.push(await world.order(one.who, one.method, one.plan))
    case 'reserve': {
      const jobId = `job ${crypto.randomUUID()}`
      const paid = await db.transaction((tx) =>
        reserve(tx, guest(one.who), 'image', [{ jobId, units: one.units }], { ...plenty, now: clock.now }),
      )
      return jobs.push(...paid)
    }
    case 'commit':
    case 'release': {
      const jobId = recent(jobs, one.which)
      return jobId && db.transaction((tx) => (one.do === 'commit' ? commit : release)(tx, jobId, clock.now))
    }
    case 'follow':
      return followDue(till)
    case 'pay back':
      return payBackDue(till)
    case 'wait':
      return (clock.now += one.minutes * MINUTE_MS)
    default:
      return touch(world, one)
  }
}

/** Lets everything come to its end: codes run out, and after a day nobody asks any more. */
async function settleAll({ db, till, clock }: World): Promise<void> {
  for (const hours of [2, 1, 25, 25]) {
    clock.now += hours * 60 * MINUTE_MS
    const due = lte(orders.nextQueryAt, new Date(clock.now))
    while ((await db.$count(orders, due)) > 0) await followDue(till)
    while ((await db.$count(refunds, lte(refunds.nextTryAt, new Date(clock.now)))) > 0) await payBackDue(till)
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)

async function check({ db }: World): Promise<void> {
  const [made, given, back, used] = [
    await db.select().from(orders),
    await db.select().from(grants),
    await db.select().from(refunds),
    await db.select().from(ledger),
  ]
  const paid = made.filter(({ state }) => state === 'paid')
  expect(sum(given.map(({ amountFen }) => amountFen))).toBe(sum(paid.map(({ amountFen }) => amountFen)))
  const kept = await db
    .select()
    .from(sandboxPayments)
    .where(inArray(sandboxPayments.state, ['paid']))
  expect(kept.map(({ orderId }) => orderId).toSorted()).toEqual(paid.map(({ id }) => id).toSorted())
  expect(back.every(({ state }) => state === 'done')).toBe(true)
  for (const { id, state } of made) {
    const kinds = given.filter(({ orderId }) => orderId === id).map(({ kind }) => kind)
    expect([state, kinds.toSorted()]).toEqual([
      state,
      { new: [], closed: [], duplicate: [], paid: ['purchase'], refunded: ['purchase', 'refund'] }[state],
    ])
    expect(back.filter(({ orderId }) => orderId === id)).toHaveLength(state === 'duplicate' || state === 'refunded' ? 1 : 0)
  }
  for (const one of await db.select().from(identities)) {
    const own = paid.filter(({ identityId }) => identityId === one.id)
    const bought = sum(given.filter(({ identityId }) => identityId === one.id).map(({ credits }) => credits))
    const spent = used.filter(({ identityId, source, state }) => identityId === one.id && source === 'credits' && state !== 'released')
    expect(one.credits).toBe(bought - sum(spent.map(({ units }) => units)))
    expect(one.isForever).toBe(own.some(({ plan }) => plan === 'bigWeb'))
    expect(one.memberSince !== null).toBe(own.length > 0)
  }
}

const seed = Number(process.env['MONEY_SEED'] ?? 11)
const groups = fc.array(fc.array(step, { minLength: AT_ONCE, maxLength: AT_ONCE }), {
  minLength: STEPS / AT_ONCE,
  maxLength: STEPS / AT_ONCE,
})

it('after four hundred random steps, four at a time, every fen and every credit is accounted for', async () => {
  const place = await testPlace()
  const [first] = place.servers
  await using shop = await testShop(async () => ({ db: first.db, [Symbol.asyncDispose]: () => place[Symbol.asyncDispose]() }))
  for (const one of PEOPLE) await person(shop.db, one, undefined)
  const world: World = { ...shop, made: [], jobs: [] }
  // As many servers as the database can have, on one gateway.
  const worlds = place.servers.map(({ db }): World => ({ ...world, db, till: { ...shop.till, db } }))
  for (const group of fc.sample(groups, { seed, numRuns: 1 })[0] ?? [])
    await Promise.all(group.map((one, n) => take(worlds[n % worlds.length] ?? world, one)))
  await settleAll(world)
  expect(world.made.length).toBeGreaterThan(50)
  await check(world)
})
