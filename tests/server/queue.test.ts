import { setTimeout as wait } from 'node:timers/promises'
import { eq, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { anyUpload } from '../fixtures/members.ts'
import { guest, placesOf, queue, testQueue } from '../fixtures/server-queue.ts'
import type { Database } from '#server/database/open'
import { jobs } from '#server/database/schema'
import { ledger } from '#server/database/schema-billing'
import { finishJob, giveBack, recoverJobs, renewLeases, reportProgress, takeJob } from '#server/jobs/queue'
import { submitJobs } from '#server/jobs/submit'
import { LANES } from '#server/jobs/turns'

const take = async (db: Database): Promise<string | undefined> => (await takeJob(db, LANES))?.id

describe('the queue', () => {
  it('serves people in turn, whoever came with more', async () => {
    await using queued = await testQueue()
    const { db } = queued
    await queue(db, 'a', 5)
    await queue(db, 'b', 2)
    await queue(db, 'c', 1)
    const order = [...(await placesOf(db))].toSorted((left, right) => left[1] - right[1]).map(([id]) => id)
    expect(order).toEqual(['a0', 'b0', 'c0', 'a1', 'b1', 'a2', 'a3', 'a4'])
    const taken = []
    for (let n = 0; n < order.length; n++) taken.push(await take(db))
    expect(taken).toEqual(order)
  })

  it('runs six jobs of a person at a time, and the seventh when one has ended', async () => {
    await using queued = await testQueue()
    const { db } = queued
    await queue(db, 'a', 8)
    const first = await takeJob(db, LANES)
    for (let n = 1; n < 6; n++) expect(await take(db)).toBe(`a${n}`)
    expect(await take(db)).toBeUndefined()
    await finishJob(db, first?.lease ?? '', { state: 'done', outputs: [], note: undefined, isCharged: true }, Date.now())
    expect(await take(db)).toBe('a6')
  })

  it('has pictures and models wait for their own kind only', async () => {
    await using queued = await testQueue()
    const { db } = queued
    await queue(db, 'a', 8, 'ai')
    await queue(db, 'a', 1, 'usual', 8)
    await queue(db, 'b', 1)
    const ahead = await placesOf(db)
    expect(['a0', 'a7', 'a8', 'b0'].map((id) => ahead.get(id))).toEqual([0, 7, 0, 1])
    expect((await takeJob(db, ['usual']))?.id).toBe('a8')
    expect((await takeJob(db, ['usual']))?.id).toBe('b0')
    expect(await takeJob(db, ['usual'])).toBeUndefined()
    expect((await takeJob(db, ['ai']))?.id).toBe('a0')
  })

  it('keeps at which page a job is, until it begins anew', async () => {
    await using queued = await testQueue()
    const { db } = queued
    await queue(db, 'a', 1)
    const lease = (await takeJob(db, LANES))?.lease ?? ''
    const told = () => db.select({ progress: jobs.progress, step: jobs.step }).from(jobs)
    await reportProgress(db, [[lease, 0.25, '第 3/12 页']])
    expect(await told()).toEqual([{ progress: 0.25, step: '第 3/12 页' }])
    await recoverJobs(db, 'all', Date.now())
    expect(await told()).toEqual([{ progress: 0, step: null }])
  })

  it('forgets the password of a job that has ended', async () => {
    await using queued = await testQueue()
    const { db } = queued
    await queue(db, 'a', 1)
    await db.update(jobs).set({ options: { name: '资料', password: '机密' } })
    const taken = await takeJob(db, LANES)
    expect(taken?.options).toEqual({ name: '资料', password: '机密' })
    await finishJob(db, taken?.lease ?? '', { state: 'done', outputs: [], note: undefined, isCharged: true }, Date.now())
    const [row] = await db.select({ options: jobs.options }).from(jobs)
    expect(row?.options).toEqual({ name: '资料' })
  })

  it('gives no job to two takers', async () => {
    await using queued = await testQueue()
    await queue(queued.db, 'a', 3)
    await queue(queued.db, 'b', 3)
    const taken = await Promise.all(Array.from({ length: 10 }, () => take(queued.db)))
    expect(taken.filter(Boolean).toSorted()).toEqual(['a0', 'a1', 'a2', 'b0', 'b1', 'b2'])
  })

  it('lets a worker that lost its lease change nothing, and settles the cost once', async () => {
    await using queued = await testQueue()
    const { db } = queued
    await queue(db, 'a', 1)
    const slow = (await takeJob(db, LANES))?.lease ?? ''
    await db.update(jobs).set({ leaseUntil: sql`now() - interval '1 second'` })
    await recoverJobs(db, 'lost', Date.now())
    const quick = (await takeJob(db, LANES))?.lease ?? ''
    const done = { state: 'done', outputs: [], note: undefined, isCharged: true } as const
    expect(await finishJob(db, slow, { state: 'failed', error: { code: 'job.failed', data: {} } }, Date.now())).toBe(false)
    expect(await renewLeases(db, [slow, quick])).toEqual(new Set([quick]))
    expect(await finishJob(db, quick, done, Date.now())).toBe(true)
    expect(await finishJob(db, quick, done, Date.now())).toBe(false)
    expect(await db.select({ state: ledger.state }).from(ledger)).toEqual([{ state: 'committed' }])
    expect(await db.select({ state: jobs.state }).from(jobs)).toEqual([{ state: 'done' }])
  })

  it('takes back what a server that ended was running', async () => {
    await using queued = await testQueue()
    await queue(queued.db, 'a', 2)
    await take(queued.db)
    await recoverJobs(queued.db, 'all', Date.now())
    expect(await placesOf(queued.db)).toEqual(
      new Map([
        ['a0', 0],
        ['a1', 1],
      ]),
    )
  })

  it('gives up a job whose process crashed twice, and gives its cost back', async () => {
    await using queued = await testQueue()
    const { db } = queued
    await queue(db, 'a', 1)
    for (let n = 0; n < 2; n++) await giveBack(db, (await takeJob(db, LANES))?.lease ?? '', 'crash', Date.now())
    expect(await take(db)).toBeUndefined()
    expect(await db.select({ state: jobs.state, error: jobs.error }).from(jobs)).toEqual([
      { state: 'failed', error: { code: 'job.failed', data: {} } },
    ])
    expect(await db.select({ state: ledger.state }).from(ledger)).toEqual([{ state: 'released' }])
  })

  it('that is full refuses new jobs in words', async () => {
    await using queued = await testQueue()
    const { db } = queued
    await queue(db, 'a', 1000)
    const rules = anyUpload(Date.now)
    const body = { tool: 'compress-image', options: { goal: { by: 'size', targetKb: 20 } }, inputs: [{ key: 'u/a/x', name: 'a.jpg' }] }
    await expect(submitJobs(db, rules, { payer: guest('a'), requestKey: 'k', body })).rejects.toMatchObject({ code: 'job.busy' })
  })

  it('that is full refuses a call of anybody before the storage is asked and anything is set aside', async () => {
    await using queued = await testQueue()
    const { db } = queued
    await queue(db, 'a', 2)
    await queue(db, 'b', 0)
    const given = anyUpload(Date.now)
    const asked: string[] = []
    const store = { ...given.store, peek: (key: string, bytes: number) => (asked.push(key), given.store.peek(key, bytes)) }
    const rules = { ...given, store, mostWaiting: { inAll: 3, ofOne: 3 } }
    const input = { key: 'u/b/x', name: 'a.jpg' }
    const call = (count: number) => ({
      payer: guest('b'),
      requestKey: `of ${count}`,
      body: { tool: 'compress-image', options: { goal: { by: 'size', targetKb: 20 } }, inputs: Array.from({ length: count }, () => input) },
    })
    await expect(submitJobs(db, rules, call(2))).rejects.toMatchObject({ code: 'job.busy' })
    expect(asked).toEqual([])
    expect(await db.select({ id: ledger.jobId }).from(ledger).where(eq(ledger.identityId, 'b'))).toEqual([])
    expect(await submitJobs(db, rules, call(1))).toHaveLength(1)
    expect(asked).toEqual([input.key])
    await expect(submitJobs(db, rules, { ...call(1), requestKey: 'one more' })).rejects.toMatchObject({ code: 'job.busy' })
    // One that has ended makes room, which is seen within a second.
    const taken = await takeJob(db, LANES)
    await finishJob(db, taken?.lease ?? '', { state: 'failed', error: { code: 'job.failed', data: {} } }, Date.now())
    await wait(1000)
    expect(await submitJobs(db, rules, { ...call(1), requestKey: 'one more' })).toHaveLength(1)
  })
})
