import { and, eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { testShop } from '../fixtures/merchant.ts'
import { creditPayment } from '#server/billing/credit'
import { followDue, settle } from '#server/billing/follow'
import { watchOrder } from '#server/billing/orders'
import type { Payment } from '#server/billing/providers/provider'
import { payBackDue, refundOrder } from '#server/billing/refunds'
import { findPayment } from '#server/billing/sandbox/payments'
import { devices, identities, slots } from '#server/database/schema'
import { grants, orders, refunds, type Order } from '#server/database/schema-billing'
import { AppError } from '#shared/errors/app-error'

const MINUTE_MS = 60_000
const shop = await testShop()
afterAll(() => shop[Symbol.asyncDispose]())
const { db, clock, till } = shop

const paymentFor = ({ id, method, amountFen }: Order, more: Partial<Payment> = {}): Payment => ({
  method,
  orderId: id,
  transactionId: `t${id}`,
  amountFen,
  paidAt: clock.now,
  ...more,
})
const credit = (order: Order, more?: Partial<Payment>) => creditPayment(db, paymentFor(order, more), clock.now)
const grantsOf = (order: Order) => db.select().from(grants).where(eq(grants.orderId, order.id))
const refundsOf = (order: Order) => db.select().from(refunds).where(eq(refunds.orderId, order.id))
const refundOf = (order: Order) => refundOrder(db, order.id, '用户申请', clock.now)

describe('a payment', () => {
  it('of a lifetime makes a member for ever, on this computer', async () => {
    const order = await shop.order('big', 'alipay', 'bigWeb')
    expect(await credit(order)).toBe('credited')
    expect(await shop.person('big')).toMatchObject({ isForever: true, credits: 0, memberSince: new Date(clock.now) })
    expect(await db.select().from(slots).where(eq(slots.identityId, 'big'))).toMatchObject([{ deviceId: order.deviceId }])
    expect(await shop.read(order)).toMatchObject({ state: 'paid', transactionId: `t${order.id}`, nextQueryAt: null })
  })

  it.each([
    ['smallWeb', 1],
    ['retentionWeb', 1000],
  ] as const)('of %s adds %i to what is left', async (plan, credits) => {
    for (const n of [1, 2]) {
      await credit(await shop.order(`adds-${plan}`, 'wechat', plan))
      expect(await shop.person(`adds-${plan}`)).toMatchObject({ credits: credits * n, isForever: false })
    }
  })

  it('counts once, told fifty times at a time', async () => {
    const order = await shop.order('fifty', 'wechat', 'retentionWeb')
    const told = await Promise.all(Array.from({ length: 50 }, () => credit(order)))
    expect(told.filter((one) => one === 'credited')).toHaveLength(1)
    expect(told.filter((one) => one === 'known')).toHaveLength(49)
    expect(await grantsOf(order)).toHaveLength(1)
    expect((await shop.person('fifty')).credits).toBe(1000)
  })

  it('counts where the order had been closed: the money is there', async () => {
    const order = await shop.order('closed', 'alipay', 'smallWeb')
    await db.update(orders).set({ state: 'closed' }).where(eq(orders.id, order.id))
    expect(await credit(order)).toBe('credited')
    expect((await shop.person('closed')).credits).toBe(1)
  })

  it.each([
    ['of another amount', { amountFen: 1 }],
    ['of no amount', { amountFen: NaN }],
    ['of an order nobody made', { orderId: '20260729nobody' }],
    ['by another provider', { method: 'alipay' }],
  ] as const)('%s is refused and changes nothing', async (_what, more) => {
    const order = await shop.order('wrong', 'wechat', 'smallWeb')
    await expect(credit(order, more)).rejects.toThrow('payment.notice-refused')
    expect(await shop.read(order)).toMatchObject({ state: 'new', transactionId: null })
    expect(await shop.person('wrong')).toMatchObject({ credits: 0, memberSince: null })
  })

  it('pays for one order only, even if a provider said it of two', async () => {
    const [one, other] = [await shop.order('twice', 'wechat', 'smallWeb'), await shop.order('twice', 'wechat', 'smallWeb')]
    await credit(one, { transactionId: 'shared' })
    await expect(credit(other, { transactionId: 'shared' })).rejects.toThrow(/Failed query/)
    await expect(credit(one, { transactionId: 'another' })).rejects.toThrow('payment.notice-refused')
    expect((await shop.person('twice')).credits).toBe(1)
  })

  it('counts where two other computers are signed in already', async () => {
    const order = await shop.order('crowded', 'wechat', 'smallWeb')
    for (const deviceId of ['x1', 'x2']) {
      await db.insert(devices).values({ id: deviceId })
      await db.insert(slots).values({ identityId: 'crowded', deviceId, name: '', kind: 'web', lastSeenAt: new Date(clock.now) })
    }
    expect(await credit(order)).toBe('credited')
    expect((await shop.person('crowded')).credits).toBe(1)
    expect(await db.select().from(slots).where(eq(slots.identityId, 'crowded'))).toHaveLength(2)
  })
})

describe('two payments of one person', () => {
  it('for a lifetime: the first counts, the second goes back', async () => {
    const [first, second] = [await shop.order('both', 'alipay', 'bigWeb'), await shop.order('both', 'wechat', 'bigWeb')]
    await shop.pay(first)
    await shop.pay(second)
    expect(await Promise.all([settle(till, first), settle(till, second)])).toEqual([true, true])
    const states = [(await shop.read(first)).state, (await shop.read(second)).state].toSorted()
    expect(states).toEqual(['duplicate', 'paid'])
    const [duplicate] = await db
      .select()
      .from(orders)
      .where(and(eq(orders.identityId, 'both'), eq(orders.state, 'duplicate')))
    if (!duplicate) throw new Error('none')
    expect(await grantsOf(duplicate)).toEqual([])
    await payBackDue(till)
    expect(await refundsOf(duplicate)).toMatchObject([{ state: 'done', amountFen: 2800, tries: 1 }])
    expect(await findPayment(db, duplicate.method, duplicate.id)).toMatchObject({ state: 'refunded', refundedFen: 2800 })
    expect((await shop.person('both')).isForever).toBe(true)
  })

  it('for pictures both count', async () => {
    for (const method of ['alipay', 'wechat'] as const) await credit(await shop.order('pictures', method, 'retentionWeb'))
    expect((await shop.person('pictures')).credits).toBe(2000)
  })

  it('rarely come: once one code is paid, the others for the same are closed at their provider', async () => {
    const [paid, sibling] = [await shop.order('sibling', 'alipay', 'bigWeb'), await shop.order('sibling', 'wechat', 'bigWeb')]
    const otherPlan = await shop.order('sibling', 'wechat', 'smallWeb')
    await credit(paid)
    await followDue(till)
    expect(await shop.read(sibling)).toMatchObject({ state: 'closed' })
    expect(await findPayment(db, 'wechat', sibling.id)).toMatchObject({ state: 'closed' })
    expect(await shop.read(otherPlan)).toMatchObject({ state: 'new' })
  })
})

describe('a notice that got lost', () => {
  it.each(['alipay', 'wechat'] as const)('of %s is made good by asking, within a minute of the payment', async (method) => {
    const order = await shop.order(`lost-${method}`, method, 'smallWeb')
    clock.now += 10 * MINUTE_MS
    await followDue(till)
    await shop.pay(order)
    clock.now += MINUTE_MS
    await followDue(till)
    expect(await shop.read(order)).toMatchObject({ state: 'paid' })
    expect((await shop.person(`lost-${method}`)).credits).toBe(1)
  })

  it('is made good within half a minute while somebody watches, however old the order', async () => {
    const order = await shop.order('watched', 'wechat', 'smallWeb')
    clock.now += 60 * MINUTE_MS
    await followDue(till)
    await shop.pay(order)
    clock.now += 1000
    await watchOrder(till, await shop.read(order))
    clock.now += 30_000
    await followDue(till)
    expect(await shop.read(order)).toMatchObject({ state: 'paid' })
  })

  it('is found after the order was closed, up to a day later', async () => {
    const order = await shop.order('late', 'wechat', 'smallWeb')
    await shop.pay(order)
    // As if it had been closed a moment before the payment got through.
    await db
      .update(orders)
      .set({ state: 'closed', nextQueryAt: new Date(clock.now + 60 * MINUTE_MS) })
      .where(eq(orders.id, order.id))
    clock.now += 61 * MINUTE_MS
    await followDue(till)
    expect(await shop.read(order)).toMatchObject({ state: 'paid' })
  })
})

describe('a code', () => {
  it('that nobody pays in 110 minutes is closed at the provider, and asked for no more after a day', async () => {
    const order = await shop.order('slow', 'wechat', 'smallWeb')
    clock.now += 109 * MINUTE_MS
    await followDue(till)
    expect(await shop.read(order)).toMatchObject({ state: 'new' })
    clock.now += 10 * MINUTE_MS
    await followDue(till)
    expect(await shop.read(order)).toMatchObject({ state: 'closed' })
    expect(await findPayment(db, 'wechat', order.id)).toMatchObject({ state: 'closed' })
    clock.now += 24 * 60 * MINUTE_MS
    await followDue(till)
    expect(await shop.read(order)).toMatchObject({ state: 'closed', nextQueryAt: null })
  })
})

describe('paying back', () => {
  it('takes a lifetime back, and the membership with it', async () => {
    const order = await shop.order('back', 'alipay', 'bigWeb')
    await shop.pay(order)
    await settle(till, order)
    await refundOf(order)
    expect(await shop.person('back')).toMatchObject({ isForever: false, memberSince: null, credits: 0 })
    await payBackDue(till)
    expect(await refundsOf(order)).toMatchObject([{ state: 'done' }])
    expect((await grantsOf(order)).map(({ amountFen }) => amountFen)).toEqual([2800, -2800])
  })

  it('of pictures already used leaves a debt, which the next purchase pays first', async () => {
    const [kept, returned] = [await shop.order('debt', 'alipay', 'smallWeb'), await shop.order('debt', 'wechat', 'retentionWeb')]
    await credit(kept)
    await credit(returned)
    await db.update(identities).set({ credits: 600 }).where(eq(identities.id, 'debt'))
    await refundOf(returned)
    const person = await shop.person('debt')
    expect(person.credits).toBe(-400)
    expect(person.memberSince).not.toBeNull()
    await credit(await shop.order('debt', 'wechat', 'retentionWeb'))
    expect((await shop.person('debt')).credits).toBe(600)
  })

  it('keeps a lifetime that another order paid for', async () => {
    const [first, second] = [await shop.order('keeps', 'alipay', 'bigWeb'), await shop.order('keeps', 'wechat', 'smallWeb')]
    await credit(first)
    await credit(second)
    await refundOf(second)
    expect(await shop.person('keeps')).toMatchObject({ isForever: true, credits: 0 })
  })

  it('happens once', async () => {
    const order = await shop.order('once', 'alipay', 'smallWeb')
    await expect(refundOf(order)).rejects.toThrow('order.not-found')
    await credit(order)
    const asked = await Promise.allSettled([1, 2, 3].map(() => refundOf(order)))
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await grantsOf(order)).toHaveLength(2)
    await expect(refundOrder(db, 'nobody', '', clock.now)).rejects.toThrow(AppError)
  })

  it('is asked for again, ever less often, until the provider has done it', async () => {
    const order = await shop.order('stubborn', 'wechat', 'smallWeb')
    // Credited here, and unknown to the provider: it refuses.
    await credit(order)
    await refundOf(order)
    await payBackDue(till)
    const [first] = await refundsOf(order)
    expect(first).toMatchObject({ state: 'wanted', tries: 1, nextTryAt: new Date(clock.now + 10_000) })
    await shop.pay(order)
    await payBackDue(till)
    expect(await refundsOf(order)).toMatchObject([{ state: 'wanted', tries: 1 }])
    clock.now += 10_000
    await payBackDue(till)
    expect(await refundsOf(order)).toMatchObject([{ state: 'done', tries: 2, nextTryAt: null }])
  })
})
