import type { Steps } from './jpeg-tables.ts'
import { addInverse8, forward8 } from '../math/dct8.ts'
import type { Plane } from '../math/plane.ts'
import { slideDct } from '../math/sliding-dct.ts'

/** How strongly a plane is restored. */
export interface Force {
  /** Bounds and deviations by those that are usual. */
  readonly factor: number
  /** How far from what the file says a frequency may move, in halves of its step; nothing binds it without. */
  readonly freedom?: number
}

/** The rectangle of a plane whose samples are the picture's own. */
export interface Own {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** Bounds of the first stage and deviations of the second, as shares of the steps; found on photos at qualities 10, 20 and 40. */
const [BOUND, DEVIATION] = [0.65, 0.3]

/** The mean of the five steps that matter most in a photo: the lowest frequencies but the mean. */
export const coarseness = (steps: Steps): number => [1, 2, 8, 9, 16].reduce((sum, at) => sum + (steps[at] ?? 1) / 5, 0)

/**
 * How far off a frequency of a square at any place is expected to be. Squares between the file's own mix its frequencies, so steps count by their square
 * root only: found to be better than equal levels and than the steps themselves.
 */
function levelsOf(steps: Steps, share: number): Float32Array {
  const middle = coarseness(steps)
  return Float32Array.from(steps, (step) => share * Math.sqrt(middle * step))
}

/** One square to orthonormal frequencies times 8, or those back to samples times 64. */
function toFrequencies({ data, width }: Plane, at: number, block: Float64Array): void {
  for (let row = 0; row < 8; row++) forward8(data, at + row * width, 1, block, row * 8, 1)
  for (let column = 0; column < 8; column++) forward8(block, column, 8, block, column, 8)
}

/** Squares of the file's own, brought back to what their quantised frequencies can have been (Zakhor 1992; narrower, Park and Lee 1999). */
function project(plane: Plane, source: Plane, steps: Steps, freedom: number, { left, top, right, bottom }: Own, middle: number): void {
  const [block, was, half] = [new Float64Array(64), new Float64Array(64), new Float64Array(64)]
  for (let y = Math.ceil(top / 8) * 8; y + 8 <= bottom; y += 8)
    for (let x = Math.ceil(left / 8) * 8; x + 8 <= right; x += 8) {
      const start = y * plane.width + x
      toFrequencies(plane, start, block)
      toFrequencies(source, start, was)
      for (let at = 0; at < 64; at++) {
        const step = (steps[at] ?? 1) * 8
        const offset = at === 0 ? middle * 64 : 0
        const told = Math.round(((was[at] ?? 0) - offset) / step) * step + offset
        const most = (freedom * step) / 2
        block[at] = Math.min(told + most, Math.max(told - most, block[at] ?? 0))
      }
      half.fill(0)
      was.fill(0)
      for (let column = 0; column < 8; column++) addInverse8(block, column, 8, half, column, 8)
      for (let row = 0; row < 8; row++) addInverse8(half, row * 8, 1, was, row * 8, 1)
      for (let at = 0; at < 64; at++) plane.data[start + (at >> 3) * plane.width + (at & 7)] = (was[at] ?? 0) / 64
    }
}

/**
 * A plane without the errors of its compression: squares at all places, not only at the file's own (as shifted re-compression does: Nosratinia 2001),
 * shrunk in two stages, then held to what the file says. `middle` is the sample that stands for nought.
 */
export function restored(plane: Plane, steps: Steps, { factor, freedom }: Force, own: Own, middle: number): Plane {
  const pilot = slideDct(plane, { step: 1, levels: levelsOf(steps, BOUND * factor) })
  const variances = levelsOf(steps, DEVIATION * factor).map((level) => level * level)
  const result = slideDct(plane, { step: 1, levels: variances, pilot })
  if (freedom !== undefined) project(result, plane, steps, freedom, own, middle)
  return result
}
