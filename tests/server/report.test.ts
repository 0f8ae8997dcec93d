import { beforeAll, describe, expect, it } from 'vitest'
import { person } from '../fixtures/members.ts'
import { Desk, newOperator } from '../fixtures/operators.ts'
import { orderRow } from '../fixtures/orders.ts'
import { codeOf, Visitor, type TestServer } from '../fixtures/server.ts'
import { sharedServer } from '../fixtures/shared-server.ts'

const NOW = Date.parse('2026-03-05T12:00:00+08:00')
const at = (text: string): Date => new Date(`${text}+08:00`)

/** A server at a known day, some orders of which are paid on it, around it and not at all. */
async function withOrders(server: TestServer): Promise<Desk> {
  const { db } = server.connection
  await person(db, 'a', undefined)
  await orderRow(db, '20260304aaaaaaaaaaaaaaaaaaaa', 'a', { paidAt: at('2026-03-04T23:59:59.999') })
  await orderRow(db, '20260305bbbbbbbbbbbbbbbbbbbb', 'a', { paidAt: at('2026-03-05T00:00:00'), amountFen: 990, plan: 'smallWeb' })
  await orderRow(db, '20260305cccccccccccccccccccc', 'a', { paidAt: at('2026-03-05T09:05:07'), amountFen: 980, url360: 'partner' })
  await orderRow(db, '20260305dddddddddddddddddddd', 'a', { paidAt: at('2026-03-05T09:06:00'), state: 'refunded' })
  await orderRow(db, '20260305eeeeeeeeeeeeeeeeeeee', 'a', { paidAt: at('2026-03-05T09:07:00'), state: 'duplicate' })
  await orderRow(db, '20260305ffffffffffffffffffff', 'a', { paidAt: null, state: 'new' })
  await orderRow(db, '20260306gggggggggggggggggggg', 'a', { paidAt: at('2026-03-06T00:00:00') })
  return Desk.open(server, await newOperator(server), 'op', NOW)
}

const shared = sharedServer({ now: () => NOW })
let desk: Desk
beforeAll(async () => {
  desk = await withOrders(shared())
})

describe('row 22: the report', () => {
  it('is of a day in Shanghai, in yuan, with the channel of each order and its number shortened', async () => {
    const day = { date: '3/5/2026', channel: 'biying' }
    expect(await desk.post('/api/order/paidquery', { dateNyr: '3/5/2026' })).toEqual([
      { ...day, time: '00:00:00', price: 9.9, orderid: '******bbbbbb' },
      { ...day, time: '09:05:07', price: 9.8, orderid: '******cccccc', channel: '360' },
      // Paid back: nothing is left of it.
      { ...day, time: '09:06:00', price: 0, orderid: '******dddddd' },
    ])
    expect(await desk.post('/api/order/paidquery', { dateNyr: '3/4/2026' })).toMatchObject([{ time: '23:59:59', price: 28 }])
    expect(await desk.post('/api/order/paidquery', { dateNyr: '2/17/2026' })).toEqual([])
  })

  it.each([
    '03/05/2026',
    '3/05/2026',
    '2/30/2026',
    '13/1/2026',
    '0/1/2026',
    '2/16/2026',
    '3/6/2026',
    '3/5/26',
    '3/5/2026 ',
    "3/5/2026' or 1=1",
    '',
  ])('is of no such day as %j', async (dateNyr) => {
    const response = await desk.send('/api/order/paidquery', { dateNyr })
    expect(response.status).toBe(400)
  })
})

describe('row 21: who is no operator', () => {
  const calls: readonly (readonly ['GET' | 'POST', string, unknown])[] = [
    ['POST', '/api/order/paidquery', { dateNyr: '3/5/2026' }],
    ['POST', '/api/operator/reveal', { dateNyr: '3/5/2026', at: 0 }],
    ['GET', '/api/operator/invoices', undefined],
    ['POST', '/api/operator/invoices/x', { state: 'issued' }],
    ['POST', '/api/operator/refund', { orderId: '20260305bbbbbbbbbbbbbbbbbbbb', reason: 'x' }],
    ['POST', '/api/operator/logout', {}],
    ['GET', '/api/operator/self', undefined],
  ]

  it.each(calls)(
    'gets nothing from %s %s, be he a guest, a stranger, or an operator’s page made by another',
    async (method, path, body) => {
      const { url } = shared()
      const call = (visitor: Visitor, headers: Record<string, string> = {}): Promise<Response> =>
        method === 'GET' ? visitor.fetch(path, { headers }) : visitor.send(path, body, headers)
      expect(await codeOf(await call(new Visitor(url)))).toEqual([401, 'operator.required'])
      expect(await codeOf(await call(await Visitor.enter(url)))).toEqual([401, 'operator.required'])
      const forged = await Visitor.enter(url)
      forged.cookies.set('operator', 'a'.repeat(43))
      expect(await codeOf(await call(forged))).toEqual([401, 'operator.required'])
      if (method === 'GET') return
      expect(await codeOf(await call(desk.visitor))).toEqual([403, 'request.refused'])
      expect(await codeOf(await call(desk.visitor, { 'x-xsrf-token': 'x' }))).toEqual([403, 'request.refused'])
    },
  )

  it('finds no whole number of an order in the report; an operator who asks for one is noted', async () => {
    expect(JSON.stringify(await desk.post('/api/order/paidquery', { dateNyr: '3/5/2026' }))).not.toContain('20260305')
    expect(await desk.post('/api/operator/reveal', { dateNyr: '3/5/2026', at: 1 })).toEqual({ orderid: '20260305cccccccccccccccccccc' })
    for (const place of [3, -1, 0.5, 1e9]) {
      expect((await desk.send('/api/operator/reveal', { dateNyr: '3/5/2026', at: place })).status).toBe(404)
    }
  })
})
