import { symbolsOf, type Symbols } from './symbols.ts'

/** How often each packed colour occurs. */
export type Histogram = ReadonlyMap<number, number>

const MOST_COLOURS = 4096
const LLOYD_STEPS = 5

interface Points {
  readonly count: number
  readonly channels: readonly [Float64Array, Float64Array, Float64Array]
  readonly weight: Float64Array
}

/** Colours as points; too many are gathered in cubes of 8 x 8 x 8 first, each at its mean. */
function pointsOf(histogram: Histogram): Points {
  const cells = new Map<number, [number, number, number, number]>()
  for (const [colour, count] of histogram) {
    const key = histogram.size > MOST_COLOURS ? colour & 0xf8f8f8 : colour
    const cell = cells.get(key) ?? [0, 0, 0, 0]
    cell[0] += (colour & 255) * count
    cell[1] += ((colour >>> 8) & 255) * count
    cell[2] += ((colour >>> 16) & 255) * count
    cell[3] += count
    cells.set(key, cell)
  }
  const means = [...cells.values()]
  const channel = (at: 0 | 1 | 2): Float64Array => Float64Array.from(means, (cell) => cell[at] / cell[3])
  return { count: means.length, channels: [channel(0), channel(1), channel(2)], weight: Float64Array.from(means, (cell) => cell[3]) }
}

interface Box {
  readonly members: readonly number[]
  readonly mean: readonly number[]
  /** The widest one. */
  readonly axis: 0 | 1 | 2
  /** Squared error along it. */
  readonly spread: number
}

function boxOf({ channels, weight }: Points, members: readonly number[]): Box {
  let total = 0
  const sums = [0, 0, 0]
  const squares = [0, 0, 0]
  for (const at of members) {
    const w = weight[at] ?? 0
    total += w
    channels.forEach((channel, c) => {
      const value = channel[at] ?? 0
      sums[c] = (sums[c] ?? 0) + w * value
      squares[c] = (squares[c] ?? 0) + w * value * value
    })
  }
  const mean = sums.map((sum) => sum / total)
  const spreads = squares.map((square, c) => square - total * (mean[c] ?? 0) ** 2)
  const spread = Math.max(...spreads)
  return { members, mean, axis: spreads[0] === spread ? 0 : spreads[1] === spread ? 1 : 2, spread: members.length > 1 ? spread : 0 }
}

/** Boxes split at their mean, the one with the greatest squared error first (Wan, Wong and Prusinkiewicz 1988). */
function split(points: Points, wanted: number): number[][] {
  const boxes = [
    boxOf(
      points,
      Array.from({ length: points.count }, (_, at) => at),
    ),
  ]
  while (boxes.length < wanted) {
    const worst = boxes.reduce((best, box, at) => (box.spread > (boxes[best]?.spread ?? 0) ? at : best), 0)
    const box = boxes[worst]
    if (!box || box.spread <= 0) break
    const isLow = (at: number): boolean => (points.channels[box.axis][at] ?? 0) <= (box.mean[box.axis] ?? 0)
    boxes[worst] = boxOf(points, box.members.filter(isLow))
    boxes.push(
      boxOf(
        points,
        box.members.filter((at) => !isLow(at)),
      ),
    )
  }
  return boxes.map(({ mean }) => [...mean])
}

/** Every centre moved to the mean of the points nearest to it (Lloyd 1982). */
function lloyd({ count, channels: [red, green, blue], weight }: Points, centres: number[][]): number[][] {
  const flat = Float64Array.from(centres.flat())
  const sums = new Float64Array(centres.length * 4)
  for (let at = 0; at < count; at++) {
    const [r, g, b, w] = [red[at] ?? 0, green[at] ?? 0, blue[at] ?? 0, weight[at] ?? 0]
    let best = 0
    let least = Infinity
    for (let k = 0; k < flat.length; k += 3) {
      const distance = (r - (flat[k] ?? 0)) ** 2 + (g - (flat[k + 1] ?? 0)) ** 2 + (b - (flat[k + 2] ?? 0)) ** 2
      if (distance < least) [best, least] = [k / 3, distance]
    }
    const to = best * 4
    sums[to] = (sums[to] ?? 0) + r * w
    sums[to + 1] = (sums[to + 1] ?? 0) + g * w
    sums[to + 2] = (sums[to + 2] ?? 0) + b * w
    sums[to + 3] = (sums[to + 3] ?? 0) + w
  }
  return centres.map((centre, k) => {
    const total = sums[k * 4 + 3] ?? 0
    return total === 0 ? centre : [0, 1, 2].map((c) => (sums[k * 4 + c] ?? 0) / total)
  })
}

/** Colours for a histogram, and the weighted squared error of showing it in them. */
export interface Quantised {
  readonly colours: readonly number[]
  readonly error: number
}

const packed = ([r = 0, g = 0, b = 0]: readonly number[]): number => Math.round(r) | (Math.round(g) << 8) | (Math.round(b) << 16)

/** At most so many colours (packed, at least one) for a histogram: its own where they are few enough, else k-means from a variance-based split. */
export function quantise(histogram: Histogram, most: number): Quantised {
  if (histogram.size <= most) return { colours: histogram.size > 0 ? [...histogram.keys()] : [0], error: 0 }
  const points = pointsOf(histogram)
  let centres = split(points, most)
  for (let step = 0; step < LLOYD_STEPS; step++) centres = lloyd(points, centres)
  const colours = [...new Set(centres.map(packed))]
  return { colours, error: errorWith(histogram, symbolsOf(colours, false)) }
}

/** The weighted squared error of showing colours by the nearest of a palette. */
export function errorWith(histogram: Histogram, { red, green, blue, nearest }: Symbols): number {
  let error = 0
  for (const [colour, weight] of histogram) {
    const index = nearest(colour)
    const r = (colour & 255) - (red[index] ?? 0)
    const g = ((colour >>> 8) & 255) - (green[index] ?? 0)
    const b = ((colour >>> 16) & 255) - (blue[index] ?? 0)
    error += weight * (r * r + g * g + b * b)
  }
  return error
}
