import type { Box } from './box.ts'
import { mapped, type Matrix } from './matrix.ts'
import { asRectangle, boundsOf, boxOfBounds, common, mappedOutline, rectangle, type Bounds, type Outline } from './outline.ts'
import type { Clip } from './painted.ts'

/** The whole page. */
export const pageClip = (width: number, height: number): Clip => ({ within: [0, 0, width, height], shapes: [] })

/** What holds all that may be painted on. */
export const boxOfClip = ({ within }: Clip): Box => boxOfBounds(within)

/** Where nothing is painted. */
const nowhere: Clip = { within: [0, 0, -1, -1], shapes: [] }

/** No drawing nests more; each thing painted has its clip told, so that a page of nothing but clips would be told without end. */
const MOST_SHAPES = 16

/** Whether anything can be painted there. */
export const isOpen = ({ within: [left, top, right, bottom] }: Clip): boolean => left <= right && top <= bottom

/** What is left of a clip within one outline more, which is in page space. Outlines that are rectangles become one; of too many only bounds count. */
export function clippedBy(clip: Clip, outline: Outline, isEvenOdd: boolean): Clip {
  const bounds = boundsOf(outline)
  const within = bounds && common(clip.within, bounds)
  if (!within) return nowhere
  const isBox = clip.shapes.length >= MOST_SHAPES || asRectangle(outline) !== undefined
  return { within, shapes: isBox ? clip.shapes : [...clip.shapes, { outline, isEvenOdd }] }
}

/** What is left of a clip within a rectangle of a space that `map` leads out of. */
export const clippedByBox = (clip: Clip, box: Bounds, map: Matrix): Clip => clippedBy(clip, mappedOutline(rectangle(box), map), false)

/** The rectangle that holds a rectangle of another space. */
export function mappedBounds([left, top, right, bottom]: Bounds, map: Matrix): Bounds {
  const corners = [mapped(map, left, top), mapped(map, right, top), mapped(map, right, bottom), mapped(map, left, bottom)]
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)]
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)]
}
