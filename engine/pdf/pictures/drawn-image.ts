import type { Box } from '../box.ts'
import { times, type Matrix } from '../matrix.ts'
import type { Orientation } from './rearrange.ts'

/** A picture as a page's instructions draw it. */
export interface DrawnImage {
  /** The id under which pdf.js hands it over, or what it handed over. */
  readonly source: unknown
  /** From the unit square to the page. */
  readonly map: Matrix
  /** What holds all of it. */
  readonly place: Box
  /** What is outside is not seen. */
  readonly clip: Box
  readonly opacity: number
  /** How many glyphs were painted before it. */
  readonly over: number
  /** Of an image mask: what it is painted in, `#rrggbb`. */
  readonly colour?: string
}

/** A turn by less than this, as a part of the longer side, is no turn: a scan set straight, or rounding. */
const STRAIGHT = 0.02

/** From a picture's own square, its rows counted from the top, to the page. */
export const fromTop = (map: Matrix): Matrix => times(map, [1, 0, 0, -1, 0, 1])

/** How a picture lies on its page, or undefined where its sides do not go along the page's. */
export function orientationOf({ map }: DrawnImage): Orientation | undefined {
  const [a, b, c, d] = fromTop(map)
  const longest = Math.max(Math.hypot(a, b), Math.hypot(c, d)) * STRAIGHT
  if (Math.abs(b) <= longest && Math.abs(c) <= longest) return { isTransposed: false, isMirrored: a < 0, isUpsideDown: d < 0 }
  if (Math.abs(a) <= longest && Math.abs(d) <= longest) return { isTransposed: true, isMirrored: c < 0, isUpsideDown: b < 0 }
  return undefined
}

/** What pdf.js calls an image mask, or its id. */
export const maskSource = (value: unknown): unknown => {
  const data: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, 'data') : undefined
  return typeof data === 'string' ? data : value
}
