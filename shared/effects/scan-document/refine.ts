import type { Point, Quad } from './quad.ts'
import type { Plane } from '#shared/matte/blur'

/** Places a side is measured at, how far from it its edge is looked for, and in what steps, in pixels. */
const PLACES = 72
const REACH = 4
const STEP = 0.25

interface Straight {
  /** A place on it and its direction. */
  readonly at: Point
  readonly along: Point
}

/** A plane between its pixels. */
function read({ data, width, height }: Plane, x: number, y: number): number {
  const [fromX, fromY] = [Math.min(width - 1.001, Math.max(0, x - 0.5)), Math.min(height - 1.001, Math.max(0, y - 0.5))]
  const [left, top] = [Math.floor(fromX), Math.floor(fromY)]
  const [tx, ty] = [fromX - left, fromY - top]
  const at = top * width + left
  const upper = (data[at] ?? 0) * (1 - tx) + (data[at + 1] ?? 0) * tx
  const lower = (data[at + width] ?? 0) * (1 - tx) + (data[at + width + 1] ?? 0) * tx
  return upper * (1 - ty) + lower * ty
}

/** How far inwards of a place the plane rises most steeply, and how steeply; what is nearer counts more. */
function edgeAt(plane: Plane, x: number, y: number, inward: Point): readonly [by: number, slope: number] {
  let [best, most, steep] = [0, 0, 0]
  for (let by = -REACH; by <= REACH; by += STEP) {
    const rise =
      read(plane, x + (by + 0.75) * inward.x, y + (by + 0.75) * inward.y) -
      read(plane, x + (by - 0.75) * inward.x, y + (by - 0.75) * inward.y)
    const score = rise * (1 - (0.4 * Math.abs(by)) / REACH)
    if (score > most) [best, most, steep] = [by, score, rise]
  }
  return [best, steep]
}

/** A straight line through what was measured (offset over place), without what lies far off it (Holland and Welsch, 1977: reweighted least squares). */
function fitted(places: readonly (readonly [t: number, by: number, weight: number])[]): readonly [offset: number, slant: number] {
  let [offset, slant] = [0, 0]
  for (let round = 0; round < 8; round++) {
    let [w, wt, wtt, wy, wty] = [0, 0, 0, 0, 0]
    for (const [t, by, strength] of places) {
      const off = (by - offset - slant * t) / (round < 2 ? 3 : 0.8)
      const weight = strength / (1 + off * off) ** 2
      w += weight
      wt += weight * t
      wtt += weight * t * t
      wy += weight * by
      wty += weight * t * by
    }
    const whole = w * wtt - wt * wt
    if (!(Math.abs(whole) > 1e-6)) return [0, 0]
    offset = (wtt * wy - wt * wty) / whole
    slant = (w * wty - wt * wy) / whole
  }
  return [offset, slant]
}

/** One side, moved onto the edge it lies nearest to. */
function settled(plane: Plane, from: Point, to: Point): Straight {
  const length = Math.hypot(to.x - from.x, to.y - from.y)
  const along = { x: (to.x - from.x) / length, y: (to.y - from.y) / length }
  // Clockwise corners have their inside to the right.
  const inward = { x: -along.y, y: along.x }
  const places = Array.from({ length: PLACES }, (_, n) => {
    const t = 0.04 + (0.92 * n) / (PLACES - 1)
    const [by, slope] = edgeAt(plane, from.x + t * (to.x - from.x), from.y + t * (to.y - from.y), inward)
    return [t, by, Math.min(8, slope)] as const
  })
  const [offset, slant] = fitted(places)
  const moved = (t: number, corner: Point): Point => ({
    x: corner.x + (offset + slant * t) * inward.x,
    y: corner.y + (offset + slant * t) * inward.y,
  })
  const [start, end] = [moved(0, from), moved(1, to)]
  return { at: start, along: { x: end.x - start.x, y: end.y - start.y } }
}

function meeting(one: Straight, other: Straight): Point {
  const whole = one.along.x * other.along.y - one.along.y * other.along.x
  const t = ((other.at.x - one.at.x) * other.along.y - (other.at.y - one.at.y) * other.along.x) / whole
  return { x: one.at.x + t * one.along.x, y: one.at.y + t * one.along.y }
}

/** Corners whose sides lie exactly on the edges they were found by; sides that are the picture's border (left, upper, right, lower) stay. */
export function refined(plane: Plane, [p, q, r, s]: Quad, isBorder: readonly boolean[]): Quad {
  const side = (at: number, from: Point, to: Point): Straight =>
    isBorder[at] === true ? { at: from, along: { x: to.x - from.x, y: to.y - from.y } } : settled(plane, from, to)
  const [left, top, right, bottom] = [side(0, s, p), side(1, p, q), side(2, q, r), side(3, r, s)]
  return [meeting(left, top), meeting(top, right), meeting(right, bottom), meeting(bottom, left)]
}
