import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { member, orderOf, rowOf, signInOn } from '../fixtures/accounts.ts'
import { codeOf, testServer, Visitor, type TestServer } from '../fixtures/server.ts'
import { devices, identities, jobs, onceTickets, sessions, slots, swaps } from '#server/database/schema'
import { ledger } from '#server/database/schema-billing'

const DAY_MS = 86_400_000

async function turned() {
  const clock = { now: Date.now() }
  const server = await testServer({ now: () => clock.now })
  const { db } = server.connection
  return { clock, server, db, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

const isThere = async ({ connection: { db } }: TestServer, id: string): Promise<boolean> =>
  (await db.select().from(identities).where(eq(identities.id, id))).length > 0

describe('sweeping accounts', () => {
  it('forgets guests who left nothing once their session is over, and the computers they were on', async () => {
    await using place = await turned()
    const { clock, db, server } = place
    const visitor = await Visitor.enter(server.url)
    const { identityId, deviceId } = await rowOf(server, visitor)
    clock.now += 179 * DAY_MS
    await server.sweep()
    expect(await isThere(server, identityId)).toBe(true)
    clock.now += 2 * DAY_MS
    await server.sweep()
    expect(await isThere(server, identityId)).toBe(false)
    expect(await db.select().from(devices).where(eq(devices.id, deviceId))).toEqual([])
    // The browser comes back with what it has.
    expect(await codeOf(await visitor.fetch('/api/jobs'))).toEqual([401, 'session.expired'])
    await visitor.read('/api/user/tourist')
    expect((await rowOf(server, visitor)).deviceId).toBe(deviceId)
  })

  it('keeps members, and guests with jobs, orders or a browser that signed in', async () => {
    await using place = await turned()
    const { clock, db, server } = place
    const { identityId: memberId, openid } = await member(server, clock.now)
    const { identityId: buyer } = await rowOf(server, await Visitor.enter(server.url))
    await orderOf(server, buyer, { id: 'unpaid', state: 'new' })
    const { identityId: worker } = await rowOf(server, await Visitor.enter(server.url))
    await db.insert(jobs).values({
      id: 'job',
      identityId: worker,
      requestKey: 'key',
      ordinal: 0,
      tool: 'compress-image',
      options: {},
      inputs: [],
      state: 'queued',
    })
    clock.now += 100 * DAY_MS
    const visitor = await Visitor.enter(server.url)
    const { identityId: waiting } = await rowOf(server, visitor)
    await visitor.post('/api/user/login', { openid })
    clock.now += 100 * DAY_MS
    await server.sweep()
    for (const id of [memberId, buyer, worker, waiting]) expect(await isThere(server, id)).toBe(true)
    expect(await db.select().from(slots)).toHaveLength(1)
  })

  it('forgets what guests and lifetime members did for nothing 90 days later, and then the guests; never what credits paid for', async () => {
    await using place = await turned()
    const { clock, db, server } = place
    const { identityId } = await rowOf(server, await Visitor.enter(server.url))
    const { identityId: memberId } = await member(server, clock.now)
    const settled = (of: string, source: 'free' | 'forever' | 'credits' | 'allowance', at: number) => ({
      jobId: `${source} ${at}`,
      identityId: of,
      cost: 'image',
      source,
      state: 'committed' as const,
      settledAt: new Date(at),
    })
    const early = clock.now
    clock.now += 179 * DAY_MS
    await db
      .insert(ledger)
      .values([
        ...(['free', 'allowance'] as const).flatMap((source) => [
          settled(identityId, source, early),
          settled(identityId, source, clock.now),
        ]),
        ...(['forever', 'credits'] as const).map((source) => settled(memberId, source, early)),
        { jobId: 'open', identityId: memberId, cost: 'image', source: 'forever', state: 'reserved', reservedAt: new Date(early) },
      ])
    const left = async (): Promise<string[]> => (await db.select({ id: ledger.jobId }).from(ledger)).map(({ id }) => id).toSorted()
    await server.sweep()
    const late = clock.now
    expect(await left()).toEqual([`allowance ${late}`, `credits ${early}`, `free ${late}`, 'open'])
    clock.now += 2 * DAY_MS
    await server.sweep()
    expect(await isThere(server, identityId)).toBe(true)
    clock.now += 89 * DAY_MS
    await server.sweep()
    expect(await left()).toEqual([`credits ${early}`, 'open'])
    expect([await isThere(server, identityId), await isThere(server, memberId)]).toEqual([false, true])
  })

  it('forgets what is over: sessions, tickets, swaps', async () => {
    await using place = await turned()
    const { clock, db, server } = place
    const { visitor, openid } = await member(server, clock.now)
    await visitor.post('/api/devices/ticket', {})
    const { visitor: second } = await signInOn(server, openid)
    const { deviceId } = await rowOf(server, second)
    await visitor.post('/api/devices/release', { deviceId })
    clock.now += 8 * DAY_MS
    await server.sweep()
    for (const table of [onceTickets, swaps]) expect(await db.select().from(table)).toEqual([])
    // Who was signed out is still to be told so.
    expect(await codeOf(await second.fetch('/api/jobs'))).toEqual([401, 'device.signed-out'])
    clock.now += 180 * DAY_MS
    await server.sweep()
    for (const table of [sessions, slots, devices]) expect(await db.select().from(table)).toEqual([])
  })
})
