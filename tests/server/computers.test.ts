import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { member, refusalOf, signInOn } from '../fixtures/accounts.ts'
import { codeOf, testServer, type Visitor } from '../fixtures/server.ts'
import { sharedServer } from '../fixtures/shared-server.ts'
import { sessions, slots } from '#server/database/schema'
import type { DeviceView } from '#shared/api/devices'

const shared = sharedServer()

const DAY_MS = 86_400_000

const devicesOf = (visitor: Visitor): Promise<DeviceView[]> => visitor.read<DeviceView[]>('/api/devices')

describe('a membership', () => {
  it('is signed in on two computers; the third chooses which of them goes', async () => {
    const { visitor: first, openid } = await member(shared())
    const second = await signInOn(shared(), openid, { deviceName: 'macOS · Safari' })
    expect(second.response.status).toBe(200)
    const third = await signInOn(shared(), openid, { deviceName: 'Windows · Edge' })
    const refusal = await refusalOf(third.response)
    expect(refusal).toMatchObject({ status: 409, code: 'device.limit' })
    expect(refusal.data.devices?.map(({ name, kind, current }) => [name, kind, current])).toEqual([
      ['macOS · Safari', 'web', false],
      ['Windows · Chrome', 'web', false],
    ])
    expect(await devicesOf(third.visitor)).toEqual([])

    const release = refusal.data.devices?.at(-1)?.deviceId
    await third.visitor.post('/api/user/login', { openid, deviceName: 'Windows · Edge', release })
    expect((await devicesOf(third.visitor)).map(({ name, current }) => [name, current])).toEqual([
      ['Windows · Edge', true],
      ['macOS · Safari', false],
    ])
    expect((await second.visitor.fetch('/api/devices')).status).toBe(200)
    expect(await codeOf(await first.fetch('/api/devices'))).toEqual([401, 'device.signed-out'])
  })

  it('names the computer it was paid on by what its browser says of itself', async () => {
    const { visitor, identityId } = await member(shared())
    await shared().connection.db.update(slots).set({ name: '' }).where(eq(slots.identityId, identityId))
    const headers = { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/131.0.0.0 Safari/537.36' }
    await visitor.fetch('/api/devices', { headers })
    expect((await devicesOf(visitor)).map(({ name }) => name)).toEqual(['Windows · Chrome'])
  })

  it('loses no computer to a name that is none of its own', async () => {
    const { openid } = await member(shared())
    await signInOn(shared(), openid)
    const { response } = await signInOn(shared(), openid, { release: 'somebody else’s' })
    expect(await refusalOf(response)).toMatchObject({ code: 'device.limit', data: { devices: [{}, {}] } })
  })

  it('has two computers after twenty came at once', async () => {
    await using server = await testServer()
    const { openid, identityId } = await member(server)
    const all = await Promise.all(Array.from({ length: 20 }, () => signInOn(server, openid)))
    expect(all.filter(({ response }) => response.ok)).toHaveLength(1)
    const { db } = server.connection
    expect(await db.select().from(slots).where(eq(slots.identityId, identityId))).toHaveLength(2)
    expect(await db.select().from(sessions).where(eq(sessions.identityId, identityId))).toHaveLength(2)
  })

  it('forgets a computer not seen for 30 days when another needs its place, and only then', async () => {
    const clock = { now: Date.now() }
    await using server = await testServer({ now: () => clock.now })
    const { visitor: first, openid } = await member(server, clock.now)
    const second = await signInOn(server, openid)
    clock.now += 20 * DAY_MS
    await second.visitor.read('/api/devices')
    clock.now += 11 * DAY_MS
    expect((await devicesOf(second.visitor)).map(({ current }) => current)).toEqual([true])
    expect((await signInOn(server, openid)).response.status).toBe(200)
    expect(await codeOf(await first.fetch('/api/devices'))).toEqual([401, 'device.signed-out'])
    expect((await signInOn(server, openid)).response.status).toBe(409)
  })

  it('keeps a computer for 30 days from when it was last seen, not from when it signed in', async () => {
    const clock = { now: Date.now() }
    await using server = await testServer({ now: () => clock.now })
    const { visitor: first, openid } = await member(server, clock.now)
    const second = await signInOn(server, openid)
    for (let week = 0; week < 6; week += 1) {
      clock.now += 7 * DAY_MS
      for (const visitor of [first, second.visitor]) await visitor.read('/api/devices')
    }
    expect((await signInOn(server, openid)).response.status).toBe(409)
  })

  it('may change computers ten times in seven days, and is not locked out after', async () => {
    const clock = { now: Date.now() }
    await using server = await testServer({ now: () => clock.now })
    const { visitor: first, openid } = await member(server, clock.now)
    await signInOn(server, openid)
    const swap = async (): Promise<Response> => {
      const other = (await devicesOf(first)).find(({ current }) => !current)
      return (await signInOn(server, openid, { release: other?.deviceId })).response
    }
    for (let swaps = 0; swaps < 10; swaps += 1) expect((await swap()).status).toBe(200)
    expect(await codeOf(await swap())).toEqual([429, 'device.swaps'])
    const other = (await devicesOf(first)).find(({ current }) => !current)
    expect(await codeOf(await first.send('/api/devices/release', { deviceId: other?.deviceId }))).toEqual([429, 'device.swaps'])
    expect((await first.fetch('/api/devices')).status).toBe(200)
    clock.now += 7 * DAY_MS + 1
    expect((await swap()).status).toBe(200)
  })

  it('signs a computer out from the list, and no computer of another member', async () => {
    const { visitor, openid } = await member(shared())
    const { visitor: stranger } = await member(shared())
    const second = await signInOn(shared(), openid)
    const other = (await devicesOf(visitor)).find(({ current }) => !current)
    await stranger.post('/api/devices/release', { deviceId: other?.deviceId })
    expect((await second.visitor.fetch('/api/devices')).status).toBe(200)
    await visitor.post('/api/devices/release', { deviceId: other?.deviceId })
    expect(await codeOf(await second.visitor.fetch('/api/devices'))).toEqual([401, 'device.signed-out'])
    expect(await devicesOf(visitor)).toHaveLength(1)
  })
})
