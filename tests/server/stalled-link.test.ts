import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { startPostgres, type PostgresServer } from './database/postgres-server.ts'
import { memoryStore } from '../fixtures/memory-store.ts'
import { testServer, Visitor } from '../fixtures/server.ts'
import { queue } from '../fixtures/server-queue.ts'
import { tcpProxy } from '../fixtures/tcp-proxy.ts'
import { openYesWorker, PATIENCE, queueOne, stateOf, work } from '../fixtures/yes-worker.ts'
import { openDatabase } from '#server/database/open'
import { jobs } from '#server/database/schema'
import { isUnreachable } from '#server/errors'
import { changing } from '#server/jobs/queue'

const BYTES = Buffer.from('the source')

describe('a link to PostgreSQL that goes dead without a word', () => {
  let postgres: PostgresServer | undefined
  beforeAll(async () => void (postgres = await startPostgres()))
  afterAll(() => postgres?.stop())

  /** A database reached over a network that can go dead, and directly. */
  async function scene(server: PostgresServer) {
    const near = await server.database()
    const network = await tcpProxy(() => server.socket)
    onTestFinished(() => network[Symbol.asyncDispose]())
    return { network, near, far: Object.assign(new URL(near), { search: '', host: `localhost:${network.port}` }).href }
  }

  async function open(url: string) {
    const connection = await openDatabase({ kind: 'postgres', url })
    onTestFinished(() => void connection.close())
    return connection
  }

  test('has an API say that it is away, to more callers than it has connections, until the link is back', async ({ skip }) => {
    if (!postgres) return skip()
    const { network, far } = await scene(postgres)
    await using server = await testServer({}, { DATABASE_URL: far })
    const visitor = await Visitor.enter(server.url)
    network.state.isDead = true
    const asked = Array.from({ length: 15 }, () => visitor.fetch('/api/jobs'))
    const answers = await Promise.all(asked.map(async (one) => [(await one).status, ((await (await one).json()) as { code: string }).code])) // a failure's envelope
    expect(new Set(answers.map(String))).toEqual(new Set(['503,service.unavailable']))
    network.state.isDead = false
    await vi.waitUntil(async () => (await visitor.fetch('/api/jobs')).ok, PATIENCE)
  })

  test('leaves no lock to those who wait for it: a transaction that was cut off so is ended', async ({ skip }) => {
    if (!postgres) return skip()
    const { network, near, far } = await scene(postgres)
    const [cutOff, other] = [await open(far), await open(near)]
    const stuck = changing(cutOff.db, async (tx) => {
      network.state.isDead = true
      await tx.execute(sql`select 1`)
    })
    stuck.catch(() => {})
    await vi.waitUntil(() => network.state.isDead)
    await expect(changing(other.db, async () => 'mine')).resolves.toBe('mine')
    await expect(stuck).rejects.toSatisfy(isUnreachable)
  })

  test('costs a worker its job, which another does, and nothing else: it goes on when the link is back', async ({ skip }) => {
    if (!postgres) return skip()
    const { network, near, far } = await scene(postgres)
    const [cutOff, other] = [await open(far), await open(near)]
    await queueOne(other.db, BYTES.length)
    let isBegun = false
    const { store } = memoryStore({ 'u/a/source': BYTES })
    const slow = memoryStore(
      { 'u/a/source': BYTES },
      {
        writeFile: async () => {
          if (!isBegun) network.state.isDead = true
          isBegun = true
        },
      },
    )
    const first = await openYesWorker(cutOff, slow.store)
    await first.worker.start()
    await vi.waitUntil(() => isBegun, PATIENCE)
    await other.db.update(jobs).set({ leaseUntil: sql`now() - interval '1 second'` })
    await work(other.db, other, store)
    expect(await stateOf(other.db)).toEqual(['done', undefined, 'committed'])
    const [{ changed } = {}] = await other.db.select({ changed: jobs.changed }).from(jobs)
    network.state.isDead = false
    await queue(other.db, 'a', 1, 'usual', 1)
    await other.db
      .update(jobs)
      .set({ inputs: [{ key: 'u/a/source', name: 'a.jpg', bytes: BYTES.length }] })
      .where(eq(jobs.id, 'a1'))
    await vi.waitUntil(async () => {
      const [next] = await other.db.select({ state: jobs.state }).from(jobs).where(eq(jobs.id, 'a1'))
      return next?.state === 'done'
    }, PATIENCE)
    expect((await other.db.select({ changed: jobs.changed }).from(jobs).where(eq(jobs.id, 'a0')))[0]?.changed).toBe(changed)
    await first.stop()
  })
})
