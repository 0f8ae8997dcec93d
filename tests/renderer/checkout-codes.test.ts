import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { TestCheckout } from '../fixtures/checkout.ts'
import { CODE_LIFE_MS } from '#renderer/payment/order-numbers'
import { AppError } from '#shared/errors/app-error'

let shop: TestCheckout
beforeEach(() => (shop = new TestCheckout()))
afterEach(() => shop.end())

it('numbers its orders by the time and four digits from 1000', async () => {
  vi.setSystemTime(new Date('2030-01-01T00:00:00Z'))
  await shop.open()
  for (const { orderId } of shop.ordered) expect(orderId).toMatch(/^1893456000000[1-9]\d{3}$/)
  expect(shop.numberOf('wechat')).not.toBe('')
})

it('takes a code away after 110 minutes, and orders anew when asked to', async () => {
  await shop.open()
  await shop.seconds(CODE_LIFE_MS / 1000 - 3)
  const first = shop.numberOf('wechat')
  expect(shop.at('wechat')).toBe('shown')
  await shop.seconds(3)
  expect([shop.at('wechat'), shop.at('alipay')]).toEqual(['expired', 'expired'])
  shop.checkout.refresh('wechat')
  await shop.seconds(0)
  expect([shop.at('wechat'), shop.at('alipay')]).toEqual(['shown', 'expired'])
  expect(shop.numberOf('wechat')).not.toBe(first)
  expect(shop.ordered.length).toBe(3)
})

it('sees a payment by a code that has just been taken away', async () => {
  await shop.open()
  await shop.seconds(CODE_LIFE_MS / 1000)
  expect(shop.at('wechat')).toBe('expired')
  shop.paid.add(shop.numberOf('wechat'))
  await shop.seconds(3)
  expect(shop.endings).toBe(1)
})

it('asks for a code that is good again under its number, since it may have been scanned', async () => {
  await shop.open()
  const first = shop.numberOf('alipay')
  shop.checkout.refresh('alipay')
  expect(shop.at('alipay')).toBe('loading')
  await shop.seconds(0)
  expect([shop.at('alipay'), shop.numberOf('alipay')]).toEqual(['shown', first])
})

it('opens again with no code but the number it had, for the same person within 110 minutes only', async () => {
  await shop.open()
  const first = shop.numberOf('wechat')
  shop.checkout.close()
  expect(shop.make().view().offers.wechat).toEqual({ at: 'loading' })
  await shop.open()
  expect(shop.numberOf('wechat')).toBe(first)
  await shop.open('somebody else')
  expect(shop.numberOf('wechat')).not.toBe(first)
  shop.checkout.close()
  await shop.seconds(CODE_LIFE_MS / 1000)
  await shop.open()
  expect(shop.numberOf('wechat')).not.toBe(first)
})

it('gives up the number of an earlier opening that is over at the server', async () => {
  await shop.open()
  const first = shop.numberOf('wechat')
  const { order } = shop.till
  shop.till = {
    ...shop.till,
    order: (method, orderId, plan) =>
      orderId === first ? Promise.reject(new AppError('payment.code-expired', {})) : order(method, orderId, plan),
  }
  await shop.open()
  expect(shop.at('wechat')).toBe('shown')
  expect(shop.numberOf('wechat')).not.toBe(first)
})

it('buys anew after a payment', async () => {
  await shop.open()
  const first = shop.numberOf('wechat')
  shop.paid.add(first)
  await shop.seconds(3)
  await shop.open()
  expect(shop.numberOf('wechat')).not.toBe(first)
})

it('says of each way what is wrong with it, and tries again when asked to', async () => {
  const { order } = shop.till
  let failure: AppError | undefined = new AppError('rate.limited', { seconds: 7 })
  shop.till = {
    ...shop.till,
    order: async (method, orderId, plan) => {
      if (method === 'alipay') throw new AppError('payment.unavailable', {})
      if (failure) throw failure
      return order(method, orderId, plan)
    },
  }
  await shop.open()
  expect(shop.checkout.view().offers).toEqual({
    wechat: { at: 'failed', error: { code: 'rate.limited', data: { seconds: 7 } } },
    alipay: { at: 'off' },
  })
  failure = undefined
  shop.checkout.refresh('wechat')
  await shop.seconds(0)
  expect(shop.at('wechat')).toBe('shown')
})

it('orders by itself, under the same number, once the network is back', async () => {
  const tried: string[] = []
  const order = (_method: string, orderId: string): Promise<string> => {
    tried.push(orderId)
    return Promise.reject(new AppError('network.offline', {}))
  }
  shop.till = { ...shop.till, order }
  shop.network.onLine = false
  await shop.open()
  await shop.seconds(60)
  expect([shop.at('wechat'), tried.length]).toEqual(['failed', 2])
  shop.network.onLine = true
  window.dispatchEvent(new Event('online'))
  expect(tried.slice(2)).toEqual(tried.slice(0, 2))
})
