import { readFile, writeFile, cp } from 'node:fs/promises'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { newSeal, QuotaPlace } from '../fixtures/client-quota.ts'
import { creditsOf, DesktopClient, makeMember, type Bought } from '../fixtures/desktop-client.ts'
import { ownFolder } from '../server/database/support.ts'
import { sharedServer } from '../fixtures/shared-server.ts'
import { identities } from '#server/database/schema'
import { ledger } from '#server/database/schema-billing'

const DAY_MS = 86_400_000
const shared = sharedServer()

/** A client on a computer of its own, of a member or a guest. */
async function clientOf(bought: Bought | undefined) {
  const server = shared()
  const client = await DesktopClient.enter(server.url)
  const identityId = bought ? await makeMember(server, client, bought) : ''
  const place = new QuotaPlace(client, await ownFolder())
  await place.start()
  const lines = async (): Promise<string[]> =>
    (await server.connection.db.select().from(ledger).where(eq(ledger.identityId, identityId)))
      .filter(({ units }) => units > 0)
      .map(({ state }) => state)
      .toSorted()
  return { server, client, place, identityId, lines, credits: () => creditsOf(server, identityId) }
}

describe('with a network', () => {
  it('jobs are paid for by the server, and settled as they end', async () => {
    const { place, credits, lines } = await clientOf({ credits: 3 })
    const [first = '', second = '', ...others] = await place.reserve(5)
    expect(others).toHaveLength(1)
    await place.quota.settle(first, 'committed')
    await place.quota.settle(second, 'released')
    await place.quota.renew()
    expect(await lines()).toEqual(['committed', 'released', 'reserved'])
    expect(await credits()).toBe(1)
    expect(await place.reserve(2)).toHaveLength(1)
  })

  it('asked again for the same jobs it answers the same', async () => {
    const { place, credits } = await clientOf({ credits: 3 })
    const charges = ['a', 'b', 'c', 'd'].map((name) => ({ jobId: name.repeat(32), units: 1 }))
    for (const network of ['deaf', 'up', 'up', 'down'] as const) {
      place.network = network
      const paid = await place.quota.reserve('compress-image', { goal: { by: 'size', targetKb: 20 } }, charges)
      expect([...paid]).toEqual(charges.slice(0, 3).map(({ jobId }) => jobId))
    }
    place.network = 'up'
    for (const { jobId } of charges) await place.quota.settle(jobId, 'released')
    await place.quota.renew()
    expect(await credits()).toBe(3)
  })

  it('tells the server no password, no name and nothing drawn', async () => {
    const { place } = await clientOf({ credits: 3 })
    const bodies: string[] = []
    await place.start({
      transport: (request) => {
        bodies.push(request.body ?? '')
        return place.client.transport(request)
      },
    })
    const { length } = await place.reserve(1, 'pdf-to-word', { password: 'secret', fileName: '{name}-private' })
    expect(length).toBe(1)
    expect(bodies.join()).toContain('pdf-to-word')
    expect(bodies.join()).not.toMatch(/secret|private/)
  })

  it('what a page refuses is refused here: wrong options, and a computer that was signed out', async () => {
    const { place, client, server, identityId } = await clientOf({ credits: 3 })
    await expect(place.reserve(1, 'compress-image', { goal: 'none' })).rejects.toMatchObject({ code: 'options.invalid' })
    const { sessions } = await import('#server/database/schema')
    await server.connection.db.update(sessions).set({ end: 'signed-out' }).where(eq(sessions.identityId, identityId))
    await expect(place.reserve(1)).rejects.toMatchObject({ code: 'device.signed-out' })
    expect(place.quota.offline()).toBeNull()
    await client.read('/api/user/tourist')
    await place.quota.renew()
    place.network = 'down'
    await expect(place.reserve(1)).rejects.toMatchObject({ code: 'offline.guest' })
  })
})

describe('without a network', () => {
  it('guests are told that they need one', async () => {
    const { place } = await clientOf(undefined)
    expect(place.quota.offline()).toBeNull()
    expect(await place.reserve(1)).toHaveLength(1)
    place.network = 'down'
    await expect(place.reserve(1)).rejects.toMatchObject({ code: 'offline.guest' })
  })

  it('a member goes on with what was left, for seven days, and pays when the server is back', async () => {
    const { place, credits, lines } = await clientOf({ credits: 5 })
    const { now } = place.clock
    place.network = 'down'
    expect(place.quota.offline()).toMatchObject({ left: 5 })
    const [first = '', second = '', third = ''] = await place.reserve(3)
    await place.quota.settle(first, 'committed')
    await place.quota.settle(second, 'released')
    expect(place.quota.offline()).toEqual({ until: expect.stringMatching(/^\d/), left: 3 })
    place.clock.now = now + 7 * DAY_MS - 60_000
    expect(await place.reserve(9)).toHaveLength(3)
    await expect(place.reserve(1)).rejects.toMatchObject({ code: 'offline.over' })
    await place.quota.settle(third, 'committed')
    expect(await credits()).toBe(5)
    place.network = 'up'
    await place.quota.renew()
    expect(await credits()).toBe(3)
    expect(await lines()).toEqual(['committed', 'committed'])
  })

  it('ends after seven days, however much is left', async () => {
    const { place } = await clientOf('forever')
    place.network = 'down'
    expect(place.quota.offline()).toMatchObject({ left: null })
    expect(await place.reserve(600)).toHaveLength(600)
    place.clock.now += 7 * DAY_MS
    await expect(place.reserve(1)).rejects.toMatchObject({ code: 'offline.over' })
    expect(place.quota.offline()).toBeNull()
    place.network = 'up'
    expect(await place.reserve(1)).toHaveLength(1)
    place.network = 'down'
    expect(await place.reserve(1)).toHaveLength(1)
  })

  it('a clock set back ends it, also over a restart; one that is wrong does not', async () => {
    const { place } = await clientOf('forever')
    place.clock.now += 400 * DAY_MS
    await place.quota.renew()
    place.network = 'down'
    expect(await place.reserve(1)).toHaveLength(1)
    place.clock.now += 3 * DAY_MS
    expect(await place.reserve(1)).toHaveLength(1)
    place.clock.now -= 2 * DAY_MS
    await place.start()
    await expect(place.reserve(1)).rejects.toMatchObject({ code: 'offline.over' })
    place.network = 'up'
    await place.quota.renew()
    place.network = 'down'
    expect(await place.reserve(1)).toHaveLength(1)
  })
})

