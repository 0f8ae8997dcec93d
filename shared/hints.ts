import { MAX_POINTS_IN_ALL, MAX_STROKES } from '#shared/strokes'

/** A stroke that says which colour is where. Lengths and points are parts of the picture, as a matte's strokes have them. */
export interface Hint {
  /** `#rrggbb`; its lightness doesn't count. */
  readonly colour: string
  /** The brush's diameter, as a part of the longer side. */
  readonly size: number
  /** x and y in turn, 0..1 of the picture's width and height; one point is a dab. */
  readonly points: readonly number[]
}

/** Whether a picture may have these hints together: as many as a matte may have strokes. */
export const areHintsWithinLimits = (hints: readonly Hint[]): boolean =>
  hints.length <= MAX_STROKES && hints.reduce((sum, { points }) => sum + points.length / 2, 0) <= MAX_POINTS_IN_ALL
