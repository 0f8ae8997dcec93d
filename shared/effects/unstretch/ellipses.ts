import { edgesOf, linesOf, type Edges } from './edges.ts'
import type { Plane } from '#shared/matte/blur'

/** An upright ellipse, as a circle becomes one when its picture is stretched: its centre, its half width and half height in pixels. */
export interface Ellipse {
  readonly x: number
  readonly y: number
  readonly a: number
  readonly b: number
  /** How much of its outline is seen as an edge across it, 0..1. */
  readonly seen: number
}

const LEAST_LINE = 24
/** Half axes within which an outline tells its proportions. */
const LEAST_HALF = 9
const MOST_LENGTHENED = 2.6
/** Of an outline, this much must be seen. */
const LEAST_SEEN = 0.7
/** How far an edge may lie off the outline, in pixels, and how far its gradient may turn from the outline's normal (cosine). */
const OFF = 1.5
const STRAIGHT = 0.94

/** Solves a small system of linear equations (Gauss with pivots), in place; undefined where it has no single answer. */
function solved(rows: number[][]): number[] | undefined {
  const count = rows.length
  for (let column = 0; column < count; column++) {
    const rest = rows.slice(column).toSorted((one, other) => Math.abs(other[column] ?? 0) - Math.abs(one[column] ?? 0))
    rows.splice(column, rest.length, ...rest)
    const pivot = rows[column]
    if (!pivot || Math.abs(pivot[column] ?? 0) < 1e-9) return undefined
    for (const [at, row] of rows.entries()) {
      if (at === column) continue
      const factor = (row[column] ?? 0) / (pivot[column] ?? 1)
      for (let to = column; to <= count; to++) row[to] = (row[to] ?? 0) - factor * (pivot[to] ?? 0)
    }
  }
  return rows.map((row, at) => (row[count] ?? 0) / (row[at] ?? 1))
}

/**
 * The upright ellipse nearest to points, by least squares of x² + B·y² + C·x + D·y + E = 0 in units of their spread; undefined where it is none.
 */
function fitted(points: readonly (readonly [number, number])[]): Omit<Ellipse, 'seen'> | undefined {
  const count = points.length
  const [meanX, meanY] = [0, 1].map((axis) => points.reduce((sum, point) => sum + (point[axis] ?? 0), 0) / count)
  const spread = Math.sqrt(points.reduce((sum, [x, y]) => sum + (x - (meanX ?? 0)) ** 2 + (y - (meanY ?? 0)) ** 2, 0) / count) || 1
  const rows = Array.from({ length: 4 }, () => [0, 0, 0, 0, 0])
  for (const [px, py] of points) {
    const [x, y] = [(px - (meanX ?? 0)) / spread, (py - (meanY ?? 0)) / spread]
    const terms = [y * y, x, y, 1, -x * x]
    for (const [at, row] of rows.entries()) for (let to = 0; to < 5; to++) row[to] = (row[to] ?? 0) + (terms[at] ?? 0) * (terms[to] ?? 0)
  }
  const [B = 0, C = 0, D = 0, E = 0] = solved(rows) ?? []
  if (B <= 0) return undefined
  const [x, y] = [-C / 2, -D / (2 * B)]
  const square = x * x + B * y * y - E
  if (square <= 0) return undefined
  const half = Math.sqrt(square) * spread
  return { x: x * spread + (meanX ?? 0), y: y * spread + (meanY ?? 0), a: half, b: half / Math.sqrt(B) }
}

const isPossible = ({ a, b }: Omit<Ellipse, 'seen'>, { width, height }: Edges): boolean =>
  Math.min(a, b) >= LEAST_HALF && a < width && b < height && Math.max(a / b, b / a) <= MOST_LENGTHENED

