import { expect, test } from 'vitest'
import { composite, mixed } from '../fixtures/composites.ts'
import { widened } from '#engine/image/frames'
import type { Pixels } from '#engine/image/pixels'
import { estimateForeground } from '#engine/matte/foreground'
import type { Matte } from '#shared/matte/matte'

/** The mean square error of colours (0..1) where subject and ground are mixed. */
function colourError(truth: Pixels, found: Pixels, { data }: Matte): number {
  let [sum, count] = [0, 0]
  data.forEach((alpha, at) => {
    if (alpha <= 0.05 * 255 || alpha === 255) return
    for (let channel = 0; channel < 3; channel++)
      sum += (((truth.data[3 * at + channel] ?? 0) - (found.data[3 * at + channel] ?? 0)) / 255) ** 2
    count += 3
  })
  return sum / count
}

/** A flat colour in three channels. */
const flat = (width: number, height: number, colour: readonly number[]): Pixels => ({
  data: Buffer.from(Array.from({ length: width * height }, () => colour).flat()),
  width,
  height,
  channels: 3,
})
const ramp: Matte = {
  width: 240,
  height: 90,
  data: Uint8Array.from({ length: 240 * 90 }, (_, at) => Math.max(0, Math.min(255, 2 * ((at % 240) - 50)))),
}

test.each([
  [400, 300],
  [900, 700],
  [2600, 1900],
])('finds the colours of hair at %i×%i to 1e-3', async (width, height) => {
  for (const seed of [1, 2, 3]) {
    const { alpha, subject, picture } = await composite(width, height, seed)
    const error = colourError(subject, estimateForeground(picture, alpha), alpha)
    expect(error).toBeLessThan(1e-3)
    expect(error).toBeLessThan(colourError(subject, picture, alpha) / 8)
  }
})

test('a soft edge between two flat colours has the subject’s alone', () => {
  const [red, blue] = [flat(240, 90, [200, 40, 30]), flat(240, 90, [20, 60, 220])]
  const found = estimateForeground(mixed(red, blue, ramp), ramp)
  ramp.data.forEach((alpha, at) => {
    if (alpha < 13) return
    for (let channel = 0; channel < 3; channel++) {
      expect(Math.abs((found.data[3 * at + channel] ?? 0) - (red.data[channel] ?? 0))).toBeLessThanOrEqual(alpha < 50 ? 12 : 4)
    }
  })
})

test('leaves the picture as it is in the subject and far from it, and what was given untouched', async () => {
  const { alpha, picture } = await composite(700, 500, 2)
  const given = Buffer.from(picture.data)
  const found = estimateForeground(picture, alpha)
  expect(picture.data.equals(given)).toBe(true)
  const isPure = alpha.data.map((value, at) => (value === 255 || at % 700 < 60 ? 1 : 0))
  expect(found.data.every((value, at) => isPure[Math.floor(at / 3)] === 0 || value === picture.data[at])).toBe(true)
})

test('gives three channels for any picture, alpha left out', async () => {
  const { alpha, picture } = await composite(300, 200, 3)
  const three = estimateForeground(picture, alpha)
  expect(estimateForeground(widened(picture, 4), alpha)).toEqual(three)
  const grey: Pixels = { width: 300, height: 200, channels: 1, data: Buffer.from(alpha.data) }
  expect(estimateForeground(grey, alpha)).toEqual(estimateForeground(widened(grey, 3), alpha))
  expect(estimateForeground(widened(grey, 2), alpha)).toEqual(estimateForeground(grey, alpha))
})

test.each([
  [1, 1],
  [3, 3000],
  [3000, 1],
  [129, 65],
])('takes pictures of %i×%i, of nothing, of all and of mixed', (width, height) => {
  const picture = flat(width, height, [10, 200, 90])
  for (const alpha of [0, 100, 255]) {
    const found = estimateForeground(picture, { width, height, data: new Uint8Array(width * height).fill(alpha) })
    expect(found.data.every((value, at) => Math.abs(value - (picture.data[at] ?? 0)) <= 1)).toBe(true)
  }
})
