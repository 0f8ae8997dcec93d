import type { Matte } from './matte.ts'
import type { Rect } from '#shared/resize'

/** Edges are looked for in squares of this many pixels. */
const CELL = 8

/** Which cells of a matte are wholly ground, wholly subject or neither, as 0, 255 and 1; `low` and below is ground, `high` and above subject. */
function cellsOf({ data, width, height }: Matte, low: number, high: number): Matte {
  const [across, down] = [Math.ceil(width / CELL), Math.ceil(height / CELL)]
  const [least, most] = [new Uint8Array(across * down).fill(255), new Uint8Array(across * down)]
  for (let y = 0, at = 0; y < height; y++) {
    const row = ((y / CELL) | 0) * across
    for (let x = 0; x < width; at++, x++) {
      const cell = row + ((x / CELL) | 0)
      const alpha = data[at] ?? 0
      if (alpha < (least[cell] ?? 0)) least[cell] = alpha
      if (alpha > (most[cell] ?? 0)) most[cell] = alpha
    }
  }
  const cells = most.map((value, at) => (value <= low ? 0 : (least[at] ?? 0) >= high ? 255 : 1))
  return { data: cells, width: across, height: down }
}

/** Whether all cells of a rectangle (which may reach beyond the matte) are alike, and not mixed. */
function isUniform(cells: Matte, left: number, top: number, right: number, bottom: number): boolean {
  const first = cells.data[Math.max(0, top) * cells.width + Math.max(0, left)] ?? 1
  if (first === 1) return false
  for (let y = Math.max(0, top); y <= Math.min(cells.height - 1, bottom); y++) {
    for (let x = Math.max(0, left); x <= Math.min(cells.width - 1, right); x++) if (cells.data[y * cells.width + x] !== first) return false
  }
  return true
}

/**
 * The parts of a matte in which a pixel can have an edge within `reach` pixels: strips of tiles of `tile` pixels (a multiple of 8), from the
 * top, neighbours in a row joined. Alpha up to `low` counts as ground, from `high` on as subject.
 */
export function edgeStrips(matte: Matte, { tile, reach, low, high }: { tile: number; reach: number; low: number; high: number }): Rect[] {
  const cells = cellsOf(matte, low, high)
  const [perTile, around] = [tile / CELL, Math.ceil(reach / CELL)]
  const strips: Rect[] = []
  for (let y = 0; y < cells.height; y += perTile) {
    const top = y * CELL
    const height = Math.min(tile, matte.height - top)
    let from = -1
    for (let x = 0; x < cells.width + perTile; x += perTile) {
      const isEdge = x < cells.width && !isUniform(cells, x - around, y - around, x + perTile - 1 + around, y + perTile - 1 + around)
      if (isEdge && from < 0) from = x
      if (isEdge || from < 0) continue
      const left = from * CELL
      strips.push({ left, top, width: Math.min(x * CELL, matte.width) - left, height })
      from = -1
    }
  }
  return strips
}
