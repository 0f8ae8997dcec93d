import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { randomFrom } from '../fixtures/pictures.ts'
import { compileKernel, kernels, moduleOf } from '#build/kernels'
import { addInverse8, forward8 } from '#shared/effects/math/dct8'
import type { Plane } from '#shared/effects/math/plane'
import { slideDct } from '#shared/effects/math/sliding-dct'

const random = randomFrom(5)
const plane = (width: number, height: number): Plane => ({
  data: Float32Array.from({ length: width * height }, () => 255 * random()),
  width,
  height,
})

/** An orthonormal frequency of a square, by the definition. */
function frequency(samples: ArrayLike<number>, u: number, v: number): number {
  let sum = 0
  for (let y = 0; y < 8; y++)
    for (let x = 0; x < 8; x++)
      sum += (samples[y * 8 + x] ?? 0) * Math.cos((Math.PI * (x + 0.5) * u) / 8) * Math.cos((Math.PI * (y + 0.5) * v) / 8)
  return (sum * (u ? 1 : Math.SQRT1_2) * (v ? 1 : Math.SQRT1_2)) / 4
}

const far = (a: Plane, b: Plane): number => a.data.reduce((most, value, at) => Math.max(most, Math.abs(value - (b.data[at] ?? 0))), 0)

test.each(kernels)(
  '%s compiled again gives the same bytes',
  async (name) => {
    expect(await compileKernel(name)).toBe(readFileSync(moduleOf(name), 'utf8'))
  },
  60_000,
)

test('eight samples to frequencies and back', () => {
  const samples = plane(8, 8).data
  const there = new Float64Array(64)
  for (let y = 0; y < 8; y++) forward8(samples, y * 8, 1, there, y * 8, 1)
  for (let x = 0; x < 8; x++) forward8(there, x, 8, there, x, 8)
  for (const [u, v] of [
    [0, 0],
    [1, 0],
    [0, 3],
    [5, 2],
    [7, 7],
  ] as const) {
    expect((there[v * 8 + u] ?? 0) / 8).toBeCloseTo(frequency(samples, u, v), 3)
  }
  const half = new Float64Array(64)
  const back = new Float64Array(64)
  for (let x = 0; x < 8; x++) addInverse8(there, x, 8, half, x, 8)
  for (let y = 0; y < 8; y++) addInverse8(half, y * 8, 1, back, y * 8, 1)
  back.forEach((value, at) => expect(value / 64).toBeCloseTo(samples[at] ?? 0, 3))
})

test('bounds of nought change nothing', () => {
  const one = plane(29, 40)
  expect(far(slideDct(one, { step: 1, levels: new Float32Array(64) }), one)).toBeLessThan(1e-3)
})

test('one square is cut at its bounds, each frequency at its own, and never its mean', () => {
  const one = plane(8, 8)
  const levels = Float32Array.from({ length: 64 }, (_, at) => (at === 11 ? 0 : 1e6))
  const out = slideDct(one, { step: 1, levels })
  for (let at = 0; at < 64; at++) {
    const kept = at === 11 || at === 0 ? frequency(one.data, at % 8, at >> 3) : 0
    expect(frequency(out.data, at % 8, at >> 3)).toBeCloseTo(kept, 2)
  }
})

test('with a pilot each frequency is damped by what the pilot has of it', () => {
  const [one, pilot] = [plane(8, 8), plane(8, 8)]
  const out = slideDct(one, { step: 1, levels: new Float32Array(64).fill(900), pilot })
  for (const [u, v] of [
    [1, 0],
    [2, 5],
    [7, 7],
  ] as const) {
    const power = frequency(pilot.data, u, v) ** 2
    expect(frequency(out.data, u, v)).toBeCloseTo((frequency(one.data, u, v) * power) / (power + 900), 2)
  }
})
