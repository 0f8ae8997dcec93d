import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { openTestStorage } from './storage/fixture.ts'
import { FAULTS, faultyStorage, type ChooseFault, type Fault } from '../fixtures/faulty-storage.ts'
import { testQueue } from '../fixtures/server-queue.ts'
import { queueOne, stateOf, work, type Yes } from '../fixtures/yes-worker.ts'
import { jobs } from '#server/database/schema'
import { ledger } from '#server/database/schema-billing'
import { sweep } from '#server/jobs/sweep'
import { StoredBytes } from '#server/jobs/usage'
import { OssStore } from '#server/storage/oss-store'

const SOURCE = randomBytes(300_000)

/** A queued job whose upload lies in a real storage, which the worker reaches through one that spoils its calls. */
async function scene() {
  const queued = await testQueue()
  const { client, folder, own, port, store: direct, temps } = await openTestStorage()
  const proxy = await faultyStorage(() => `http://localhost:${port}`, 20)
  await client.put('u/a/source', SOURCE)
  await queueOne(queued.db, SOURCE.length)
  const place = { region: 'oss-cn-shanghai', bucket: '20230612test', sldEnable: true }
  const store = new OssStore(() => ({ ...place, ...own, endpoint: proxy.url }))
  const { db } = queued
  return {
    ...proxy,
    ...queued,
    client,
    folder,
    direct,
    store,
    temps,
    keys: async (): Promise<string[]> => {
      const all: string[] = []
      for await (const { key } of direct.list('')) all.push(key)
      return all
    },
    /** With the job as it was at first. */
    reset: async (): Promise<void> => {
      await db.delete(jobs)
      await db.delete(ledger)
      await direct.remove(['r/a/a0/0'])
      await queueOne(db, SOURCE.length)
    },
    work: (yes?: Yes): Promise<void> => work(db, queued.connection, store, yes),
    interruptions: async (): Promise<number | undefined> => (await db.select({ n: jobs.interruptions }).from(jobs))[0]?.n,
    sweep: (now = Date.now()): Promise<void> => sweep({ db, store: direct, usage: new StoredBytes(direct), now: () => now }),
    [Symbol.asyncDispose]: async () => {
      await proxy[Symbol.asyncDispose]()
      await queued[Symbol.asyncDispose]()
    },
  }
}

/** The first calls of each kind go wrong, so many. */
function first(count: number, fault: Fault): ChooseFault {
  const seen = new Map<string, number>()
  return ({ method, url }) => {
    const kind = `${method} ${url.replace(/uploadId=\w+|partNumber=\d+/g, '')}`
    seen.set(kind, (seen.get(kind) ?? 0) + 1)
    return (seen.get(kind) ?? 0) <= count ? fault : undefined
  }
}

describe('a job whose storage errs', () => {
  it('in passing is done once, charged once, and its result whole, whatever went wrong', async () => {
    await using all = await scene()
    for (const fault of FAULTS) {
      await all.reset()
      all.spoil(first(2, fault))
      const result = randomBytes(200_000)
      await all.work({ result })
      expect([fault, await stateOf(all.db)]).toEqual([fault, ['done', undefined, 'committed']])
      expect(new Set(all.calls.flatMap((call) => (call.fault === fault ? [call.method] : [])))).toEqual(new Set(['HEAD', 'GET', 'PUT']))
      expect(await all.keys()).toEqual(['r/a/a0/0', 'u/a/source'])
      expect((await buffer(await all.direct.read('r/a/a0/0'))).equals(result)).toBe(true)
      expect(await all.temps()).toEqual([])
    }
  })

  it('for longer waits in the queue, and is done when the storage is back', async () => {
    await using all = await scene()
    let calls = 0
    all.spoil(() => (calls++ < 20 ? 'slow-down' : undefined))
    await all.work()
    expect(await stateOf(all.db)).toEqual(['done', undefined, 'committed'])
    expect(await all.interruptions()).toBeGreaterThan(3)
  })

  it('for good ends in words that say so, and nothing is charged or left', async () => {
    await using all = await scene()
    all.spoil(({ method }) => (method === 'PUT' ? 'slow-down' : undefined))
    await all.work()
    expect(await stateOf(all.db)).toEqual(['failed', 'service.unavailable', 'released'])
    expect(await all.keys()).toEqual(['u/a/source'])
  })
})

it('a large result whose upload in parts was broken off leaves nothing once it is swept', async () => {
  await using all = await scene()
  all.spoil(({ method, url }) => ((method === 'POST' && url.includes('uploadId=')) || method === 'DELETE' ? 'slow-down' : undefined))
  // Its last try.
  await all.db.update(jobs).set({ interruptions: 20 })
  await all.work({ result: randomBytes(21 * 1024 ** 2), pausesMs: [] })
  expect(await stateOf(all.db)).toEqual(['failed', 'service.unavailable', 'released'])
  expect((await all.client.listUploads({})).uploads.length).toBeGreaterThan(0)
  await all.sweep(Date.now() + 3 * 3_600_000)
  expect((await all.client.listUploads({})).uploads).toEqual([])
  expect(await all.keys()).toEqual([])
})
