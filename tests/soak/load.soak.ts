import { availableParallelism } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { testFolder, toSize } from '../fixtures/engine.ts'
import { openInstallation, type Installation } from '../fixtures/installation.ts'
import { anyAddress, askSteadily, follow, quantile, startMany, visitors, watchJobs, type Work } from '../fixtures/load.ts'
import { drawnLines, pdfOf } from '../fixtures/pdfs.ts'
import { photo } from '../fixtures/pictures.ts'
import { processorMs } from '../fixtures/processes.ts'
import { portrait } from '../fixtures/portraits.ts'
import { serverProcess } from '../fixtures/server-process.ts'
import type { Visitor } from '../fixtures/server.ts'

const HOUR_MS = 3_600_000
const number = (name: string, usual: number): number => Number(process.env[name] ?? usual)
const jobs = number('LOAD_JOBS', 60)
const queued = number('LOAD_QUEUED', 5000)
const people = number('LOAD_PEOPLE', 200)
const seconds = number('LOAD_SECONDS', 60)
const requested = number('LOAD_REQUESTS', 400)
const classJobs = number('LOAD_CLASS_JOBS', 12)
const workerCounts = (process.env['LOAD_WORKERS'] ?? '1,2,4').split(',').map(Number)
const cores = availableParallelism()
const DAY_S = 86_400

/** One job at a time, so that a process is about a core. */
/** As servers are, not tests. */
const usual = { WORKER_NICENESS: '10' }
const one = { ...usual, WORKERS: '1', DOCUMENT_WORKERS: '0', AI_WORKERS: '0' }

const photo12 = async (): Promise<Work> => ({
  name: 'a.jpg',
  bytes: await photo(4000, 3000).jpeg({ quality: 90 }).toBuffer(),
  tool: 'compress-image',
  options: toSize(200),
})

async function install(): Promise<Installation> {
  const installation = await openInstallation()
  if (!installation) throw new Error('PostgreSQL is not installed')
  return installation
}

it(`throughput: ${workerCounts.join(', ')} worker processes on PostgreSQL, ${cores} cores`, { timeout: HOUR_MS }, async () => {
  const work = await photo12()
  const rates: number[] = []
  for (const count of workerCounts) {
    await using installation = await install()
    const api = await installation.api(anyAddress)
    for (const visitor of await visitors(api.url, 10)) await startMany(visitor, work, Math.ceil(jobs / 10))
    await using watch = await watchJobs(installation.databaseUrl)
    await Promise.all(Array.from({ length: count }, () => installation.worker(one)))
    const rate = await watch.rate(2 * count)
    rates.push(rate)
    const linear = ((rates[0] ?? Number.NaN) / Math.min(workerCounts[0] ?? 1, cores)) * Math.min(count, cores)
    console.log(
      `${count} workers: ${rate.toFixed(3)} jobs/s of 12 MP to 200 KB, ${(rate / linear).toFixed(2)} of linear up to ${cores} cores`,
    )
    expect(await watch.count('failed')).toBe(0)
  }
})

/** Answers that were none, and streams to which nothing came. */
interface Outcome {
  readonly refused: readonly string[]
  readonly silent: number
}

const well: Outcome = { refused: [], silent: 0 }

/** Fills the queue, opens everybody's stream and asks, while the workers work. */
async function saturated(name: string, url: string, beginWork: () => Promise<unknown>): Promise<Outcome> {
  const work = await photo12()
  const small = { ...work, bytes: await photo(600, 400).jpeg().toBuffer() }
  const all = await visitors(url, people)
  const aborts = new AbortController()
  const begunAt = performance.now()
  for (const visitor of all) await startMany(visitor, work, Math.ceil(queued / people))
  console.log(`${name}: ${queued} jobs of ${people} accepted in ${((performance.now() - begunAt) / 1000).toFixed(1)} s, uploads included`)
  const streams = await Promise.all(all.map((visitor) => follow(visitor, aborts.signal)))
  await beginWork()
  await wait(10_000)
  const key = new Map(await Promise.all(all.slice(0, 20).map(async (visitor) => [visitor, await visitor.upload(small.bytes)] as const)))
  const body = (visitor: Visitor) => ({ tool: small.tool, options: small.options, inputs: [{ key: key.get(visitor), name: small.name }] })
  const asked = await askSteadily(
    [...key.keys()],
    [
      ['GET /api/jobs', (visitor) => visitor.fetch('/api/jobs')],
      ['GET /api/user', (visitor) => visitor.fetch('/api/user/tourist')],
      ['GET /api/jobs?after', (visitor) => visitor.fetch('/api/jobs?after=1000000')],
      ['POST /api/jobs', (visitor) => visitor.send('/api/jobs', body(visitor))],
    ],
    20,
    seconds,
  )
  for (const [what, times] of asked.times)
    console.log(
      `${name}: ${what} n ${times.length}, ms: ${[0.5, 0.95, 1].map((share) => `p${100 * share} ${quantile(times, share).toFixed(0)}`).join(', ')}`,
    )
  const every = [...asked.times.values()].flat()
  const told = streams.reduce((sum, { bytes }) => sum + bytes, 0)
  console.log(
    `${name}: API p95 ${quantile(every, 0.95).toFixed(0)} ms of ${every.length} (goal: below 100); ${(told / 1e6).toFixed(1)} MB of news to ${people} streams`,
  )
  aborts.abort()
  return { refused: asked.refused, silent: streams.filter(({ bytes }) => bytes === 0).length }
}

