import { luma601 } from '../math/luma.ts'
import type { Steps } from './jpeg-tables.ts'
import type { Rgb } from '../effect.ts'
import { forward8 } from '../math/dct8.ts'

/** Where squares of 8 × 8 begin: modulo 8, from a picture's upper left corner. */
export interface Origin {
  readonly left: number
  readonly top: number
}

/** Squares of luma as orthonormal frequencies, 64 numbers each, sampled evenly over a picture. */
export function squaresOf({ data, width, height }: Rgb, { left, top }: Origin, most: number): Float32Array {
  const [across, down] = [Math.floor((width - left) / 8), Math.floor((height - top) / 8)]
  const step = Math.max(1, Math.ceil((across * down) / most))
  const count = Math.max(0, Math.ceil((across * down) / step))
  const out = new Float32Array(count * 64)
  const block = new Float64Array(64)
  for (let at = 0; at < count; at++) {
    const [x, y] = [left + 8 * ((at * step) % across), top + 8 * Math.floor((at * step) / across)]
    for (let n = 0; n < 64; n++) {
      const from = ((y + (n >> 3)) * width + x + (n & 7)) * 3
      block[n] = luma601(data[from] ?? 0, data[from + 1] ?? 0, data[from + 2] ?? 0) - 128
    }
    for (let row = 0; row < 64; row += 8) forward8(block, row, 1, block, row, 1)
    for (let column = 0; column < 8; column++) forward8(block, column, 8, block, column, 8)
    for (let n = 0; n < 64; n++) out[at * 64 + n] = (block[n] ?? 0) / 8
  }
  return out
}

/** Steps finer than this drown in the rounding of decoded samples. */
const LEAST_STEP = 3

/** How well frequencies lie on multiples of their steps, 1 for all exactly, near 0 for any others, and how many could tell. */
export function latticeFit(squares: Float32Array, steps: Steps): { readonly fit: number; readonly count: number } {
  let [sum, count] = [0, 0]
  for (let at = 0; at < squares.length; at++) {
    const step = steps[at % 64] ?? 1
    const value = squares[at] ?? 0
    // A nought lies on every lattice.
    if (step < LEAST_STEP || at % 64 === 0 || Math.abs(value) < 0.6 * step) continue
    sum += Math.cos((2 * Math.PI * value) / step)
    count++
  }
  return { fit: count === 0 ? 0 : sum / count, count }
}
