import type { Rect } from '#shared/resize'

/** How much each pixel belongs to the subject, 0..1, rows from the top. */
export interface SoftMap {
  readonly data: Float32Array
  readonly width: number
  readonly height: number
}

/** Keys' cubic (a = -0.5, Catmull-Rom) at a distance. */
function cubic(distance: number): number {
  const x = Math.abs(distance)
  if (x < 1) return 1.5 * x ** 3 - 2.5 * x ** 2 + 1
  if (x < 2) return -0.5 * x ** 3 + 2.5 * x ** 2 - 4 * x + 2
  return 0
}

interface Taps {
  readonly count: number
  /** First source sample of each target sample. */
  readonly first: Int32Array
  readonly weights: Float32Array
}

function tapsFor(from: number, to: number): Taps {
  const step = from / to
  const spread = Math.max(1, step)
  const count = Math.ceil(2 * spread) * 2
  const first = new Int32Array(to)
  const weights = new Float32Array(to * count)
  for (let at = 0; at < to; at++) {
    const centre = (at + 0.5) * step - 0.5
    const start = Math.floor(centre) - count / 2 + 1
    first[at] = start
    let sum = 0
    for (let tap = 0; tap < count; tap++) sum += weights[at * count + tap] = cubic((start + tap - centre) / spread)
    for (let tap = 0; tap < count; tap++) weights[at * count + tap] = (weights[at * count + tap] ?? 0) / sum
  }
  return { count, first, weights }
}

/** Each row resampled to a width, its end samples going on beyond it; the result lies on its side, so that doing it twice does both directions. */
function rowsResampled({ data, width, height }: SoftMap, to: number): SoftMap {
  const { count, first, weights } = tapsFor(width, to)
  const turned = new Float32Array(to * height)
  for (let x = 0; x < to; x++) {
    const start = first[x] ?? 0
    for (let y = 0; y < height; y++) {
      let sum = 0
      for (let tap = 0; tap < count; tap++) {
        const from = Math.min(width - 1, Math.max(0, start + tap))
        sum += (weights[x * count + tap] ?? 0) * (data[y * width + from] ?? 0)
      }
      turned[x * height + y] = Math.min(1, Math.max(0, sum))
    }
  }
  return { data: turned, width: height, height: to }
}

/** A map at another size (bicubic, Keys 1981; averaging where it shrinks). */
export function resampled(map: SoftMap, width: number, height: number): SoftMap {
  if (map.width === width && map.height === height) return map
  return rowsResampled(rowsResampled(map, width), height)
}

/** A map seen in a mirror. */
export function mirrored({ data, width, height }: SoftMap): SoftMap {
  const flipped = new Float32Array(data.length)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) flipped[y * width + x] = data[y * width + width - 1 - x] ?? 0
  }
  return { data: flipped, width, height }
}

/** A part of a map. */
export function cropped({ data, width }: SoftMap, region: Rect): SoftMap {
  const part = new Float32Array(region.width * region.height)
  for (let y = 0; y < region.height; y++) {
    const start = (region.top + y) * width + region.left
    part.set(data.subarray(start, start + region.width), y * region.width)
  }
  return { data: part, width: region.width, height: region.height }
}

/** The highest value of a map. */
export const peakOf = ({ data }: SoftMap): number => data.reduce((peak, value) => Math.max(peak, value), 0)
/** The mean of a map's values. */
export const meanOf = ({ data }: SoftMap): number => data.reduce((sum, value) => sum + value, 0) / data.length

/** A map whose values are stretched to reach from 0 to 1; one of a single value stays. */
export function stretched(map: SoftMap): SoftMap {
  const high = peakOf(map)
  const low = map.data.reduce((least, value) => Math.min(least, value), high)
  return high > low ? { ...map, data: map.data.map((value) => (value - low) / (high - low)) } : map
}

/** The mean of two maps of one size, the second counting for `share` of it. */
export const blended = (left: SoftMap, right: SoftMap, share: number): SoftMap => ({
  ...left,
  data: left.data.map((value, at) => value + share * ((right.data[at] ?? 0) - value)),
})

/** The higher value of two maps of one size. */
export const highest = (left: SoftMap, right: SoftMap): SoftMap => ({
  ...left,
  data: left.data.map((value, at) => Math.max(value, right.data[at] ?? 0)),
})

/** Below the first value a map speaks for the ground; from the second on what it says of a subject may be raised in full. */
const HALF_SEEN = [0.1, 0.4] as const

/** A map raised to another one of its size where it half sees a subject itself, by `share` of the difference. */
export const raised = (map: SoftMap, other: SoftMap, share: number): SoftMap => ({
  ...map,
  data: map.data.map((value, at) => {
    const more = (other.data[at] ?? 0) - value
    const allowed = Math.min(1, (value - HALF_SEEN[0]) / (HALF_SEEN[1] - HALF_SEEN[0]))
    return more > 0 && allowed > 0 ? value + share * allowed * more : value
  }),
})

/** How alike two maps of one size are: intersection over union of their values, 1 for two empty ones. */
export function overlap(left: SoftMap, right: SoftMap): number {
  let both = 0
  let either = 0
  left.data.forEach((value, at) => {
    const other = right.data[at] ?? 0
    both += Math.min(value, other)
    either += Math.max(value, other)
  })
  return either === 0 ? 1 : both / either
}

/** A map with another one in place of a part. */
export function laidOver(map: SoftMap, part: SoftMap, { left, top }: Rect): SoftMap {
  const data = Float32Array.from(map.data)
  for (let y = 0; y < part.height; y++) {
    data.set(part.data.subarray(y * part.width, (y + 1) * part.width), (top + y) * map.width + left)
  }
  return { ...map, data }
}
