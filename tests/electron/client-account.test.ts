import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasClient, openClient, type Client } from '../fixtures/client.ts'
import { testServer, type TestServer } from '../fixtures/server.ts'
import { slots } from '#server/database/schema'

/** What the page hears from the main process, noted in the page. */
const hearIn = ({ page }: Client, name: string): Promise<void> =>
  page.evaluate((news) => {
    type Hear = (name: string, tell: (told: unknown) => void) => void
    const own = window as unknown as { qingtu: { hear: Hear }; heard: unknown[] } // see shared/desktop.ts
    own.heard = []
    own.qingtu.hear(news, (told) => void own.heard.push(told))
  }, name)
const heardIn = ({ page }: Client): Promise<unknown[]> => page.evaluate(() => (window as unknown as { heard: unknown[] }).heard) // set above

describe.skipIf(!hasClient)('the account in the client', () => {
  let server: TestServer
  let client: Client
  beforeAll(async () => {
    server = await testServer()
    client = await openClient({ server: server.url })
    await client.page.getByRole('button', { name: '开通会员' }).first().waitFor()
  })
  afterAll(async () => {
    await client?.[Symbol.asyncDispose]()
    await server?.[Symbol.asyncDispose]()
  })

  test('is one the page has no key to: neither a cookie nor a token', async () => {
    const seen = await client.page.evaluate(async () => {
      const answer = await fetch('/api/user/tourist')
      return { cookie: document.cookie, headers: [...answer.headers.keys()], stored: JSON.stringify(localStorage) }
    })
    expect(seen.cookie).toBe('')
    expect(seen.headers).not.toContain('set-cookie')
    const cookies = await client.app.evaluate(({ session }) => session.fromPartition('server').cookies.get({}))
    expect(cookies.map(({ name }) => name).toSorted()).toEqual(['XSRF-TOKEN', 'sid'])
    for (const { value } of cookies) expect(seen.stored).not.toContain(value)
    expect(await client.app.evaluate(({ session }) => session.defaultSession.cookies.get({}))).toEqual([])
  })

  test('signs in at WeChat in a window of its own, and hears what came of it', async () => {
    await hearIn(client, 'wechat-returned')
    const opening = client.app.waitForEvent('window')
    await client.page.evaluate(() => void window.open('/api/user/wxlogin/start'))
    const wechat = await opening
    expect(await wechat.evaluate(() => 'qingtu' in globalThis)).toBe(false)
    const closing = wechat.waitForEvent('close')
    await wechat.getByRole('button', { name: '确认登录' }).click()
    await closing
    await expect.poll(() => heardIn(client)).toEqual([expect.stringMatching(/^\?openid=.*ticket=[\w-]+/)])
    expect(client.page.url()).toBe('app://qingtu/')
  })

  test('pays in a frame of the server’s, and is then a member on this computer', async () => {
    const { page } = client
    await page.getByRole('button', { name: '开通会员' }).first().click()
    const frame = page.frameLocator('iframe[title="支付宝付款页"]')
    await frame.getByRole('button', { name: '确认支付' }).click()
    await expect.poll(() => page.getByRole('dialog').innerText(), { timeout: 60_000 }).toContain('会员账号')
    const shown = page.frames().map((one) => new URL(one.url()).origin)
    expect(shown.filter((origin) => origin !== 'null' && origin !== server.url)).toEqual([])
    await expect
      .poll(() => server.connection.db.select().from(slots).where(eq(slots.kind, 'desktop')), { timeout: 30_000 })
      .toEqual([expect.objectContaining({ name: expect.stringContaining('轻图客户端') })])
  })
})
