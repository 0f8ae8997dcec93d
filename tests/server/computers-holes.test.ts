import { and, eq, isNull } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { startPostgres } from './database/postgres-server.ts'
import { member, rowOf, signInOn } from '../fixtures/accounts.ts'
import { order, payAt, until } from '../fixtures/payments.ts'
import { codeOf, testServer, Visitor, type TestServer } from '../fixtures/server.ts'
import { sharedServer } from '../fixtures/shared-server.ts'
import { identities, sessions, slots } from '#server/database/schema'
import type { DeviceView } from '#shared/api/devices'

const shared = sharedServer()

const postgres = await startPostgres()
afterAll(() => postgres?.stop())

/** Another browser on the same computer. */
async function besides({ url, cookies }: Visitor): Promise<Visitor> {
  const other = new Visitor(url)
  other.cookies.set('device', cookies.get('device') ?? '')
  await other.read('/api/user/tourist')
  return other
}

/** Has a visitor's program be on the computer of another one. */
async function moveTo(visitor: Visitor, other: Visitor): Promise<void> {
  const { ticket } = await other.post<{ ticket: string }>('/api/devices/ticket', {})
  await visitor.post('/api/devices/join', { ticket })
}

/** The places a member's computers have, beside the sessions that live on them. */
const computersOf = ({ connection }: TestServer, identityId: string) =>
  connection.db
    .select({ session: sessions.deviceId, place: slots.deviceId })
    .from(sessions)
    .leftJoin(slots, and(eq(slots.identityId, sessions.identityId), eq(slots.deviceId, sessions.deviceId)))
    .where(and(eq(sessions.identityId, identityId), isNull(sessions.end)))

const becameMember = async ({ connection }: TestServer, identityId: string): Promise<boolean> => {
  const [person] = await connection.db.select().from(identities).where(eq(identities.id, identityId))
  return person !== undefined && person.memberSince !== null
}

describe('who becomes a member', () => {
  it('is counted where he is by then, not where he ordered', async () => {
    const visitor = await Visitor.enter(shared().url)
    const { userid: openid } = await visitor.read<{ userid: string }>('/api/user/tourist')
    const { identityId } = await rowOf(shared(), visitor)
    const ordered = await order(visitor, 'wxpay', 'bigWeb')
    await moveTo(visitor, await Visitor.enter(shared().url))
    await payAt(shared().url, ordered.page)
    await until(() => becameMember(shared(), identityId))
    expect((await visitor.read<DeviceView[]>('/api/devices')).map(({ current }) => current)).toEqual([true])
    expect((await signInOn(shared(), openid)).response.status).toBe(200)
    expect((await signInOn(shared(), openid)).response.status).toBe(409)
  })

  it('keeps two of the computers on which the guest was, the one that paid among them', async () => {
    const all = await Promise.all(Array.from({ length: 4 }, () => Visitor.enter(shared().url)))
    const [payer = new Visitor(''), ...others] = all
    const { identityId } = await rowOf(shared(), payer)
    for (const other of others) {
      const { tokenHash } = await rowOf(shared(), other)
      await shared().connection.db.update(sessions).set({ identityId }).where(eq(sessions.tokenHash, tokenHash))
    }
    await payAt(shared().url, (await order(payer, 'wxpay', 'bigWeb')).page)
    await until(() => becameMember(shared(), identityId))
    expect(await computersOf(shared(), identityId)).toHaveLength(2)
    expect((await payer.fetch('/api/devices')).status).toBe(200)
    const answers = await Promise.all(others.map((other) => other.fetch('/api/devices')))
    const refusals = await Promise.all(answers.filter(({ ok }) => !ok).map(codeOf))
    expect(refusals.map(([, code]) => code)).toEqual(['device.signed-out', 'device.signed-out'])
  })
})

describe.skipIf(!postgres)('signing in, out and elsewhere at the same time', () => {
  it('leaves no computer without its place, and nobody waiting for another', async () => {
    await using server = await testServer({}, { DATABASE_URL: (await postgres?.database()) ?? '' })
    const { visitor: first, openid, identityId } = await member(server)
    for (let round = 0; round < 12; round += 1) {
      const [leaving, coming] = [await besides(first), await besides(first)]
      const [third, fourth] = [await Visitor.enter(server.url), (await member(server)).visitor]
      await leaving.post('/api/user/login', { openid })
      const { deviceId } = await rowOf(server, leaving)
      const { ticket } = await leaving.post<{ ticket: string }>('/api/devices/ticket', {})
      const answers = await Promise.all([
        leaving.send('/api/user/logout', {}),
        coming.send('/api/user/login', { openid }),
        third.send('/api/user/login', { openid, release: deviceId }),
        fourth.send('/api/devices/join', { ticket }),
        fourth.send('/api/user/login', { openid }),
      ])
      expect(answers.filter(({ status }) => status >= 500)).toEqual([])
      const computers = await computersOf(server, identityId)
      expect(computers.filter(({ place }) => place === null)).toEqual([])
      expect(new Set(computers.map(({ session }) => session)).size).toBeLessThanOrEqual(2)
      // As it was, for the next time.
      await server.connection.db.update(sessions).set({ end: 'signed-out' }).where(eq(sessions.identityId, identityId))
      await server.connection.db.delete(slots).where(eq(slots.identityId, identityId))
    }
  })
})
