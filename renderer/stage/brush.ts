import type { Size } from '#shared/resize'
import { MAX_POINTS, type Stroke } from '#shared/strokes'

/** What the next stroke is painted with; sizes are those of `Stroke`. */
export type Brush = Pick<Stroke, 'mode' | 'size' | 'hardness'>

export const firstBrush: Brush = { mode: 'erase', size: 0.04, hardness: 0.8 }

/** From a few hairs to a third of the picture. */
const LEAST_SIZE = 0.003
const MOST_SIZE = 0.35
/** What a key makes the brush larger or smaller by. */
const KEY_FACTOR = 1.2
/** How far a stroke may be from where the hand went: a part of the longer side, and of the brush. */
const TOLERANCE = 0.0004
const BRUSH_TOLERANCE = 0.02
/** A hundredth of a pixel of a picture of 1,000 px: five digits keep a stroke's JSON short. */
const GRID = 1e5

const clamp = (value: number, low: number, high: number): number => Math.min(Math.max(value, low), high)

/** The size at a place of the slider, 0..100: each step changes it by the same factor, as one sees it. */
export const sizeAt = (place: number): number => LEAST_SIZE * (MOST_SIZE / LEAST_SIZE) ** (clamp(place, 0, 100) / 100)

/** Where on the slider a size stands. */
export const placeOf = (size: number): number => Math.round((100 * Math.log(size / LEAST_SIZE)) / Math.log(MOST_SIZE / LEAST_SIZE))

/** The size after some presses of `]` (+) or `[` (−). */
export const sizeAfter = (size: number, steps: number): number => clamp(size * KEY_FACTOR ** steps, LEAST_SIZE, MOST_SIZE)

/** What a gesture becomes: one stroke, or several where it has more points than one may have. */
export function strokesOf<B extends Pick<Brush, 'size'>>(
  brush: B,
  points: readonly number[],
  picture: Size,
): readonly (B & Pick<Stroke, 'points'>)[] {
  const kept = simplify(points, picture, Math.max(TOLERANCE, brush.size * BRUSH_TOLERANCE)).map(
    (part) => Math.round(clamp(part, -1, 2) * GRID) / GRID,
  )
  const strokes: (B & Pick<Stroke, 'points'>)[] = []
  // The next one begins where the last one ends.
  for (let start = 0; start === 0 || start < kept.length - 2; start += 2 * (MAX_POINTS - 1)) {
    strokes.push({ ...brush, points: kept.slice(start, start + 2 * MAX_POINTS) })
  }
  return strokes
}

/** A line with fewer points that is nowhere further from the first than `tolerance` (of the longer side): Ramer, Douglas and Peucker. */
export function simplify(points: readonly number[], { width, height }: Size, tolerance: number): readonly number[] {
  const longer = Math.max(width, height)
  const count = Math.floor(points.length / 2)
  const at = (n: number): readonly [number, number] => [
    ((points[2 * n] ?? 0) * width) / longer,
    ((points[2 * n + 1] ?? 0) * height) / longer,
  ]
  const isKept = new Set([0, count - 1])
  const spans: (readonly [number, number])[] = [[0, count - 1]]
  for (let span = spans.pop(); span !== undefined; span = spans.pop()) {
    const [first, last] = span
    let furthest = 0
    let distance = tolerance
    for (let n = first + 1; n < last; n++) {
      const off = distanceTo(at(n), at(first), at(last))
      if (off > distance) [furthest, distance] = [n, off]
    }
    if (furthest === 0) continue
    isKept.add(furthest)
    spans.push([first, furthest], [furthest, last])
  }
  return points.slice(0, 2 * count).filter((_, index) => isKept.has(index >> 1))
}

function distanceTo([x, y]: readonly [number, number], [ax, ay]: readonly [number, number], [bx, by]: readonly [number, number]): number {
  const [dx, dy] = [bx - ax, by - ay]
  const along = dx * dx + dy * dy
  const share = along === 0 ? 0 : clamp(((x - ax) * dx + (y - ay) * dy) / along, 0, 1)
  return Math.hypot(x - ax - share * dx, y - ay - share * dy)
}
