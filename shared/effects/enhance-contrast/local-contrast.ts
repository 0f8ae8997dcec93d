import type { Place } from '../effect.ts'
import type { Size } from '#shared/resize'

/** Places of a tile's map over lightness, with both ends. */
export const MAP_STEPS = 64

/** A grid of tiles over a whole picture, and each tile's map of lightness (0..100, at `MAP_STEPS + 1` places). */
export interface Tiles {
  readonly across: number
  readonly down: number
  readonly maps: Float32Array
}

/** How many tiles lie along a side: about eight along the longer one, and never smaller than this many pixels. */
const LONG = 8
const LEAST_PX = 48

/** How many tiles a picture is looked at in. */
export function gridOf({ width, height }: Size): { across: number; down: number } {
  const side = Math.max(LEAST_PX, Math.max(width, height) / LONG)
  return { across: Math.max(1, Math.round(width / side)), down: Math.max(1, Math.round(height / side)) }
}

/** What bins hold above a height, for each of all bins. */
function above(histogram: Float64Array, height: number): number {
  let sum = 0
  for (const count of histogram) sum += Math.max(0, count - height)
  return sum / histogram.length
}

/**
 * A tile's map from its histogram of lightness (Zuiderveld, "Contrast limited adaptive histogram equalization", 1994): the running sum, where what
 * is above a height is shared out among all bins. The height is found by halving, so that with its share no bin comes above `limit` times the
 * mean: no lightness is spread by more than that, and with a limit of 1 all stays as it is.
 */
export function mapOf(histogram: Float64Array, limit: number, out: Float32Array): void {
  const bins = histogram.length
  const mean = histogram.reduce((sum, count) => sum + count, 0) / bins
  let [low, high] = [0, limit * mean]
  for (let turn = 0; turn < 16; turn++) {
    const height = (low + high) / 2
    if (height + above(histogram, height) > limit * mean) high = height
    else low = height
  }
  const share = above(histogram, low)
  let sum = 0
  out[0] = 0
  for (let bin = 0; bin < bins; bin++) {
    sum += Math.min(low, histogram[bin] ?? 0) + share
    out[bin + 1] = mean > 0 ? (100 * sum) / (mean * bins) : (100 * (bin + 1)) / bins
  }
}

/** For the pixels of a part's side: the tiles whose centres lie before and behind, and how much the latter counts. */
function along(
  start: number,
  length: number,
  tiles: number,
  whole: number,
): { first: Int32Array; second: Int32Array; share: Float32Array } {
  const [first, second, share] = [new Int32Array(length), new Int32Array(length), new Float32Array(length)]
  for (let at = 0; at < length; at++) {
    const place = Math.max(0, Math.min(tiles - 1, ((start + at + 0.5) * tiles) / whole - 0.5))
    first[at] = Math.floor(place)
    second[at] = Math.min(tiles - 1, Math.floor(place) + 1)
    share[at] = place - Math.floor(place)
  }
  return { first, second, share }
}

/** Moves a part's lightness, in place, by `weight` of the way its tiles' maps tell, between the four tiles around each pixel. */
export function spreadLocally(l: Float32Array, { width, height }: Size, place: Place, tiles: Tiles, weight: number): void {
  const { maps, across, down } = tiles
  const row = MAP_STEPS + 1
  const x = along(place.left, width, across, place.whole.width)
  const y = along(place.top, height, down, place.whole.height)
  for (let v = 0, at = 0; v < height; v++) {
    const [upper, lower, below] = [(y.first[v] ?? 0) * across, (y.second[v] ?? 0) * across, y.share[v] ?? 0]
    for (let u = 0; u < width; u++, at++) {
      const lightness = l[at] ?? 0
      const step = Math.max(0, Math.min(MAP_STEPS - 1e-4, (lightness * MAP_STEPS) / 100))
      const bin = step | 0
      const part = step - bin
      const [left, right, behind] = [x.first[u] ?? 0, x.second[u] ?? 0, x.share[u] ?? 0]
      const look = (tile: number): number => {
        const from = tile * row + bin
        const value = maps[from] ?? 0
        return value + ((maps[from + 1] ?? 0) - value) * part
      }
      const over = look(upper + left) * (1 - behind) + look(upper + right) * behind
      const under = look(lower + left) * (1 - behind) + look(lower + right) * behind
      l[at] = lightness + weight * (over + (under - over) * below - lightness)
    }
  }
}
