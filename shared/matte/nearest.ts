import type { Rect } from '#shared/resize'

/** A place in pixels. */
export interface Point {
  readonly x: number
  readonly y: number
}

/** Squares of `step` pixels, and for each the number of the piece of a path that is nearest to its middle. */
export interface NearestPieces {
  readonly across: number
  readonly down: number
  readonly piece: Int32Array
  /** How far that is. */
  readonly distance: Float32Array
}

interface Field extends NearestPieces {
  readonly path: readonly Point[]
  readonly area: Rect
  readonly step: number
}

const NONE = -1

/** How far the middle of a square is from the piece that begins with a path's point of this number. */
function distanceTo({ path, area, step }: Field, piece: number, x: number, y: number): number {
  const a = path[piece]
  if (!a) return Infinity
  const b = path[piece + 1] ?? a
  const [px, py] = [area.left + (x + 0.5) * step - 0.5 - a.x, area.top + (y + 0.5) * step - 0.5 - a.y]
  const [dx, dy] = [b.x - a.x, b.y - a.y]
  const square = dx * dx + dy * dy
  const along = square > 0 ? Math.min(1, Math.max(0, (px * dx + py * dy) / square)) : 0
  return Math.hypot(px - along * dx, py - along * dy)
}

/** Lets a square have a piece, if it is nearer than the one it has. */
function offer(field: Field, piece: number, x: number, y: number): void {
  const at = y * field.across + x
  if (piece === NONE || piece === field.piece[at]) return
  const distance = distanceTo(field, piece, x, y)
  if (distance >= (field.distance[at] ?? 0)) return
  field.piece[at] = piece
  field.distance[at] = distance
}

/** Offers each piece to the squares it runs through. */
function begin(field: Field): void {
  const { path, area, step, across, down } = field
  for (let piece = 0; piece < Math.max(1, path.length - 1); piece++) {
    const a = path[piece]
    const b = path[piece + 1] ?? a
    if (!a || !b) continue
    const count = Math.ceil((2 * Math.hypot(b.x - a.x, b.y - a.y)) / step) + 1
    for (let n = 0; n <= count; n++) {
      const x = Math.floor((a.x + ((b.x - a.x) * n) / count + 0.5 - area.left) / step)
      const y = Math.floor((a.y + ((b.y - a.y) * n) / count + 0.5 - area.top) / step)
      if (x >= 0 && y >= 0 && x < across && y < down) offer(field, piece, x, y)
    }
  }
}

/** Offers each square what its neighbours have that were looked at before, row by row in one direction (1 down, -1 up), and there and back in each. */
function pass(field: Field, way: 1 | -1): void {
  const { across, down, piece } = field
  for (let n = 0; n < down; n++) {
    const y = way > 0 ? n : down - 1 - n
    const row = y * across
    const before = row - way * across
    for (let x = 0; x < across; x++) {
      if (x > 0) offer(field, piece[row + x - 1] ?? NONE, x, y)
      if (n === 0) continue
      for (let beside = Math.max(0, x - 1); beside <= Math.min(across - 1, x + 1); beside++)
        offer(field, piece[before + beside] ?? NONE, x, y)
    }
    for (let x = across - 2; x >= 0; x--) offer(field, piece[row + x + 1] ?? NONE, x, y)
  }
}

/**
 * Which piece of a path is nearest to each square of an area, whatever the number of pieces: found where the pieces run and handed on from square to
 * square (Danielsson, "Euclidean distance mapping", 1980). Where hardly any square is nearest to a piece, it may be overlooked.
 */
export function nearestPieces(path: readonly Point[], area: Rect, step: number): NearestPieces {
  const [across, down] = [Math.ceil(area.width / step), Math.ceil(area.height / step)]
  const piece = new Int32Array(across * down).fill(NONE)
  const field = { path, area, step, across, down, piece, distance: new Float32Array(across * down).fill(Infinity) }
  begin(field)
  pass(field, 1)
  pass(field, -1)
  return field
}
