import type { Matte } from './matte.ts'
import { nearestPieces, type Point } from './nearest.ts'
import type { Stroke } from '#shared/strokes'

/** A brush in pixels: full strength up to `inner` from its middle, none from `outer` on. */
interface Brush {
  readonly inner: number
  readonly outer: number
}

/** Pixels `left` <= x < `right`, `top` <= y < `bottom`. */
interface Bounds {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** How strong a stroke is at each pixel of its bounds, 0..255. */
interface Cover extends Bounds {
  readonly data: Uint8Array
}

/** x between `from` and `to`; none where they are crossed. */
interface Span {
  from: number
  to: number
}

/** A brush's rim is never narrower than a pixel, so that a hard brush has no jagged edge. */
function brushOf({ size, hardness }: Stroke, longerSide: number): Brush {
  const outer = (size * longerSide) / 2
  const inner = outer * hardness
  if (outer - inner >= 1) return { inner, outer }
  const middle = (inner + outer) / 2
  return { inner: middle - 0.5, outer: middle + 0.5 }
}

/** A stroke's points in pixels; pixel centres lie at halves, so a preview's and the picture's pixels mean the same places. */
function pathOf({ points }: Stroke, { width, height }: Matte): Point[] {
  const path: Point[] = []
  for (let at = 0; at + 1 < points.length; at += 2) {
    const point = { x: (points[at] ?? 0) * width - 0.5, y: (points[at + 1] ?? 0) * height - 0.5 }
    const last = path.at(-1)
    if (last?.x !== point.x || last.y !== point.y) path.push(point)
  }
  return path
}

function boundsOf(path: readonly Point[], reach: number, { width, height }: Matte): Bounds {
  const bounds = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity }
  for (const { x, y } of path) {
    bounds.left = Math.min(bounds.left, x - reach)
    bounds.top = Math.min(bounds.top, y - reach)
    bounds.right = Math.max(bounds.right, x + reach)
    bounds.bottom = Math.max(bounds.bottom, y + reach)
  }
  return {
    left: Math.max(0, Math.ceil(bounds.left)),
    top: Math.max(0, Math.ceil(bounds.top)),
    right: Math.min(width, Math.floor(bounds.right) + 1),
    bottom: Math.min(height, Math.floor(bounds.bottom) + 1),
  }
}

/** Narrows a span to where `at + slope * x` is at least 0. */
function narrow(span: Span, at: number, slope: number): void {
  if (slope > 0) span.from = Math.max(span.from, -at / slope)
  else if (slope < 0) span.to = Math.min(span.to, -at / slope)
  else if (at < 0) span.to = -Infinity
}

/**
 * Covers the pixels of one row within a span by their distance to the line from `a` to `b` (a dab where both are one point). The strongest
 * cover of a stroke counts, so what passes twice does not build up.
 */
function coverRow(cover: Cover, { inner, outer }: Brush, a: Point, b: Point, y: number, span: Span): void {
  const [dx, dy] = [b.x - a.x, b.y - a.y]
  const square = dx * dx + dy * dy
  const perLength = square > 0 ? 1 / square : 0
  const [least, most] = [inner > 0 ? inner * inner : 0, outer * outer]
  const row = (y - cover.top) * (cover.right - cover.left) - cover.left
  const [from, to] = [Math.max(cover.left, Math.floor(span.from)), Math.min(cover.right - 1, Math.ceil(span.to))]
  const [py, scale] = [y - a.y, 255 / (outer - inner)]
  for (let x = from; x <= to; x++) {
    const px = x - a.x
    const along = (px * dx + py * dy) * perLength
    const share = along < 0 ? 0 : along > 1 ? 1 : along
    const ox = px - share * dx
    const oy = py - share * dy
    const distance = ox * ox + oy * oy
    if (distance >= most) continue
    const strength = distance <= least ? 255 : Math.min(255, (outer - Math.sqrt(distance)) * scale + 0.5) | 0
    if (strength > (cover.data[row + x] ?? 0)) cover.data[row + x] = strength
  }
}

/**
 * Covers what of a stroke lies beside the line from `a` to `b`, and around `a` what lies behind it and beyond the line from `before`: together
 * these make up the whole stroke, and each of its pixels is looked at about once however close its points are.
 */
function coverLine(cover: Cover, brush: Brush, before: Point | undefined, a: Point, b: Point): void {
  const { outer } = brush
  const [dx, dy] = [b.x - a.x, b.y - a.y]
  const [bx, by] = before ? [a.x - before.x, a.y - before.y] : [0, 0]
  const [low, high] = [Math.min(a.y, b.y) - outer, Math.max(a.y, b.y) + outer]
  for (let y = Math.max(cover.top, Math.ceil(low)); y <= Math.min(cover.bottom - 1, high); y++) {
    const py = y - a.y
    const beside = { from: Math.min(a.x, b.x) - outer, to: Math.max(a.x, b.x) + outer }
    narrow(beside, py * dy - a.x * dx, dx)
    narrow(beside, -(py * dy - a.x * dx) + dx * dx + dy * dy, -dx)
    const reach = outer * Math.hypot(dx, dy)
    narrow(beside, reach + py * dx + a.x * dy, -dy)
    narrow(beside, reach - py * dx - a.x * dy, dy)
    if (beside.from <= beside.to) coverRow(cover, brush, a, b, y, beside)
    const half = Math.sqrt(outer * outer - py * py)
    if (Number.isNaN(half)) continue
    const joint = { from: a.x - half, to: a.x + half }
    narrow(joint, -(py * dy - a.x * dx), -dx)
    if (before) narrow(joint, py * by - a.x * bx, bx)
    if (joint.from <= joint.to) coverRow(cover, brush, a, a, y, joint)
  }
}

