import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { person } from '../fixtures/members.ts'
import { testPlace, type Place } from '../fixtures/places.ts'
import { guest, plenty } from '../fixtures/server-queue.ts'
import { chargeOffline, reserveAtClient, settleAtClient, type Client } from '#server/billing/local-jobs'
import { remaining, reserve } from '#server/billing/ledger'
import type { Database } from '#server/database/open'
import { identities } from '#server/database/schema'
import { ledger } from '#server/database/schema-billing'
import type { PassClaims } from '#shared/api/local-jobs'

const client = (id: string): Client => ({ payer: guest(id), owners: [id] })
const passOf = (id: string): PassClaims => ({ identity: id, device: `device of ${id}`, serial: 's', issued: 0, until: 0, credits: null })
const names = (count: number, name = 'job'): string[] => Array.from({ length: count }, (_, n) => `${name}-${String(n).padStart(20, '0')}`)
const charges = (ids: readonly string[]) => ids.map((jobId) => ({ jobId, units: 1 }))

/** Has every server do something a few times, all at once. */
const everywhere = async ({ servers }: Place, acts: readonly ((tx: Database) => Promise<unknown>)[]): Promise<void> => {
  const all = Array.from({ length: 6 }, (_, n) => acts.map((act) => (servers[n % servers.length] ?? servers[0]).db.transaction(act)))
  await Promise.all(all.flat())
}

const booksOf = async (db: Database, id: string) => {
  const lines = await db.select().from(ledger).where(eq(ledger.identityId, id))
  const [row] = await db.select().from(identities).where(eq(identities.id, id))
  const held = lines.filter(({ state, source }) => state !== 'released' && source === 'credits')
  return { lines: lines.length, credits: row?.credits, held: held.length }
}

describe('at the same time', () => {
  it('the same said many times is one thing, and nobody waits for another for ever', async () => {
    await using place = await testPlace()
    const [{ db }] = place.servers
    await person(db, 'a', { credits: 10 })
    const ids = names(12)
    const now = Date.now()
    const uses = ids.slice(8).map((id) => ({ id, units: 1, cost: 'image' as const }))
    await everywhere(place, [
      (tx) => reserveAtClient(tx, client('a'), 'image', charges(ids.slice(0, 9)), plenty),
      (tx) => settleAtClient(tx, client('a'), { committed: ids.slice(0, 3), released: ids.slice(3, 6) }, now),
      (tx) => chargeOffline(tx, passOf('a'), uses, now),
      (tx) => reserveAtClient(tx, client('a'), 'image', charges(ids.toReversed()), plenty),
    ])
    const { lines, credits, held } = await booksOf(db, 'a')
    expect(lines).toBeLessThanOrEqual(12)
    expect(credits).toBe(10 - held)
    await db.transaction((tx) => settleAtClient(tx, client('a'), { committed: [], released: ids }, now))
    const after = await booksOf(db, 'a')
    expect(after).toMatchObject({ lines: 12, credits: 10 - after.held })
  })

  it('clients and the cloud together use up what there is, and no more', async () => {
    await using place = await testPlace()
    const [{ db }] = place.servers
    await person(db, 'a', { credits: 10 })
    await person(db, 'g', undefined)
    const terms = { ...plenty, allowance: { image: 10, ai: 0, document: 0 } }
    for (const id of ['a', 'g']) {
      let n = 0
      await everywhere(place, [
        (tx) => reserveAtClient(tx, client(id), 'image', charges(names(3, `${id}-${n++}`)), terms),
        (tx) => reserve(tx, guest(id), 'image', charges(names(2, `${id}-cloud-${n++}`)), terms),
      ])
      const lines = await db.select().from(ledger).where(eq(ledger.identityId, id))
      expect(lines).toHaveLength(10)
      const local = lines.flatMap(({ jobId, deviceId }) => (deviceId === null ? [] : [jobId]))
      await everywhere(place, [(tx) => settleAtClient(tx, client(id), { committed: [], released: local }, Date.now())])
      const cloud = 10 - local.length
      if (id === 'a') expect((await booksOf(db, 'a')).credits).toBe(10 - cloud)
      else expect((await remaining(db, guest('g'), terms)).image).toBe(10 - cloud)
    }
  })
})
