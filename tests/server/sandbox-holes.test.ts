import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { order, payAt, until } from '../fixtures/payments.ts'
import { codeOf, testServer, Visitor, type TestServer } from '../fixtures/server.ts'
import { orders } from '#server/database/schema-billing'
import { dayOf } from '#shared/china-time'

let server: TestServer
beforeAll(async () => {
  server = await testServer()
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
})

describe('the bill of a sandbox', () => {
  it('is no stranger’s, who could sign in by the numbers in it', async () => {
    const visitor = await Visitor.enter(server.url)
    for (const method of ['alipay', 'wxpay'] as const) await payAt(server.url, (await order(visitor, method, 'smallWeb')).page)
    await until(async () => (await server.connection.db.select().from(orders)).every(({ state }) => state === 'paid'))
    const day = dayOf(Date.now())
    const get = (path: string): Promise<Response> => fetch(`${server.url}/sandbox/${path}`)
    for (const path of [`alipay/bill/${day}`, `alipay/bill/${day}?sign=`, 'alipay/bill/never', 'alipay/bill/%00']) {
      expect(await codeOf(await get(path))).toEqual([404, 'address.unknown'])
    }
    for (const path of [`bill/tradebill?bill_date=${day}`, `billdownload/file?token=${day}`, 'billdownload/file?token=never']) {
      expect(await codeOf(await get(`wechat/v3/${path}`))).toEqual([401, 'SIGN_ERROR'])
    }
  })
})

it.each(['%0d%0a', '中', '%00', '%E4%B8%AD'])('the page of a payment named %s is nowhere, and no failure of the server', async (token) => {
  const address = `${server.url}/sandbox/pay/${token}`
  for (const method of ['GET', 'POST']) expect((await fetch(address, { method, redirect: 'manual' })).status).toBeLessThan(500)
})
