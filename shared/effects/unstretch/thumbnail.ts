import type { Plane } from '../math/plane.ts'
import type { Size } from '#shared/resize'

/**
 * What the thumbnail in a picture's file shows: all of the picture, and how large that is in the thumbnail's own pixels, without its black bars and
 * with its standard deviation as a logarithm; or a scene the picture was cut from.
 */
export type Thumbnail = { readonly shows: 'all'; readonly size: Size; readonly deviation: number } | { readonly shows: 'more' }

/** A part of a plane, from side to side in its own pixels or fractions of one: left, top, right, bottom. */
type Part = readonly [number, number, number, number]

/** What is compared are so many cells each way, without what they share with those around them to a twelfth of the side; first fewer, which fit from afar. */
const CELLS = 48
const FEW_CELLS = 20
/** Cells that go together like this show the same: cameras' thumbnails come to 0.98 and more. */
const LIKE = 0.85
/** Sides that come to lie off by more than this share were cut, and so were those that change proportions by as much as this (a logarithm). */
const CUT = 0.02
const CHANGED = 0.015
const LEAST_STEP = 0.005
const MOST_CUT = 0.4
/** Shares of a side that are tried as cut, and how many of the best are refined. */
const CUTS = [0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3] as const
const REFINED = 4
/** Black bars are no brighter on average, 0..255, and leave at least so much. */
const BLACK = 16
const LEAST_LEFT = 0.4
/** Smaller thumbnails tell nothing. */
const LEAST_PX = 32
/** How far proportions are off anyhow: cameras cut a row or two for whole blocks. A thumbnail's side is off by so many pixels, by more between bars. */
const OFF = 0.004
const OFF_PX = 0.3
const OFF_BARS_PX = 0.6

/** Sums of all that lies above and to the left of each corner of pixels (Crow 1984). */
interface Sums extends Size {
  readonly data: Float64Array
}

function sumsOf({ data, width, height }: Plane): Sums {
  const sums = new Float64Array((width + 1) * (height + 1))
  for (let y = 0; y < height; y++) {
    let row = 0
    for (let x = 0; x < width; x++) {
      row += data[y * width + x] ?? 0
      sums[(y + 1) * (width + 1) + x + 1] = (sums[y * (width + 1) + x + 1] ?? 0) + row
    }
  }
  return { data: sums, width, height }
}

/** The sum up to a corner between pixels. */
function sumAt({ data, width, height }: Sums, x: number, y: number): number {
  const [left, top] = [Math.min(width - 1, Math.floor(x)), Math.min(height - 1, Math.floor(y))]
  const [right, low, at] = [x - left, y - top, top * (width + 1) + left]
  const upper = (data[at] ?? 0) * (1 - right) + (data[at + 1] ?? 0) * right
  const lower = (data[at + width + 1] ?? 0) * (1 - right) + (data[at + width + 2] ?? 0) * right
  return upper * (1 - low) + lower * low
}

/** The means of a grid's cells over a part of a plane. */
function cellsOf(sums: Sums, [left, top, right, bottom]: Part, count: number): Plane {
  const [across, down] = [(right - left) / count, (bottom - top) / count]
  const corners = new Float64Array((count + 1) ** 2)
  for (let y = 0; y <= count; y++)
    for (let x = 0; x <= count; x++) corners[y * (count + 1) + x] = sumAt(sums, left + x * across, top + y * down)
  const data = new Float32Array(count ** 2)
  for (let y = 0; y < count; y++) {
    for (let x = 0; x < count; x++) {
      const at = y * (count + 1) + x
      const rest = (corners[at + count + 2] ?? 0) - (corners[at + count + 1] ?? 0) - (corners[at + 1] ?? 0) + (corners[at] ?? 0)
      data[y * count + x] = rest / (across * down)
    }
  }
  return { data, width: count, height: count }
}

/** What each cell has more than those around it. */
function detailOf(sums: Sums, part: Part, count = CELLS): Float32Array {
  const cells = cellsOf(sums, part, count)
  const [around, reach] = [sumsOf(cells), Math.round(count / 12)]
  return cells.data.map((value, at) => {
    const [x, y] = [at % count, Math.floor(at / count)]
    const [left, top] = [Math.max(0, x - reach), Math.max(0, y - reach)]
    const [right, bottom] = [Math.min(count, x + reach + 1), Math.min(count, y + reach + 1)]
    const sum = sumAt(around, right, bottom) - sumAt(around, left, bottom) - sumAt(around, right, top) + sumAt(around, left, top)
    return value - sum / ((right - left) * (bottom - top))
  })
}

/** How much two parts show the same: Pearson's correlation of their details, -1..1. */
function likeness(one: Float32Array, other: Float32Array): number {
  let [both, first, second] = [0, 0, 0]
  for (let at = 0; at < one.length; at++) {
    const [a, b] = [one[at] ?? 0, other[at] ?? 0]
    both += a * b
    first += a * a
    second += b * b
  }
  return both / Math.sqrt(Math.max(1e-9, first * second))
}

/** How many lines from an end are black; `mean` gives a line's. */
function blackLines(count: number, mean: (at: number) => number): number {
  let lines = 0
  while (lines < count && mean(lines) <= BLACK) lines += 1
  return lines
}

/** Whether lines at both ends of a side are bars: as many, and enough left between them. */
const isPair = (one: number, other: number, side: number): boolean =>
  Math.min(one, other) > 0 && Math.abs(one - other) <= 2 && side - one - other >= LEAST_LEFT * side

