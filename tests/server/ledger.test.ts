import { eq, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { testPlace } from '../fixtures/places.ts'
import { anyUpload, bodyOf, person } from '../fixtures/members.ts'
import { guest, plenty } from '../fixtures/server-queue.ts'
import { release, remaining, reserve } from '#server/billing/ledger'
import type { Database } from '#server/database/open'
import { jobs, identities } from '#server/database/schema'
import { ledger } from '#server/database/schema-billing'
import { isUnreachable } from '#server/errors'
import { cancelJob, expireJob } from '#server/jobs/manage'
import { finishJob, takeJob } from '#server/jobs/queue'
import { submitJobs } from '#server/jobs/submit'
import { LANES } from '#server/jobs/turns'

const rules = anyUpload(Date.now)
const creditsOf = async (db: Database, id: string): Promise<number | undefined> =>
  (await db.select({ credits: identities.credits }).from(identities).where(eq(identities.id, id)))[0]?.credits

/** Hands a call in as pages do: what found no connection in time is the same call again. */
async function submit(db: Database, id: string, requestKey: string, count: number, tool?: string): ReturnType<typeof submitJobs> {
  for (;;) {
    try {
      return await submitJobs(db, rules, { payer: guest(id), requestKey, body: bodyOf(id, count, tool) })
    } catch (error) {
      if (!isUnreachable(error)) throw error
    }
  }
}

/** What each of some calls came to: a number of jobs, or a code. */
const outcomes = async (calls: readonly Promise<readonly unknown[]>[]): Promise<readonly unknown[]> =>
  (await Promise.allSettled(calls)).map((one) => (one.status === 'fulfilled' ? one.value.length : Reflect.get(one.reason, 'code')))

const DONE = { state: 'done', outputs: [], note: undefined, isCharged: true } as const

describe('the ledger', () => {
  it('lets exactly 10 of 100 parallel calls of somebody with 10 credits succeed', async () => {
    await using place = await testPlace()
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
    await using place = await testPlace()
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
    await using place = await testPlace()
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
    await using place = await testPlace()
    const { servers } = place
    const [{ db }] = servers
    await person(db, 'a', { credits: 10 })
    const calls = Array.from({ length: 8 }, (_, n) => submit((servers[n % servers.length] ?? servers[0]).db, 'a', 'the-same', 2))
    const [first, ...others] = await Promise.all(calls)
    for (const other of others) expect(other).toEqual(first)
    expect(await creditsOf(db, 'a')).toBe(8)
  })

  it('of a job that takes all files takes a unit for each, or refuses it whole', async () => {
    await using place = await testPlace()
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
    await using place = await testPlace()
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

  it('takes nothing for what was cut out of the same upload before, whatever is left', async () => {
    await using place = await testPlace()
    const [{ db }] = place.servers
    await person(db, 'a', { credits: 2 })
    const [first] = await submit(db, 'a', 'first', 1, 'cut-out')
    const matte = { key: 'r/a/1', name: 'a.png', format: 'png', bytes: 1, part: 'matte', subject: 'general' } as const
    await finishJob(db, (await takeJob(db, LANES))?.lease ?? '', { ...DONE, outputs: [matte] }, Date.now())
    expect(await creditsOf(db, 'a')).toBe(1)
    // Of three pictures one is cut out already, one is paid for, and nothing is left for the third.
    await submit(db, 'a', 'second', 3, 'cut-out')
    const rows = await db.select().from(jobs).where(eq(jobs.requestKey, 'second')).orderBy(jobs.ordinal)
    expect(rows.map(({ state, error }) => error?.code ?? state)).toEqual(['queued', 'queued', 'quota.used-up'])
    expect(await creditsOf(db, 'a')).toBe(0)
    expect(await submit(db, 'a', 'third', 1, 'cut-out')).toHaveLength(1)
    const asPerson = { ...bodyOf('a', 1, 'cut-out'), options: { kind: 'person' } }
    const other = submitJobs(db, rules, { payer: guest('a'), requestKey: 'other', body: asPerson })
    await expect(other).rejects.toMatchObject({ code: 'quota.used-up' })
    await expireJob(db, ['a'], first?.id ?? '', Date.now())
    await expect(submit(db, 'a', 'fourth', 1, 'cut-out')).rejects.toMatchObject({ code: 'quota.used-up' })
    const lines = await db.select({ source: ledger.source, cost: ledger.cost }).from(ledger).orderBy(ledger.reservedAt, ledger.source)
    expect(lines.map(({ source, cost }) => `${source} ${cost}`).toSorted()).toEqual(['credits ai', 'credits ai', 'free free', 'free free'])
  })

  it('counts a job of any tool that cuts something out as AI', async () => {
    await using place = await testPlace()
    const [{ db }] = place.servers
    await person(db, 'g', undefined)
    const options = { background: { by: 'colour', colour: '#438edb' } }
    const call = (id: string, more: object) =>
      submitJobs(db, rules, { payer: guest('g'), requestKey: id, body: { ...bodyOf('g', 1, 'id-photo'), options: more } })
    await call('new-background', options)
    await call('old-background', {})
    const { image, ai } = plenty.allowance
    expect(await remaining(db, guest('g'), plenty)).toMatchObject({ image: image - 1, ai: ai - 1 })
    expect(await db.select({ lane: jobs.lane }).from(jobs).orderBy(jobs.position)).toEqual([{ lane: 'ai' }, { lane: 'usual' }])
  })

  it('gives back what was not used to where it came from, although its owner has become a member', async () => {
    await using place = await testPlace()
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
