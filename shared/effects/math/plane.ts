import type { Size } from '#shared/resize'

/** One channel of a picture, row by row. */
export interface Plane extends Size {
  readonly data: Float32Array
}

/** A plane of noughts. */
export const blankPlane = ({ width, height }: Size): Plane => ({ data: new Float32Array(width * height), width, height })

/** Where a line of so many samples goes on beyond its ends as in a mirror, the last sample twice. */
export function mirrored(at: number, count: number): number {
  const turn = 2 * count
  const inside = ((at % turn) + turn) % turn
  return inside < count ? inside : turn - 1 - inside
}
