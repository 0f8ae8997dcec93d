import type { Rgb } from '../effect.ts'
import { labOf } from '../math/lab.ts'

/** How many pixels are looked at, at most. */
const SAMPLES = 40_000
const SHADES = 16
/** How far colours of one lightness must lie apart, in Lab's units, to be more than a print's tint and what a scanner or a JPEG made of it. */
const APART = 7

/**
 * Whether a picture is clearly in colour. A tinted print has one colour for each lightness; a colour photo has many: what counts is how far colours lie
 * from the mean of their lightness (root of the mean square).
 */
export function isInColour({ data, width, height }: Rgb): boolean {
  const count = width * height
  const step = Math.max(1, Math.floor(count / SAMPLES))
  const taken = Math.ceil(count / step)
  const samples = new Uint8Array(taken * 3)
  for (let at = 0; at < taken; at++) for (let c = 0; c < 3; c++) samples[at * 3 + c] = data[at * step * 3 + c] ?? 0
  const { l, a, b } = labOf({ data: samples, width: taken, height: 1 })
  const sums = new Float64Array(SHADES * 3)
  const shadeOf = (at: number): number => Math.min(SHADES - 1, Math.floor(((l[at] ?? 0) / 100) * SHADES)) * 3
  const add = (to: number, value: number): void => void (sums[to] = (sums[to] ?? 0) + value)
  for (let at = 0; at < taken; at++) {
    const shade = shadeOf(at)
    add(shade, a[at] ?? 0)
    add(shade + 1, b[at] ?? 0)
    add(shade + 2, 1)
  }
  let apart = 0
  for (let at = 0; at < taken; at++) {
    const shade = shadeOf(at)
    const many = sums[shade + 2] ?? 1
    apart += ((a[at] ?? 0) - (sums[shade] ?? 0) / many) ** 2 + ((b[at] ?? 0) - (sums[shade + 1] ?? 0) / many) ** 2
  }
  return Math.sqrt(apart / taken) > APART
}
