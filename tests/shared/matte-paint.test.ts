import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Matte } from '#shared/matte/matte'
import { paintStrokes } from '#shared/matte/paint'
import type { Stroke } from '#shared/strokes'

const plain = (width: number, height: number, alpha: number): Matte => ({ data: new Uint8Array(width * height).fill(alpha), width, height })

const place = fc.double({ min: -0.3, max: 1.3, noNaN: true })
const stroke = fc.record<Stroke>({
  mode: fc.constantFrom('keep', 'erase'),
  size: fc.double({ min: 0.01, max: 0.6, noNaN: true }),
  hardness: fc.double({ min: 0, max: 1, noNaN: true }),
  points: fc.array(fc.tuple(place, place), { minLength: 1, maxLength: 6 }).map((points) => points.flat()),
})
const sides = fc.record({ width: fc.integer({ min: 1, max: 40 }), height: fc.integer({ min: 1, max: 40 }) })

/** The distance of a pixel's centre from a stroke's line, looked for the slow way: along each piece, then the nearer end. */
function distanceFrom({ points }: Stroke, { width, height }: Matte, x: number, y: number): number {
  const path = Array.from(
    { length: points.length / 2 },
    (_, at) => [(points[2 * at] ?? 0) * width, (points[2 * at + 1] ?? 0) * height] as const,
  )
  const [px, py] = [x + 0.5, y + 0.5]
  const toLines = path.slice(1).map(([bx, by], at) => {
    const [ax, ay] = path[at] ?? [0, 0]
    const length = Math.hypot(bx - ax, by - ay)
    const along = ((px - ax) * (bx - ax) + (py - ay) * (by - ay)) / length
    const isBeside = along >= 0 && along <= length
    return isBeside ? Math.abs((px - ax) * (by - ay) - (py - ay) * (bx - ax)) / length : Infinity
  })
  return Math.min(...toLines, ...path.map(([ax, ay]) => Math.hypot(px - ax, py - ay)))
}

test('a stroke is full within its core, fades evenly to its rim and ends there, on every matte', () => {
  fc.assert(
    fc.property(sides, stroke, ({ width, height }, one) => {
      const before = plain(width, height, one.mode === 'keep' ? 0 : 255)
      const after = paintStrokes(before, [one])
      const radius = (one.size * Math.max(width, height)) / 2
      // A rim is at least a pixel wide.
      const middle = (radius * (1 + one.hardness)) / 2
      const half = Math.max(radius * (1 - one.hardness), 1) / 2
      for (let at = 0; at < before.data.length; at++) {
        const distance = distanceFrom(one, before, at % width, Math.floor(at / width))
        const strength = Math.min(1, Math.max(0, (middle + half - distance) / (2 * half)))
        const changed = one.mode === 'keep' ? (after.data[at] ?? 0) : 255 - (after.data[at] ?? 0)
        expect(Math.abs(changed - 255 * strength)).toBeLessThanOrEqual(1)
      }
    }),
    { seed: 11, numRuns: 300 },
  )
})

test('keeping never takes from the subject, erasing never adds to it, and what was given is left as it was', () => {
  const anyMatte = sides.chain(({ width, height }) =>
    fc.uint8Array({ minLength: width * height, maxLength: width * height }).map((data): Matte => ({ data, width, height })),
  )
  fc.assert(
    fc.property(anyMatte, stroke, (matte, one) => {
      const given = matte.data.slice()
      const after = paintStrokes(matte, [one]).data
      expect(matte.data).toEqual(given)
      expect(after.every((alpha, at) => (one.mode === 'keep' ? alpha >= (given[at] ?? 0) : alpha <= (given[at] ?? 0)))).toBe(true)
    }),
    { seed: 12 },
  )
})

