import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { member, orderOf, rowOf, signInOn } from '../fixtures/accounts.ts'
import { toSize } from '../fixtures/engine.ts'
import { photo } from '../fixtures/pictures.ts'
import { codeOf, testServer, Visitor } from '../fixtures/server.ts'
import { sharedServer } from '../fixtures/shared-server.ts'
import { identities, sessions } from '#server/database/schema'

const shared = sharedServer()

interface Guest {
  readonly userid: string
  readonly username: string
}
const guestOf = (visitor: Visitor): Promise<Guest> => visitor.read<Guest>('/api/user/tourist')

describe('signing in by account id', () => {
  it('makes the browser the member, as the server knows the member', async () => {
    const server = shared()
    const { visitor: first, openid } = await member(server)
    const { username } = await guestOf(first)
    const { visitor, response } = await signInOn(server, openid)
    expect(await response.json()).toEqual({ data: { openid, username, avatar: '' } })
    expect(await guestOf(visitor)).toEqual({ userid: openid, username })
    expect(await visitor.post('/api/user/cvtnum', { openid })).toMatchObject({ isForever: true, isMember: true, cvtnumNoAiRemain: 999_999 })
  })

  it('takes the id as people type it', async () => {
    const server = shared()
    const { openid } = await member(server)
    const typed = ` ${openid.replaceAll('0', 'O').replaceAll('1', 'l').toUpperCase().replaceAll('L', 'l')} `.slice(0, 30)
    expect((await signInOn(server, typed)).response.status).toBe(200)
  })

  it('refuses an empty id, an unknown one, a guest’s, and that of a member who was paid back', async () => {
    const server = shared()
    const visitor = await Visitor.enter(server.url)
    const { userid } = await guestOf(await Visitor.enter(server.url))
    const { openid, identityId } = await member(server)
    await server.connection.db.update(identities).set({ memberSince: null, isForever: false }).where(eq(identities.id, identityId))
    const tryId = async (id: string) => codeOf(await visitor.send('/api/user/login', { openid: id }))
    expect(await tryId('  ')).toEqual([400, 'account.required'])
    expect(await tryId('0'.repeat(26))).toEqual([404, 'account.unknown'])
    expect(await tryId(userid)).toEqual([404, 'account.unknown'])
    expect(await tryId(openid)).toEqual([404, 'account.unknown'])
    expect(await tryId('0'.repeat(31))).toEqual([400, 'request.invalid'])
  })

  it('lets what this browser made as a guest be read, downloaded and packed as before', async () => {
    const server = shared()
    const { visitor: elsewhere, openid } = await member(server)
    const visitor = await Visitor.enter(server.url)
    const picture = await photo(400, 300).jpeg({ quality: 95 }).toBuffer()
    const [id = ''] = await visitor.start([{ name: 'a.jpg', bytes: picture }], toSize(10))
    const [output] = (await visitor.ended(id)).outputs
    const before = await visitor.download(output?.url ?? '')
    await visitor.post('/api/user/login', { openid })
    expect(await visitor.download(output?.url ?? '')).toEqual(before)
    expect(await visitor.read<unknown[]>('/api/jobs')).toHaveLength(1)
    const { ticket } = await visitor.post<{ ticket: string }>('/api/jobs/zip', { ids: [id] })
    expect((await visitor.fetch(`/api/jobs/zip/${ticket}`)).status).toBe(200)
    // The same member, in whose browser it was not made.
    expect(await codeOf(await elsewhere.fetch(output?.url ?? ''))).toEqual([404, 'job.not-found'])
  })
})

describe('signing in by order number', () => {
  it('takes our number of a paid order and the provider’s, and takes a computer’s place', async () => {
    await using server = await testServer()
    const { openid, identityId } = await member(server)
    await orderOf(server, identityId, { id: '20261121abcdefghjkmnpqrstvwx', transactionId: '4200001234202611211234567890', state: 'paid' })
    for (const orderid of ['20261121abcdefghjkmnpqrstvwx', '4200001234202611211234567890']) {
      const visitor = await Visitor.enter(server.url)
      const response = await visitor.send('/api/user/openid', { orderid })
      if (orderid.startsWith('4')) expect(await codeOf(response)).toEqual([409, 'device.limit'])
      else expect(await response.json()).toMatchObject({ data: { openid } })
    }
  })

  it('says the same of an order nobody paid, one paid back, one paid twice, the page’s own number and one that never was', async () => {
    await using server = await testServer()
    const { identityId } = await member(server)
    for (const state of ['new', 'closed', 'refunded', 'duplicate'] as const) {
      await orderOf(server, identityId, { id: `order-${state}`, transactionId: `number-${state}`, state })
    }
    await orderOf(server, identityId, { id: 'order-paid', state: 'paid' })
    const visitor = await Visitor.enter(server.url)
    const answers = new Set<string>()
    const states = ['new', 'closed', 'refunded', 'duplicate', 'never']
    for (const orderid of [...states.flatMap((state) => [`order-${state}`, `number-${state}`]), 'page order-paid', '']) {
      const response = await visitor.send('/api/user/openid', { orderid })
      answers.add(`${response.status} ${(await response.text()).replace(/"ref":"\w+"/, '')}`)
    }
    expect([...answers]).toEqual(['404 {"code":"order.not-found","data":{},}'])
  })
})

