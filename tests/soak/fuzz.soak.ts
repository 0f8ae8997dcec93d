import { expect, it } from 'vitest'
import { fuzz, type Damage } from '../fixtures/fuzz.ts'

/** A line a format: how often each came of it, and the slowest. */
function table(results: readonly Damage[]): string {
  const formats = [...new Set(results.map(({ format }) => format))]
  return formats
    .map((format) => {
      const own = results.filter((one) => one.format === format)
      const codes = [...new Set(own.map(({ code }) => code))].map((code) => `${code} ${own.filter((one) => one.code === code).length}`)
      return `${format.padEnd(10)} ${String(Math.max(...own.map(({ ms }) => ms))).padStart(6)} ms  ${codes.join(', ')}`
    })
    .join('\n')
}

it('200 damaged files end in a result or in a sentence', { timeout: 3_600_000 }, async () => {
  const variants = Number(process.env['FUZZ_VARIANTS'] ?? 200)
  const seed = Number(process.env['FUZZ_SEED'] ?? 1)
  const results = await fuzz({ seed, variants, deadlineMs: 10_000 })
  console.log(table(results))
  expect(results).toHaveLength(variants)
  expect(results.filter(({ faults }) => faults.length > 0)).toEqual([])
})
