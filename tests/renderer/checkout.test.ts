import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { TestCheckout } from '../fixtures/checkout.ts'
import { AppError } from '#shared/errors/app-error'

let shop: TestCheckout
beforeEach(() => (shop = new TestCheckout()))
afterEach(() => shop.end())

it('orders the plan by both ways, each once, also when a plan is chosen again', async () => {
  shop.checkout.open()
  expect([shop.at('wechat'), shop.at('alipay')]).toEqual(['loading', 'loading'])
  await shop.seconds(0)
  expect([shop.at('wechat'), shop.at('alipay')]).toEqual(['shown', 'shown'])
  shop.checkout.choose('smallWeb')
  shop.checkout.choose('bigWeb')
  await shop.seconds(0)
  shop.checkout.choose('smallWeb')
  await shop.seconds(0)
  expect(shop.ordered.map(({ method, plan }) => `${plan} ${method}`)).toEqual([
    'bigWeb wechat',
    'bigWeb alipay',
    'smallWeb wechat',
    'smallWeb alipay',
  ])
  expect(shop.checkout.view().offers.wechat).toEqual({ at: 'shown', code: `code of ${shop.numberOf('wechat', 'smallWeb')}` })
})

it.each([3000, 2000])('asks of each way every %i ms', async (pollMs) => {
  await shop.open('me', pollMs)
  await vi.advanceTimersByTimeAsync(pollMs - 1)
  expect(shop.polled).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(shop.polled).toEqual([shop.numberOf('wechat'), shop.numberOf('alipay')])
  await vi.advanceTimersByTimeAsync(pollMs * 4)
  expect(shop.polled.length).toBe(10)
})

it('asks nothing of a way whose last question is not answered, and goes on with the other', async () => {
  const asked: string[] = []
  const isPaid = (orderId: string): Promise<boolean> => {
    asked.push(orderId)
    return orderId === shop.numberOf('wechat') ? new Promise(() => {}) : Promise.resolve(false)
  }
  shop.till = { ...shop.till, isPaid }
  await shop.open()
  await shop.seconds(30)
  expect(asked.filter((orderId) => orderId === shop.numberOf('wechat')).length).toBe(1)
  expect(asked.filter((orderId) => orderId === shop.numberOf('alipay')).length).toBe(10)
})

it('goes on after a question that failed', async () => {
  let calls = 0
  const isPaid = (): Promise<boolean> => {
    calls += 1
    return Promise.reject(new AppError('network.offline', {}))
  }
  shop.till = { ...shop.till, isPaid }
  await shop.open()
  await shop.seconds(9)
  expect(calls).toBe(6)
})

it('ends once when one way is paid, and asks no more of the other', async () => {
  await shop.open()
  await shop.seconds(3)
  shop.paid.add(shop.numberOf('alipay'))
  shop.paid.add(shop.numberOf('wechat'))
  await shop.seconds(3)
  const before = shop.polled.length
  await shop.seconds(30)
  expect([shop.endings, shop.polled.length]).toEqual([1, before])
})

it('sees the payment of a plan that was chosen before', async () => {
  await shop.open()
  shop.checkout.choose('smallWeb')
  await shop.seconds(1)
  shop.paid.add(shop.numberOf('wechat', 'bigWeb'))
  await shop.seconds(2)
  expect(shop.endings).toBe(1)
})

it('asks no more once closed, and hears no answer that comes later', async () => {
  let calls = 0
  const answers: ((isPaid: boolean) => void)[] = []
  const isPaid = (): Promise<boolean> => {
    calls += 1
    return new Promise((resolve) => answers.push(resolve))
  }
  shop.till = { ...shop.till, isPaid }
  await shop.open()
  shop.checkout.choose('smallWeb')
  await shop.seconds(3)
  shop.checkout.close()
  answers[0]?.(false)
  answers[1]?.(true)
  await shop.seconds(30)
  expect([shop.endings, calls]).toEqual([0, 2])
})

it('asks nothing while nobody looks, and at once afterwards', async () => {
  await shop.open()
  shop.page.visibilityState = 'hidden'
  await shop.seconds(60)
  expect(shop.polled).toEqual([])
  shop.page.visibilityState = 'visible'
  shop.page.dispatchEvent(new Event('visibilitychange'))
  expect(shop.polled.length).toBe(2)
})

it('asks nothing while the network is away, and at once afterwards', async () => {
  await shop.open()
  shop.network.onLine = false
  await shop.seconds(60)
  expect(shop.polled).toEqual([])
  shop.network.onLine = true
  window.dispatchEvent(new Event('online'))
  expect(shop.polled.length).toBe(2)
})

it('asks the provider when somebody says to have paid, and believes the provider', async () => {
  await shop.open()
  expect(await shop.checkout.check('wechat')).toBe(false)
  expect(shop.endings).toBe(0)
  shop.paid.add(shop.numberOf('wechat'))
  expect(await shop.checkout.check('alipay')).toBe(false)
  expect(await shop.checkout.check('wechat')).toBe(true)
  expect(shop.endings).toBe(1)
})