/** Where an edge crosses an outline near one of its points, by the edge's gradient: from 0 outwards, in pixels; undefined where none does. */
function edgeAt(edges: Edges, x: number, y: number, normalX: number, normalY: number): number | undefined {
  let best: number | undefined
  for (let off = -OFF; off <= OFF; off += 0.5) {
    const [column, row] = [Math.round(x + off * normalX), Math.round(y + off * normalY)]
    if (column < 1 || row < 1 || column >= edges.width - 1 || row >= edges.height - 1) continue
    const at = row * edges.width + column
    if (edges.marked[at] !== 1) continue
    const [gx, gy] = [edges.gradientX[at] ?? 0, edges.gradientY[at] ?? 0]
    const turn = Math.abs(gx * normalX + gy * normalY) / Math.hypot(gx, gy)
    if (turn >= STRAIGHT && (best === undefined || Math.abs(off) < Math.abs(best))) best = off
  }
  return best
}

/** The edges along an outline, as points, and how much of it they cover. */
function alongside(edges: Edges, { x, y, a, b }: Omit<Ellipse, 'seen'>): { points: [number, number][]; seen: number } {
  const count = Math.min(720, Math.max(48, Math.round(2 * Math.PI * Math.sqrt((a * a + b * b) / 2))))
  const points: [number, number][] = []
  for (let at = 0; at < count; at++) {
    const angle = (2 * Math.PI * at) / count
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
    const length = Math.hypot(cos / a, sin / b)
    const [normalX, normalY] = [cos / a / length, sin / b / length]
    const [px, py] = [x + a * cos, y + b * sin]
    const off = edgeAt(edges, px, py, normalX, normalY)
    if (off !== undefined) points.push(nearer(edges, px + off * normalX, py + off * normalY))
  }
  return { points, seen: points.length / count }
}

/** An edge's place to a fraction of a pixel: where a parabola through the gradient's size, along the gradient, is highest. */
function nearer({ width, gradientX, gradientY }: Edges, x: number, y: number): [number, number] {
  const [column, row] = [Math.round(x), Math.round(y)]
  const at = row * width + column
  const [gx, gy] = [gradientX[at] ?? 0, gradientY[at] ?? 0]
  const isAcross = Math.abs(gx) >= Math.abs(gy)
  const step = isAcross ? 1 : width
  const sizeAt = (place: number): number => Math.hypot(gradientX[place] ?? 0, gradientY[place] ?? 0)
  const [before, here, behind] = [sizeAt(at - step), sizeAt(at), sizeAt(at + step)]
  const bend = before - 2 * here + behind
  const shift = bend >= 0 ? 0 : Math.max(-0.5, Math.min(0.5, (before - behind) / (2 * bend)))
  return isAcross ? [column + shift, row] : [column, row + shift]
}

/** An ellipse through a line of edges, brought to all edges along it. */
function grownFrom(edges: Edges, line: readonly number[]): Ellipse | undefined {
  let ellipse = fitted(line.map((at) => [at % edges.width, Math.floor(at / edges.width)]))
  for (let round = 0; round < 4; round++) {
    if (!ellipse || !isPossible(ellipse, edges)) return undefined
    const { points, seen } = alongside(edges, ellipse)
    if (points.length < LEAST_LINE) return undefined
    if (round === 3) return seen >= LEAST_SEEN ? { ...ellipse, seen } : undefined
    ellipse = fitted(points)
  }
  return undefined
}

const isSame = (one: Ellipse, other: Ellipse): boolean =>
  Math.hypot(one.x - other.x, one.y - other.y) < 3 && Math.abs(one.a - other.a) < 3 && Math.abs(one.b - other.b) < 3

/** The upright ellipses of a picture's luma, 0..255: circles of it, if it was stretched as a whole. The best seen first. */
export function findEllipses(luma: Plane): readonly Ellipse[] {
  const edges = edgesOf(luma)
  const found: Ellipse[] = []
  const candidates = linesOf(edges, LEAST_LINE).flatMap((line) => grownFrom(edges, line) ?? [])
  for (const ellipse of candidates.toSorted((one, other) => other.seen - one.seen)) {
    if (!found.some((better) => isSame(better, ellipse))) found.push(ellipse)
  }
  return found
}
