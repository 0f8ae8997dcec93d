import { setTimeout as wait } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { inArray } from 'drizzle-orm'
import { toSize } from '../fixtures/engine.ts'
import { atRandom } from '../fixtures/faulty-storage.ts'
import { photo, randomFrom } from '../fixtures/pictures.ts'
import { persist, print, rounds, seedOf, spread } from '../fixtures/rounds.ts'
import { Visitor } from '../fixtures/server.ts'
import { storageApart } from '../fixtures/storage-apart.ts'
import { ledger } from '#server/database/schema-billing'

const HOUR_MS = 3_600_000
const JOBS = 12
type Apart = Awaited<ReturnType<typeof storageApart>>

/** What is charged for jobs: lines of the ledger that were paid, and jobs that have more than one. */
async function charged({ connection }: Apart, ids: readonly string[]): Promise<{ paid: number; twice: number }> {
  const lines = await connection.db
    .select()
    .from(ledger)
    .where(inArray(ledger.jobId, [...ids]))
  return { paid: lines.filter(({ state }) => state === 'committed').length, twice: lines.length - ids.length }
}

/** Uploads and jobs over a storage that errs at a third of its calls and then is away for some seconds. */
async function oneRound(all: Apart, seed: number, bytes: Buffer) {
  const random = randomFrom(seed)
  const visitor = await Visitor.enter(all.url)
  visitor.pollMs = 200
  all.network.spoil(atRandom(seed, 0.33))
  const ids: string[] = []
  const submitting = (async () => {
    for (let n = 0; n < JOBS; n++) {
      const key = await persist(() => visitor.upload(bytes))
      const body = { tool: 'compress-image', options: toSize(20), inputs: [{ key, name: `${n}.jpg` }] }
      const call = { 'idempotency-key': `round-${seed}-${n}` }
      ids.push(...(await persist(() => visitor.post<{ jobs: { id: string }[] }>('/api/jobs', body, call))).jobs.map(({ id }) => id))
    }
  })()
  await wait(500 + random() * 2500)
  all.network.spoil(() => 'down')
  await wait(2000 + random() * 8000)
  all.network.spoil(atRandom(seed + 1, 0.1))
  const backAt = performance.now()
  await submitting
  const states = await Promise.all(ids.map(async (id) => (await visitor.ended(id)).state))
  const seconds = (performance.now() - backAt) / 1000
  all.network.spoil()
  const done = states.filter((state) => state === 'done').length
  const results = (await all.stored('r/')).filter((key) => ids.some((id) => key.includes(id))).length
  const { paid, twice } = await charged(all, ids)
  for (const id of ids) await visitor.fetch(`/api/jobs/${id}`, { method: 'DELETE' })
  return { accepted: ids.length, lost: JOBS - done, wrong: Math.abs(paid - done) + twice, orphans: results - done, seconds }
}

it('a storage that errs, is slow, cuts connections and goes away', { timeout: HOUR_MS }, async () => {
  const count = rounds(20)
  await using all = await storageApart()
  const bytes = await photo(900, 700).jpeg({ quality: 95 }).toBuffer()
  const sums = { accepted: 0, lost: 0, wrong: 0, orphans: 0 }
  const seconds: number[] = []
  for (let round = 0; round < count; round++) {
    const one = await oneRound(all, seedOf(round), bytes)
    seconds.push(one.seconds)
    for (const name of ['accepted', 'lost', 'wrong', 'orphans'] as const) sums[name] += one[name]
  }
  const spoilt = all.network.calls.filter(({ fault }) => fault !== undefined).length
  print('storage', { rounds: count, calls: all.network.calls.length, spoilt, ...sums, 'seconds from back to all done': spread(seconds) })
  expect(sums).toEqual({ accepted: count * JOBS, lost: 0, wrong: 0, orphans: 0 })
})

it('removal at once: from the call to an empty listing', { timeout: HOUR_MS }, async () => {
  const count = rounds(20)
  await using all = await storageApart()
  const visitor = await Visitor.enter(all.url)
  const bytes = await photo(900, 700).jpeg({ quality: 95 }).toBuffer()
  const seconds: number[] = []
  for (let round = 0; round < count; round++) {
    const ids = await visitor.start(
      [1, 2, 3].map((n) => ({ name: `${n}.jpg`, bytes })),
      toSize(20),
    )
    for (const id of ids) await visitor.ended(id)
    const begunAt = performance.now()
    await Promise.all(ids.map((id) => visitor.fetch(`/api/jobs/${id}`, { method: 'DELETE' })))
    while ((await all.stored()).length > 0) await wait(20)
    seconds.push((performance.now() - begunAt) / 1000)
  }
  print('removal', { rounds: count, files: count * 6, left: (await all.stored()).length, seconds: spread(seconds) })
  expect(Math.max(...seconds)).toBeLessThanOrEqual(5)
})
