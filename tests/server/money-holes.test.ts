import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { clientOrderId, order, orderBody, pageOf, payAt, until, type Ordered } from '../fixtures/payments.ts'
import { codeOf, testServer, Visitor } from '../fixtures/server.ts'
import { alipayNotice } from '#server/billing/sandbox/alipay'
import { findPayment } from '#server/billing/sandbox/payments'
import { wechatNotice } from '#server/billing/sandbox/wechat'
import { grants, orders, sandboxPayments } from '#server/database/schema-billing'

let now = Date.now()
const server = await testServer({ now: () => now })
afterAll(() => server[Symbol.asyncDispose]())
const { db } = server.connection

const enter = (): Promise<Visitor> => Visitor.enter(server.url)
const self = (visitor: Visitor) => visitor.read<{ userid: string; username: string }>('/api/user/tourist')
const status = (visitor: Visitor, orderId: string): Promise<string> => visitor.post('/api/order/orderstatus', { orderId })
const isPaid =
  (visitor: Visitor, { orderId }: Ordered) =>
  async () =>
    (await status(visitor, orderId)) === '支付完成'
const rowOf = async ({ orderId }: Pick<Ordered, 'orderId'>) => {
  const [row] = await db.select().from(orders).where(eq(orders.clientOrderId, orderId))
  if (!row) throw new Error('no such order')
  return row
}

