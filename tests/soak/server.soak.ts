import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { testFolder, toSize } from '../fixtures/engine.ts'
import { photo } from '../fixtures/pictures.ts'
import { serverProcess, type ServerProcess } from '../fixtures/server-process.ts'
import { Visitor } from '../fixtures/server.ts'

const HOUR_MS = 3_600_000

const quantile = (values: readonly number[], share: number): string =>
  (values.toSorted((left, right) => left - right)[Math.floor((values.length - 1) * share)] ?? Number.NaN).toFixed(0)

const residentMb = ({ pid }: ServerProcess): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024

const visitorOf = async (server: ServerProcess): Promise<Visitor> => Object.assign(await Visitor.enter(server.url), { pollMs: 1000 })

/** Starts `count` jobs on one upload; the ids. */
async function startMany(visitor: Visitor, bytes: Buffer, count: number, options: unknown): Promise<readonly string[]> {
  const key = await visitor.upload(bytes)
  const inputs = Array.from({ length: count }, (_, n) => ({ key, name: `${n}.jpg` }))
  const { jobs } = await visitor.post<{ jobs: { id: string }[] }>('/api/jobs', { tool: 'compress-image', options, inputs })
  return jobs.map(({ id }) => id)
}

it('pick-up: from the answer of POST /api/jobs to the job running, idle server', { timeout: HOUR_MS }, async () => {
  await using folder = await testFolder()
  await using server = await serverProcess(folder.path)
  const visitor = await visitorOf(server)
  const picture = await photo(60, 60).jpeg().toBuffer()
  const stream = await visitor.fetch('/api/jobs/events')
  // The first job starts a child process, which the others find warm.
  await startMany(visitor, picture, 1, toSize(100))
  await wait(3000)
  const runningAt = new Map<string, number>()
  void (async () => {
    let text = ''
    for await (const piece of stream.body ?? []) {
      text += Buffer.from(piece).toString()
      const blocks = text.split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) {
        const id = /"id":"(\w+)"/.exec(block)?.[1]
        if (id && !/"state":"queued"/.test(block) && !runningAt.has(id)) runningAt.set(id, performance.now())
      }
    }
  })().catch(() => {})
  const times: number[] = []
  for (let n = 0; n < 60; n++) {
    const [id = ''] = await startMany(visitor, picture, 1, toSize(100))
    const answeredAt = performance.now()
    await wait(250)
    times.push(Math.max(0, (runningAt.get(id) ?? Number.NaN) - answeredAt))
  }
  console.log(`pick-up ms: n ${times.length}, median ${quantile(times, 0.5)}, p95 ${quantile(times, 0.95)}, max ${quantile(times, 1)}`)
  expect(times.every((ms) => !Number.isNaN(ms))).toBe(true)
})

it('polling: 40 requests a second while both cores compress', { timeout: HOUR_MS }, async () => {
  await using folder = await testFolder()
  await using server = await serverProcess(folder.path)
  const visitors = await Promise.all(Array.from({ length: 20 }, () => visitorOf(server)))
  const picture = await photo(4000, 3000).jpeg({ quality: 90 }).toBuffer()
  for (const visitor of visitors) await startMany(visitor, picture, 4, toSize(200))
  const times: number[] = []
  const statuses = new Map<number, number>()
  const asking: Promise<void>[] = []
  for (let n = 0; n < 40 * 30; n++) {
    const ask = async (): Promise<void> => {
      const startedAt = performance.now()
      const response = await visitors[n % visitors.length]?.fetch('/api/jobs')
      await response?.arrayBuffer()
      times.push(performance.now() - startedAt)
      statuses.set(response?.status ?? 0, (statuses.get(response?.status ?? 0) ?? 0) + 1)
    }
    asking.push(ask())
    await wait(25)
  }
  await Promise.all(asking)
  console.log(
    `polling ms: n ${times.length}, median ${quantile(times, 0.5)}, p95 ${quantile(times, 0.95)}, max ${quantile(times, 1)}, statuses ${JSON.stringify([...statuses])}`,
  )
  expect([...statuses.keys()]).toEqual([200])
})

it('memory: the server itself over 1,000 jobs', { timeout: HOUR_MS }, async () => {
  await using folder = await testFolder()
  await using server = await serverProcess(folder.path)
  const visitor = await visitorOf(server)
  const picture = await photo(500, 400).jpeg({ quality: 95 }).toBuffer()
  const run = async (count: number): Promise<void> => {
    const ids = await startMany(visitor, picture, count, toSize(20))
    for (const id of ids.slice(-6)) expect(await visitor.ended(id)).toMatchObject({ state: 'done' })
  }
  await run(50)
  const before = residentMb(server)
  const startedAt = performance.now()
  for (let batch = 0; batch < 5; batch++) {
    await run(200)
    console.log(`after ${(batch + 1) * 200} jobs: ${residentMb(server).toFixed(0)} MB`)
  }
  const seconds = (performance.now() - startedAt) / 1000
  console.log(
    `resident MB: ${before.toFixed(0)} before, ${residentMb(server).toFixed(0)} after 1,000 jobs (${(1000 / seconds).toFixed(1)} jobs/s)`,
  )
})
