import { mapped, type Matrix } from './matrix.ts'

/** A part of a page, in points from its left top corner. */
export interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** What holds all these points. */
export function boxAround(points: readonly (readonly [number, number])[]): Box {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const [x, y] of points) {
    left = Math.min(left, x)
    top = Math.min(top, y)
    right = Math.max(right, x)
    bottom = Math.max(bottom, y)
  }
  return { left, top, right, bottom }
}

/** Where a rectangle of the user's space comes to lie. */
export const mappedBox = (map: Matrix, x0: number, y0: number, x1: number, y1: number): Box =>
  boxAround([mapped(map, x0, y0), mapped(map, x1, y0), mapped(map, x0, y1), mapped(map, x1, y1)])

/** What both hold; its sides are the wrong way round where that is nothing. */
export const overlap = (one: Box, other: Box): Box => ({
  left: Math.max(one.left, other.left),
  top: Math.max(one.top, other.top),
  right: Math.min(one.right, other.right),
  bottom: Math.min(one.bottom, other.bottom),
})

/** In square points. */
export const areaOf = ({ left, top, right, bottom }: Box): number => (right - left) * (bottom - top)

/** Whether there is nothing in it. */
export const isEmpty = ({ left, top, right, bottom }: Box): boolean => !(right > left && bottom > top)