it(`${queued} queued jobs of ${people} people with their streams, workers saturated, on PostgreSQL`, { timeout: HOUR_MS }, async () => {
  await using installation = await install()
  const api = await installation.api(anyAddress)
  expect(await saturated('PostgreSQL', api.url, () => Promise.all(Array.from({ length: cores }, () => installation.worker(one))))).toEqual(
    well,
  )
})

it(`processor time of a request among ${queued} queued jobs of ${people} people with their streams`, { timeout: HOUR_MS }, async () => {
  await using installation = await install()
  const api = await installation.api(anyAddress)
  const small = { ...(await photo12()), bytes: await photo(600, 400).jpeg().toBuffer() }
  const all = await visitors(api.url, people)
  const aborts = new AbortController()
  for (const visitor of all) await startMany(visitor, small, Math.ceil(queued / people))
  await Promise.all(all.map((visitor) => follow(visitor, aborts.signal)))
  await wait(5000)
  const used = (): readonly number[] => [api.pid, installation.databasePid].map(processorMs)
  const during = async (work: () => Promise<unknown>): Promise<readonly number[]> => {
    const before = used()
    await work()
    return used().map((ms, n) => ms - (before[n] ?? 0))
  }
  const idle = await during(() => wait(10_000))
  console.log(`streams alone: API ${(idle[0] ?? 0) / 10} ms a second, PostgreSQL ${(idle[1] ?? 0) / 10} ms a second`)
  const asking = all.slice(0, 20)
  const keys = new Map(await Promise.all(asking.map(async (visitor) => [visitor, await visitor.upload(small.bytes)] as const)))
  const requests: readonly (readonly [string, (visitor: Visitor) => Promise<Response>])[] = [
    ['GET /api/jobs', (visitor) => visitor.fetch('/api/jobs')],
    ['GET /api/user', (visitor) => visitor.fetch('/api/user/tourist')],
    ['GET /api/jobs?after', (visitor) => visitor.fetch('/api/jobs?after=1000000')],
    [
      'POST /api/jobs',
      (visitor) =>
        visitor.send('/api/jobs', { tool: small.tool, options: small.options, inputs: [{ key: keys.get(visitor), name: 'a.jpg' }] }),
    ],
  ]
  const refused: string[] = []
  for (const [what, ask] of requests) {
    const begunAt = performance.now()
    const lane = async (visitor: Visitor): Promise<void> => {
      for (let n = 0; n < requested / asking.length; n++) {
        const response = await ask(visitor)
        const text = await response.text()
        if (!response.ok) refused.push(`${what}: ${response.status} ${text}`)
      }
    }
    // A few at a time, as a busy server has them.
    const spent = await during(async () => {
      for (let at = 0; at < asking.length; at += 4) await Promise.all(asking.slice(at, at + 4).map(lane))
    })
    const elapsed = (performance.now() - begunAt) / 10_000
    const [ofApi, ofDatabase] = spent.map((ms, n) => ((ms - (idle[n] ?? 0) * elapsed) / requested).toFixed(2))
    console.log(`${what}: API ${ofApi} ms, PostgreSQL ${ofDatabase} ms of a processor, of ${requested}`)
  }
  aborts.abort()
  expect(refused).toEqual([])
})

it('the same in one process with the embedded database', { timeout: HOUR_MS }, async () => {
  await using folder = await testFolder()
  await using server = await serverProcess(folder.path, { ...anyAddress, ...usual, WORKERS: String(cores) })
  expect(await saturated('embedded', server.url, () => Promise.resolve())).toEqual(well)
})

const lines = Array.from({ length: 30 }, (_, n) => `Paragraph ${n} of a report that has text on every line of its page.`)

it('capacity: jobs a second of one core, by class', { timeout: HOUR_MS }, async () => {
  const works: readonly (readonly [string, Work, Record<string, string>])[] = [
    ['image: 12 MP JPEG to 200 KB', await photo12(), one],
    [
      'image: 2 MP JPEG to PNG',
      { name: 'a.jpg', bytes: await photo(1600, 1200).jpeg().toBuffer(), tool: 'convert-image', options: { format: 'png' } },
      one,
    ],
    [
      'ai: cut-out of 2 MP',
      { name: 'a.jpg', bytes: await portrait(1200, 1600), tool: 'cut-out', options: {} },
      { WORKERS: '0', DOCUMENT_WORKERS: '0', AI_WORKERS: '1' },
    ],
    [
      'document: PDF of 10 pages to Word',
      {
        name: 'a.pdf',
        bytes: pdfOf(Array.from({ length: 10 }, () => ({ content: drawnLines(lines, 72, 760) }))),
        tool: 'pdf-to-word',
        options: {},
      },
      { WORKERS: '0', DOCUMENT_WORKERS: '1', AI_WORKERS: '0' },
    ],
  ]
  for (const [what, work, sizes] of works) {
    await using installation = await install()
    const api = await installation.api(anyAddress)
    // What one person's earlier job found in a picture would do for the next: each comes from another.
    for (const visitor of await visitors(api.url, classJobs)) await startMany(visitor, work, 1)
    await using watch = await watchJobs(installation.databaseUrl)
    await installation.worker({ ...usual, ...sizes })
    const rate = await watch.rate(2)
    console.log(
      `${what}: ${rate.toFixed(2)} jobs/s a core; 10⁶ a day (${(1e6 / DAY_S).toFixed(1)}/s) need ${(1e6 / DAY_S / rate).toFixed(1)} cores`,
    )
    expect(await watch.count('failed')).toBe(0)
  }
})
