import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isOnPostgres } from '../fixtures/database.ts'
import { codeOf, testServer, Visitor } from '../fixtures/server.ts'
import { sharedServer } from '../fixtures/shared-server.ts'

const shared = sharedServer()

describe('a guest', () => {
  it('gets an identity, keeps it, and is told it again', async () => {
    const visitor = new Visitor(shared().url)
    const first = await visitor.read<{ userid: string; username: string }>('/api/user/tourist')
    expect(first.userid).toMatch(/^[0-9a-hjkmnp-tv-z]{26}$/)
    expect(first.username.length).toBeGreaterThanOrEqual(20)
    expect(first.username).not.toContain(first.userid)
    expect(await visitor.read('/api/user/tourist')).toEqual(first)
    const other = await new Visitor(shared().url).read<{ userid: string }>('/api/user/tourist')
    expect(other.userid).not.toBe(first.userid)
  })

  it('is known by cookies a script cannot read, save the XSRF token', async () => {
    const response = await fetch(`${shared().url}/api/user/tourist`)
    const cookies = new Map(response.headers.getSetCookie().map((line) => [line.split('=')[0], line]))
    expect([...cookies.keys()].toSorted()).toEqual(['XSRF-TOKEN', 'device', 'sid'])
    for (const name of ['sid', 'device']) expect(cookies.get(name)).toMatch(/HttpOnly; SameSite=Lax/)
    expect(cookies.get('XSRF-TOKEN')).not.toContain('HttpOnly')
    expect(response.headers.get('cache-control')).toBe('no-store')
  })

  it('over https gets cookies bound to this host and to https', async () => {
    await using server = await testServer({}, { PUBLIC_URL: 'https://qingtu.example' })
    const response = await fetch(`http://localhost:${server.port}/api/user/tourist`)
    const cookies = response.headers.getSetCookie().join('\n')
    expect(cookies).toMatch(/^__Host-sid=.*Secure/m)
    expect(cookies).not.toMatch(/^sid=/m)
    expect(response.headers.get('strict-transport-security')).toContain('max-age=31536000')
  })

  it('keeps its device when the session is gone, unless the token was tampered with', async () => {
    await using server = await testServer()
    const visitor = await Visitor.enter(server.url)
    const device = visitor.cookies.get('device')
    visitor.cookies.delete('sid')
    await visitor.read('/api/user/tourist')
    expect(visitor.cookies.get('device')).toBe(device)
    visitor.cookies.delete('sid')
    visitor.cookies.set('device', `x${device}`)
    await visitor.read('/api/user/tourist')
    expect(visitor.cookies.get('device')).not.toContain(`x${device}`)
  })

  it.skipIf(isOnPostgres())('has an account id that lies nowhere in the data folder', async () => {
    await using server = await testServer()
    const visitor = new Visitor(server.url)
    const { userid, username } = await visitor.read<{ userid: string; username: string }>('/api/user/tourist')
    const files = readdirSync(server.folder, { recursive: true, encoding: 'utf8' })
      .map((name) => join(server.folder, name))
      .filter((path) => statSync(path).isFile())
    const holds = (text: string): boolean => files.some((path) => readFileSync(path).includes(text))
    expect(holds(username)).toBe(true)
    expect(holds(userid)).toBe(false)
  })
})

describe('what changes something', () => {
  it('is refused without the XSRF header, with a foreign one, and from a foreign page', async () => {
    const visitor = await Visitor.enter(shared().url)
    const other = await Visitor.enter(shared().url)
    const send = (headers: Record<string, string>): Promise<Response> => visitor.send('/api/sts', {}, headers)
    expect(await codeOf(await send({ 'x-xsrf-token': '' }))).toEqual([403, 'request.refused'])
    expect(await codeOf(await send({ 'x-xsrf-token': other.xsrf }))).toEqual([403, 'request.refused'])
    expect(await codeOf(await send({ origin: 'https://elsewhere.example' }))).toEqual([403, 'request.refused'])
    expect(await codeOf(await send({ origin: 'null' }))).toEqual([403, 'request.refused'])
    expect((await send({ origin: shared().url })).status).toBe(200)
  })

  it('needs a session that is known here', async () => {
    await using server = await testServer()
    const visitor = new Visitor(server.url)
    expect(await codeOf(await visitor.send('/api/sts', {}))).toEqual([401, 'session.expired'])
    visitor.cookies.set('sid', 'made-up')
    expect(await codeOf(await visitor.send('/api/sts', {}))).toEqual([401, 'session.expired'])
  })

  it('is limited in number, and told when to come again', async () => {
    const plenty = [1000, 60] as const
    await using server = await testServer({ rates: { tourist: [2, 60], sts: plenty, createJobs: plenty, read: plenty, change: plenty } })
    await Visitor.enter(server.url)
    await Visitor.enter(server.url)
    const response = await fetch(`${server.url}/api/user/tourist`)
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await response.json()).toMatchObject({ code: 'rate.limited', data: { seconds: expect.any(Number) } })
    expect(response.status).toBe(429)
  })
})
