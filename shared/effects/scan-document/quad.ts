import type { Size } from '#shared/resize'

/** A place in a picture, in its pixels: the first pixel's middle is at 0.5, 0.5. */
export interface Point {
  readonly x: number
  readonly y: number
}

/** Four corners from the left top one, clockwise. */
export type Quad = readonly [Point, Point, Point, Point]

/** A projective map of the plane: x' = (a x + b y + c) / (g x + h y + 1), y' = (d x + e y + f) / (g x + h y + 1). */
export type Projection = readonly [a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number]

/** The corners of a whole picture. */
export const wholeQuad = ({ width, height }: Size): Quad => [
  { x: 0, y: 0 },
  { x: width, y: 0 },
  { x: width, y: height },
  { x: 0, y: height },
]

/** The same corners in a picture of another size. */
export const scaledQuad = ([a, b, c, d]: Quad, wide: number, high: number): Quad => {
  const scaled = ({ x, y }: Point): Point => ({ x: x * wide, y: y * high })
  return [scaled(a), scaled(b), scaled(c), scaled(d)]
}

/** How far two places lie apart. */
export const distance = (one: Point, other: Point): number => Math.hypot(one.x - other.x, one.y - other.y)

const cross = (a: Point, b: Point, c: Point): number => (b.x - a.x) * (c.y - b.y) - (b.y - a.y) * (c.x - b.x)

/** The area of four corners; negative where they go round the other way. */
export const areaOf = ([a, b, c, d]: Quad): number => ((c.x - a.x) * (d.y - b.y) - (c.y - a.y) * (d.x - b.x)) / 2

/** Whether four corners can be a page seen from somewhere: they go round clockwise, bulge everywhere and hold more than a sliver. */
export function isPageLike(quad: Quad, { width, height }: Size): boolean {
  const [a, b, c, d] = quad
  const least = 1e-4 * width * height
  const bulges = [cross(a, b, c), cross(b, c, d), cross(c, d, a), cross(d, a, b)].every((turn) => turn > least)
  return bulges && areaOf(quad) > 10 * least
}

/** The projection of the unit square onto four corners (Heckbert, "Fundamentals of Texture Mapping and Image Warping", 1989). */
export function projectionTo([p, q, r, s]: Quad): Projection {
  const [dx1, dx2, dx3] = [q.x - r.x, s.x - r.x, p.x - q.x + r.x - s.x]
  const [dy1, dy2, dy3] = [q.y - r.y, s.y - r.y, p.y - q.y + r.y - s.y]
  const whole = dx1 * dy2 - dx2 * dy1
  const g = (dx3 * dy2 - dx2 * dy3) / whole
  const h = (dx1 * dy3 - dx3 * dy1) / whole
  return [q.x - p.x + g * q.x, s.x - p.x + h * s.x, p.x, q.y - p.y + g * q.y, s.y - p.y + h * s.y, p.y, g, h]
}

/** Where a projection takes a place. */
export function projected([a, b, c, d, e, f, g, h]: Projection, { x, y }: Point): Point {
  const w = g * x + h * y + 1
  return { x: (a * x + b * y + c) / w, y: (d * x + e * y + f) / w }
}