describe('what is kept', () => {
  it('is told after the client was killed, once however many answers are lost', async () => {
    const { place, credits, lines } = await clientOf({ credits: 9 })
    const [online = '', given = ''] = await place.reserve(2)
    place.network = 'down'
    const [done = '', back = '', unsettled = ''] = await place.reserve(3)
    for (const id of [online, done]) await place.quota.settle(id, 'committed')
    for (const id of [given, back]) await place.quota.settle(id, 'released')
    place.network = 'deaf'
    for (let time = 0; time < 3; time++) await place.start()
    expect(place.quota.offline()).toMatchObject({ left: 5 })
    place.network = 'up'
    await place.start()
    expect([await credits(), place.quota.offline()?.left]).toEqual([7, 6])
    await place.quota.settle(unsettled, 'committed')
    await place.start()
    expect([await credits(), place.quota.offline()?.left]).toEqual([6, 6])
    expect(await lines()).toEqual(['committed', 'committed', 'committed', 'released'])
  })

  it('is charged to whom it was, after somebody else signed in', async () => {
    const { place, client, credits } = await clientOf({ credits: 9 })
    place.network = 'down'
    const [done = ''] = await place.reserve(2)
    await place.quota.settle(done, 'committed')
    const other = await clientOf({ credits: 4 })
    const { userid: openid } = await other.client.read<{ userid: string }>('/api/user/tourist')
    await client.post('/api/user/login', { openid })
    // The pass is another’s; there is none yet of who is signed in now.
    await expect(place.reserve(1)).rejects.toMatchObject({ code: 'offline.guest' })
    place.network = 'up'
    await place.quota.renew()
    expect([await credits(), await other.credits(), place.quota.offline()?.left]).toEqual([8, 4, 4])
  })

  it('is worth nothing changed by hand, or copied to another computer', async () => {
    const { place, credits } = await clientOf({ credits: 9 })
    const file = join(place.folder, 'quota')
    const copied = new QuotaPlace(await DesktopClient.enter(shared().url), await ownFolder())
    await cp(place.folder, copied.folder, { recursive: true })
    const stolen = new QuotaPlace(copied.client, await ownFolder())
    await cp(place.folder, stolen.folder, { recursive: true })
    // Another person’s or computer’s seal; and, should that be broken, another session and computer.
    stolen.seal = place.seal
    for (const thief of [copied, stolen]) {
      thief.network = 'down'
      await thief.start()
      await expect(thief.reserve(1)).rejects.toMatchObject({ code: 'offline.guest' })
    }
    const bytes = await readFile(file)
    bytes[40] = (bytes[40] ?? 0) ^ 1
    await writeFile(file, bytes)
    place.network = 'down'
    await place.start()
    await expect(place.reserve(1)).rejects.toMatchObject({ code: 'offline.guest' })
    expect(await credits()).toBe(9)
  })

  it('holds no pass where the system keeps no secrets, and yet what the server has not heard', async () => {
    const { place, credits } = await clientOf({ credits: 9 })
    place.seal = undefined
    await place.start()
    place.network = 'down'
    const [done = ''] = await place.reserve(2)
    await place.quota.settle(done, 'committed')
    await place.start()
    await expect(place.reserve(1)).rejects.toMatchObject({ code: 'offline.guest' })
    place.network = 'up'
    await place.quota.renew()
    expect([await credits(), place.quota.offline()?.left]).toEqual([8, 7])
  })

  it('is a pass that the client’s own key or the server’s signed, and of a member only', async () => {
    const { place, server, identityId } = await clientOf({ credits: 9 })
    const { key } = await place.client.read<{ key: string }>('/api/local-jobs/pass-key')
    await place.start({ pinnedKey: key })
    expect(place.quota.offline()).toMatchObject({ left: 9 })
    await place.start({ pinnedKey: `${key.startsWith('A') ? 'B' : 'A'}${key.slice(1)}` })
    expect(place.quota.offline()).toBeNull()
    place.seal = newSeal()
    await place.start()
    expect(place.quota.offline()).toMatchObject({ left: 9 })
    const heard: unknown[] = []
    place.quota.listen((state) => heard.push(state))
    await server.connection.db.update(identities).set({ memberSince: null }).where(eq(identities.id, identityId))
    await place.quota.renew()
    expect(heard).toEqual([null])
    place.network = 'down'
    await expect(place.reserve(1)).rejects.toMatchObject({ code: 'offline.guest' })
  })
})
