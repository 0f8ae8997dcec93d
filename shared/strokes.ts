/**
 * One stroke of a brush on a matte. Lengths are parts of the picture's longer side and points parts of its width and height, so that one
 * stroke means the same on a small preview and on the whole picture.
 */
export interface Stroke {
  /** `keep` makes what it passes over subject, `erase` ground. */
  readonly mode: 'keep' | 'erase'
  /** The brush's diameter, as a part of the longer side. */
  readonly size: number
  /** How much of the brush's radius is of full strength, 0..1; from there it falls off to nothing at the rim. */
  readonly hardness: number
  /** x and y in turn, 0..1 of the picture's width and height; one point is a dab. */
  readonly points: readonly number[]
}

/** Strokes of one picture, at most. */
export const MAX_STROKES = 500
/** Points of one stroke, at most: a longer one goes on as another. */
export const MAX_POINTS = 2000
/** Points of all strokes of one picture, at most: as JSON, with five decimals each, they take three quarters of a megabyte, and a call may bring one. */
export const MAX_POINTS_IN_ALL = 40_000

/** Whether a picture may have these strokes together. */
export const isWithinLimits = (strokes: readonly Stroke[]): boolean =>
  strokes.length <= MAX_STROKES && strokes.reduce((sum, { points }) => sum + points.length / 2, 0) <= MAX_POINTS_IN_ALL