describe('the holes of the specification are closed:', () => {
  it('row 5: the name a page masks says nothing of the account id', async () => {
    const { userid, username } = await self(await enter())
    for (let from = 0; from + 5 <= userid.length; from++) expect(username).not.toContain(userid.slice(from, from + 5))
    expect(username.length).toBeGreaterThanOrEqual(20)
  })

  it('row 6: an order number signs in only where it is the merchant’s of a paid order, which nobody guesses', async () => {
    const [payer, thief] = [await enter(), await enter()]
    const ordered = await order(payer, 'wxpay', 'retentionWeb')
    const { id } = await rowOf(ordered)
    expect(id).toMatch(/^\d{8}[0-9a-hjkmnp-tv-z]{20}$/)
    const signIn = (orderid: string) => thief.send('/api/user/openid', { orderid })
    expect(await codeOf(await signIn(id))).toEqual([404, 'order.not-found'])
    await payAt(server.url, ordered.page)
    await until(isPaid(payer, ordered))
    expect(await codeOf(await signIn(ordered.orderId))).toEqual([404, 'order.not-found'])
    const unpaid = await rowOf(await order(payer, 'wxpay', 'retentionWeb'))
    expect(await codeOf(await signIn(unpaid.id))).toEqual([404, 'order.not-found'])
    expect((await signIn(id)).status).toBe(200)
  })

  it('row 7: a page’s number is the page’s own: sent again it gives the same code, and it is never the provider’s', async () => {
    const [visitor, other] = [await enter(), await enter()]
    const body = await orderBody(visitor, 'bigWeb')
    const codes = await Promise.all([1, 2, 3].map(() => visitor.post<string>('/api/order/wxpay', body)))
    expect(new Set(codes).size).toBe(1)
    expect((await rowOf(body)).id).not.toContain(body.orderId)
    const theirs = await other.post<string>('/api/order/wxpay', await orderBody(other, 'bigWeb', body.orderId))
    expect(theirs).not.toBe(codes[0])
    expect(await codeOf(await visitor.send('/api/order/wxpay', { ...body, price: 'smallWeb' }))).toEqual([400, 'request.invalid'])
    expect(await codeOf(await visitor.send('/api/order/alipay', body))).toEqual([400, 'request.invalid'])
    for (const orderId of ['1', `${body.orderId}0`, `' or 1=1`, '17000000000000999'])
      expect(await codeOf(await visitor.send('/api/order/wxpay', { ...body, orderId }))).toEqual([400, 'request.invalid'])
  })

  it('row 8: whether an order is paid is told to its maker only; to others it is as one that never was', async () => {
    const [payer, other] = [await enter(), await enter()]
    const ordered = await order(payer, 'alipay', 'smallWeb')
    await payAt(server.url, ordered.page)
    await until(isPaid(payer, ordered))
    const { id } = await rowOf(ordered)
    for (const number of [ordered.orderId, id, 'nobody']) {
      expect(await status(other, number)).toBe('未支付')
      expect(await other.post('/api/order/check', { orderId: number })).toBe('未支付')
    }
    expect(await other.read('/api/order/mine')).toEqual([])
    const stranger = new Visitor(server.url)
    expect((await stranger.send('/api/order/orderstatus', { orderId: ordered.orderId })).status).toBe(401)
  })

  it('row 9: nobody orders for another account, nor for none', async () => {
    const [visitor, other] = [await enter(), await enter()]
    const body = await orderBody(visitor, 'bigWeb')
    for (const loginID of [(await self(other)).userid, '', 'x'])
      expect(await codeOf(await visitor.send('/api/order/wxpay', { ...body, loginID }))).toEqual([403, 'request.refused'])
    expect((await new Visitor(server.url).send('/api/order/wxpay', body)).status).toBe(401)
    expect(await codeOf(await visitor.send('/api/order/wxpay', body, { 'x-xsrf-token': '' }))).toEqual([403, 'request.refused'])
    expect(await db.select().from(orders).where(eq(orders.clientOrderId, body.orderId))).toEqual([])
  })

  it('row 10: what it costs is the server’s to say', async () => {
    const visitor = await enter()
    const body = await orderBody(visitor, 'bigWeb')
    for (const price of ['', '0.01', 'bigweb', '__proto__', 'toString'])
      expect(await codeOf(await visitor.send('/api/order/wxpay', { ...body, price }))).toEqual([400, 'plan.unknown'])
    await visitor.post('/api/order/wxpay', { ...body, amount: 1, amountFen: 1 })
    expect((await rowOf(body)).amountFen).toBe(2800)
    const [asked] = await db
      .select()
      .from(sandboxPayments)
      .where(eq(sandboxPayments.orderId, (await rowOf(body)).id))
    expect(asked?.amountFen).toBe(2800)
  })

  it('row 11: a code runs out after 110 minutes, and is another’s after a change of identity', async () => {
    const [visitor, other] = [await enter(), await enter()]
    const body = await orderBody(visitor, 'smallWeb')
    const code = await visitor.post<string>('/api/order/wxpay', body)
    now += 109 * 60_000
    expect(await visitor.post('/api/order/wxpay', body)).toBe(code)
    now += 2 * 60_000
    expect(await codeOf(await visitor.send('/api/order/wxpay', body))).toEqual([410, 'payment.code-expired'])
    await payAt(server.url, await pageOf(code))
    expect(await visitor.post('/api/order/check', { orderId: body.orderId })).toBe('未支付')
    expect(await other.post('/api/order/wxpay', await orderBody(other, 'smallWeb'))).not.toBe(code)
  })

  it('row 12: paid by both methods at once, one counts and the other goes back', async () => {
    const visitor = await enter()
    const both = [await order(visitor, 'alipay', 'bigWeb'), await order(visitor, 'wxpay', 'bigWeb')]
    await Promise.all(both.map(({ page }) => payAt(server.url, page)))
    for (const one of both) await until(isPaid(visitor, one))
    const rows = await Promise.all(both.map(rowOf))
    expect(rows.map(({ state }) => state).toSorted()).toEqual(['duplicate', 'paid'])
    const duplicate = rows.find(({ state }) => state === 'duplicate')
    await until(async () => (await findPayment(db, duplicate?.method ?? 'wechat', duplicate?.id ?? ''))?.state === 'refunded')
  })

  it('row 13: asking over and over is bounded, and each answer stands for itself', async () => {
    await using limited = await testServer({ rates: { read: [5, 60], checkOrder: [2, 60], createOrder: [2, 3600] } })
    const visitor = await Visitor.enter(limited.url)
    const ordered = await order(visitor, 'wxpay', 'smallWeb')
    const ask = (path: string): Promise<Response> => visitor.send(path, { orderId: ordered.orderId })
    const asked = await Promise.all(Array.from({ length: 7 }, () => ask('/api/order/orderstatus')))
    expect(asked.map((response) => response.status).toSorted()).toEqual([200, 200, 200, 200, 200, 429, 429])
    expect(Number(asked.find((response) => response.status === 429)?.headers.get('retry-after'))).toBeGreaterThan(0)
    for (const expected of [200, 200, 429]) expect((await ask('/api/order/check')).status).toBe(expected)
    const body = { ...(await orderBody(visitor, 'smallWeb')), orderId: clientOrderId() }
    // The same order again is none more; a third one is.
    for (let n = 0; n < 3; n++) expect((await visitor.send('/api/order/wxpay', body)).status).toBe(200)
    const third = await visitor.send('/api/order/wxpay', { ...body, orderId: clientOrderId() })
    expect(third.status).toBe(429)
    expect(Number(third.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  it('row 13: ordering many at once brings no more orders', async () => {
    await using limited = await testServer({ rates: { createOrder: [2, 3600] } })
    const visitor = await Visitor.enter(limited.url)
    const body = await orderBody(visitor, 'smallWeb')
    const send = (n: number): Promise<Response> => visitor.send('/api/order/alipay', { ...body, orderId: `1700000000000${n}000` })
    const answers = await Promise.all(Array.from({ length: 9 }, (_, n) => send(n + 1)))
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 200, ...answers.slice(2).map(() => 429)])
  })

  it('row 14: a payment counts though no page is open and no notice arrives', async () => {
    const visitor = await enter()
    const ordered = await order(visitor, 'wxpay', 'retentionWeb')
    const { id } = await rowOf(ordered)
    // Notices go nowhere from now on.
    await db.update(sandboxPayments).set({ notifyUrl: 'http://127.0.0.1:9/' }).where(eq(sandboxPayments.orderId, id))
    await payAt(server.url, ordered.page)
    now += 6_000
    await until(async () => (await rowOf(ordered)).state === 'paid')
    expect(await db.select().from(grants).where(eq(grants.orderId, id))).toHaveLength(1)
  })

  it('row 28: what is framed is a page of ours or of Alipay’s, which no stranger may frame and which does nothing by itself', async () => {
    const visitor = await enter()
    const { code, page } = await order(visitor, 'alipay', 'bigWeb')
    expect(new URL(code).origin).toBe(server.url)
    const response = await fetch(server.url + page)
    const policy = response.headers.get('content-security-policy') ?? ''
    expect(policy).toContain(`frame-ancestors 'self' app:`)
    expect(policy).toContain(`default-src 'none'`)
    expect(policy).not.toContain('script-src')
    expect(response.headers.getSetCookie()).toEqual([])
    const html = await response.text()
    expect(html).toContain('沙箱支付，不会真的付款')
    expect(html).toContain('确认支付')
    expect(html).not.toMatch(/<script|javascript:|\son\w+=/i)
    const own = (await fetch(server.url)).headers.get('content-security-policy')
    expect(own).toContain(`frame-src 'self';`)
    expect(own).not.toContain('alipay')
  })
})

describe('a notice', () => {
  const post = (path: string, body: string, headers: Record<string, string>): Promise<Response> =>
    fetch(`${server.url}/api/pay/notify/${path}`, { method: 'POST', body, headers })

  /** A paid order of which nobody was told yet, and the notice of it. */
  async function unheard(method: 'alipay' | 'wxpay') {
    const ordered = await order(await enter(), method, 'retentionWeb')
    const { id, method: name } = await rowOf(ordered)
    const gateway = await server.till.sandbox?.()
    const [payment] = await db
      .update(sandboxPayments)
      .set({ state: 'paid', paidAt: new Date(now), transactionId: `4200${ordered.orderId}` })
      .where(eq(sandboxPayments.orderId, id))
      .returning()
    if (!payment || !gateway) throw new Error('no sandbox')
    const form = { body: alipayNotice(gateway, payment), headers: { 'content-type': 'application/x-www-form-urlencoded' } }
    return { id, notice: name === 'alipay' ? form : wechatNotice(gateway, payment) }
  }

  it.each([
    ['alipay', 200, 'success'],
    ['wxpay', 204, ''],
  ] as const)('of %s, sent fifty times at once, counts once and is answered as the provider wants each time', async (path, code, text) => {
    const { id, notice } = await unheard(path)
    const answers = await Promise.all(Array.from({ length: 50 }, () => post(path, notice.body, notice.headers)))
    for (const answer of answers) expect([answer.status, await answer.text()]).toEqual([code, text])
    expect(await db.select().from(grants).where(eq(grants.orderId, id))).toMatchObject([{ credits: 1000 }])
  })

  it.each([
    ['alipay', 'fail'],
    ['wxpay', '{"code":"FAIL","message":"失败"}'],
  ] as const)('of %s that was changed on its way, or is none, is refused in the provider’s words', async (path, text) => {
    const { id, notice } = await unheard(path)
    const wrong = [notice.body.replace('9.80', '9.81').replace('支付成功', '支付'), '', '{}', 'a=b', '%', '\u0000', '['.repeat(50_000)]
    for (const body of wrong) {
      const answer = await post(path, body, notice.headers)
      expect([answer.status, await answer.text()]).toEqual([400, text])
    }
    expect((await post(path, 'x'.repeat(70_000), notice.headers)).status).toBe(413)
    expect(await db.select().from(grants).where(eq(grants.orderId, id))).toEqual([])
  })

  it('needs no session and no XSRF token, which other calls still do', async () => {
    const { notice } = await unheard('wxpay')
    const foreign = { ...notice.headers, origin: 'https://elsewhere.example' }
    expect((await post('wxpay', notice.body, foreign)).status).toBe(204)
    expect((await fetch(`${server.url}/api/order/orderstatus`, { method: 'POST', body: '{}' })).status).toBe(401)
  })
})
