import { createPublicKey, randomUUID, verify } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { creditsOf, DesktopClient, makeMember } from '../fixtures/desktop-client.ts'
import { codeOf, testServer, Visitor, type TestServer } from '../fixtures/server.ts'
import { sharedServer } from '../fixtures/shared-server.ts'
import { identities } from '#server/database/schema'
import { ledger } from '#server/database/schema-billing'
import { passClaims, type PassClaims } from '#shared/api/local-jobs'

const DAY_MS = 86_400_000
const shared = sharedServer()
const OPTIONS = { goal: { by: 'size', targetKb: 20 } }

interface Answer {
  readonly paid: readonly string[]
  readonly pass?: string
}

const ids = (count: number): string[] => Array.from({ length: count }, () => randomUUID())
const wish = (names: readonly string[], more: object = {}) => ({
  tool: 'compress-image',
  options: OPTIONS,
  jobs: names.map((id) => ({ id, units: 1 })),
  ...more,
})
const reserve = (client: Visitor, names: readonly string[], more: object = {}): Promise<Answer> =>
  client.post('/api/local-jobs/reserve', wish(names, more))
const settle = (client: Visitor, { committed = [], released = [] }: { committed?: string[]; released?: string[] }): Promise<unknown> =>
  client.post('/api/local-jobs/settle', { committed, released })
const report = (client: Visitor, pass: string | undefined, names: readonly string[]): Promise<Response> =>
  client.send('/api/local-jobs/report', { pass, uses: names.map((id) => ({ id, units: 1, cost: 'image' })) })
const claimsOf = (pass: string | undefined): PassClaims =>
  passClaims.parse(JSON.parse(Buffer.from(pass?.split('.')[0] ?? '', 'base64url').toString()))

async function memberAt(server: TestServer, credits: number) {
  const client = await DesktopClient.enter(server.url)
  const identityId = await makeMember(server, client, { credits })
  return { client, identityId, credits: () => creditsOf(server, identityId) }
}