/** Covers the half disc around a path's last point. */
function coverEnd(cover: Cover, brush: Brush, before: Point | undefined, end: Point): void {
  const { outer } = brush
  const [bx, by] = before ? [end.x - before.x, end.y - before.y] : [0, 0]
  for (let y = Math.max(cover.top, Math.ceil(end.y - outer)); y <= Math.min(cover.bottom - 1, end.y + outer); y++) {
    const half = Math.sqrt(Math.max(0, outer * outer - (y - end.y) ** 2))
    const span = { from: end.x - half, to: end.x + half }
    if (before) narrow(span, (y - end.y) * by - end.x * bx, bx)
    if (span.from <= span.to) coverRow(cover, brush, end, end, y, span)
  }
}

/** A stroke whose pieces together cover this many times the pixels it lies in goes over the same places again and again. */
const CROWDED = 3
/** Squares have a part of the brush's radius for a side, up to a number of pixels; brushes below the least radius cost little. */
const PER_RADIUS = 16
const MOST_SQUARE = 16

function isCrowded(path: readonly Point[], { outer }: Brush, { left, top, right, bottom }: Bounds): boolean {
  if (outer < PER_RADIUS) return false
  let pixels = 0
  path.forEach((a, index) => {
    const b = path[index + 1] ?? a
    pixels += 2 * outer * (Math.hypot(b.x - a.x, b.y - a.y) + outer / 2)
  })
  return pixels > CROWDED * (right - left) * (bottom - top)
}

/** Covers a whole path at a cost that does not grow with its pieces: square by square, each by those of them that are nearest to it and around it. */
function coverByNearest(cover: Cover, brush: Brush, path: readonly Point[]): void {
  const { inner, outer } = brush
  const step = Math.min(MOST_SQUARE, Math.floor(outer / PER_RADIUS))
  // What runs beside the picture reaches into it.
  const margin = step * Math.ceil(outer / step)
  const [left, top] = [cover.left - margin, cover.top - margin]
  const area = { left, top, width: cover.right + margin - left, height: cover.bottom + margin - top }
  const { across, down, piece, distance } = nearestPieces(path, area, step)
  const half = step * Math.SQRT1_2
  for (let y = margin / step; y < down - Math.ceil(margin / step); y++) {
    for (let x = margin / step; x < across - Math.ceil(margin / step); x++) {
      const away = distance[y * across + x] ?? Infinity
      if (away - half >= outer) continue
      const span = { from: left + x * step, to: Math.min(cover.right, left + (x + 1) * step) - 1 }
      const [from, to] = [top + y * step, Math.min(cover.bottom, top + (y + 1) * step)]
      const near = new Set<number>()
      const reach = away + half <= inner ? 0 : 1
      for (let row = y - reach; row <= y + reach; row++)
        for (let at = x - reach; at <= x + reach; at++) near.add(piece[row * across + at] ?? -1)
      for (const one of near) {
        const a = path[one]
        if (a) for (let row = from; row < to; row++) coverRow(cover, brush, a, path[one + 1] ?? a, row, span)
      }
    }
  }
}

function coverOf(stroke: Stroke, matte: Matte): Cover | undefined {
  const brush = brushOf(stroke, Math.max(matte.width, matte.height))
  const path = pathOf(stroke, matte)
  const bounds = boundsOf(path, brush.outer, matte)
  const end = path.at(-1)
  if (!end || bounds.left >= bounds.right || bounds.top >= bounds.bottom) return undefined
  const cover = { ...bounds, data: new Uint8Array((bounds.right - bounds.left) * (bounds.bottom - bounds.top)) }
  if (isCrowded(path, brush, bounds)) {
    coverByNearest(cover, brush, path)
    return cover
  }
  path.forEach((a, index) => {
    const b = path[index + 1]
    if (b) coverLine(cover, brush, path[index - 1], a, b)
  })
  coverEnd(cover, brush, path.at(-2), end)
  return cover
}

/** Lays a stroke on samples: what it covers fully becomes subject or ground, what it covers in part moves towards that. */
function lay({ data, left, top, right, bottom }: Cover, mode: Stroke['mode'], samples: Uint8Array, width: number): void {
  const target = mode === 'keep' ? 255 : 0
  for (let y = top, from = 0; y < bottom; y++) {
    for (let x = left, at = y * width + left; x < right; x++, at++, from++) {
      const strength = data[from] ?? 0
      if (strength === 0) continue
      const before = samples[at] ?? 0
      samples[at] = before + ((target - before) * strength) / 255 + 0.5
    }
  }
}

/**
 * A matte after strokes of a round brush, in their order. A stroke is the brush moved along straight lines between its points: what lies within
 * the brush's hard core becomes subject (`keep`) or ground (`erase`), from there to the rim it does so less and less, linearly, and passing a
 * place twice in one stroke does no more than passing it once. On a smaller copy of the matte the same strokes mean the same.
 */
export function paintStrokes(matte: Matte, strokes: readonly Stroke[]): Matte {
  const data = matte.data.slice()
  for (const stroke of strokes) {
    const cover = coverOf(stroke, matte)
    if (cover) lay(cover, stroke.mode, data, matte.width)
  }
  return { data, width: matte.width, height: matte.height }
}
