import { createPrivateKey, createPublicKey, createSign } from 'node:crypto'
import { createServer, type Socket } from 'node:net'
import { afterAll, describe, expect, it } from 'vitest'
import { noticeOf, testKeys, testShop } from '../fixtures/merchant.ts'
import { openSandboxProviders } from '#server/billing/providers/open'
import type { Method, Notice, Payment } from '#server/billing/providers/provider'
import { WechatPay } from '#server/billing/providers/wechat'
import type { Gateway } from '#server/billing/sandbox/gateway'
import { newSandboxKeys, sandboxMerchant } from '#server/billing/sandbox/keys'
import { findPayment, type SandboxPayment } from '#server/billing/sandbox/payments'
import type { Order } from '#server/database/schema-billing'
import { dayOf, daysBefore } from '#shared/china-time'

const methods = ['alipay', 'wechat'] as const
const DAY_MS = 86_400_000

// One for all: opening a database takes longer than any of these.
const shop = await testShop()
afterAll(() => shop[Symbol.asyncDispose]())

async function paymentOf({ method, id }: Order): Promise<SandboxPayment> {
  const payment = await findPayment(shop.db, method, id)
  if (!payment) throw new Error('nothing at the gateway')
  return payment
}

/** A paid order and the notice of it. */
async function noticed(method: Method): Promise<{ order: Order; payment: SandboxPayment; notice: Notice }> {
  const order = await shop.order('a', method, 'smallWeb')
  await shop.pay(order)
  const payment = await paymentOf(order)
  return { order, payment, notice: noticeOf(shop.gateway, payment) }
}

describe.each(methods)('%s, at a gateway that verifies and signs', (method) => {
  it('knows an order from open to paid to paid back, by signed questions and answers', async () => {
    const provider = shop.provider(method)
    expect(await provider.query('20260729never0was')).toEqual({ state: 'unknown' })
    const order = await shop.order('a', method, 'bigWeb')
    expect(await provider.query(order.id)).toEqual({ state: 'open' })
    await shop.pay(order)
    const paid = await provider.query(order.id)
    expect(paid).toMatchObject({ state: 'paid', payment: { method, orderId: order.id, amountFen: 2800, paidAt: shop.clock.now } })
    const refund = { id: `${order.id}r`, orderId: order.id, amountFen: 2800, reason: '重复支付' }
    expect(await provider.refund(refund)).toBe(true)
    expect(await provider.refund(refund)).toBe(true)
    expect((await paymentOf(order)).refundedFen).toBe(2800)
    expect((await provider.query(order.id)).state).toBe('closed')
  })

  it('closes what is not paid, and what nobody opened, but nothing that is paid', async () => {
    const provider = shop.provider(method)
    const order = await shop.order('a', method, 'bigWeb')
    await provider.close(order.id)
    await provider.close(order.id)
    await provider.close('20260729never0was')
    expect(await provider.query(order.id)).toEqual({ state: 'closed' })
    await shop.pay(order)
    expect((await paymentOf(order)).paidAt).toBeNull()
    const other = await shop.order('a', method, 'bigWeb')
    await shop.pay(other)
    await expect(provider.close(other.id)).rejects.toThrow(/STATUS|ORDERPAID/)
  })

  it('gives the bill of a day: what came in, what went back, and nothing of another day', async () => {
    const provider = shop.provider(method)
    shop.clock.now += 2 * DAY_MS
    const [kept, returned] = [await shop.order('a', method, 'smallWeb'), await shop.order('b', method, 'bigWeb')]
    await shop.pay(kept)
    await shop.pay(returned)
    await provider.refund({ id: 'r1', orderId: returned.id, amountFen: 2800, reason: '退款' })
    const day = dayOf(shop.clock.now)
    shop.clock.now += DAY_MS
    const tomorrow = await shop.order('c', method, 'smallWeb')
    await shop.pay(tomorrow)
    const lines = await provider.bill(day)
    expect(lines.map(({ kind, orderId, amountFen }) => [kind, orderId, amountFen]).toSorted()).toEqual(
      [
        ['payment', kept.id, 990],
        ['payment', returned.id, 2800],
        ['refund', returned.id, 2800],
      ].toSorted(),
    )
    expect(lines[0]?.transactionId).toMatch(/^\d{28}$/)
    expect(await provider.bill(daysBefore(day, 1))).toEqual([])
  })

  it('is refused by the gateway when somebody else signs', async () => {
    const order = await shop.order('a', method, 'smallWeb')
    const { platform, apiV3Key } = shop.gateway.keys
    const stranger = openSandboxProviders({ ...(await newSandboxKeys()), platform, apiV3Key }, shop.origin, shop.origin).get(method)
    await expect(stranger?.query(order.id)).rejects.toThrow(/invalid-signature|401 SIGN_ERROR/)
  })

  it('believes no answer that somebody else signed', async () => {
    const order = await shop.order('a', method, 'smallWeb')
    const { merchant, apiV3Key } = shop.gateway.keys
    const deceived = openSandboxProviders({ ...(await newSandboxKeys()), merchant, apiV3Key }, shop.origin, shop.origin).get(method)
    await expect(deceived?.query(order.id)).rejects.toThrow(/验签失败|Verify the response/)
  })

  it('gives up on a gateway that does not answer', async () => {
    await using silent = await silentServer()
    const provider = openSandboxProviders(await testKeys(), silent.origin, silent.origin).get(method)
    await expect(provider?.query('20260729x')).rejects.toThrow(/timeout|no answer|exceeded|UND_ERR/i)
  })

  it('reads a notice of a payment', async () => {
    const { order, payment, notice } = await noticed(method)
    const read = shop.provider(method).readNotice(notice, shop.clock.now)
    const transactionId = payment.transactionId ?? ''
    expect(read).toEqual({ method, orderId: order.id, transactionId, amountFen: 990, paidAt: shop.clock.now } satisfies Payment)
  })

  it.each([
    ['a signature of somebody else', (gateway: Gateway, stranger: Gateway) => ({ ...stranger, db: gateway.db })],
    ['nothing at all', () => undefined],
  ])('refuses a notice with %s', async (_what, signer) => {
    const { payment, notice } = await noticed(method)
    const stranger = signer(shop.gateway, { ...shop.gateway, keys: { ...(await newSandboxKeys()), apiV3Key: shop.gateway.keys.apiV3Key } })
    const given = stranger ? noticeOf(stranger, payment) : { headers: {}, body: notice.body.replace(/&sign=[^&]*/, '') }
    expect(() => shop.provider(method).readNotice(given, shop.clock.now)).toThrow('payment.notice-refused')
  })
})

