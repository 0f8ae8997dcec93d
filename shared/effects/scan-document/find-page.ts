import { slopesOf, sideLines, type Line } from './lines.ts'
import { areaOf, distance, isPageLike, type Point, type Quad } from './quad.ts'
import { refined } from './refine.ts'
import { isPaper, paperOf } from './paper.ts'
import { paleness, shrunk } from './shrunk.ts'
import { alongOf, groundsOf, sideOf, supportBetween, type Side } from './support.ts'
import { warped } from './warp.ts'
import { blurPlane } from '#shared/matte/blur'
import type { Rgb } from '#shared/effects/effect'
import type { Size } from '#shared/resize'

/** A page in a photo. */
export interface FoundPage {
  /** Its corners, as parts of the picture's width and height. */
  readonly quad: Quad
  /** 0..1. */
  readonly confidence: number
}

/** The longer side of the copy a page is looked for in. */
const SEARCH_SIDE = 640
/** Lines a side is chosen from: those with most votes, then those of them with most support. */
const VOTED = 48
const CHOSEN = 14
/** The least part of a picture that a page takes. */
const LEAST_AREA = 0.1
/** The least support of a page's sides: of each, and of all on average. */
const LEAST_SIDE = 0.42
const LEAST_SIDES = 0.75
/** Sides of the picture itself that may stand for a side of the page. */
const MOST_BORDERS = 1
/** A page that takes less of the picture has to be surer. */
const SMALL_AREA = 0.25
const SMALL_CONFIDENCE = 0.92
/** Edges this near to the picture's own, as a part of its longer side, are its frame. */
const FRAME = 0.015
/** The longer side of the copy of a found page that has to look like paper. */
const PAPER_SIDE = 400
/** Corners of a rectangle seen from aside, in cosines: from 50° to 130°. */
const MOST_COSINE = 0.64
const MOST_LEAN = 2.6

function meeting(one: Line, other: Line): Point | undefined {
  const whole = one.cos * other.sin - one.sin * other.cos
  if (Math.abs(whole) < 0.3) return undefined
  return { x: (one.rho * other.sin - other.rho * one.sin) / whole, y: (other.rho * one.cos - one.rho * other.cos) / whole }
}

const isNear = ({ x, y }: Point, { width, height }: Size): boolean => {
  const room = 0.02 * Math.max(width, height)
  return x > -room && y > -room && x < width + room && y < height + room
}

const cosine = (at: Point, one: Point, other: Point): number =>
  ((one.x - at.x) * (other.x - at.x) + (one.y - at.y) * (other.y - at.y)) / (distance(at, one) * distance(at, other))

/** Whether four corners look like a rectangle from somewhere a camera may stand. */
function isPlausible(quad: Quad, size: Size): boolean {
  if (!isPageLike(quad, size) || areaOf(quad) < LEAST_AREA * size.width * size.height) return false
  const [p, q, r, s] = quad
  const cosines = [cosine(p, q, s), cosine(q, r, p), cosine(r, s, q), cosine(s, p, r)]
  const lean = [distance(p, q) / distance(s, r), distance(p, s) / distance(q, r)]
  return cosines.every((one) => Math.abs(one) < MOST_COSINE) && lean.every((one) => one < MOST_LEAN && one > 1 / MOST_LEAN)
}

interface Candidate {
  readonly quad: Quad
  readonly sides: readonly [Side, Side, Side, Side]
  readonly score: number
  readonly confidence: number
}

/** How much of a side's line is an edge beyond its ends: a page ends at its corners, a table goes on. */
function beyond(side: Side, from: number, to: number): number {
  const length = 0.1 * Math.abs(to - from)
  const way = Math.sign(to - from)
  const gap = 4 * way
  return (supportBetween(side, from - gap, from - gap - way * length) + supportBetween(side, to + gap, to + gap + way * length)) / 2
}

/** Whether the paler side of every line is the one on which the four corners lie. */
function isOutline(sides: Candidate['sides'], quad: Quad): boolean {
  const [x, y] = [quad.reduce((sum, one) => sum + one.x / 4, 0), quad.reduce((sum, one) => sum + one.y / 4, 0)]
  return sides.every(({ cos, sin, rho }) => x * cos + y * sin > rho)
}

