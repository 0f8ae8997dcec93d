import { describe, expect, it } from 'vitest'
import { order, payAt, until } from '../fixtures/payments.ts'
import { testServer, Visitor } from '../fixtures/server.ts'
import { grants } from '#server/database/schema-billing'

describe('paying', () => {
  it.each(['alipay', 'wxpay'] as const)('by %s goes from the order to what was bought', async (method) => {
    await using server = await testServer()
    const visitor = await Visitor.enter(server.url)
    const { orderId, page } = await order(visitor, method, 'retentionWeb')
    expect(await visitor.post('/api/order/orderstatus', { orderId })).toBe('未支付')
    expect((await payAt(server.url, page)).status).toBe(303)
    await until(async () => (await visitor.post('/api/order/orderstatus', { orderId })) === '支付完成')
    expect(await server.connection.db.select().from(grants)).toMatchObject([{ amountFen: 980, credits: 1000, isForever: false }])
    expect(await visitor.read('/api/order/mine')).toMatchObject([{ plan: 'retentionWeb', amount: 9.8 }])
  })
})
