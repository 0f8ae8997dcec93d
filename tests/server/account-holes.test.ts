import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { member, orderOf, rowOf, signInOn } from '../fixtures/accounts.ts'
import { codeOf, testServer, Visitor, type TestServer } from '../fixtures/server.ts'
import { sharedServer } from '../fixtures/shared-server.ts'
import { identities } from '#server/database/schema'

const shared = sharedServer()

const guestOf = (visitor: Visitor) => visitor.read<{ userid: string; username: string }>('/api/user/tourist')

/** A visitor with some of another's cookies. */
function impostor(server: TestServer, cookies: Record<string, string | undefined>): Visitor {
  const visitor = new Visitor(server.url)
  for (const [name, value] of Object.entries(cookies)) if (value !== undefined) visitor.cookies.set(name, value)
  return visitor
}

describe('who is a member', () => {
  it('row 1: is not whoever says an account id that nobody has', async () => {
    const { visitor, response } = await signInOn(shared(), 'abcdefghjkmnpqrstvwxyz0123')
    expect(await codeOf(response)).toEqual([404, 'account.unknown'])
    const { userid } = await guestOf(visitor)
    expect(await visitor.post('/api/user/cvtnum', { openid: userid })).toMatchObject({ isMember: false, isForever: false })
  })

  it('row 2: is not whoever says nothing', async () => {
    for (const openid of ['', '   ', '\u3000']) {
      expect(await codeOf((await signInOn(shared(), openid)).response)).toEqual([400, 'account.required'])
    }
  })

  it('row 4: cannot be guessed from a guest: every id has 130 random bits', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, async () => (await guestOf(new Visitor(shared().url))).userid))
    expect(new Set(ids.map((id) => id.slice(0, 8))).size).toBe(20)
    for (const id of ids) expect(id).toMatch(/^[0-9a-hjkmnp-tv-z]{26}$/)
  })

  it('row 5: is not told by the name that is shown', async () => {
    const { userid, username } = await guestOf(new Visitor(shared().url))
    expect(username.length).toBeGreaterThanOrEqual(20)
    expect(username.slice(14)).not.toBe('')
    for (let from = 0; from + 6 <= userid.length; from += 1) expect(username).not.toContain(userid.slice(from, from + 6))
  })

  it('row 15: is whom the server says, at once after a refund', async () => {
    const { visitor, openid, identityId } = await member(shared())
    await shared().connection.db.update(identities).set({ memberSince: null, isForever: false }).where(eq(identities.id, identityId))
    expect(await visitor.post('/api/user/cvtnum', { openid })).toMatchObject({ isMember: false, isForever: false, cvtnumNoAiRemain: 0 })
  })

  it('row 39: is not who was paid back, though the order was paid once', async () => {
    const { identityId } = await member(shared())
    await orderOf(shared(), identityId, { id: 'paid-back', state: 'refunded' })
    const visitor = await Visitor.enter(shared().url)
    expect(await codeOf(await visitor.send('/api/user/openid', { orderid: 'paid-back' }))).toEqual([404, 'order.not-found'])
  })

  it('row 40: can sign out here and elsewhere', async () => {
    const { visitor, openid } = await member(shared())
    const { visitor: other } = await signInOn(shared(), openid)
    const { deviceId } = await rowOf(shared(), other)
    await visitor.post('/api/devices/release', { deviceId })
    await visitor.post('/api/user/logout', {})
    for (const one of [visitor, other]) expect((await guestOf(one)).userid).not.toBe(openid)
  })
})

describe('trying numbers', () => {
  const limited = async (response: Response): Promise<void> => {
    expect(response.status).toBe(429)
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await response.json()).toMatchObject({ code: 'rate.limited' })
  }

  it.each(['login', 'loginDay'] as const)(
    'row 3: of accounts ends after so many (%s), whatever session or forwarded address',
    async (rate) => {
      await using server = await testServer({ rates: { [rate]: [3, 900] } })
      for (let tries = 0; tries < 3; tries += 1) expect((await signInOn(server, '0'.repeat(26))).response.status).toBe(404)
      await limited((await signInOn(server, '0'.repeat(26))).response)
      const visitor = await Visitor.enter(server.url)
      await limited(await visitor.send('/api/user/login', { openid: '0'.repeat(26) }, { 'x-forwarded-for': '203.0.113.9' }))
    },
  )

  it.each(['orderLookup', 'orderLookupDay'] as const)('row 6: of orders ends after so many (%s), whatever session', async (rate) => {
    await using server = await testServer({ rates: { [rate]: [2, 60] } })
    const { identityId } = await member(server)
    await orderOf(server, identityId, { id: 'good', state: 'paid' })
    const tryOrder = async (orderid: string) => (await Visitor.enter(server.url)).send('/api/user/openid', { orderid })
    for (let tries = 0; tries < 2; tries += 1) expect((await tryOrder(`wrong-${tries}`)).status).toBe(404)
    await limited(await tryOrder('good'))
  })

  it('row 35: of guests makes one a browser, kept in no cache', async () => {
    await using server = await testServer({ rates: { tourist: [2, 3600] } })
    const visitor = new Visitor(server.url)
    const response = await visitor.fetch('/api/user/tourist')
    expect(response.headers.get('cache-control')).toBe('no-store')
    const first = await guestOf(visitor)
    for (let asks = 0; asks < 5; asks += 1) expect(await guestOf(visitor)).toEqual(first)
    await guestOf(new Visitor(server.url))
    await limited(await fetch(`${server.url}/api/user/tourist`))
  })
})

