import { luma601 } from '../math/luma.ts'
import type { Rgb } from '#shared/effects/effect'
import { resample } from '#shared/effects/math/resample'
import { blurPlane, blurReach, type Plane } from '#shared/matte/blur'

/** Levels of noise and of the edges of JPEG blocks that nobody minds when they are enlarged. */
const HARMLESS = 1.5
/** Detail this many times as strong as what disturbs is taken for the picture's own. */
const OWN = 3
const SPREAD = 1.5
/** Side of the squares whose noise is measured; the calmest fifth of them tells it. */
const SQUARE = 16
const CALM = 0.2
const MOST_SQUARES = 1500

const lumaAt = (data: Uint8Array, at: number): number => luma601(data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0)

/** The mean size of Immerkær's second difference in a square ("Fast noise variance estimation", 1996), as a deviation; how level it is not to be told from. */
function noiseIn({ data, width }: Rgb, left: number, top: number): number {
  let sum = 0
  for (let y = top + 1; y < top + SQUARE - 1; y++) {
    for (let x = left + 1; x < left + SQUARE - 1; x++) {
      const at = (y * width + x) * 3
      const line = (from: number): number => lumaAt(data, from - 3) - 2 * lumaAt(data, from) + lumaAt(data, from + 3)
      sum += Math.abs(line(at - width * 3) - 2 * line(at) + line(at + width * 3))
    }
  }
  return (Math.sqrt(Math.PI / 2) * sum) / (6 * (SQUARE - 2) ** 2)
}

/** How much larger steps over the sides of 8 by 8 blocks are than steps beside them, in levels, in rows of the picture. */
function blocksIn({ data, width, height }: Rgb): number {
  const sums = [0, 0]
  let count = 0
  const rows = Math.max(1, Math.floor((height * width) / 400_000))
  for (let y = 0; y < height; y += rows) {
    for (let x = 8; x + 2 < width; x += 8) {
      const at = (y * width + x) * 3
      const step = (from: number): number => Math.abs(lumaAt(data, from) - lumaAt(data, from - 3))
      const beside = (step(at - 3) + step(at + 3)) / 2
      // Where the picture itself is restless the difference tells nothing.
      if (beside > 6) continue
      sums[0] = (sums[0] ?? 0) + step(at)
      sums[1] = (sums[1] ?? 0) + beside
      count += 1
    }
  }
  return count < 50 ? 0 : Math.max(0, ((sums[0] ?? 0) - (sums[1] ?? 0)) / count)
}

/** What disturbs a picture and should not be made more of: noise or the edges of JPEG blocks, in levels (about a standard deviation); 0 for a clean one. */
export function disturbanceOf(picture: Rgb): number {
  const { width, height } = picture
  const [columns, rows] = [Math.floor(width / SQUARE), Math.floor(height / SQUARE)]
  const step = Math.max(1, Math.floor((columns * rows) / MOST_SQUARES))
  const found: number[] = []
  for (let at = 0; at < columns * rows; at += step) found.push(noiseIn(picture, (at % columns) * SQUARE, Math.floor(at / columns) * SQUARE))
  const noise = found.toSorted((left, right) => left - right)[Math.floor(found.length * CALM)] ?? 0
  return Math.max(0, Math.max(noise, 2 * blocksIn(picture)) - HARMLESS)
}

/** How far the share of a pixel depends on others, in pixels of the small picture. */
export const SHARE_REACH = 2 * blurReach(SPREAD) + 2

/**
 * How much of the detail that a net adds each pixel of the enlarged picture is to have, 0..1: all of it where the small picture is livelier than
 * what disturbs it (Wiener's ratio of variances), little where it is calm.
 */
export function sharesOf(luma: Plane, disturbance: number, times: number): Plane {
  const mean = { ...luma, data: luma.data.slice() }
  blurPlane(mean, SPREAD)
  const variance = { ...luma, data: new Float32Array(luma.data.length) }
  for (let at = 0; at < mean.data.length; at++) variance.data[at] = ((luma.data[at] ?? 0) - (mean.data[at] ?? 0)) ** 2
  blurPlane(variance, SPREAD)
  const floor = (OWN * disturbance) ** 2
  const shares = { ...luma, data: variance.data.map((value) => value / (value + floor + 1e-6)) }
  return resample(shares, { width: luma.width * times, height: luma.height * times }, 'cubic')
}
