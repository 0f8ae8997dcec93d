import { and, eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { testShop } from '../fixtures/merchant.ts'
import { settle } from '#server/billing/follow'
import { reconcile, reconcileDue } from '#server/billing/reconcile'
import { payBackDue, refundOrder } from '#server/billing/refunds'
import { openPayment, pay } from '#server/billing/sandbox/payments'
import { orders, reconciliations, sandboxPayments } from '#server/database/schema-billing'

const HOUR_MS = 3_600_000
const shop = await testShop()
afterAll(() => shop[Symbol.asyncDispose]())
const { db, clock, till } = shop

const rows = (method: 'alipay' | 'wechat', day: string) =>
  db
    .select()
    .from(reconciliations)
    .where(and(eq(reconciliations.method, method), eq(reconciliations.day, day)))

describe.each(['alipay', 'wechat'] as const)('the bill of %s', (method) => {
  it('that says what the orders say differs in nothing', async () => {
    clock.now = Date.parse('2026-08-01T12:00:00+08:00')
    const [kept, returned] = [await shop.order(`same-${method}`, method, 'smallWeb'), await shop.order(`same-${method}`, method, 'bigWeb')]
    for (const order of [kept, returned]) {
      await shop.pay(order)
      await settle(till, order)
    }
    await refundOrder(db, returned.id, '用户申请', clock.now)
    await payBackDue(till)
    expect(await reconcile(till, shop.provider(method), '2026-08-01')).toEqual([])
  })

  it('makes good what neither notice nor question brought, once', async () => {
    clock.now = Date.parse('2026-08-03T23:59:00+08:00')
    const order = await shop.order(`missed-${method}`, method, 'retentionWeb')
    await shop.pay(order)
    const differences = await reconcile(till, shop.provider(method), '2026-08-03')
    expect(differences).toEqual([
      { what: 'was missing and counts now', orderId: order.id, transactionId: expect.stringMatching(/^\d{28}$/), amountFen: 980 },
    ])
    expect((await shop.person(`missed-${method}`)).credits).toBe(1000)
    expect(await reconcile(till, shop.provider(method), '2026-08-03')).toEqual([])
    expect((await shop.person(`missed-${method}`)).credits).toBe(1000)
    expect(await rows(method, '2026-08-03')).toMatchObject([{ differences: [{ orderId: order.id }] }])
  })

  it('shows what nobody ordered, another amount, what was paid back elsewhere, and what is missing in it', async () => {
    clock.now = Date.parse('2026-08-05T12:00:00+08:00')
    const asked = { method, title: 'x', notifyUrl: '', expiresAt: clock.now + HOUR_MS }
    const strange = await openPayment(db, { ...asked, orderId: `20260805strange${method}`, amountFen: 100 }, clock.now)
    if (strange) await pay(db, strange.token, clock.now)
    const cheap = await shop.order(`cheap-${method}`, method, 'bigWeb')
    await shop.pay(cheap)
    await db.update(sandboxPayments).set({ amountFen: 1 }).where(eq(sandboxPayments.orderId, cheap.id))
    const elsewhere = await shop.order(`else-${method}`, method, 'bigWeb')
    await shop.pay(elsewhere)
    await shop.provider(method).refund({ id: 'by hand', orderId: elsewhere.id, amountFen: 2800, reason: '' })
    const unbilled = await shop.order(`unbilled-${method}`, method, 'smallWeb')
    await db
      .update(orders)
      .set({ state: 'paid', transactionId: `made up ${method}`, paidAt: new Date(clock.now) })
      .where(eq(orders.id, unbilled.id))
    const differences = await reconcile(till, shop.provider(method), '2026-08-05')
    expect(differences.map(({ what, orderId }) => [orderId, what]).toSorted()).toEqual(
      [
        [`20260805strange${method}`, 'is not what was ordered'],
        [cheap.id, 'is not what was ordered'],
        [elsewhere.id, 'was paid back elsewhere'],
        [elsewhere.id, 'refund unknown here'],
        [unbilled.id, 'not in the bill'],
      ].toSorted(),
    )
    expect(await shop.person(`cheap-${method}`)).toMatchObject({ isForever: false })
    expect(await shop.person(`else-${method}`)).toMatchObject({ isForever: false })
  })
})

describe('comparing bills', () => {
  it('begins at ten the next morning, takes each day once, and makes up for days the server was away', async () => {
    clock.now = Date.parse('2026-09-01T12:00:00+08:00')
    const order = await shop.order('daily', 'wechat', 'smallWeb')
    await shop.pay(order)
    clock.now = Date.parse('2026-09-02T09:59:00+08:00')
    await reconcileDue(till)
    expect(await rows('wechat', '2026-09-01')).toEqual([])
    clock.now = Date.parse('2026-09-04T10:00:00+08:00')
    await reconcileDue(till)
    expect(await shop.read(order)).toMatchObject({ state: 'paid' })
    for (const day of ['2026-09-01', '2026-09-02', '2026-09-03']) expect(await rows('wechat', day)).toHaveLength(1)
    const [before] = await rows('wechat', '2026-09-01')
    clock.now += HOUR_MS
    await reconcileDue(till)
    expect(await rows('wechat', '2026-09-01')).toEqual([before])
  })
})
