import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { cleanScene, farthest, flat, psnr, withNoise } from '../fixtures/degraded.ts'
import { screenshot } from '../fixtures/pictures.ts'
import { runAndRead } from '../fixtures/run-and-read.ts'
import { denoise } from '#shared/effects/denoise/denoise'
import { noiseOf } from '#shared/effects/denoise/noise-level'
import type { Rgb } from '#shared/effects/effect'
import { applyTo } from '#shared/effects/parts'
import { parseOptions } from '#shared/tools/index'

const by = (amount?: number) => parseOptions('denoise', amount === undefined ? {} : { strength: { by: 'manual', amount } })
const clean = cleanScene(288, 192)
const noisy = withNoise(clean, 15)
const png = ({ data, width, height }: Rgb) =>
  sharp(data, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer()

/** The effect on a whole picture; its own samples where there is nothing to do. */
function applied(picture: Rgb, amount?: number): Uint8Array {
  const measure = denoise.measure(picture, by(amount), {})
  return measure ? denoise.apply(picture, measure, { left: 0, top: 0, whole: picture }) : picture.data
}

describe('noise is found without being told', () => {
  test.each([5, 15, 25, 50])('of deviation %d within a tenth', (deviation) => {
    for (const found of noiseOf(withNoise(clean, deviation, deviation)).spectra) {
      expect(Math.abs(found.fine / deviation - 1)).toBeLessThan(0.1)
      expect(found.low / found.fine).toBeLessThan(1.5)
    }
  })

  test('none in what has none, was drawn, or is too small to tell', () => {
    for (const { fine, middle, low } of noiseOf(clean).spectra) expect(Math.max(fine, middle, low)).toBeLessThan(1)
    const none = { fine: 0, middle: 0, low: 0 }
    expect(noiseOf(flat(64, 64, 90)).spectra).toEqual([none, none, none])
    expect(noiseOf(withNoise(flat(7, 40, 90), 20)).spectra).toEqual([none, none, none])
  })

  test('its cut ends are seen, and only those', () => {
    expect(noiseOf(withNoise(clean, 40)).cut).toEqual({ dark: true, light: true })
    const grey = { ...clean, data: withNoise(clean, 20).data.map((value) => 60 + value / 2) }
    expect(noiseOf(grey).cut).toEqual({ dark: false, light: false })
  })
})

test.each([
  [15, 8],
  [25, 9],
  [50, 9],
])('noise of deviation %d becomes at least %d dB less', (deviation, gain) => {
  const source = withNoise(clean, deviation, 3)
  expect(psnr(applied(source), clean.data)).toBeGreaterThan(psnr(source.data, clean.data) + gain)
})

test('noise that was compressed since is found where compression left it, and taken out', async () => {
  const weak = withNoise(clean, 8)
  const grey = { ...weak, data: weak.data.map((_, at) => weak.data[at - (at % 3)] ?? 0) }
  const file = await sharp(await png(grey))
    .jpeg({ quality: 75 })
    .toBuffer()
  const source = { ...clean, data: new Uint8Array(await sharp(file).toColourspace('srgb').raw().toBuffer()) }
  const [{ fine, middle }] = noiseOf(source).spectra
  expect(middle).toBeGreaterThan(1.3 * fine)
  const before = clean.data.map((_, at) => clean.data[at - (at % 3)] ?? 0)
  expect(psnr(applied(source), before)).toBeGreaterThan(psnr(source.data, before) + 4)
})

test('black under noise is black again, not grey', () => {
  const source = withNoise({ ...clean, data: clean.data.map((value, at) => (at < clean.data.length / 3 ? 0 : value)) }, 25)
  const black = (samples: Uint8Array) =>
    samples.subarray(0, samples.length / 4).reduce((sum, value) => sum + value, 0) / (samples.length / 4)
  expect(black(source.data)).toBeGreaterThan(9)
  expect(black(applied(source))).toBeLessThan(2)
})

test('the engine gives the same, and gives clean and drawn pictures back byte for byte', async () => {
  const { seen } = await runAndRead('denoise', await png(noisy), {}, 'noisy.png')
  const samples = seen.data.filter((_, at) => at % 4 !== 3)
  expect(farthest(samples, applied(noisy))).toBeLessThanOrEqual(1)
  for (const source of [await png(clean), await screenshot(300, 200).png().toBuffer()]) {
    const { bytes, output } = await runAndRead('denoise', source, {}, 'clean.png')
    expect([bytes.equals(source), output.note]).toEqual([true, { kind: 'unchanged' }])
  }
})

test('strength 0 changes nothing, more changes more, half is what auto does', () => {
  const change = (amount: number) => -psnr(applied(noisy, amount), noisy.data)
  expect(denoise.measure(noisy, by(0), {})).toBeUndefined()
  const changes = [10, 30, 50, 75, 100].map(change)
  expect(changes).toEqual(changes.toSorted((a, b) => a - b))
  expect(new Set(changes).size).toBe(5)
  expect(applied(noisy, 50)).toEqual(applied(noisy))
})

test('parts are what the whole has there', () => {
  const measure = denoise.measure(noisy, by(), {})
  if (!measure) throw new Error('no noise was found')
  const whole = { ...noisy, data: applied(noisy) }
  for (const [left, top, width, height] of [
    [0, 0, 288, 50],
    [0, 50, 288, 71],
    [33, 101, 90, 91],
    [287, 191, 1, 1],
  ] as const) {
    const part = applyTo(denoise, noisy, measure, { left, top, width, height })
    for (let y = 0; y < height; y++) {
      const from = ((top + y) * whole.width + left) * 3
      expect(
        farthest(part.data.subarray(y * width * 3, (y + 1) * width * 3), whole.data.subarray(from, from + width * 3)),
      ).toBeLessThanOrEqual(1)
    }
  }
})

test('grey stays grey, and transparency stays', async () => {
  const grey = noisy.data.map((_, at) => noisy.data[at - (at % 3)] ?? 0)
  const result = applied({ ...noisy, data: grey })
  expect(result.every((value, at) => value === result[at - (at % 3)])).toBe(true)
  expect(psnr(result, grey)).toBeLessThan(40)
  const { width, height } = noisy
  const alpha = Buffer.from(Array.from({ length: width * height }, (_, at) => (at % width) % 256))
  const clear = await sharp(await png(noisy))
    .joinChannel(alpha, { raw: { width, height, channels: 1 } })
    .png()
    .toBuffer()
  const { seen } = await runAndRead('denoise', clear, {}, 'clear.png')
  expect(Buffer.from(seen.data.filter((_, at) => at % 4 === 3)).equals(alpha)).toBe(true)
})

test.each([
  [1, 1],
  [3, 2],
  [8, 8],
  [1, 60],
  [60, 1],
])('%d × %d pixels are no trouble, whatever is in them', (width, height) => {
  for (const value of [0, 90, 255]) {
    const one = flat(width, height, value)
    expect(applied(one)).toEqual(one.data)
    expect(farthest(applied(one, 100), one.data)).toBeLessThanOrEqual(1)
    expect(applied(withNoise(one, 20), 100)).toHaveLength(one.data.length)
  }
})
