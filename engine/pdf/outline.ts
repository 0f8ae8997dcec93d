import type { Box } from './box.ts'
import type { Matrix } from './matrix.ts'

/** pdf.js's codes in a path's data. */
const [MOVE, LINE, CLOSE] = [0, 1, 4]
/** How many numbers follow each: two a point. */
const NUMBERS = [2, 2, 6, 4, 0]

/** A path's segments, flat, as pdf.js writes them: 0 x y moves, 1 x y draws a line, 2 a cubic and 3 a quadratic curve, 4 closes. */
export type Outline = ArrayLike<number>

/** What comes of an outline's segments, one after the other, each with its points. */
export function segments<T>(outline: Outline, take: (code: number, points: readonly number[]) => T): T[] {
  const taken: T[] = []
  for (let at = 0; at < outline.length;) {
    const code = outline[at] ?? -1
    const count = NUMBERS[code]
    if (count === undefined) break
    taken.push(
      take(
        code,
        Array.from({ length: count }, (_, nth) => outline[at + 1 + nth] ?? 0),
      ),
    )
    at += 1 + count
  }
  return taken
}

/** The same outline after a map. */
export function mappedOutline(outline: Outline, map: Matrix): Outline {
  const [a, b, c, d, e, f] = map
  const result: number[] = []
  for (let at = 0; at < outline.length;) {
    const code = outline[at] ?? -1
    const count = NUMBERS[code]
    if (count === undefined) break
    result.push(code)
    const end = ++at + count
    for (; at < end; at += 2) {
      const [x, y] = [outline[at] ?? 0, outline[at + 1] ?? 0]
      result.push(a * x + c * y + e, b * x + d * y + f)
    }
  }
  return result
}

/** Left, top, right and bottom. */
export type Bounds = readonly [left: number, top: number, right: number, bottom: number]

/** A box as bounds. */
export const boundsOfBox = ({ left, top, right, bottom }: Box): Bounds => [left, top, right, bottom]
/** Bounds as a box. */
export const boxOfBounds = ([left, top, right, bottom]: Bounds): Box => ({ left, top, right, bottom })

/** A rectangle that holds an outline with the handles of its curves; undefined for an empty one. */
export function boundsOf(outline: Outline): Bounds | undefined {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  for (let at = 0; at < outline.length;) {
    const count = NUMBERS[outline[at] ?? -1]
    if (count === undefined) break
    const end = ++at + count
    for (; at < end; at += 2) {
      const [x, y] = [outline[at] ?? 0, outline[at + 1] ?? 0]
      left = Math.min(left, x)
      right = Math.max(right, x)
      top = Math.min(top, y)
      bottom = Math.max(bottom, y)
    }
  }
  return left <= right && top <= bottom ? [left, top, right, bottom] : undefined
}

/** What two rectangles have in common; undefined where that is nothing. */
export function common(a: Bounds, b: Bounds): Bounds | undefined {
  const both: Bounds = [Math.max(a[0], b[0]), Math.max(a[1], b[1]), Math.min(a[2], b[2]), Math.min(a[3], b[3])]
  return both[0] <= both[2] && both[1] <= both[3] ? both : undefined
}

/** Whether a rectangle lies within another, or beyond it by no more than what nobody sees. */
export const isWithin = (inner: Bounds, outer: Bounds, beyond = 0.01): boolean =>
  inner[0] >= outer[0] - beyond && inner[1] >= outer[1] - beyond && inner[2] <= outer[2] + beyond && inner[3] <= outer[3] + beyond

/** A rectangle's outline. */
export const rectangle = ([left, top, right, bottom]: Bounds): Outline =>
  [[MOVE, left, top], [LINE, right, top], [LINE, right, bottom], [LINE, left, bottom], [CLOSE]].flat()

/** How far a corner may lie beside its place, in points. */
const SLANT = 0.01

/** The numbers of a rectangle's outline at most: five corners, closed twice. */
const MOST_NUMBERS = 5 * 3 + 2

/** The rectangle that an outline is, its sides along the axes; undefined for every other outline. */
export function asRectangle(outline: Outline): Bounds | undefined {
  if (outline.length > MOST_NUMBERS) return undefined
  const corners: (readonly [number, number])[] = []
  const codes = segments(outline, (code, [x = 0, y = 0]) => {
    if (code !== CLOSE) corners.push([x, y])
    return code
  })
  const isPlain = codes.every((code, at) => (at === 0 ? code === MOVE : code === LINE || (code === CLOSE && at >= codes.length - 1)))
  const bounds = boundsOf(outline)
  const [start, end] = [corners[0], corners.at(-1)]
  if (!isPlain || !bounds || !start || !end) return undefined
  const returns = corners.length === 5 && Math.hypot(start[0] - end[0], start[1] - end[1]) < SLANT
  if (corners.length !== 4 && !returns) return undefined
  const isLevel = (at: number): boolean => Math.abs((corners[at]?.[1] ?? 0) - (corners[(at + 1) % 4]?.[1] ?? 0)) < SLANT
  const isPlumb = (at: number): boolean => Math.abs((corners[at]?.[0] ?? 0) - (corners[(at + 1) % 4]?.[0] ?? 0)) < SLANT
  const isUpright = [0, 1, 2, 3].every((at) => (at % 2 === 0 ? isLevel(at) : isPlumb(at)))
  const isTurned = [0, 1, 2, 3].every((at) => (at % 2 === 0 ? isPlumb(at) : isLevel(at)))
  return isUpright || isTurned ? bounds : undefined
}