describe('a notice of Alipay', () => {
  const change = (body: string, name: string, value: string): string => {
    const form = new URLSearchParams(body)
    form.set(name, value)
    return form.toString()
  }

  it.each([
    ['total_amount', '0.01'],
    ['out_trade_no', '20260729another'],
    ['trade_no', '1'],
    ['app_id', '9021000000000001'],
    ['seller_id', '2088000000000001'],
    ['sign_type', 'RSA'],
  ])('is refused when its %s was changed', async (name, value) => {
    const { notice } = await noticed('alipay')
    const given = { ...notice, body: change(notice.body, name, value) }
    expect(() => shop.provider('alipay').readNotice(given, shop.clock.now)).toThrow('payment.notice-refused')
  })

  it.each(['app_id', 'seller_id'])('is refused when Alipay signed it for another %s', async (name) => {
    const { notice } = await noticed('alipay')
    const form = new URLSearchParams(notice.body)
    form.set(name, '2088999999999999')
    for (const own of ['sign', 'sign_type']) form.delete(own)
    const text = [...form]
      .toSorted(([left], [right]) => (left < right ? -1 : 1))
      .map((pair) => pair.join('='))
      .join('&')
    form.set('sign', createSign('RSA-SHA256').update(text).sign(shop.gateway.keys.platform, 'base64'))
    form.set('sign_type', 'RSA2')
    expect(() => shop.provider('alipay').readNotice({ headers: {}, body: form.toString() }, 0)).toThrow(
      expect.objectContaining({ cause: expect.objectContaining({ message: expect.stringMatching(/another (app|seller)/) }) }),
    )
  })
})

describe('a notice of WeChat', () => {
  const refusal = (reason: RegExp) =>
    expect.objectContaining({ cause: expect.objectContaining({ message: expect.stringMatching(reason) }) })

  it('is refused once it is older than five minutes, or as far ahead', async () => {
    const { notice } = await noticed('wechat')
    const read = (ms: number) => () => shop.provider('wechat').readNotice(notice, shop.clock.now + ms)
    expect(read(299_000)()).toMatchObject({ amountFen: 990 })
    expect(read(302_000)).toThrow(refusal(/too old/))
    expect(read(-302_000)).toThrow(refusal(/too old/))
  })

  it('is refused when its body was changed', async () => {
    const { notice } = await noticed('wechat')
    const given = { ...notice, body: notice.body.replace('支付成功', '支付成功！') }
    expect(() => shop.provider('wechat').readNotice(given, shop.clock.now)).toThrow(refusal(/signature/))
  })

  it.each([
    ['wechatpay-serial', 'PUB_KEY_ID_OTHER', /unknown key/],
    ['wechatpay-nonce', 'another', /signature/],
    ['wechatpay-signature', 'WECHATPAY/SIGNTEST/abc', /signature/],
    ['wechatpay-timestamp', 'soon', /missing/],
  ] as const)('is refused with another %s', async (name, value, reason) => {
    const { notice } = await noticed('wechat')
    const given = { ...notice, headers: { ...notice.headers, [name]: value } }
    expect(() => shop.provider('wechat').readNotice(given, shop.clock.now)).toThrow(refusal(reason))
  })

  it('is refused when it is for another merchant, or sealed with another key', async () => {
    const { payment } = await noticed('wechat')
    const other = openSandboxProviders({ ...shop.gateway.keys, apiV3Key: 'x'.repeat(32) }, shop.origin, shop.origin).get('wechat')
    expect(() => other?.readNotice(noticeOf(shop.gateway, payment), shop.clock.now)).toThrow(refusal(/decrypted/))
    const stranger = new WechatPay({
      appId: sandboxMerchant.wechatAppId,
      mchId: '1900000001',
      serial: sandboxMerchant.wechatSerial,
      privateKey: createPrivateKey(shop.gateway.keys.merchant),
      apiV3Key: shop.gateway.keys.apiV3Key,
      platformSerial: sandboxMerchant.wechatPlatformSerial,
      platformKey: createPublicKey(shop.gateway.keys.platform),
      notifyUrl: 'https://qingtu.example/api/pay/notify/wxpay',
    })
    expect(() => stranger.readNotice(noticeOf(shop.gateway, payment), shop.clock.now)).toThrow(refusal(/another merchant/))
  })

  it('of anything but a payment is heard and changes nothing', async () => {
    const order = await shop.order('a', 'wechat', 'smallWeb')
    const unpaid = noticeOf(shop.gateway, await paymentOf(order))
    expect(shop.provider('wechat').readNotice(unpaid, shop.clock.now)).toBeUndefined()
  })
})

/** Takes connections and says nothing. */
async function silentServer(): Promise<AsyncDisposable & { origin: string }> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => void sockets.add(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    origin: `http://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}`,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
