import type { FaceClue } from './stretch.ts'

/** A place in a picture, in pixels. */
interface Point {
  readonly x: number
  readonly y: number
}

/** The mean of points of a face. */
function middle(points: readonly Point[], from: number, to: number): Point {
  const some = points.slice(from, to)
  return { x: some.reduce((sum, { x }) => sum + x, 0) / some.length, y: some.reduce((sum, { y }) => sum + y, 0) / some.length }
}

const USUAL = 0
const DEVIATION = 0.09
/** Faces that lean or look aside tell nothing. */
const MOST_LEANING = 0.25
const MOST_ASIDE = 0.35

/** What a face of 68 points (iBUG 300-W) tells of its picture's stretching; undefined where it leans or looks aside. */
export function faceClue(points: readonly Point[]): FaceClue | undefined {
  if (points.length !== 68) return undefined
  const [left, right, mouth] = [middle(points, 36, 42), middle(points, 42, 48), middle(points, 48, 60)]
  const eyes = { x: (left.x + right.x) / 2, y: (left.y + right.y) / 2 }
  const [wide, high] = [right.x - left.x, mouth.y - eyes.y]
  if (wide <= 0 || high <= 0) return undefined
  const nose = points[30] ?? eyes
  if (Math.abs(right.y - left.y) > MOST_LEANING * wide || Math.abs(nose.x - eyes.x) > MOST_ASIDE * wide) return undefined
  return { stretch: Math.log(wide / high) - USUAL, deviation: DEVIATION }
}
