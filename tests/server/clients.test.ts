import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { member, refusalOf, rowOf } from '../fixtures/accounts.ts'
import { DesktopClient, makeMember } from '../fixtures/desktop-client.ts'
import { order, payAt, until } from '../fixtures/payments.ts'
import { codeOf, testServer, Visitor } from '../fixtures/server.ts'
import { sharedServer } from '../fixtures/shared-server.ts'
import { identities, slots } from '#server/database/schema'
import type { DeviceView } from '#shared/api/devices'

const shared = sharedServer()

const computersOf = async (visitor: Visitor): Promise<string[]> =>
  (await visitor.read<DeviceView[]>('/api/devices')).map(({ name, kind }) => `${kind} ${name}`).toSorted()
const signIn = (visitor: Visitor, openid: string, more: object = {}): Promise<Response> =>
  visitor.send('/api/user/login', { openid, ...more })
const reserve = (client: Visitor): Promise<Response> =>
  client.send('/api/local-jobs/reserve', {
    tool: 'compress-image',
    options: { goal: { by: 'size', targetKb: 20 } },
    jobs: [{ id: randomUUID(), units: 1 }],
  })

describe('a client', () => {
  it('that comes for the first time gets a computer, and is known by its token alone from then on', async () => {
    const client = await DesktopClient.enter(shared().url)
    const { deviceId } = await rowOf(shared(), client)
    expect(client.cookies.get('device')).toMatch(new RegExp(`^${deviceId}\\.`))
    expect((await reserve(client)).status).toBe(200)
    // As a client sends: its token in the header, and of the cookies only those of the session.
    const token = client.cookies.get('device') ?? ''
    client.cookies.delete('device')
    expect((await client.fetch('/api/jobs', { headers: { 'x-device-token': token } })).status).toBe(200)
    expect(await codeOf(await client.fetch('/api/jobs', { headers: { 'x-device-token': 'new' } }))).toEqual([401, 'session.expired'])
    expect(await codeOf(await client.fetch('/api/jobs', { headers: { 'x-device-token': `${token}x` } }))).toEqual([401, 'session.expired'])
  })

  it('is a client’s computer by its own name, whoever paid for it there', async () => {
    const client = new DesktopClient(shared().url, '前台-01')
    await client.read('/api/user/tourist')
    const identityId = await makeMember(shared(), client, 'forever')
    expect(await computersOf(client)).toEqual(['desktop 前台-01'])
    await shared().connection.db.update(slots).set({ kind: 'web', name: '' }).where(eq(slots.identityId, identityId))
    const nameless = { 'x-device-name': '%E0%A4%A' }
    expect(await (await client.fetch('/api/devices', { headers: nameless })).json()).toMatchObject({
      data: [{ name: '客户端', kind: 'desktop' }],
    })
    expect(await computersOf(client)).toEqual(['desktop 前台-01'])
    const long = { 'x-device-name': encodeURIComponent(`\u202E${'长'.repeat(80)}`) }
    await shared().connection.db.update(slots).set({ name: '' }).where(eq(slots.identityId, identityId))
    expect(await (await client.fetch('/api/devices', { headers: long })).json()).toMatchObject({ data: [{ name: '长'.repeat(60) }] })
  })

  it('paid for in its own window keeps its place as a client', async () => {
    const client = await DesktopClient.enter(shared().url, '工位 7')
    const { identityId } = await rowOf(shared(), client)
    const ordered = await order(client, 'wxpay', 'bigWeb')
    await payAt(shared().url, ordered.page)
    await until(async () => {
      const [person] = await shared().connection.db.select().from(identities).where(eq(identities.id, identityId))
      return person !== undefined && person.memberSince !== null
    })
    expect(await computersOf(client)).toEqual(['desktop 工位 7'])
    expect(await client.read('/api/local-jobs/pass')).toMatchObject({ pass: expect.stringContaining('.') })
  })
})

describe('two clients and a browser', () => {
  it('are one too many for a membership: the third is shown the others, and the one it chooses is told so', async () => {
    const { visitor: browser, openid } = await member(shared())
    const first = await DesktopClient.enter(shared().url, '家里')
    const second = await DesktopClient.enter(shared().url, '公司')
    expect((await signIn(first, openid)).status).toBe(200)
    const refusal = await refusalOf(await signIn(second, openid))
    expect([refusal.status, refusal.code]).toEqual([409, 'device.limit'])
    expect(refusal.data.devices?.map(({ name, kind }) => `${kind} ${name}`).toSorted()).toEqual(['desktop 家里', 'web Windows · Chrome'])
    const { pass } = await first.read<{ pass: string }>('/api/local-jobs/pass')

    const release = refusal.data.devices?.find(({ kind }) => kind === 'desktop')?.deviceId
    expect((await signIn(second, openid, { release })).status).toBe(200)
    expect(await computersOf(second)).toEqual(['desktop 公司', 'web Windows · Chrome'])
    for (const answer of [reserve(first), first.fetch('/api/local-jobs/pass'), first.fetch('/api/devices')]) {
      expect(await codeOf(await answer)).toEqual([401, 'device.signed-out'])
    }
    // Asked anew who it is, it is the guest it was; no pass is renewed, and what was done under the old one is taken all the same.
    await first.read('/api/user/tourist')
    expect(await first.read('/api/local-jobs/pass')).toEqual({})
    const uses = [{ id: randomUUID(), units: 1, cost: 'image' }]
    expect((await first.send('/api/local-jobs/report', { pass, uses })).status).toBe(200)
    expect(await computersOf(browser)).toEqual(['desktop 公司', 'web Windows · Chrome'])
  })

  it('fit where the browser is on the computer of one of them: it joins by a ticket', async () => {
    const client = await DesktopClient.enter(shared().url, '家里')
    await makeMember(shared(), client, 'forever')
    const { userid: openid } = await client.read<{ userid: string }>('/api/user/tourist')
    const second = await DesktopClient.enter(shared().url, '公司')
    expect((await signIn(second, openid)).status).toBe(200)
    const { ticket } = await client.post<{ ticket: string }>('/api/devices/ticket', {})
    const browser = await Visitor.enter(shared().url)
    await browser.post('/api/devices/join', { ticket })
    expect((await signIn(browser, openid, { deviceName: 'Windows · Edge' })).status).toBe(200)
    // The computer stays the client’s, by the client’s name.
    expect(await computersOf(browser)).toEqual(['desktop 公司', 'desktop 家里'])
    expect((await rowOf(shared(), browser)).deviceId).toBe((await rowOf(shared(), client)).deviceId)
    expect(await codeOf(await (await Visitor.enter(shared().url)).send('/api/devices/join', { ticket }))).toEqual([410, 'ticket.over'])
    // Signed out in the browser, the client is still there; signed out there too, the place is free.
    await browser.post('/api/user/logout', {})
    expect((await reserve(client)).status).toBe(200)
    await client.post('/api/user/logout', {})
    expect(await computersOf(second)).toEqual(['desktop 公司'])
  })

  it('long away gives its place up', async () => {
    const clock = { now: Date.now() }
    await using server = await testServer({ now: () => clock.now })
    const { visitor: browser, openid } = await member(server, clock.now)
    const client = await DesktopClient.enter(server.url)
    await signIn(client, openid)
    clock.now += 31 * 86_400_000
    await browser.read('/api/devices')
    const other = await DesktopClient.enter(server.url)
    expect((await signIn(other, openid)).status).toBe(200)
    expect(await codeOf(await reserve(client))).toEqual([401, 'device.signed-out'])
  })
})
