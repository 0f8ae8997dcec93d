import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { person } from '../fixtures/members.ts'
import { order as orderPlan, payAt } from '../fixtures/payments.ts'
import { testQueue } from '../fixtures/server-queue.ts'
import { testServer, Visitor } from '../fixtures/server.ts'
import { clickIdOf, recordPurchase } from '#server/attribution/conversions'
import { startSending } from '#server/attribution/sender'
import { openLog } from '#server/log'
import { conversions } from '#server/database/schema-operators'

interface Host {
  readonly url: string
  readonly heard: unknown[]
  /** How the next calls are answered; 200 where nothing is said. */
  readonly answers: { status: number; location?: string }[]
  readonly server: Server
}

/** An advertiser's host. */
async function adHost(): Promise<Host> {
  const heard: unknown[] = []
  const answers: Host['answers'] = []
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (piece: Buffer) => (text += piece.toString()))
    request.on('end', () => {
      const body: unknown = JSON.parse(text || 'null')
      heard.push({ method: request.method, path: request.url, body })
      const { status, location } = answers.shift() ?? { status: 200 }
      response.writeHead(status, { ...(location !== undefined && { location }) }).end('{}')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo // it listens on a port
  return { url: `http://127.0.0.1:${port}/convert`, heard, answers, server }
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 20))
}

const visit = (clickId: string): string => `https://qingtu.example/?a=1&qhclickid=${clickId}&b=2`
const anyTime: unknown = expect.any(Number)
const PAUSE_MS = 2_500

describe('row 24: telling the 360 channel', () => {
  it('sends the click’s id and nothing else of the address to the one host, once for a session and a click', async () => {
    const host = await adHost()
    await using server = await testServer({}, { OCPC360_URL: host.url })
    const visitor = await Visitor.enter(server.url)
    for (let n = 0; n < 3; n++)
      expect(await visitor.post('/api/ocpc/ocpc360', { url360: visit('click_1-a'), event: 'download' })).toEqual({})
    await visitor.post('/api/ocpc/ocpc360', { url360: visit('click_2'), event: 'download' })
    await (await Visitor.enter(server.url)).post('/api/ocpc/ocpc360', { url360: visit('click_2'), event: 'download' })
    await until(() => host.heard.length >= 3)
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    const body = (qhclickid: string) => ({ method: 'POST', path: '/convert', body: { qhclickid, event: 'download', time: anyTime } })
    expect(host.heard).toHaveLength(3)
    expect(host.heard).toEqual(expect.arrayContaining([body('click_1-a'), body('click_2')]))
  })

  it('fetches no address it is given, and tells nothing of what is no click', async () => {
    const [host, victim] = [await adHost(), await adHost()]
    await using server = await testServer({}, { OCPC360_URL: host.url })
    const visitor = await Visitor.enter(server.url)
    const texts = [
      victim.url,
      `${victim.url}?x=1`,
      'http://169.254.169.254/',
      'javascript:alert(1)',
      visit('a'.repeat(257)),
      visit('a%20b'),
      '',
    ]
    for (const url360 of texts) expect(await visitor.post('/api/ocpc/ocpc360', { url360, event: 'download' })).toEqual({})
    expect(await visitor.post('/api/ocpc/ocpc360', { url360: visit('ok'), event: '<script>' })).toEqual({})
    expect((await visitor.send('/api/ocpc/ocpc360', { url360: 'a'.repeat(2049), event: 'download' })).status).toBe(400)
    expect((await visitor.send('/api/ocpc/ocpc360', { url360: 'a'.repeat(1_100_000), event: 'download' })).status).toBe(413)
    await visitor.post('/api/ocpc/ocpc360', { url360: `${victim.url}?qhclickid=last`, event: 'download' })
    await until(() => host.heard.length > 0)
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    expect(host.heard).toMatchObject([{ body: { qhclickid: 'last' } }])
    expect(victim.heard).toEqual([])
  })

  it('takes no call without a session', async () => {
    await using server = await testServer()
    const stranger = new Visitor(server.url)
    expect((await stranger.send('/api/ocpc/ocpc360', { url360: visit('x'), event: 'download' })).status).toBe(401)
  })

  it('follows no redirect, and answers at once where no host is set or none answers', async () => {
    const [host, other] = [await adHost(), await adHost()]
    host.answers.push({ status: 302, location: other.url })
    await using server = await testServer({}, { OCPC360_URL: host.url })
    const visitor = await Visitor.enter(server.url)
    await visitor.post('/api/ocpc/ocpc360', { url360: visit('x'), event: 'download' })
    await until(() => host.heard.length === 1)
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    expect(other.heard).toEqual([])
    await using silent = await testServer({}, { OCPC360_URL: 'http://127.0.0.1:9/' })
    expect(await (await Visitor.enter(silent.url)).post('/api/ocpc/ocpc360', { url360: visit('x'), event: 'download' })).toEqual({})
    await using off = await testServer()
    expect(await (await Visitor.enter(off.url)).post('/api/ocpc/ocpc360', { url360: visit('x'), event: 'download' })).toEqual({})
  })
})