describe('a client’s jobs', () => {
  it('are paid for as far as there is something to pay with, once however often it asks', async () => {
    const server = shared()
    const { client, credits } = await memberAt(server, 3)
    const names = ids(5)
    expect((await reserve(client, names)).paid).toEqual(names.slice(0, 3))
    expect((await reserve(client, names)).paid).toEqual(names.slice(0, 3))
    expect(await credits()).toBe(0)
    const [first = '', second = '', third = ''] = names
    await settle(client, { committed: [first], released: [second] })
    await settle(client, { committed: [second], released: [first, second] })
    expect(await credits()).toBe(1)
    // A settled id is used up.
    expect((await reserve(client, [first, second, third])).paid).toEqual([first, third])
    expect(await credits()).toBe(1)
  })

  it('weigh what the server says, and a job that takes all files a unit for each', async () => {
    await using server = await testServer({}, { FREE_IMAGES: '3', FREE_AI: '1' })
    const client = await DesktopClient.enter(server.url)
    const [free = ''] = ids(1)
    expect((await reserve(client, [free], { tool: 'pack-zip', options: {}, jobs: [{ id: free, units: 40 }] })).paid).toEqual([free])
    const photos = ids(2)
    const options = { background: { by: 'colour', colour: '#438edb' } }
    expect((await reserve(client, photos, { tool: 'id-photo', options })).paid).toEqual(photos.slice(0, 1))
    expect(await codeOf(await client.send('/api/local-jobs/reserve', wish(ids(1), { options: { goal: 'none' } })))).toEqual([
      400,
      'options.invalid',
    ])
    expect(await codeOf(await client.send('/api/local-jobs/reserve', wish(ids(1), { tool: 'make-coffee' })))).toEqual([
      404,
      'tool.unavailable',
    ])
    for (const jobs of [
      [{ id: randomUUID(), units: 2 }],
      [
        { id: free, units: 1 },
        { id: free, units: 1 },
      ],
      [{ id: 'short', units: 1 }],
      [],
    ]) {
      expect((await codeOf(await client.send('/api/local-jobs/reserve', wish([], { jobs }))))[0]).toBe(400)
    }
    const lines = await server.connection.db.select({ cost: ledger.cost, units: ledger.units }).from(ledger)
    expect(lines).toEqual([
      { cost: 'free', units: 40 },
      { cost: 'ai', units: 1 },
    ])
  })

  it('count against a guest’s allowance of the day, together with those in the cloud', async () => {
    const clock = { now: Date.parse('2026-03-01T12:00:00+08:00') }
    await using server = await testServer({ now: () => clock.now }, { FREE_IMAGES: '2' })
    const client = await DesktopClient.enter(server.url)
    const names = ids(3)
    const answer = await reserve(client, names)
    expect(answer).toEqual({ paid: names.slice(0, 2) })
    const { userid: openid } = await client.read<{ userid: string }>('/api/user/tourist')
    const left = async () => (await client.post<{ free: { image: number } }>('/api/user/cvtnum', { openid })).free.image
    expect(await left()).toBe(0)
    await settle(client, { released: names.slice(0, 1), committed: names.slice(1, 2) })
    expect(await left()).toBe(1)
    clock.now += DAY_MS
    expect((await reserve(client, ids(3))).paid).toHaveLength(2)
  })

  it('are no page’s, and no other client’s', async () => {
    const server = shared()
    const { client, credits } = await memberAt(server, 3)
    const [name = ''] = ids(1)
    await reserve(client, [name])
    const page = await Visitor.enter(server.url)
    for (const path of ['reserve', 'settle', 'report']) {
      const body = { ...wish([name]), committed: [], released: [name], pass: 'a.b', uses: [] }
      expect(await codeOf(await page.send(`/api/local-jobs/${path}`, body))).toEqual([403, 'request.refused'])
    }
    const stranger = await DesktopClient.enter(server.url)
    await settle(stranger, { released: [name] })
    expect((await reserve(stranger, [name])).paid).toEqual([])
    expect(await credits()).toBe(2)
    await settle(client, { released: [name] })
    expect(await credits()).toBe(3)
  })

  it('that the cloud runs are not theirs to settle', async () => {
    const server = shared()
    const { client, identityId, credits } = await memberAt(server, 3)
    const { db } = server.connection
    await db.insert(ledger).values({ jobId: 'abcdefghjkmnpqrstvwxyz0123', identityId, cost: 'image', source: 'credits', state: 'reserved' })
    await settle(client, { released: ['abcdefghjkmnpqrstvwxyz0123'] })
    expect((await reserve(client, ['abcdefghjkmnpqrstvwxyz0123'])).paid).toEqual([])
    expect(await credits()).toBe(3)
  })

  it('that are taken back before the call that pays for them arrives stay so', async () => {
    const server = shared()
    const { client, credits } = await memberAt(server, 3)
    const names = ids(2)
    await settle(client, { released: names })
    expect((await reserve(client, names)).paid).toEqual([])
    expect(await credits()).toBe(3)
  })

  it('are settled from their computer by whoever is signed in there, and for whom they were', async () => {
    const server = shared()
    const { client, credits } = await memberAt(server, 3)
    const { credits: others, identityId } = await memberAt(server, 7)
    const names = ids(3)
    await reserve(client, names)
    await client.post('/api/user/logout', {})
    await settle(client, { released: names.slice(0, 1), committed: names.slice(1, 2) })
    expect([await credits(), await others()]).toEqual([1, 7])
    expect(await server.connection.db.select().from(ledger).where(eq(ledger.identityId, identityId))).toEqual([])
  })

  it('count as done when nothing was heard of them for 30 days', async () => {
    const clock = { now: Date.now() }
    await using server = await testServer({ now: () => clock.now })
    const { client, credits } = await memberAt(server, 3)
    const names = ids(2)
    await reserve(client, names)
    clock.now += 29 * DAY_MS
    await server.sweep()
    await settle(client, { released: names.slice(0, 1) })
    clock.now += 2 * DAY_MS
    await server.sweep()
    await settle(client, { released: names })
    expect(await credits()).toBe(2)
  })
})

