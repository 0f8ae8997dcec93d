import { describe, expect, it } from 'vitest'
import { eq } from 'drizzle-orm'
import { Desk, newOperator } from '../fixtures/operators.ts'
import { order, payAt, until } from '../fixtures/payments.ts'
import { codeOf, testServer, Visitor, type TestServer } from '../fixtures/server.ts'
import { orders } from '#server/database/schema-billing'

const company = { kind: 'company', company: '某某科技有限公司', taxId: '91310000MA1K00000X', email: 'a@example.com' }

/** Somebody with a paid order, and its number. */
async function payer(server: TestServer): Promise<{ visitor: Visitor; orderId: string }> {
  const visitor = await Visitor.enter(server.url)
  const { page } = await order(visitor, 'alipay', 'bigWeb')
  await payAt(server.url, page)
  const mine = (): Promise<{ orderId: string }[]> => visitor.read('/api/order/mine')
  await until(async () => (await mine()).length > 0)
  return { visitor, orderId: (await mine())[0]?.orderId ?? '' }
}

describe('row 48: an invoice', () => {
  it('is asked for once of a paid order, and settled by an operator', async () => {
    await using server = await testServer()
    const { visitor, orderId } = await payer(server)
    const asked = { orderId, ...company, taxId: ' 91310000ma1k00000x ' }
    expect(await visitor.post('/api/invoices', asked)).toEqual({})
    expect(await codeOf(await visitor.send('/api/invoices', asked))).toEqual([409, 'invoice.exists'])
    const desk = await Desk.open(server, await newOperator(server))
    const [invoice, ...others] = await desk.visitor.read<{ id: string }[]>('/api/operator/invoices')
    expect(others).toEqual([])
    expect(invoice).toMatchObject({ orderId, ...company, amount: 28, state: 'submitted' })
    expect(invoice).not.toHaveProperty('identityId')
    await desk.post(`/api/operator/invoices/${invoice?.id}`, { state: 'rejected' })
    expect(await visitor.read('/api/order/mine')).toMatchObject([{ invoice: 'rejected' }])
    expect(
      await visitor.post('/api/invoices', { orderId, kind: 'personal', company: '张三', taxId: 'ignored', email: 'b@example.com' }),
    ).toEqual({})
    await desk.post(`/api/operator/invoices/${invoice?.id}`, { state: 'issued' })
    expect(await desk.visitor.read('/api/operator/invoices')).toMatchObject([
      { kind: 'personal', company: '张三', taxId: '', state: 'issued' },
    ])
    expect(await codeOf(await visitor.send('/api/invoices', asked))).toEqual([409, 'invoice.exists'])
    expect(await codeOf(await desk.send('/api/operator/invoices/none', { state: 'issued' }))).toEqual([404, 'address.unknown'])
  })

  it('of another’s order, of one not paid and of one paid back is none', async () => {
    await using server = await testServer()
    const { visitor, orderId } = await payer(server)
    const stranger = await Visitor.enter(server.url)
    expect(await codeOf(await stranger.send('/api/invoices', { orderId, ...company }))).toEqual([404, 'order.not-found'])
    expect(await codeOf(await visitor.send('/api/invoices', { ...company, orderId: 'nobody' }))).toEqual([404, 'order.not-found'])
    const desk = await Desk.open(server, await newOperator(server))
    expect(await desk.post('/api/operator/refund', { orderId, reason: '客户要求' })).toEqual({})
    expect(await codeOf(await visitor.send('/api/invoices', { orderId, ...company }))).toEqual([404, 'order.not-found'])
    await server.connection.db.update(orders).set({ state: 'closed' }).where(eq(orders.id, orderId))
    expect(await codeOf(await visitor.send('/api/invoices', { orderId, ...company }))).toEqual([404, 'order.not-found'])
  })

  it.each([
    ['税号', { taxId: '' }],
    ['税号', { taxId: '1234567890' }],
    ['税号', { taxId: '9131-0000MA1K00000X' }],
    ['邮箱', { email: 'a@b' }],
    ['邮箱', { email: 'a b@example.com' }],
    ['邮箱', { email: 'a@example.com,b@example.com' }],
    ['邮箱', { email: 'a@example.com\nBcc: x@example.com' }],
    ['发票抬头', { company: 'a\u202eb' }],
  ])('says that %s is wrong for %j', async (label, wrong) => {
    await using server = await testServer()
    const visitor = await Visitor.enter(server.url)
    const response = await visitor.send('/api/invoices', { orderId: 'x', ...company, ...wrong })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ code: 'options.invalid', data: { label } })
  })
})