describe('signing out', () => {
  it('makes the browser the guest it was, gives the place up and ends the session', async () => {
    const server = shared()
    const { openid } = await member(server)
    const visitor = await Visitor.enter(server.url)
    const guest = await guestOf(visitor)
    await visitor.post('/api/user/login', { openid })
    const session = visitor.cookies.get('sid')
    await visitor.post('/api/user/logout', {})
    expect(await guestOf(visitor)).toEqual(guest)
    expect((await signInOn(server, openid)).response.status).toBe(200)
    visitor.cookies.set('sid', session ?? '')
    expect(await codeOf(await visitor.fetch('/api/devices'))).toEqual([401, 'session.expired'])
  })

  it('makes a new guest of a browser whose guest became the member, and leaves a guest alone', async () => {
    const server = shared()
    const { visitor, openid } = await member(server)
    await visitor.post('/api/user/logout', {})
    const guest = await guestOf(visitor)
    expect(guest.userid).not.toBe(openid)
    await visitor.post('/api/user/logout', {})
    expect(await guestOf(visitor)).toEqual(guest)
  })

  it('from one account into another keeps the guest and gives up the first one’s place', async () => {
    const server = shared()
    const [one, other] = [await member(server), await member(server)]
    const visitor = await Visitor.enter(server.url)
    const guest = await guestOf(visitor)
    await visitor.post('/api/user/login', { openid: one.openid })
    await visitor.post('/api/user/login', { openid: other.openid })
    expect((await signInOn(server, one.openid)).response.status).toBe(200)
    await visitor.post('/api/user/logout', {})
    expect(await guestOf(visitor)).toEqual(guest)
  })
})

describe('a computer signed out from another', () => {
  it('is told so by every call until the page asks for a guest, which is the one it was', async () => {
    const server = shared()
    const { visitor: first, openid } = await member(server)
    const visitor = await Visitor.enter(server.url)
    const guest = await guestOf(visitor)
    await visitor.post('/api/user/login', { openid })
    const { deviceId } = await rowOf(server, visitor)
    await first.post('/api/devices/release', { deviceId })
    for (const path of ['/api/jobs', '/api/jobs/events', '/api/devices', '/f/any/0?e=1&s=1', '/api/jobs/zip/any']) {
      expect(await codeOf(await visitor.fetch(path))).toEqual([401, 'device.signed-out'])
    }
    for (const [path, body] of [
      ['/api/sts', {}],
      ['/api/user/cvtnum', { openid }],
      ['/api/user/login', { openid }],
      ['/api/jobs', { tool: 'compress-image', options: {}, inputs: [] }],
    ] as const) {
      expect(await codeOf(await visitor.send(path, body))).toEqual([401, 'device.signed-out'])
    }
    expect(await guestOf(visitor)).toEqual(guest)
    expect((await visitor.fetch('/api/jobs')).status).toBe(200)
  })
})

describe('one computer', () => {
  it('is shared by the website and the client, by a ticket that works once', async () => {
    const server = shared()
    const { visitor: website, openid } = await member(server)
    const { visitor: client } = await signInOn(server, openid)
    const { ticket } = await website.post<{ ticket: string }>('/api/devices/ticket', {})
    await client.post('/api/devices/join', { ticket })
    expect(client.cookies.get('device')).toBe(website.cookies.get('device'))
    expect(await client.read<unknown[]>('/api/devices')).toHaveLength(1)
    expect((await signInOn(server, openid)).response.status).toBe(200)
    const { visitor: other } = await signInOn(server, openid)
    expect(await codeOf(await other.send('/api/devices/join', { ticket }))).toEqual([410, 'ticket.over'])
  })

  it('is not shared by a ticket older than a minute', async () => {
    const clock = { now: Date.now() }
    await using server = await testServer({ now: () => clock.now })
    const { visitor: website } = await member(server, clock.now)
    const { ticket } = await website.post<{ ticket: string }>('/api/devices/ticket', {})
    clock.now += 60_000
    const client = await Visitor.enter(server.url)
    expect(await codeOf(await client.send('/api/devices/join', { ticket }))).toEqual([410, 'ticket.over'])
  })

  it('has the website and the client on it, and not a crowd', async () => {
    const server = shared()
    const { visitor: first, openid, identityId } = await member(server)
    let last = first
    for (let others = 0; others < 4; others += 1) {
      const { ticket } = await last.post<{ ticket: string }>('/api/devices/ticket', {})
      const joining = await Visitor.enter(server.url)
      await joining.post('/api/devices/join', { ticket })
      await joining.post('/api/user/login', { openid })
      last = joining
    }
    const rows = await server.connection.db.select().from(sessions).where(eq(sessions.identityId, identityId))
    expect(rows.filter(({ end }) => end === null)).toHaveLength(2)
    expect(await codeOf(await first.fetch('/api/devices'))).toEqual([401, 'device.signed-out'])
  })

  it('is named by the client itself, and is then a client’s', async () => {
    const server = shared()
    const { openid } = await member(server)
    const client = await Visitor.enter(server.url)
    const headers = { 'x-device-token': client.cookies.get('device') ?? '' }
    client.cookies.delete('device')
    await client.post('/api/user/login', { openid, deviceName: 'DESKTOP-1' }, headers)
    client.cookies.delete('device')
    const response = await client.fetch('/api/devices', { headers })
    expect(await response.json()).toMatchObject({ data: [{ name: 'DESKTOP-1', kind: 'desktop', current: true }, {}] })
  })
})
