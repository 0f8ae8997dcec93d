import { distance, type Point, type Quad } from './quad.ts'
import type { Size } from '#shared/resize'

type Vector = readonly [number, number, number]

const cross = ([a, b, c]: Vector, [d, e, f]: Vector): Vector => [b * f - c * e, c * d - a * f, a * e - b * d]
const dot = ([a, b, c]: Vector, [d, e, f]: Vector): number => a * d + b * e + c * f

/** Focal lengths that cameras have, as parts of the picture's diagonal: from 13 to 130 mm on 35 mm film. */
const FOCAL = [0.3, 3] as const
/** What a phone's camera has (26 mm), where the picture does not tell. */
const USUAL_FOCAL = 0.6

/** Proportions, width over height, that paper has, and how near to one a page must be to be taken for it. */
const PAPERS = [1 / Math.SQRT2, Math.SQRT2, 8.5 / 11, 11 / 8.5]
const SNAP = 0.035

/**
 * Width over height of a flat rectangle from its four corners in a photo whose middle the camera looked through, with the camera's focal length
 * from the same corners where they tell it (Zhang and He, "Whiteboard scanning and image enhancement", 2007).
 */
export function proportionsOf([p, q, r, s]: Quad, { width, height }: Size): number {
  // The formulas become their simplest when the middle of the picture is the origin and its diagonal the unit.
  const unit = Math.hypot(width, height)
  const seen = ({ x, y }: Point): Vector => [(x - width / 2) / unit, (y - height / 2) / unit, 1]
  const [m1, m2, m3, m4] = [seen(p), seen(q), seen(s), seen(r)]
  const k2 = dot(cross(m1, m4), m3) / dot(cross(m2, m4), m3)
  const k3 = dot(cross(m1, m4), m2) / dot(cross(m3, m4), m2)
  const n2: Vector = [k2 * m2[0] - m1[0], k2 * m2[1] - m1[1], k2 - 1]
  const n3: Vector = [k3 * m3[0] - m1[0], k3 * m3[1] - m1[1], k3 - 1]
  const square = -(n2[0] * n3[0] + n2[1] * n3[1]) / (n2[2] * n3[2])
  const isTold = Number.isFinite(square) && square > FOCAL[0] ** 2 && square < FOCAL[1] ** 2
  const focal = isTold ? square : USUAL_FOCAL ** 2
  const lengthOf = ([x, y, z]: Vector): number => Math.sqrt((x * x + y * y) / focal + z * z)
  const found = lengthOf(n2) / lengthOf(n3)
  const sides = (distance(p, q) + distance(s, r)) / (distance(p, s) + distance(q, r))
  return Number.isFinite(found) && found > sides / 2.5 && found < sides * 2.5 ? found : sides
}

/** The proportions of the paper they nearly are, else unchanged. */
export const paperProportions = (found: number): number => PAPERS.find((one) => Math.abs(Math.log(found / one)) < SNAP) ?? found

/** The size of a page in pixels: so large that its nearest side keeps its pixels, but with no more pixels than the whole photo has. */
export function pageSize(quad: Quad, photo: Size): Size {
  const [p, q, r, s] = quad
  const proportions = paperProportions(proportionsOf(quad, photo))
  const wide = Math.max(distance(p, q), distance(s, r))
  const high = Math.max(distance(p, s), distance(q, r))
  const width = Math.max(wide, high * proportions)
  const shrink = Math.min(1, Math.sqrt((photo.width * photo.height) / ((width * width) / proportions)))
  return { width: Math.max(1, Math.round(width * shrink)), height: Math.max(1, Math.round((width * shrink) / proportions)) }
}
