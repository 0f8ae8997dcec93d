import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { testShop } from '../fixtures/merchant.ts'
import { orderRow } from '../fixtures/orders.ts'
import { closeUnpaid } from '#server/billing/follow'
import { forgetUnpaid } from '#server/billing/orders'
import { orders } from '#server/database/schema-billing'

const DAY_MS = 86_400_000
const shop = await testShop()
afterAll(() => shop[Symbol.asyncDispose]())
const { clock, db, till } = shop

describe.each(['alipay', 'wechat'] as const)('an order by %s that is not paid', (method) => {
  it('can’t be paid once it is closed, nor is another’s touched', async () => {
    const [own, another] = [await shop.order(`own-${method}`, method, 'bigWeb'), await shop.order(`another-${method}`, method, 'bigWeb')]
    expect(await closeUnpaid(till, own.identityId)).toBe(true)
    expect((await shop.read(own)).state).toBe('closed')
    await shop.pay(own)
    expect(await shop.provider(method).query(own.id)).toEqual({ state: 'closed' })
    expect((await shop.read(another)).state).toBe('new')
    expect(await shop.provider(method).query(another.id)).toEqual({ state: 'open' })
  })

  it('but was in this moment is not closed: what came in counts, and whoever closes is told', async () => {
    const order = await shop.order(`late-${method}`, method, 'smallWeb')
    await shop.pay(order)
    expect(await closeUnpaid(till, order.identityId)).toBe(false)
    expect((await shop.read(order)).state).toBe('paid')
    expect(await closeUnpaid(till, order.identityId)).toBe(true)
  })

  it('stays open while its provider does not answer', async () => {
    const order = await shop.order(`silent-${method}`, method, 'smallWeb')
    const deaf = { ...till, providers: async () => new Map() }
    await expect(closeUnpaid(deaf, order.identityId)).rejects.toMatchObject({ code: 'payment.unavailable' })
    expect((await shop.read(order)).state).toBe('new')
  })
})

it('is forgotten 90 days later; what was paid, paid back or is still open is not', async () => {
  const createdAt = new Date(clock.now)
  const { identityId } = await shop.order('old', 'alipay', 'bigWeb')
  for (const state of ['closed', 'new', 'paid', 'refunded'] as const) await orderRow(db, state, identityId, { state, createdAt })
  await orderRow(db, 'paid after all', identityId, { state: 'closed', transactionId: 'x', createdAt })
  const left = async (): Promise<string[]> =>
    (await db.select({ id: orders.id }).from(orders).where(eq(orders.identityId, identityId))).map(({ id }) => id)
  await forgetUnpaid(db, clock.now + 89 * DAY_MS)
  expect(await left()).toHaveLength(6)
  await forgetUnpaid(db, clock.now + 91 * DAY_MS)
  const kept = await left()
  expect(kept).toHaveLength(5)
  expect(kept).not.toContain('closed')
})
