import { setTimeout as wait } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { toSize } from '../fixtures/engine.ts'
import { freePort } from '../fixtures/front.ts'
import { openInstallation } from '../fixtures/installation.ts'
import { hasNginx, nginx } from '../fixtures/nginx.ts'
import { photo } from '../fixtures/pictures.ts'
import { print, rounds, spread } from '../fixtures/rounds.ts'
import { Visitor } from '../fixtures/server.ts'

const VISITORS = 8
/** Two looks a second are a person's limit. */
const BETWEEN_MS = 700

/** As build/deploy/README.md says: the next one as soon as this one is ready. */
const BETWEEN_RESTARTS_MS = 500

/** What people met with while servers were restarted. */
interface Met {
  requests: number
  readonly failed: string[]
  jobs: number
  streams: number
  readonly gaps: number[]
}

async function ask(met: Met, what: string, request: () => Promise<Response>): Promise<Response | undefined> {
  met.requests += 1
  const answer = await request().catch((error: unknown) => String(error instanceof Error ? (error.cause ?? error) : error))
  if (typeof answer !== 'string' && answer.ok) return answer
  met.failed.push(`${what}: ${typeof answer === 'string' ? answer : `${answer.status} ${await answer.text()}`}`)
  return undefined
}

/** Somebody who uploads, starts a job, looks at it until it is done and takes the result, again and again. */
async function work(visitor: Visitor, bytes: Buffer, met: Met, over: AbortSignal): Promise<void> {
  const { client, prefix } = await visitor.storage()
  for (let n = 0; !over.aborted; n++) {
    const key = `${prefix}${n}`
    await client.put(key, bytes)
    const body = { tool: 'compress-image', options: toSize(40), inputs: [{ key, name: `${n}.jpg` }] }
    const started = await ask(met, 'POST /api/jobs', () => visitor.send('/api/jobs', body))
    const [{ id = '' } = {}] = started ? ((await started.json()) as { data: { jobs: { id: string }[] } }).data.jobs : [] // a success's envelope
    for (let isOver = id === ''; !isOver;) {
      await wait(BETWEEN_MS)
      const looked = await ask(met, 'GET /api/jobs/:id', () => visitor.fetch(`/api/jobs/${id}`))
      const job = looked && ((await looked.json()) as { data: { state: string; outputs: { url: string }[] } }).data // as above
      isOver = job?.state === 'done' || over.aborted
      if (job?.state !== 'done') continue
      const result = await ask(met, 'GET /f', () => visitor.fetch(job.outputs[0]?.url ?? ''))
      met.jobs += Number(result !== undefined && (await result.arrayBuffer()).byteLength > 0)
    }
  }
}

/** Somebody whose page holds a stream of news, and opens it anew when it ends, as browsers do. */
async function listen(visitor: Visitor, met: Met, over: AbortSignal): Promise<void> {
  for (let endedAt = 0; !over.aborted;) {
    const stream = await visitor.fetch('/api/jobs/events', { signal: over }).catch(() => undefined)
    if (stream?.ok) {
      met.streams += 1
      if (endedAt > 0) met.gaps.push((performance.now() - endedAt) / 1000)
      await stream.text().catch(() => '')
      endedAt = performance.now()
    }
    await wait(500)
  }
}

it('two APIs behind the proxy, restarted one after the other under load: no request fails', { timeout: 3_600_000 }, async ({ skip }) => {
  if (!hasNginx()) return skip('skipped: nginx is not installed')
  await using installation = await openInstallation()
  if (!installation) return skip('skipped: PostgreSQL is not installed')
  const count = rounds(20)
  const port = await freePort()
  const ports = [await freePort(), await freePort()]
  const shared = { PUBLIC_URL: `http://localhost:${port}`, TRUSTED_PROXIES: '127.0.0.1', DRAIN_SECONDS: '3' }
  const start = (n: number) => installation.api({ ...shared, PORT: String(ports[n]) })
  const apis = [await start(0), await start(1)]
  await installation.worker({ AI_WORKERS: '0', DOCUMENT_WORKERS: '0' })
  await using proxy = await nginx(
    port,
    ports.map((one) => `http://127.0.0.1:${one}`),
    installation.storageUrl,
  )
  const bytes = await photo(900, 700).jpeg({ quality: 95 }).toBuffer()
  const people = await Promise.all(Array.from({ length: VISITORS }, () => Visitor.enter(proxy.url)))
  const met: Met = { requests: 0, failed: [], jobs: 0, streams: 0, gaps: [] }
  const over = new AbortController()
  const busy = people.flatMap((visitor) => [work(visitor, bytes, met, over.signal), listen(visitor, met, over.signal)])
  const seconds: number[] = []
  for (let round = 0; round < count; round++) {
    await wait(BETWEEN_RESTARTS_MS)
    const begunAt = performance.now()
    expect(await apis[round % 2]?.end('SIGTERM')).toBe(0)
    apis[round % 2] = await start(round % 2)
    seconds.push((performance.now() - begunAt) / 1000)
  }
  await wait(2000)
  over.abort()
  const ends = await Promise.allSettled(busy)
  for (const end of ends) if (end.status === 'rejected') met.failed.push(`upload: ${end.reason}`)
  print('restarts', {
    rounds: count,
    requests: met.requests,
    failed: met.failed.length,
    'jobs done': met.jobs,
    streams: met.streams,
    'seconds a restart': spread(seconds),
    'seconds without a stream': spread(met.gaps),
  })
  expect(met.failed).toEqual([])
  expect(met.jobs).toBeGreaterThan(count)
})
