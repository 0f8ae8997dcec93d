import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fitQuality, highestWithin, predictQuality, type QualityScale } from '#engine/codecs/quality-search'

fc.configureGlobal({ seed: 20_261_121, numRuns: Number(process.env['PROPERTY_RUNS'] ?? 200) })

/** An encoder of our own making: bytes by formula, estimates off by a factor that drifts with quality. */
function fakeScale(bytesAt: (quality: number) => number, error: (quality: number) => number): QualityScale & { encodes: number } {
  const scale = {
    lowest: 1,
    highest: 100,
    fullEnough: 0.965,
    variants: [],
    encodes: 0,
    estimate: async (quality: number) => bytesAt(quality) * error(quality),
    sharpen: async () => {},
    preview: async () => Buffer.alloc(0),
    encode: async (quality: number) => {
      scale.encodes += 1
      return Buffer.alloc(Math.round(bytesAt(quality)))
    },
  }
  return scale
}

const msLeft = (): number => 60_000

describe('highestWithin', () => {
  test('finds the very number a walk over the range finds, in few questions', async () => {
    const growths = fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 100, maxLength: 100 })
    await fc.assert(
      fc.asyncProperty(growths, fc.integer({ min: 1, max: 50_000 }), async (steps, limit) => {
        let total = 10
        const sizes = steps.map((step) => (total += step))
        let questions = 0
        const found = await highestWithin(async (quality) => ((questions += 1), sizes[quality - 1] ?? 0), limit, [1, 100])
        expect(found).toBe(sizes.findLastIndex((size) => size <= limit) + 1 || undefined)
        expect(questions).toBeLessThanOrEqual(24)
      }),
    )
  })
})

describe('fitQuality', () => {
  const curves = fc.record({
    base: fc.integer({ min: 500, max: 50_000 }),
    growth: fc.double({ min: 1.005, max: 1.06, noNaN: true }),
    off: fc.double({ min: 0.6, max: 1.5, noNaN: true }),
    drift: fc.double({ min: -0.003, max: 0.003, noNaN: true }),
    at: fc.integer({ min: 1, max: 99 }),
  })

  test('is never above the limit, and one step higher would be, however wrong the estimates', async () => {
    await fc.assert(
      fc.asyncProperty(curves, async ({ base, growth, off, drift, at }) => {
        const bytesAt = (quality: number): number => Math.round(base * growth ** quality)
        const limitBytes = Math.round((bytesAt(at) + bytesAt(at + 1)) / 2)
        const scale = fakeScale(bytesAt, (quality) => off + drift * quality)
        const { bytes, isWithin, quality } = await fitQuality(scale, await predictQuality(scale, limitBytes), { limitBytes, msLeft })
        expect(isWithin).toBe(true)
        expect(bytes.length).toBeLessThanOrEqual(limitBytes)
        // Stopping early is allowed only where nearly all of the limit is used.
        if (quality !== at) expect(bytes.length / limitBytes).toBeGreaterThanOrEqual(0.93)
        expect(scale.encodes).toBeLessThanOrEqual(8)
      }),
    )
  })

  test('with right estimates encodes once or twice', async () => {
    for (const at of [10, 35, 60, 78]) {
      const scale = fakeScale(
        (quality) => 2000 * 1.03 ** quality,
        () => 1,
      )
      const limitBytes = 2000 * 1.03 ** at * 1.01
      await fitQuality(scale, await predictQuality(scale, limitBytes), { limitBytes, msLeft })
      expect(scale.encodes).toBeLessThanOrEqual(2)
    }
  })

  test('says so when even the lowest quality is above the limit', async () => {
    const scale = fakeScale(
      (quality) => 5000 + quality,
      () => 1,
    )
    const result = await fitQuality(scale, await predictQuality(scale, 4000), { limitBytes: 4000, msLeft })
    expect(result).toMatchObject({ isWithin: false, quality: 1 })
    expect(result.bytes.length).toBe(5001)
  })

  test('with no time left keeps the first result that fits', async () => {
    const scale = fakeScale(
      (quality) => 2000 * 1.05 ** quality,
      () => 1.4,
    )
    const result = await fitQuality(scale, await predictQuality(scale, 9000), { limitBytes: 9000, msLeft: () => 0 })
    expect(result.isWithin).toBe(true)
    expect(scale.encodes).toBe(1)
  })
})