/** What is left of a thumbnail between black bars above and below, or to the left and right. */
function withoutBars({ data, width, height }: Plane): Part[] {
  const meanOfRow = (y: number): number => data.subarray(y * width, (y + 1) * width).reduce((sum, value) => sum + value, 0) / width
  const meanOfColumn = (x: number): number =>
    Array.from({ length: height }, (_, y) => data[y * width + x] ?? 0).reduce((sum, value) => sum + value, 0) / height
  const [top, bottom] = [blackLines(height, meanOfRow), blackLines(height, (y) => meanOfRow(height - 1 - y))]
  const [left, right] = [blackLines(width, meanOfColumn), blackLines(width, (x) => meanOfColumn(width - 1 - x))]
  return [
    ...(isPair(top, bottom, height) ? [[0, top, width, height - bottom] as const] : []),
    ...(isPair(left, right, width) ? [[left, 0, width - right, height] as const] : []),
  ]
}

/** A part of which a share of each side was cut. */
function inside([left, top, right, bottom]: Part, cuts: readonly number[]): Part {
  const [width, height] = [right - left, bottom - top]
  const [l = 0, t = 0, r = 0, b = 0] = cuts
  return [left + l * width, top + t * height, right - r * width, bottom - b * height]
}

/** Cuts, and how alike two parts are with them. */
interface Fit {
  readonly cuts: readonly number[]
  readonly like: number
}

/** The best of what is tried as cut from a thumbnail's content, the picture being whole. */
function roughly(whole: Float32Array, thumbnail: Sums, content: Part): readonly (readonly number[])[] {
  const tried: Fit[] = []
  for (const left of CUTS)
    for (const top of CUTS)
      for (const right of CUTS)
        for (const bottom of CUTS) {
          const cuts = [left, top, right, bottom, 0, 0, 0, 0]
          tried.push({ cuts, like: likeness(detailOf(thumbnail, inside(content, cuts), FEW_CELLS), whole) })
        }
  return tried
    .toSorted((one, other) => other.like - one.like)
    .slice(0, REFINED)
    .map(({ cuts }) => cuts)
}

/** Cuts moved step by step to where two parts are most alike. */
function refined(start: readonly number[], likeAt: (cuts: readonly number[]) => number): Fit {
  let best = { cuts: start, like: likeAt(start) }
  for (let step = 0.04; step >= LEAST_STEP; step /= 2) {
    for (let isBetter = true; isBetter;) {
      isBetter = false
      for (let side = 0; side < start.length; side++) {
        for (const by of [step, -step]) {
          const cuts = best.cuts.with(side, Math.min(MOST_CUT, Math.max(0, (best.cuts[side] ?? 0) + by)))
          const like = likeAt(cuts)
          if (like <= best.like + 1e-4) continue
          best = { cuts, like }
          isBetter = true
        }
      }
    }
  }
  return best
}

/**
 * How much of each side was cut so that two parts show the same, as shares: left, top, right and bottom of the thumbnail, then of the picture. Nothing, where
 * that fits as well as anything.
 */
function fitted(picture: Sums, thumbnail: Sums, content: Part): Fit {
  const whole: Part = [0, 0, picture.width, picture.height]
  const likeAt = (cuts: readonly number[]): number =>
    likeness(detailOf(thumbnail, inside(content, cuts.slice(0, 4))), detailOf(picture, inside(whole, cuts.slice(4))))
  const uncut = refined(
    Array.from({ length: 8 }, () => 0),
    likeAt,
  )
  if (uncut.like >= LIKE && isWhole(uncut.cuts)) return uncut
  const starts = roughly(detailOf(picture, whole, FEW_CELLS), thumbnail, content)
  const [best = uncut] = [uncut, ...starts.map((start) => refined(start, likeAt))].toSorted((one, other) => other.like - one.like)
  return best
}

/** Whether next to nothing was cut, and all sides alike. */
function isWhole(cuts: readonly number[]): boolean {
  const [left = 0, top = 0, right = 0, bottom = 0, ...others] = cuts
  const [l = 0, t = 0, r = 0, b = 0] = others
  const change = Math.log(((1 - left - right) * (1 - t - b)) / ((1 - top - bottom) * (1 - l - r)))
  return Math.max(...cuts) <= CUT && Math.abs(change) <= CHANGED
}

/**
 * What a thumbnail shows of an upright picture, both as brightness 0..255: its details are laid over the picture's, without black bars if it has some,
 * and all sides moved inwards until they fit best. Undefined where they show different things, or a thumbnail only a part.
 */
export function readThumbnail(picture: Plane, thumbnail: Plane): Thumbnail | undefined {
  if (Math.min(thumbnail.width, thumbnail.height, picture.width, picture.height) < LEAST_PX) return undefined
  const [sums, small] = [sumsOf(picture), sumsOf(thumbnail)]
  const whole: Part = [0, 0, thumbnail.width, thumbnail.height]
  const bars = withoutBars(thumbnail)
  const best = [whole, ...bars]
    .map((content) => ({ content, ...fitted(sums, small, content) }))
    .toSorted((one, other) => Math.max(...one.cuts) - Math.max(...other.cuts) || other.like - one.like)
    .find(({ like }) => like >= LIKE)
  if (!best) return undefined
  const { content, cuts } = best
  if (!isWhole(cuts)) return Math.max(...cuts.slice(0, 4)) > CUT ? { shows: 'more' } : undefined
  const [left, top, right, bottom] = content
  const [width, height] = [right - left, bottom - top]
  const [acrossPx, downPx] = [width < thumbnail.width ? OFF_BARS_PX : OFF_PX, height < thumbnail.height ? OFF_BARS_PX : OFF_PX]
  return { shows: 'all', size: { width, height }, deviation: Math.hypot(OFF, acrossPx / width, downPx / height) }
}