/** What speaks for four lines being a page's sides; undefined where they can't be. */
function candidate(sides: Candidate['sides'], corners: readonly (Point | undefined)[], size: Size): Candidate | undefined {
  const [p, q, r, s] = corners
  if (!p || !q || !r || !s || ![p, q, r, s].every((corner) => isNear(corner, size))) return undefined
  const quad: Quad = [p, q, r, s]
  if (!isOutline(sides, quad) || !isPlausible(quad, size)) return undefined
  const ends = [[s, p] as const, [p, q] as const, [q, r] as const, [r, s] as const]
  let [sum, length, least, after] = [0, 0, 1, 0]
  for (const [at, [from, to]] of ends.entries()) {
    const side = sides[at]
    if (!side) return undefined
    const [low, high] = [alongOf(side, from.x, from.y), alongOf(side, to.x, to.y)]
    const support = supportBetween(side, low, high)
    if (support < LEAST_SIDE - (side.isBorder ? 0.05 : 0)) return undefined
    sum += support * distance(from, to)
    length += distance(from, to)
    if (!side.isBorder) least = Math.min(least, support)
    after += side.isBorder ? 0 : beyond(side, low, high) / 4
  }
  const mean = sum / length
  const area = areaOf(quad) / (size.width * size.height)
  const confidence = Math.min(1, (mean + least) / 2)
  if (confidence < (area < SMALL_AREA ? SMALL_CONFIDENCE : LEAST_SIDES)) return undefined
  return { quad, sides, score: mean + 0.3 * least + 0.35 * Math.sqrt(area) - 0.4 * after, confidence }
}

function borders({ width, height }: Size): readonly Line[] {
  return [
    { angle: 0, cos: 1, sin: 0, rho: 0 },
    { angle: 90, cos: 0, sin: 1, rho: 0 },
    { angle: 180, cos: -1, sin: 0, rho: -width },
    { angle: 270, cos: 0, sin: -1, rho: -height },
  ]
}

/** Whether a line is the frame that many pictures have. */
function isFrame({ cos, sin, rho }: Line, border: Line, { width, height }: Size): boolean {
  const isParallel = cos * border.cos + sin * border.sin > 0.999
  return isParallel && Math.abs(rho - border.rho) < FRAME * Math.max(width, height)
}

/** Whether what four corners hold is paper with something on it. */
function holdsPaper(picture: Rgb, quad: Quad): boolean {
  const scale = PAPER_SIDE / Math.max(picture.width, picture.height)
  const page = { width: Math.max(1, Math.round(picture.width * scale)), height: Math.max(1, Math.round(picture.height * scale)) }
  return isPaper(paperOf(warped(picture, { ...page, page, quad, turn: 0, paper: [0, 0, 0] })))
}

/** The best of all quadrilaterals that the lines make. */
function best([lefts = [], tops = [], rights = [], bottoms = []]: readonly (readonly Side[])[], size: Size): Candidate | undefined {
  let found: Candidate | undefined
  for (const left of lefts) {
    for (const top of tops) {
      const p = meeting(left, top)
      if (!p || !isNear(p, size)) continue
      for (const right of rights) {
        const q = meeting(top, right)
        if (!q || !isNear(q, size)) continue
        for (const bottom of bottoms) {
          const sides = [left, top, right, bottom] as const
          if (sides.filter(({ isBorder }) => isBorder).length > MOST_BORDERS) continue
          const one = candidate(sides, [p, q, meeting(right, bottom), meeting(bottom, left)], size)
          if (one && one.score > (found?.score ?? 0)) found = one
        }
      }
    }
  }
  return found
}

/**
 * The page a photo shows, by its outline: straight edges, the inside paler than what lies around; of all quadrilaterals they make the one whose sides are
 * most surely edges. `undefined` where there is none to be sure of.
 */
export function findPage(picture: Rgb): FoundPage | undefined {
  const small = shrunk(picture, SEARCH_SIDE)
  const size = { width: small.width, height: small.height }
  if (Math.min(size.width, size.height) < 48) return undefined
  const pale = paleness(small)
  blurPlane(pale, 1.2)
  const slopes = slopesOf(pale)
  const grounds = groundsOf(pale, slopes)
  const edges = borders(size)
  const sides = sideLines(pale, slopes, VOTED).map((lines, at) => {
    const border = edges[at]
    const chosen = lines
      .filter((line) => !border || !isFrame(line, border, size))
      .map((line) => sideOf(grounds, line))
      .toSorted((one, other) => other.weight - one.weight)
      .slice(0, CHOSEN)
    return border ? [...chosen, sideOf(grounds, border, true)] : chosen
  })
  const found = best(sides, size)
  if (!found) return undefined
  const quad = refined(
    pale,
    found.quad,
    found.sides.map(({ isBorder }) => isBorder),
  )
  if (!holdsPaper(small, quad)) return undefined
  const part = ({ x, y }: Point): Point => ({ x: Math.min(1, Math.max(0, x / size.width)), y: Math.min(1, Math.max(0, y / size.height)) })
  const [p, q, r, s] = quad
  return { quad: [part(p), part(q), part(r), part(s)], confidence: found.confidence }
}
