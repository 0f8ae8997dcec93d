import fc from 'fast-check'
import { expect, test } from 'vitest'
import { adjustEdges } from '#shared/matte/edges'
import type { Matte } from '#shared/matte/matte'

const drawn = (width: number, height: number, alphaAt: (x: number, y: number) => number): Matte => ({
  data: Uint8Array.from({ length: width * height }, (_, at) => Math.round(alphaAt(at % width, Math.floor(at / width)))),
  width,
  height,
})
const inRange = (value: number): number => Math.min(255, Math.max(0, value))
const at = ({ data, width }: Matte, x: number, y: number): number => data[y * width + x] ?? 0

const anyMatte = fc
  .record({ width: fc.integer({ min: 1, max: 48 }), height: fc.integer({ min: 1, max: 48 }) })
  .chain(({ width, height }) => {
    // Mostly ground and subject, as mattes are.
    const alpha = fc.oneof(fc.constant(0), fc.constant(255), fc.integer({ min: 0, max: 255 }))
    return fc
      .array(alpha, { minLength: width * height, maxLength: width * height })
      .map((data): Matte => ({ data: Uint8Array.from(data), width, height }))
  })

test.each([0.5, 1, 2.5, 7, 20, -0.5, -3, -12.5])('an edge of any direction moves by %f px and keeps its softness', (shift) => {
  const across = (x: number): number => inRange(127.5 + 20 * (90 - x))
  for (const turn of [0, Math.PI / 2, Math.PI / 4]) {
    const [cosine, sine] = [Math.cos(turn), Math.sin(turn)]
    const place = (x: number, y: number): number => 90 + (x - 90) * cosine + (y - 90) * sine
    const moved = adjustEdges(
      drawn(180, 180, (x, y) => across(place(x, y))),
      { shift, feather: 0, scale: 1 },
    )
    for (let y = 40; y < 140; y++) {
      // Between pixels the corners of a profile are cut: by a quarter of a pixel at most, which is five levels here.
      const most = Number.isInteger(shift) && turn !== Math.PI / 4 ? 1 : 5
      for (let x = 40; x < 140; x++) expect(Math.abs(at(moved, x, y) - across(place(x, y) - shift))).toBeLessThanOrEqual(most)
    }
  }
})

test('a point grows to a disc', () => {
  const point = drawn(64, 64, (x, y) => (x === 32 && y === 32 ? 255 : 0))
  const grown = adjustEdges(point, { shift: 9, feather: 0, scale: 1 })
  const distances = Array.from(grown.data, (_, place) => Math.hypot((place % 64) - 32, Math.floor(place / 64) - 32))
  expect(distances.every((distance, place) => distance > 9 || grown.data[place] === 255)).toBe(true)
  expect(distances.every((distance, place) => distance <= 10 || grown.data[place] === 0)).toBe(true)
})

test('expanded, a matte contains what it was, contracted it is contained, and both are each other seen from the ground', () => {
  fc.assert(
    fc.property(anyMatte, fc.integer({ min: 1, max: 40 }), (matte, halves) => {
      const shift = halves / 2
      const larger = adjustEdges(matte, { shift, feather: 0, scale: 1 })
      const smaller = adjustEdges(matte, { shift: -shift, feather: 0, scale: 1 })
      expect(larger.data.every((alpha, place) => alpha >= (matte.data[place] ?? 0))).toBe(true)
      expect(smaller.data.every((alpha, place) => alpha <= (matte.data[place] ?? 0))).toBe(true)
      const ground = { ...matte, data: matte.data.map((alpha) => 255 - alpha) }
      const seenFromGround = adjustEdges(ground, { shift, feather: 0, scale: 1 }).data
      expect(smaller.data.every((alpha, place) => Math.abs(alpha - (255 - (seenFromGround[place] ?? 0))) <= 1)).toBe(true)
    }),
    { seed: 21, numRuns: 150 },
  )
})

/** The error function to 2e-7 (Abramowitz and Stegun 7.1.26). */
function erf(x: number): number {
  const t = 1 / (1 + 0.3275911 * Math.abs(x))
  const tail = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429)))) * Math.exp(-x * x)
  return Math.sign(x) * (1 - tail)
}

test.each([1, 3, 6.5, 20, 50])('a feather of %f px makes a step the edge a Gaussian would', (feather) => {
  const soft = adjustEdges(
    drawn(300, 40, (x) => (x < 150 ? 255 : 0)),
    { shift: 0, feather, scale: 1 },
  )
  for (let x = 0; x < 300; x++) {
    const expected = 127.5 * (1 - erf((x + 0.5 - 150) / ((feather / 2) * Math.SQRT2)))
    expect(Math.abs(at(soft, x, 20) - expected)).toBeLessThanOrEqual(feather < 2 ? 14 : 4)
  }
})

test('nothing changes far from edges, nor where the subject touches the sides of the picture', () => {
  const matte = drawn(300, 200, (_, y) => (y < 100 ? 0 : 255))
  const changed = adjustEdges(matte, { shift: -5, feather: 10, scale: 1 })
  for (const y of [0, 50, 150, 199]) for (const x of [0, 150, 299]) expect(at(changed, x, y)).toBe(at(matte, x, y))
  expect(at(changed, 0, 105)).toBe(at(changed, 150, 105))
  const full = drawn(100, 100, () => 255)
  expect(adjustEdges(full, { shift: -20, feather: 50, scale: 1 }).data).toEqual(full.data)
})

test('a preview takes the pixels of the whole picture in its own scale', () => {
  const matte = drawn(80, 80, (x, y) => inRange(300 - 12 * Math.hypot(x - 40, y - 40)))
  const preview = adjustEdges(matte, { shift: 8, feather: 6, scale: 0.25 })
  expect(preview.data).toEqual(adjustEdges(matte, { shift: 2, feather: 1.5, scale: 1 }).data)
})