test('passing a place again in one stroke adds nothing; a second stroke does', () => {
  const soft = { mode: 'keep', size: 0.3, hardness: 0 } as const
  const matte = plain(100, 60, 0)
  const once = paintStrokes(matte, [{ ...soft, points: [0.2, 0.5, 0.8, 0.5] }])
  const backAndForth = paintStrokes(matte, [{ ...soft, points: [0.2, 0.5, 0.8, 0.5, 0.2, 0.5, 0.5, 0.5, 0.35, 0.5] }])
  expect(backAndForth.data).toEqual(once.data)
  const twice = paintStrokes(once, [{ ...soft, points: [0.2, 0.5, 0.8, 0.5] }])
  expect(twice.data[25 * 100 + 50]).toBeGreaterThan((once.data[25 * 100 + 50] ?? 0) + 20)
})

test('strokes count in their order', () => {
  const dab = { size: 0.5, hardness: 1, points: [0.5, 0.5] } as const
  const middle = (modes: readonly Stroke['mode'][]) =>
    paintStrokes(
      plain(20, 20, 128),
      modes.map((mode) => ({ ...dab, mode })),
    ).data[10 * 20 + 10]
  expect(middle(['keep', 'erase'])).toBe(0)
  expect(middle(['erase', 'keep'])).toBe(255)
})

test('on a preview the same strokes make the smaller picture of what they make at full size', () => {
  const strokes: Stroke[] = [
    { mode: 'keep', size: 0.2, hardness: 0.3, points: [0.1, 0.2, 0.5, 0.7, 0.9, 0.3] },
    { mode: 'erase', size: 0.1, hardness: 0.6, points: [0.3, 0.1, 0.4, 0.9] },
  ]
  const full = paintStrokes(plain(800, 600, 0), strokes)
  const preview = paintStrokes(plain(200, 150, 0), strokes)
  // Where a profile bends, the middle of four pixels is not their mean: by an eighth of the bend, 255 levels over a rim of four pixels.
  for (let y = 0; y < 150; y++) {
    for (let x = 0; x < 200; x++) {
      let sum = 0
      for (let row = 4 * y; row < 4 * y + 4; row++) for (let at = 4 * x; at < 4 * x + 4; at++) sum += full.data[row * 800 + at] ?? 0
      expect(Math.abs((preview.data[y * 200 + x] ?? 0) - sum / 16)).toBeLessThanOrEqual(8)
    }
  }
})

/** A path of this many points all over the picture and beside it. */
const wild = (count: number, seed: number): number[] => {
  let state = seed
  return Array.from({ length: 2 * count }, () => ((state = (state * 48_271) % 2_147_483_647) / 2_147_483_647) * 1.4 - 0.2)
}

test.each([
  [160, 120, 0.3, 1],
  [160, 120, 0.3, 0],
  [700, 500, 0.4, 1],
  [700, 500, 0.25, 0.5],
  [90, 600, 0.1, 0],
])(
  'a stroke that goes over the same places many times is what its pieces are together: %i×%i, size %f, hardness %f',
  (width, height, size, hardness) => {
    for (const seed of [1, 2, 3]) {
      // Few of its points lie far out, so that some of the picture is left between.
      const crowded = {
        mode: 'keep',
        size,
        hardness,
        points: wild(12, seed).concat(wild(100, seed + 50).map((far) => 0.2 * far)),
      } as const
      const { data } = paintStrokes(plain(width, height, 0), [crowded])
      const radius = (size * Math.max(width, height)) / 2
      const half = Math.max(radius * (1 - hardness), 1) / 2
      const middle = (radius * (1 + hardness)) / 2
      const differences: number[] = []
      for (let at = 0; at < data.length; at += 211) {
        const distance = distanceFrom(crowded, plain(width, height, 0), at % width, Math.floor(at / width))
        differences.push(Math.abs((data[at] ?? 0) - 255 * Math.min(1, Math.max(0, (middle + half - distance) / (2 * half)))))
      }
      expect(Math.max(...differences)).toBeLessThanOrEqual(3)
    }
  },
)

// Piece by piece, these would be a hundred thousand million pixels.
test('wild strokes with wide brushes take no longer than a few simple ones', () => {
  const strokes = Array.from({ length: 10 }, (_, at) => ({ mode: 'keep', size: 0.5, hardness: 0.5, points: wild(2000, at + 1) }) as const)
  expect(paintStrokes(plain(3000, 2000, 0), strokes).data.every((alpha) => alpha === 255)).toBe(true)
})
