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

/**
 * Distances across a face: between the eyes, their outer and inner corners, the jaw high and low, mouth, nose, brows; and down it: from the eyes
 * to the mouth, the nose and the chin, from the brows to the chin and the mouth, from the nose to the chin.
 */
interface Distances {
  readonly across: readonly number[]
  readonly down: readonly number[]
  /** How far the nose is from the middle between the eyes, and one eye below the other, in distances of the eyes. */
  readonly aside: number
  readonly leaning: number
}

/** What the first distances' ratio (as a logarithm) is of the others, by least squares over 154 portraits: a number, then one for each other distance. */
const USUAL = 0.071
const OF_ACROSS = [0.31, 1.018, 0.162, -0.37, 0.149, -0.37, -0.807]
const OF_DOWN = [0.193, 0.533, 0.467, 0.046, -0.154]
const OF_ASIDE = -0.486
const OF_LEANING = 0.058
/** How far those portraits lie from that, each left out of what it was told by. */
const DEVIATION = 0.05
/** Faces that lean or look aside further tell nothing. */
const MOST_LEANING = 0.2
const MOST_ASIDE = 0.3

function distancesOf(points: readonly Point[]): Distances {
  const [left, right, mouth] = [middle(points, 36, 42), middle(points, 42, 48), middle(points, 48, 60)]
  const [brows, nose] = [middle(points, 17, 27), middle(points, 31, 36)]
  const eyes = { x: (left.x + right.x) / 2, y: (left.y + right.y) / 2 }
  const chin = points[8] ?? eyes
  const apart = (from: number, to: number): number => (points[to]?.x ?? NaN) - (points[from]?.x ?? NaN)
  const wide = right.x - left.x
  return {
    across: [wide, apart(36, 45), apart(39, 42), apart(2, 14), apart(4, 12), apart(48, 54), apart(31, 35), apart(17, 26)],
    down: [mouth.y - eyes.y, nose.y - eyes.y, chin.y - eyes.y, chin.y - brows.y, mouth.y - brows.y, chin.y - nose.y],
    aside: ((points[30]?.x ?? NaN) - eyes.x) / wide,
    leaning: (right.y - left.y) / wide,
  }
}

/**
 * What a face of 68 points (iBUG 300-W) tells of its picture's stretching; undefined where it leans or looks aside. How people's faces differ is
 * partly told by what stretching leaves alone, the ratios of distances in one direction.
 */
export function faceClue(points: readonly Point[]): FaceClue | undefined {
  if (points.length !== 68) return undefined
  const { across, down, aside, leaning } = distancesOf(points)
  if (![...across, ...down].every((distance) => distance > 0)) return undefined
  if (Math.abs(leaning) > MOST_LEANING || Math.abs(aside) > MOST_ASIDE) return undefined
  const [wide = 1, ...widths] = across
  const [high = 1, ...heights] = down
  const told = (distances: readonly number[], first: number, shares: readonly number[]): number =>
    distances.reduce((sum, distance, at) => sum + (shares[at] ?? 0) * Math.log(distance / first), 0)
  const usual = USUAL + told(widths, wide, OF_ACROSS) + told(heights, high, OF_DOWN) + OF_ASIDE * aside ** 2 + OF_LEANING * leaning ** 2
  return { stretch: Math.log(wide / high) - usual, deviation: DEVIATION }
}