const order = { id: 'secret-order', plan: 'bigWeb', amountFen: 2800, bdUrl: '', url360: '' } as const

describe('row 42: telling of a purchase', () => {
  it('names neither account nor order, and only where no advertisement led to it', async () => {
    await using queued = await testQueue()
    const { db } = queued
    await person(db, 'a', { credits: 1 })
    const host = await adHost()
    const hosts = { ocpc360: undefined, purchase: host.url }
    const now = Date.parse('2026-07-29T08:00:00Z')
    await recordPurchase(db, { ...order, bdUrl: 'https://x/?bd_vid=1' }, now)
    await recordPurchase(db, { ...order, url360: 'partner' }, now)
    expect(await db.select().from(conversions)).toEqual([])
    await recordPurchase(db, order, now)
    await recordPurchase(db, order, now)
    const end = startSending({ db, hosts, log: openLog('silent'), now: () => now })
    await until(() => host.heard.length > 0)
    await end()
    expect(host.heard).toEqual([
      { method: 'POST', path: '/convert', body: { event: 'purchase', plan: 'bigWeb', price: '28', time: now / 1000 } },
    ])
  })

  it('tries again later and later, and gives up in the end', async () => {
    await using queued = await testQueue()
    const { db } = queued
    const host = await adHost()
    host.answers.push(...Array.from({ length: 20 }, () => ({ status: 500 })))
    const hosts = { ocpc360: undefined, purchase: host.url }
    const clock = { now: Date.parse('2026-07-29T08:00:00Z') }
    await recordPurchase(db, order, clock.now)
    const end = startSending({ db, hosts, log: openLog('silent'), now: () => clock.now })
    await until(() => host.heard.length === 1)
    clock.now += 29_000
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    expect(host.heard).toHaveLength(1)
    for (let tries = 2; tries <= 10; tries++) {
      clock.now += 30_000 * 2 ** tries
      await until(() => host.heard.length === tries)
    }
    clock.now += 1e9
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    await end()
    expect(host.heard).toHaveLength(10)
    expect(await db.select({ state: conversions.state, tries: conversions.tries }).from(conversions)).toEqual([
      { state: 'given-up', tries: 10 },
    ])
  })

  it('follows a payment, and is no news any more when a host is set only later', async () => {
    const host = await adHost()
    await using server = await testServer({}, { PURCHASE_EVENT_URL: host.url })
    const at = new Date(Date.now() - 2 * 86_400_000)
    const old = { kind: 'purchase', payload: { event: 'old' }, state: 'wanted', nextTryAt: at, createdAt: at } as const
    await server.connection.db.insert(conversions).values({ id: 'old', ...old })
    const visitor = await Visitor.enter(server.url)
    const { page } = await orderPlan(visitor, 'alipay', 'bigWeb')
    await payAt(server.url, page)
    await until(() => host.heard.length > 0)
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    expect(host.heard).toMatchObject([{ body: { event: 'purchase', plan: 'bigWeb', price: '28' } }])
  })
})

it.each([
  ['https://a/?qhclickid=abc', 'abc'],
  ['?x=1&qhclickid=a-b_c#d', 'a-b_c'],
  ['https://a/?xqhclickid=abc', undefined],
  ['https://a/?qhclickid=', undefined],
  ['https://a/?qhclickid=a\nb', undefined],
  ['partner', undefined],
])('the click of %j is %j', (text, clickId) => {
  expect(clickIdOf(text)).toBe(clickId)
})
