import { expect, it, vi } from 'vitest'
import { fuzzApi } from '../fixtures/fuzz/api.ts'
import { fuzzClient } from '../fixtures/fuzz/client.ts'
import { fuzzFiles } from '../fixtures/fuzz/files.ts'
import { sharedServer } from '../fixtures/shared-server.ts'

vi.mock('electron', async () => (await import('../fixtures/fuzz/electron.ts')).electron)

const server = sharedServer()
const seed = Number(process.env['FUZZ_SEED'] ?? 1)
const timeout = 4 * 3_600_000

const wanted = (kind: string, usual: number): number => Number(process.env[`FUZZ_${kind}`] ?? usual)

/** How often each was; the most frequent first. */
const counted = (codes: readonly string[]): string =>
  [...new Set(codes)]
    .map((code) => [code, codes.filter((one) => one === code).length] as const)
    .toSorted(([, left], [, right]) => right - left)
    .map(([code, times]) => `${code} ${times}`)
    .join(', ')

/** Runs cases and prints how many an hour that is, and what came of them. */
async function measured<Result extends { readonly code: string }>(
  what: string,
  run: () => Promise<readonly Result[]>,
): Promise<readonly Result[]> {
  const startedAt = performance.now()
  const results = await run()
  const hours = (performance.now() - startedAt) / 3_600_000
  console.log(
    `${what}: ${results.length} cases, ${Math.round(results.length / hours)} an hour, seed ${seed}\n  ${counted(results.map(({ code }) => code))}`,
  )
  return results
}

it('damaged files end in a result or in a sentence', { timeout }, async () => {
  const variants = wanted('VARIANTS', 4000)
  const results = await measured('files', () => fuzzFiles({ seed, variants, deadlineMs: 20_000 }))
  for (const format of new Set(results.map((one) => one.format))) {
    const own = results.filter((one) => one.format === format)
    console.log(
      `  ${format.padEnd(10)} slowest ${String(Math.max(...own.map(({ ms }) => ms))).padStart(6)} ms  ${counted(own.map(({ code }) => code))}`,
    )
  }
  expect(results).toHaveLength(variants)
  expect(results.filter(({ faults }) => faults.length > 0)).toEqual([])
})

it('malformed requests are refused or answered, and none is a 500', { timeout }, async () => {
  const requests = wanted('REQUESTS', 20_000)
  const results = await measured('requests', () => fuzzApi(server().url, { seed, requests }))
  expect(results.filter(({ fault }) => fault !== undefined)).toEqual([])
  expect((await fetch(`${server().url}/readyz`)).status).toBe(200)
})

it('questions of a page that was taken over are refused or answered', { timeout }, async () => {
  const requests = wanted('QUESTIONS', 20_000)
  const results = await measured('questions', () => fuzzClient({ seed, requests }))
  expect(results.filter(({ fault }) => fault !== undefined)).toEqual([])
})
