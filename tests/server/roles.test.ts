import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toSize } from '../fixtures/engine.ts'
import { openInstallation, type Installation } from '../fixtures/installation.ts'
import { listen } from '../fixtures/job-stream.ts'
import { photo } from '../fixtures/pictures.ts'
import type { ServerProcess } from '../fixtures/server-process.ts'
import { Visitor } from '../fixtures/server.ts'
import { openDatabase } from '#server/database/open'
import { ledger } from '#server/database/schema-billing'
import { jobs } from '#server/database/schema'

describe('several processes on PostgreSQL', () => {
  let installation: Installation | undefined
  let apis: readonly ServerProcess[] = []
  beforeAll(async () => {
    installation = await openInstallation()
    if (installation) apis = await Promise.all([installation.api(), installation.api()])
  })
  afterAll(() => installation?.[Symbol.asyncDispose]())

  /** One browser at both APIs. */
  async function enter(): Promise<readonly [Visitor, Visitor]> {
    const [here, there] = apis.map(({ url }) => url)
    const visitor = Object.assign(await Visitor.enter(here ?? ''), { pollMs: 600 })
    return [visitor, Object.assign(new Visitor(there ?? ''), { cookies: visitor.cookies, pollMs: 600 })]
  }

  /** Starts a job of some seconds; its id, once a worker has begun with it. */
  async function begun(visitor: Visitor): Promise<string> {
    const slow = await photo(2200, 1700).png({ compressionLevel: 1 }).toBuffer()
    const running = listen(visitor, (news) => news.at(-1)?.job.state === 'running')
    const [id = ''] = await visitor.start([{ name: 'a.png', bytes: slow }], toSize(100))
    await running
    return id
  }

  const interruptionsOf = async (url: string, id: string): Promise<unknown> => {
    const connection = await openDatabase({ kind: 'postgres', url })
    const rows = await connection.db
      .select({ interruptions: jobs.interruptions, paid: ledger.state })
      .from(jobs)
      .innerJoin(ledger, eq(ledger.jobId, jobs.id))
      .where(eq(jobs.id, id))
    await connection.close()
    return rows
  }

  test('a browser at one API hears of its job that another API accepted and a worker did', async ({ skip }) => {
    if (!installation) return skip()
    const worker = await installation.worker()
    const [visitor, other] = await enter()
    const heard = listen(visitor, (news) => news.at(-1)?.job.state === 'done')
    const picture = await photo(1500, 1000).jpeg({ quality: 95 }).toBuffer()
    const [id = ''] = await other.start([{ name: 'a.jpg', bytes: picture }], toSize(60))
    const news = await heard
    const states = news.filter(({ job }) => job.id === id).map(({ job }) => job.state)
    expect(new Set(states)).toEqual(new Set(['queued', 'running', 'done']))
    const job = await visitor.job(id)
    expect((await visitor.download(job.outputs[0]?.url ?? '')).length).toBe(job.outputs[0]?.bytes)
    expect(await worker.end('SIGTERM')).toBe(0)
  })

  test('a worker that hangs loses its job to another, and changes nothing when it is back', async ({ skip }) => {
    if (!installation) return skip()
    const [visitor] = await enter()
    await using hung = await installation.worker({ WORKERS: '1' })
    const id = await begun(visitor)
    process.kill(hung.pid, 'SIGSTOP')
    const next = await installation.worker({ WORKERS: '1' })
    const job = await visitor.ended(id)
    expect(job.state).toBe('done')
    process.kill(hung.pid, 'SIGCONT')
    expect(await hung.end('SIGTERM')).toBe(0)
    expect(await visitor.job(id)).toMatchObject({ state: 'done', change: job.change })
    expect((await visitor.download(job.outputs[0]?.url ?? '')).length).toBe(job.outputs[0]?.bytes)
    expect(await interruptionsOf(installation.databaseUrl, id)).toEqual([{ interruptions: 1, paid: 'committed' }])
    await next.end('SIGKILL')
  })

  test('a worker that is told to stop gives back what it can’t end, and another does it', async ({ skip }) => {
    if (!installation) return skip()
    const [visitor] = await enter()
    await using first = await installation.worker({ WORKERS: '1' })
    const id = await begun(visitor)
    expect(await first.end('SIGTERM')).toBe(0)
    const next = await installation.worker({ WORKERS: '1' })
    expect(await visitor.ended(id)).toMatchObject({ state: 'done' })
    expect(await interruptionsOf(installation.databaseUrl, id)).toEqual([{ interruptions: 0, paid: 'committed' }])
    await next.end('SIGKILL')
  })

  test('an API that is told to stop ends its streams, and another goes on from where they were', async ({ skip }) => {
    if (!installation) return skip()
    const [visitor] = await enter()
    await using last = await installation.api()
    const leaving = Object.assign(new Visitor(last.url), { cookies: visitor.cookies })
    const stream = await leaving.fetch('/api/jobs/events')
    const [id = ''] = await visitor.start([{ name: 'a.jpg', bytes: await photo(300, 200).jpeg().toBuffer() }], toSize(60))
    const queued = await visitor.job(id)
    let told = ''
    const reading = (async () => {
      for await (const part of stream.body ?? []) told += Buffer.from(part).toString()
    })()
    await expect.poll(() => told, { timeout: 20_000 }).toContain(id)
    expect(await last.end('SIGTERM')).toBe(0)
    await reading
    const worker = await installation.worker({ WORKERS: '1' })
    const heard = await listen(visitor, (news) => news.at(-1)?.job.state === 'done', { after: queued.change })
    expect(heard.map(({ job }) => job.state)).not.toContain('queued')
    await worker.end('SIGKILL')
  })

  test('a worker and the storage answer how they are, and nothing of the page', async ({ skip }) => {
    if (!installation) return skip()
    await using worker = await installation.worker()
    for (const path of ['/healthz', '/metrics']) expect((await fetch(worker.url + path)).status).toBe(200)
    // A busy disk or database makes it wait: it says so, and is ready again.
    await expect.poll(async () => (await fetch(`${worker.url}/readyz`)).status, { timeout: 20_000 }).toBe(200)
    for (const path of ['/', '/api/jobs', '/api/user/tourist']) expect((await fetch(worker.url + path)).status).toBe(404)
  })
})
