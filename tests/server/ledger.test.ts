import { eq, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { places } from '../fixtures/places.ts'
import { anyUpload, bodyOf, person } from '../fixtures/members.ts'
import { guest, LANES, plenty } from '../fixtures/server-queue.ts'
import { release, remaining, reserve } from '#server/billing/ledger'
import type { Database } from '#server/database/open'
import { jobs, identities } from '#server/database/schema'
import { ledger } from '#server/database/schema-billing'
import { cancelJob } from '#server/jobs/manage'
import { finishJob, takeJob } from '#server/jobs/queue'
import { submitJobs } from '#server/jobs/submit'

const rules = anyUpload(Date.now)
const creditsOf = async (db: Database, id: string): Promise<number | undefined> =>
  (await db.select({ credits: identities.credits }).from(identities).where(eq(identities.id, id)))[0]?.credits

const submit = (db: Database, id: string, requestKey: string, count: number, tool?: string) =>
  submitJobs(db, rules, { payer: guest(id), requestKey, body: bodyOf(id, count, tool) })

/** What each of some calls came to: a number of jobs, or a code. */
const outcomes = async (calls: readonly Promise<readonly unknown[]>[]): Promise<readonly unknown[]> =>
  (await Promise.allSettled(calls)).map((one) => (one.status === 'fulfilled' ? one.value.length : Reflect.get(one.reason, 'code')))

const DONE = { state: 'done', outputs: [], note: undefined, isCharged: true } as const

describe.each(places)('the ledger, %s', (_name, open) => {
  it('lets exactly 10 of 100 parallel calls of somebody with 10 credits succeed', async () => {
    await using place = await open()
    const { servers } = place
    const [{ db }] = servers
    await person(db, 'a', { credits: 10 })
    const calls = Array.from({ length: 100 }, (_, n) => submit(servers[n % servers.length]?.db ?? db, 'a', `call-${n}`, 1))
    const all = await outcomes(calls)
    expect([all.filter((one) => one === 1).length, all.filter((one) => one === 'quota.used-up').length]).toEqual([10, 90])
    expect(await creditsOf(db, 'a')).toBe(0)
    expect(await db.select({ id: jobs.id }).from(jobs)).toHaveLength(10)
    for (let n = 0; n < 10; n++) {
      const job = await takeJob(db, LANES)
      await finishJob(db, job?.lease ?? '', DONE, Date.now())
    }
    const lines = await db.select({ state: ledger.state, source: ledger.source, units: ledger.units }).from(ledger)
    expect(lines).toEqual(Array.from({ length: 10 }, () => ({ state: 'committed', source: 'credits', units: 1 })))
    expect(await creditsOf(db, 'a')).toBe(0)
  })

  it('holds also where nothing but rows is locked', async () => {
    await using place = await open()
    const { servers } = place
    const [{ db }] = servers
    await person(db, 'a', { credits: 10 })
    await person(db, 'g', undefined)
    const terms = { ...plenty, allowance: { image: 10, ai: 0, document: 0 } }
    const one = (id: string, n: number): Promise<ReadonlySet<string>> =>
      (servers[n % servers.length] ?? servers[0]).db.transaction((tx) =>
        reserve(tx, guest(id), 'image', [{ jobId: `${id}${n}`, units: 1 }], terms),
      )
    for (const id of ['a', 'g']) {
      const paid = await Promise.all(Array.from({ length: 40 }, (_, n) => one(id, n)))
      expect(paid.filter(({ size }) => size === 1)).toHaveLength(10)
    }
    expect(await remaining(db, guest('g'), terms)).toEqual({ image: 0, ai: 0, document: 0 })
  })

  it('accepts the first inputs that are paid for, and fails the others in words', async () => {
    await using place = await open()
    const [{ db }] = place.servers
    await person(db, 'a', { credits: 3 })
    const accepted = await submit(db, 'a', 'call', 5)
    expect(accepted.map(({ name }) => name)).toEqual(['0.jpg', '1.jpg', '2.jpg', '3.jpg', '4.jpg'])
    const rows = await db.select({ state: jobs.state, error: jobs.error }).from(jobs).orderBy(jobs.ordinal)
    expect(rows.map(({ state, error }) => error?.code ?? state)).toEqual(['queued', 'queued', 'queued', 'quota.used-up', 'quota.used-up'])
    // The same call again is the same jobs; another has nothing to pay with and leaves no trace.
    expect(await submit(db, 'a', 'call', 5)).toEqual(accepted)
    await expect(submit(db, 'a', 'another', 1)).rejects.toMatchObject({ code: 'quota.used-up' })
    expect(await creditsOf(db, 'a')).toBe(0)
    expect(await db.select({ id: jobs.id }).from(jobs)).toHaveLength(5)
  })

  it('charges a call that comes in twice at the same time once', async () => {
    await using place = await open()
    const { servers } = place
    const [{ db }] = servers
    await person(db, 'a', { credits: 10 })
    const calls = Array.from({ length: 8 }, (_, n) => submit((servers[n % servers.length] ?? servers[0]).db, 'a', 'the-same', 2))
    const [first, ...others] = await Promise.all(calls)
    for (const other of others) expect(other).toEqual(first)
    expect(await creditsOf(db, 'a')).toBe(8)
  })

  it('of a job that takes all files takes a unit for each, or refuses it whole', async () => {
    await using place = await open()
    const [{ db }] = place.servers
    await person(db, 'a', { credits: 3 })
    const charge = (jobId: string, units: number) => db.transaction((tx) => reserve(tx, guest('a'), 'image', [{ jobId, units }], plenty))
    expect(await charge('four', 4)).toEqual(new Set())
    expect(await charge('three', 3)).toEqual(new Set(['three']))
    expect(await creditsOf(db, 'a')).toBe(0)
    await db.transaction((tx) => release(tx, 'three', Date.now()))
    await db.transaction((tx) => release(tx, 'three', Date.now()))
    expect(await creditsOf(db, 'a')).toBe(3)
  })

  it('takes nothing of members for ever, and nothing for what is free', async () => {
    await using place = await open()
    const [{ db }] = place.servers
    await person(db, 'ever', 'forever')
    await person(db, 'none', { credits: 0 })
    expect(await submit(db, 'ever', 'call', 150)).toHaveLength(150)
    expect(await submit(db, 'none', 'call', 5, 'pack-zip')).toHaveLength(1)
    await expect(submit(db, 'none', 'other', 1)).rejects.toMatchObject({ code: 'quota.used-up' })
    const sources = sql<string>`${ledger.source} || ' ' || count(*)`
    expect(await db.select({ sources }).from(ledger).groupBy(ledger.source).orderBy(ledger.source)).toEqual([
      { sources: 'forever 150' },
      { sources: 'free 1' },
    ])
    expect([await creditsOf(db, 'ever'), await creditsOf(db, 'none')]).toEqual([0, 0])
  })

  it('gives back what was not used to where it came from, although its owner has become a member', async () => {
    await using place = await open()
    const [{ db }] = place.servers
    await person(db, 'a', undefined)
    const [job] = await submit(db, 'a', 'call', 1)
    expect((await remaining(db, guest('a'), plenty)).image).toBe(plenty.allowance.image - 1)
    await db.update(identities).set({ memberSince: new Date(), credits: 7 })
    await cancelJob(db, ['a'], job?.id ?? '', Date.now())
    expect(await creditsOf(db, 'a')).toBe(7)
    await db.update(identities).set({ memberSince: null })
    expect(await remaining(db, guest('a'), plenty)).toEqual(plenty.allowance)
  })
})