describe('an offline pass', () => {
  it('is for a member, on one computer, for seven days and what is left, and signed', async () => {
    const clock = { now: Date.now() }
    await using server = await testServer({ now: () => clock.now })
    const { client, identityId } = await memberAt(server, 5)
    const { pass } = await reserve(client, ids(2))
    expect(claimsOf(pass)).toMatchObject({ identity: identityId, issued: clock.now, until: clock.now + 7 * DAY_MS, credits: 3 })
    expect(claimsOf(pass).device).toBe(client.cookies.get('device')?.split('.')[0])
    const { key: x } = await new Visitor(server.url).read<{ key: string }>('/api/local-jobs/pass-key')
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
    const [text = '', signature = ''] = pass?.split('.') ?? []
    expect(verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64url'))).toBe(true)
    await server.connection.db.update(identities).set({ isForever: true })
    expect(claimsOf((await client.read<{ pass: string }>('/api/local-jobs/pass')).pass).credits).toBeNull()
    expect(await (await DesktopClient.enter(server.url)).read('/api/local-jobs/pass')).toEqual({})
  })

  it('has what was done under it charged once, below zero if need be', async () => {
    const server = shared()
    const { client, credits } = await memberAt(server, 2)
    const { pass } = await client.read<{ pass: string }>('/api/local-jobs/pass')
    const [lost = '', ...names] = ids(4)
    // The answer to this was lost; the client went on as if there were no network.
    await reserve(client, [lost])
    for (let time = 0; time < 2; time++) expect((await report(client, pass, [lost, ...names])).status).toBe(200)
    expect(await credits()).toBe(-2)
    expect((await reserve(client, ids(1))).paid).toEqual([])
    expect(claimsOf((await client.read<{ pass: string }>('/api/local-jobs/pass')).pass).credits).toBe(0)
  })

  it('is charged to whom it was for, also signed out, paid back or long after, and is then not renewed', async () => {
    const clock = { now: Date.now() }
    await using server = await testServer({ now: () => clock.now })
    const { client, identityId, credits } = await memberAt(server, 5)
    const { pass } = await client.read<{ pass: string }>('/api/local-jobs/pass')
    await client.post('/api/user/logout', {})
    clock.now += 20 * DAY_MS
    expect(await (await report(client, pass, ids(1))).json()).toEqual({ data: {} })
    await server.connection.db.update(identities).set({ memberSince: null }).where(eq(identities.id, identityId))
    expect((await report(client, pass, ids(2))).status).toBe(200)
    expect(await credits()).toBe(2)
  })

  it('of another computer, of another server or changed by hand is worth nothing', async () => {
    const server = shared()
    await using elsewhere = await testServer()
    const { client, credits } = await memberAt(server, 5)
    const { pass = '' } = await client.read<{ pass?: string }>('/api/local-jobs/pass')
    const foreign = await (await memberAt(elsewhere, 5)).client.read<{ pass: string }>('/api/local-jobs/pass')
    const [text = '', signature = ''] = pass.split('.')
    const forged = Buffer.from(JSON.stringify({ ...claimsOf(pass), credits: 1e6 })).toString('base64url')
    for (const bad of [foreign.pass, `${forged}.${signature}`, `${text}.`, text, 'a.b', '']) {
      expect(await codeOf(await report(client, bad, ids(1)))).toEqual([400, 'request.invalid'])
    }
    const other = await DesktopClient.enter(server.url)
    expect(await codeOf(await report(other, pass, ids(1)))).toEqual([400, 'request.invalid'])
    expect(await credits()).toBe(5)
  })
})
