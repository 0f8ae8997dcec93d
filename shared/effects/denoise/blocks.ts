import { forward8 } from '../math/dct8.ts'
import type { Rgb } from '../effect.ts'

/** Squares that are looked at of a large picture. */
const MOST_BLOCKS = 10_000
/** Shares of samples cut off above which a square tells nothing of its noise. */
const MOST_CLIPPED = 0.05

/** What squares of 8 × 8 of a picture tell, one number a square in each array. */
export interface Blocks {
  /** Of each opponent plane, the mean square of lower and of higher frequencies. */
  readonly lower: readonly Float32Array[]
  readonly higher: readonly Float32Array[]
  /** Of each colour, its mean, and the shares of its samples that are 0 and 255. */
  readonly means: readonly Float32Array[]
  readonly dark: readonly Float32Array[]
  readonly light: readonly Float32Array[]
  /** Whether so few samples were cut off that noise can be told. */
  readonly isOpen: Uint8Array
  readonly count: number
}

const three = (count: number): Float32Array[] => [0, 1, 2].map(() => new Float32Array(count))

/** A sample of a picture made smaller by a whole number: the mean of a square of pixels from `from` on. */
function meanAt({ data, width }: Rgb, from: number, scale: number): number {
  if (scale === 1) return data[from] ?? 0
  let sum = 0
  for (let y = 0; y < scale; y++) for (let x = 0; x < scale; x++) sum += data[from + (y * width + x) * 3] ?? 0
  return sum / (scale * scale)
}

/** Reads one square: its samples as opponent planes into `planes`, what its colours tell into `blocks`. */
function readBlock(
  picture: Rgb,
  [left, top, scale]: readonly [number, number, number],
  planes: Float64Array,
  blocks: Blocks,
  at: number,
): void {
  let clipped = 0
  for (let c = 0; c < 3; c++) {
    let [sum, dark, light] = [0, 0, 0]
    for (let y = 0; y < 8; y++) {
      let from = ((top + y) * scale * picture.width + left * scale) * 3 + c
      for (let x = 0; x < 8; x++, from += 3 * scale) {
        const value = meanAt(picture, from, scale)
        planes[c * 64 + y * 8 + x] = value
        sum += value
        if (value === 0) dark++
        else if (value === 255) light++
      }
    }
    const [means, darks, lights] = [blocks.means[c], blocks.dark[c], blocks.light[c]]
    if (means) means[at] = sum / 64
    if (darks) darks[at] = dark / 64
    if (lights) lights[at] = light / 64
    clipped += dark + light
  }
  blocks.isOpen[at] = clipped <= MOST_CLIPPED * 192 ? 1 : 0
  for (let i = 0; i < 64; i++) {
    const red = planes[i] ?? 0
    const green = planes[64 + i] ?? 0
    const blue = planes[128 + i] ?? 0
    planes[i] = (red + green + blue) / Math.sqrt(3)
    planes[64 + i] = (red - blue) / Math.SQRT2
    planes[128 + i] = (red - 2 * green + blue) / Math.sqrt(6)
  }
}

/** Mean squares of lower and of higher frequencies (those whose numbers add up to 9 or more) of a square, in place. */
function energies(planes: Float64Array, plane: number): readonly [lower: number, higher: number] {
  const start = plane * 64
  for (let y = 0; y < 8; y++) forward8(planes, start + y * 8, 1, planes, start + y * 8, 1)
  for (let x = 0; x < 8; x++) forward8(planes, start + x, 8, planes, start + x, 8)
  let [lower, higher] = [0, 0]
  for (let v = 0; v < 8; v++)
    for (let u = 0; u < 8; u++) {
      const value = planes[start + v * 8 + u] ?? 0
      if (u + v >= 9) higher += value * value
      else if (u + v > 0) lower += value * value
    }
  return [lower / (42 * 64), higher / (21 * 64)]
}

/** Squares spread evenly over a picture made smaller by a whole number. */
export function blocksOf(picture: Rgb, scale: 1 | 2 | 4): Blocks {
  const [width, height] = [Math.floor(picture.width / scale), Math.floor(picture.height / scale)]
  const step = Math.max(3, Math.ceil(Math.sqrt((width * height) / MOST_BLOCKS)))
  const across = width < 8 ? 0 : Math.floor((width - 8) / step) + 1
  const count = height < 8 ? 0 : across * (Math.floor((height - 8) / step) + 1)
  const blocks: Blocks = {
    lower: three(count),
    higher: three(count),
    means: three(count),
    dark: three(count),
    light: three(count),
    isOpen: new Uint8Array(count),
    count,
  }
  const planes = new Float64Array(192)
  for (let at = 0; at < count; at++) {
    readBlock(picture, [(at % across) * step, Math.floor(at / across) * step, scale], planes, blocks, at)
    for (let plane = 0; plane < 3; plane++) {
      const [lower, higher] = energies(planes, plane)
      const [lowers, highers] = [blocks.lower[plane], blocks.higher[plane]]
      if (lowers) lowers[at] = lower
      if (highers) highers[at] = higher
    }
  }
  return blocks
}