describe('a session', () => {
  it('row 16: is not an account id, nor a session cookie without its computer', async () => {
    const { visitor, openid } = await member(shared())
    const sid = visitor.cookies.get('sid')
    const device = visitor.cookies.get('device') ?? ''
    const [deviceId = '', signature = ''] = device.split('.')
    const other = await Visitor.enter(shared().url)
    const thieves = [
      { device },
      { sid },
      { sid, device: other.cookies.get('device') },
      { sid, device: deviceId },
      { sid, device: `${deviceId}.${signature.slice(0, -1)}` },
      { sid, device: `${other.cookies.get('device')?.split('.')[0]}.${signature}` },
    ]
    for (const cookies of thieves) {
      const thief = impostor(shared(), { ...cookies, 'XSRF-TOKEN': visitor.xsrf })
      expect(await codeOf(await thief.fetch('/api/devices'))).toEqual([401, 'session.expired'])
      expect(await codeOf(await thief.send('/api/user/cvtnum', { openid }))).toEqual([401, 'session.expired'])
      expect((await guestOf(thief)).userid).not.toBe(openid)
    }
    expect((await visitor.fetch('/api/devices')).status).toBe(200)
  })

  it('row 16: planted in a browser is worth nothing once the browser signs in', async () => {
    const { openid, identityId } = await member(shared())
    await orderOf(shared(), identityId, { id: 'good', state: 'paid' })
    for (const signIn of [
      (victim: Visitor) => victim.post('/api/user/login', { openid }),
      (victim: Visitor) => victim.post('/api/user/openid', { orderid: 'good' }),
    ]) {
      const attacker = await Visitor.enter(shared().url)
      const victim = impostor(shared(), Object.fromEntries(attacker.cookies))
      await signIn(victim)
      for (const name of ['sid', 'XSRF-TOKEN']) expect(victim.cookies.get(name)).not.toBe(attacker.cookies.get(name))
      expect(await codeOf(await attacker.fetch('/api/devices'))).toEqual([401, 'session.expired'])
      await victim.post('/api/user/logout', {})
    }
  })

  it('row 23: reads its own quota only', async () => {
    const { openid } = await member(shared())
    const visitor = await Visitor.enter(shared().url)
    for (const foreign of [openid, '', 'made-up']) {
      expect(await codeOf(await visitor.send('/api/user/cvtnum', { openid: foreign }))).toEqual([403, 'request.refused'])
    }
    const { userid } = await guestOf(visitor)
    expect(await visitor.post('/api/user/cvtnum', { openid: userid })).toMatchObject({ cvtnumRelRemain: 0, isMember: false })
  })

  it('row 34: is not changed by a foreign page, nor without the token of this very session', async () => {
    const { openid } = await member(shared())
    const visitor = await Visitor.enter(shared().url)
    const before = visitor.xsrf
    const paths = [
      'user/login',
      'user/openid',
      'user/logout',
      'user/cvtnum',
      'user/wxlogin/confirm',
      'devices/release',
      'devices/ticket',
      'devices/join',
    ]
    const body = { openid, orderid: 'a', ticket: 'a', deviceId: 'a' }
    for (const path of paths) {
      for (const headers of [{ 'x-xsrf-token': '' }, { 'x-xsrf-token': 'a' }, { origin: 'https://elsewhere.example' }] as const) {
        expect(await codeOf(await visitor.send(`/api/${path}`, body, { ...headers }))).toEqual([403, 'request.refused'])
      }
    }
    await visitor.post('/api/user/login', { openid })
    expect(await codeOf(await visitor.send('/api/user/logout', {}, { 'x-xsrf-token': before }))).toEqual([403, 'request.refused'])
  })

  it('is not lost to a link that writes the address another way', async () => {
    const { visitor, openid } = await member(shared())
    for (const path of ['/%61pi/user/tourist', '/api/user/%74ourist']) {
      const response = await visitor.fetch(path)
      expect(response.headers.get('cache-control')).toBe('no-store')
      expect(await response.json()).toMatchObject({ data: { userid: openid } })
    }
  })

  it('row 50: is lent to no other origin', async () => {
    const { visitor } = await member(shared())
    for (const method of ['GET', 'OPTIONS']) {
      const response = await visitor.fetch('/api/devices', { method, headers: { origin: 'https://elsewhere.example' } })
      expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
    }
  })
})

it('row 52: nothing but the site itself is to be found by search engines', async () => {
  const robots = async (path: string) =>
    (await fetch(shared().url + path, { headers: { accept: 'text/html' } })).headers.get('x-robots-tag')
  for (const path of ['/callback/wxlogin?ticket=a', '/paid', '/paid?a=b', '/api/devices']) expect(await robots(path)).toBe('noindex')
  for (const path of ['/', '/sizemb', '/paidmore']) expect(await robots(path)).toBe(null)
})
