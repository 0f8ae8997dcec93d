import { expect, test } from 'vitest'
import { photoSamples } from '../fixtures/pictures.ts'
import type { Effect } from '#shared/effects/effect'
import { applyTo, stripsOf } from '#shared/effects/parts'

/** The mean of a square around each pixel, as far as the part goes: wrong near a cut edge. */
const mean: Effect<never, number> = {
  measure: () => 3,
  reach: (radius) => radius,
  apply: ({ data, width, height }, radius) => {
    const out = new Uint8Array(data.length)
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++)
        for (let c = 0; c < 3; c++) {
          let [sum, count] = [0, 0]
          for (let v = Math.max(0, y - radius); v <= Math.min(height - 1, y + radius); v++)
            for (let u = Math.max(0, x - radius); u <= Math.min(width - 1, x + radius); u++, count++)
              sum += data[(v * width + u) * 3 + c] ?? 0
          out[(y * width + x) * 3 + c] = Math.round(sum / count)
        }
    return out
  },
}

test('a part of a picture is what the whole has there, at its edges too', () => {
  const picture = { data: new Uint8Array(photoSamples(50, 40)), width: 50, height: 40 }
  const whole = { ...picture, data: mean.apply(picture, 3, { left: 0, top: 0, whole: picture }) }
  for (const [left, top, width, height] of [
    [0, 0, 20, 10],
    [30, 25, 20, 15],
    [10, 12, 7, 9],
  ] as const) {
    const part = applyTo(mean, picture, 3, { left, top, width, height })
    for (let y = 0; y < height; y++) {
      const from = ((top + y) * 50 + left) * 3
      expect(part.data.subarray(y * width * 3, (y + 1) * width * 3)).toEqual(whole.data.subarray(from, from + width * 3))
    }
  }
})

test('strips cover a picture once', () => {
  for (const [width, height] of [
    [4000, 3000],
    [1, 5000],
    [30_000, 7],
  ] as const) {
    const strips = stripsOf({ data: new Uint8Array(), width, height })
    expect(strips.reduce((rows, strip) => rows + strip.height, 0)).toBe(height)
    expect(strips.every(({ top }, at) => top === strips.slice(0, at).reduce((rows, strip) => rows + strip.height, 0))).toBe(true)
  }
})
