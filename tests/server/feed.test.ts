import { randomBytes } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { isOnPostgres } from '../fixtures/database.ts'
import { testServer, Visitor } from '../fixtures/server.ts'
import { queue, testQueue } from '../fixtures/server-queue.ts'
import type { DatabaseConnection } from '#server/database/open'
import { jobs } from '#server/database/schema'
import { JobFeed } from '#server/jobs/feed'
import { cancelJob } from '#server/jobs/manage'
import { changing, nextChange, takeJob } from '#server/jobs/queue'
import { LANES } from '#server/jobs/turns'

/** For a busy machine; whatever is waited for comes at once. */
const PATIENCE = { timeout: 30_000 }

/** A database whose notifications never arrive. */
const deaf = (connection: DatabaseConnection): DatabaseConnection => ({ ...connection, listen: async () => async () => {} })

/** Something to wait at until it is opened. */
function gate(): { readonly passed: Promise<void>; readonly open: () => void } {
  let open = (): void => {}
  const passed = new Promise<void>((resolve) => (open = resolve))
  return { passed, open: () => open() }
}

/** Hears until so many were told; the ids in order. */
const hear = (feed: JobFeed, after: number, wanted: number): Promise<readonly string[]> =>
  new Promise((resolve) => {
    const ids: string[] = []
    const stop = feed.subscribe(['a'], after, async ({ id }) => {
      ids.push(id)
      if (ids.length < wanted) return
      stop()
      resolve(ids)
    })
  })

afterEach(() => void vi.useRealTimers())

describe('the feed', () => {
  it('tells of every job, however many', async () => {
    await using queued = await testQueue()
    await queue(queued.db, 'a', 1234)
    const feed = new JobFeed(queued.db, randomBytes(32), Date.now)
    expect(await hear(feed, 0, 1234)).toEqual(Array.from({ length: 1234 }, (_, n) => `a${n}`))
  })

  it('begins anew for a number it never gave', async () => {
    await using queued = await testQueue()
    await queue(queued.db, 'a', 3)
    const feed = new JobFeed(queued.db, randomBytes(32), Date.now)
    expect(await hear(feed, Number.MAX_SAFE_INTEGER, 3)).toEqual(['a0', 'a1', 'a2'])
  })

  it('finds what it was not notified of', async () => {
    await using queued = await testQueue()
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const feed = new JobFeed(queued.db, randomBytes(32), Date.now)
    await feed.start(deaf(queued.connection))
    const heard = hear(feed, 0, 2)
    await queued.db.execute(sql`select 1`)
    await queue(queued.db, 'a', 2)
    vi.advanceTimersByTime(10_000)
    expect(await heard).toEqual(['a0', 'a1'])
    await feed.close()
  })

  it('tells a slow reader the last of many changes, not all of them', async () => {
    await using queued = await testQueue()
    await queue(queued.db, 'a', 1)
    const feed = new JobFeed(queued.db, randomBytes(32), Date.now)
    await feed.start(queued.connection)
    const taken = gate()
    const told: number[] = []
    const last = new Promise<void>((resolve) => {
      feed.subscribe(['a'], 0, async ({ progress }) => {
        told.push(progress)
        if (told.length === 1) await taken.passed
        else resolve()
      })
    })
    await vi.waitUntil(() => told.length === 1, PATIENCE)
    for (let n = 1; n <= 20; n++) {
      await changing(queued.db, async (tx) => {
        await tx.update(jobs).set({ progress: n, changed: nextChange })
        await tx.execute(sql`select pg_notify('jobs', 'a a0')`)
      })
    }
    taken.open()
    await last
    expect(told).toEqual([0, 20])
    await feed.close()
  })
})

describe.skipIf(!isOnPostgres())('on many connections', () => {
  it('changes are numbered in the order in which they appear', async () => {
    await using queued = await testQueue()
    const { db } = queued
    await queue(db, 'a', 2)
    const order: string[] = []
    const held = gate()
    const first = changing(db, async (tx) => {
      await tx.update(jobs).set({ changed: nextChange }).where(eq(jobs.id, 'a0'))
      await held.passed
      order.push('a0')
    })
    await vi.waitUntil(async () => {
      const { rows } = await db.execute(sql`select 1 from pg_locks where locktype = 'advisory' and granted`)
      return rows.length > 0
    }, PATIENCE)
    const second = cancelJob(db, ['a'], 'a1', Date.now()).then(() => order.push('a1'))
    await vi.waitUntil(async () => {
      const { rows } = await db.execute(sql`select 1 from pg_locks where locktype = 'advisory' and not granted`)
      return rows.length > 0 || order.length > 0
    }, PATIENCE)
    held.open()
    await Promise.all([first, second])
    expect(order).toEqual(['a0', 'a1'])
  })

  it('a job cancelled while it is being taken stays cancelled', async () => {
    await using queued = await testQueue()
    const { db } = queued
    await queue(db, 'a', 30)
    const cancelling = Array.from({ length: 30 }, (_, n) => cancelJob(db, ['a'], `a${n}`, Date.now()))
    const taking = Array.from({ length: 30 }, () => takeJob(db, LANES))
    const taken = (await Promise.all(taking)).filter((job) => job !== undefined)
    await Promise.all(cancelling)
    const left = await db.select({ state: jobs.state }).from(jobs)
    expect(taken.length).toBeLessThanOrEqual(30)
    expect(new Set(left.map(({ state }) => state))).toEqual(new Set(['cancelled']))
  })

  it('readers who hang up at once leave no stream behind', async () => {
    await using running = await testServer()
    const visitor = await Visitor.enter(running.url)
    for (let n = 0; n < 60; n++) {
      const gone = new AbortController()
      const opening = visitor.fetch('/api/jobs/events', { signal: gone.signal }).catch(() => {})
      await new Promise((resolve) => setTimeout(resolve, n % 6))
      gone.abort()
      await opening
    }
    const last = new AbortController()
    await vi.waitUntil(async () => (await visitor.fetch('/api/jobs/events', { signal: last.signal })).status === 200, PATIENCE)
    last.abort()
    // The children may still be starting.
    await expect.poll(async () => (await visitor.fetch('/readyz')).status, PATIENCE).toBe(200)
  })
})
