import type { Line, Slopes } from './lines.ts'
import { blurPlane, type Plane } from '#shared/matte/blur'

/** A line with how far each piece of it is an edge of something pale; pieces are one pixel long and counted from `first`. */
export interface Side extends Line {
  readonly isBorder: boolean
  readonly first: number
  /** Sums of the support of the pieces before each. */
  readonly sums: Float32Array
  /** Support of the longest stretch of it. */
  readonly weight: number
}

/** What tells whether a place lies on an edge. */
export interface Grounds {
  readonly slopes: Slopes
  /** The picture, blurred so that text and grain do not count. */
  readonly smooth: Plane
}

/** Slopes and a smooth copy of a picture. */
export const groundsOf = (pale: Plane, slopes: Slopes): Grounds => {
  const smooth = { ...pale, data: pale.data.slice() }
  blurPlane(smooth, 2)
  return { slopes, smooth }
}

/** How far from a line both of its sides are looked at, in pixels. */
const ASIDE = 5
/** How much paler the inside of a page must be there, and how much is enough, in levels. */
const LEAST_STEP = 4
const FULL_STEP = 14
const LEAST_SLOPE = 1
/** What the picture's own border counts as a page's side: paper often goes on beyond it. */
const BORDER_SUPPORT = 0.4

/** The steepest slope along a line's normal within a pixel and a half of a place. */
function steepest({ dx, dy }: Slopes, { width, height }: Plane, { cos, sin }: Line, x: number, y: number): number {
  let most = 0
  for (let by = -1.5; by <= 1.5; by += 0.75) {
    const [column, row] = [Math.floor(x + by * cos), Math.floor(y + by * sin)]
    if (column < 0 || row < 0 || column >= width || row >= height) continue
    const at = row * width + column
    most = Math.max(most, (dx[at] ?? 0) * cos + (dy[at] ?? 0) * sin)
  }
  return most
}

function supportAt(grounds: Grounds, line: Line, x: number, y: number): number {
  const { width, height, data } = grounds.smooth
  const at = (by: number): number => {
    const column = Math.min(width - 1, Math.max(0, Math.floor(x + by * line.cos)))
    const row = Math.min(height - 1, Math.max(0, Math.floor(y + by * line.sin)))
    return data[row * width + column] ?? 0
  }
  const step = at(ASIDE) - at(-ASIDE)
  if (step < LEAST_STEP || steepest(grounds.slopes, grounds.smooth, line, x, y) < LEAST_SLOPE) return 0
  return 0.5 + 0.5 * Math.min(1, (step - LEAST_STEP) / (FULL_STEP - LEAST_STEP))
}

/** The support of a line all along the picture. */
export function sideOf(grounds: Grounds, line: Line, isBorder = false): Side {
  const { width, height } = grounds.smooth
  const reach = Math.ceil(Math.hypot(width, height))
  const sums = new Float32Array(2 * reach + 2)
  let run = 0
  let weight = 0
  for (let n = 0; n <= 2 * reach; n++) {
    const along = n - reach + 0.5
    const [x, y] = [line.rho * line.cos - along * line.sin, line.rho * line.sin + along * line.cos]
    const isInside = x > -1 && y > -1 && x < width + 1 && y < height + 1
    const support = isInside ? (isBorder ? BORDER_SUPPORT : supportAt(grounds, line, x, y)) : 0
    run = Math.max(0, run + support - 0.3)
    weight = Math.max(weight, run)
    sums[n + 1] = (sums[n] ?? 0) + support
  }
  return { ...line, isBorder, first: -reach, sums, weight }
}

/** The mean support between two places along a line. */
export function supportBetween({ first, sums }: Side, from: number, to: number): number {
  const place = (along: number): number => Math.min(sums.length - 1, Math.max(0, Math.round(along - first)))
  const [low, high] = from < to ? [place(from), place(to)] : [place(to), place(from)]
  return high > low ? ((sums[high] ?? 0) - (sums[low] ?? 0)) / (high - low) : 0
}

/** Where along a line a place lies. */
export const alongOf = ({ cos, sin }: Line, x: number, y: number): number => y * cos - x * sin
