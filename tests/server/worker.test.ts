import { PassThrough, Readable } from 'node:stream'
import { describe, expect, it, vi } from 'vitest'
import { memoryStore } from '../fixtures/memory-store.ts'
import { testQueue } from '../fixtures/server-queue.ts'
import { PATIENCE, queueOne, stateOf, work } from '../fixtures/yes-worker.ts'
import { ledger } from '#server/database/schema-billing'
import { cancelJob, expireJob } from '#server/jobs/manage'
import type { JobRow } from '#server/jobs/queue'
import { StoredBytes } from '#server/jobs/usage'
import { streamZip } from '#server/jobs/zip'
import { describeError } from '#server/log'
import type { ObjectStore } from '#server/storage/object-store'
import { MAX_STORED_BYTES } from '#shared/api/jobs'

const BYTES = Buffer.from('the source')

const uploaded = (changes?: Partial<ObjectStore>) => memoryStore({ 'u/a/source': BYTES }, changes)

describe('a worker', () => {
  it.each([
    ['cancelled', cancelJob],
    ['expired', expireJob],
  ])('leaves no result of a job that was %s while it was being stored', async (state, end) => {
    await using queued = await testQueue()
    const { connection, db } = queued
    await queueOne(db, BYTES.length)
    const { objects, store } = uploaded({
      writeFile: async (key) => {
        await end(db, ['a'], 'a0', Date.now())
        objects.set(key, Buffer.from('too late'))
      },
    })
    await work(db, connection, store)
    expect([...objects.keys()]).toEqual(['u/a/source'])
    expect(await stateOf(db)).toEqual([state, undefined, 'released'])
  })

  it('refuses an upload that was replaced after it had been checked', async () => {
    await using queued = await testQueue()
    await queueOne(queued.db, BYTES.length)
    const { objects, store } = uploaded()
    objects.set('u/a/source', Buffer.alloc(100_000))
    await work(queued.db, queued.connection, store)
    expect(await stateOf(queued.db)).toEqual(['failed', 'upload.missing', 'released'])
  })

  it.each([
    ['ENOSPC', 'storage.full'],
    ['ECONNRESET', 'service.unavailable'],
  ])('whose storage fails with %s says so, and charges nothing', async (code, expected) => {
    await using queued = await testQueue()
    await queueOne(queued.db, BYTES.length)
    const broken = Object.assign(new Error(`${code}: it broke`), { code })
    const { store } = uploaded({
      read: async () =>
        Readable.from(
          (async function* () {
            yield BYTES.subarray(0, 3)
            throw broken
          })(),
        ),
    })
    await work(queued.db, queued.connection, store)
    expect(await stateOf(queued.db)).toEqual(['failed', expected, 'released'])
  })

  it('tells of a job it has done once the database is back', async () => {
    await using queued = await testQueue()
    const { connection, db } = queued
    await queueOne(db, BYTES.length)
    let failures = 0
    const away = new Proxy(db, {
      get: (target, name, receiver) => {
        const member: unknown = Reflect.get(target, name, receiver)
        if (name !== 'transaction' || !isStored) return member
        isStored = false
        return () => {
          failures += 1
          return Promise.reject(new Error('away'))
        }
      },
    })
    let isStored = false
    const { objects, store } = uploaded({
      writeFile: async (key) => {
        objects.set(key, Buffer.from('the result'))
        isStored = true
      },
    })
    await work(db, { ...connection, db: away }, store)
    expect(failures).toBe(1)
    expect(await stateOf(db)).toEqual(['done', undefined, 'committed'])
  })
})

describe('a zip', () => {
  const row = {
    inputs: [{ key: '', name: '', bytes: 0 }],
    outputs: [{ key: 'r/a/0', name: 'a.jpg', format: 'jpg', bytes: 1 }],
    finishedAt: new Date(),
  }
  const rows = [row as unknown as JobRow] // what a zip reads of it

  it('whose reader has gone lets go of the result it was reading', async () => {
    const source = new PassThrough()
    const { store } = uploaded({ read: async () => source })
    const zip = streamZip(store, rows)
    source.write('some')
    await new Promise((resolve) => zip.once('data', resolve))
    zip.destroy()
    await vi.waitUntil(() => source.destroyed, PATIENCE)
    expect(source.destroyed).toBe(true)
  })

  it('whose result breaks off breaks off as well', async () => {
    const source = new PassThrough()
    const { store } = uploaded({ read: async () => source })
    const zip = streamZip(store, rows)
    const failed = new Promise<Error>((resolve) => zip.once('error', resolve))
    zip.resume()
    source.write('some')
    await new Promise((resolve) => zip.once('data', resolve))
    source.destroy(new Error('cut'))
    expect(await failed).toMatchObject({ message: 'cut' })
  })
})

describe('the space of an identity', () => {
  const MB = 1024 ** 2

  it('lets in no more than fits, however many ask at a time', async () => {
    const usage = new StoredBytes(uploaded().store)
    const asked = await Promise.all(Array.from({ length: 100 }, () => usage.admit('a', 50 * MB, 0)))
    expect(asked.filter(Boolean).length * 50 * MB).toBeLessThanOrEqual(MAX_STORED_BYTES)
  })

  it('counts the parts of uploads that never end', async () => {
    const parts = Array.from({ length: 45 }, () => 50 * MB)
    const { store } = uploaded({
      partSizes: async function* () {
        yield* parts
      },
    })
    expect(await new StoredBytes(store).admit('a', 1, 0)).toBe(false)
  })

  it('is not used by a million empty files for nothing', async () => {
    const usage = new StoredBytes(uploaded().store)
    let files = 0
    while (await usage.admit('a', 0, 0)) files += 1
    expect(files).toBeLessThan(40_000)
  })
})

it('the log says what went wrong in the database, and not what was stored there', async () => {
  await using queued = await testQueue()
  const failure = await queued.db
    .insert(ledger)
    .values({ jobId: '身份证.jpg', identityId: 'nobody', cost: 'image', state: 'reserved' })
    .catch((error: unknown) => error)
  const text = JSON.stringify(describeError(failure))
  expect(text).toContain('foreign key')
  expect(text).not.toContain('身份证')
  expect(text).not.toContain('nobody')
})
