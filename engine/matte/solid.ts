import type { Matte } from '#shared/matte/matte'
import { stepsOf } from '#shared/matte/steps'
import type { Size } from '#shared/resize'

/** The longer side of the grid on which the inside of a subject is told from its edge. */
const GRID_SIDE = 256
/** Below this a model speaks for the ground rather than for the subject. */
const HALF = 128
/** What lies this deep in the subject, as a part of the longer side, is no edge: from the first on it begins to be solid, at the second it is. */
const DEEP = [1 / 50, 1 / 30] as const
/** How far in what is not solid yet may still be a soft edge, as a part of the edges' width. */
const PAST_EDGE = 1.4
/** A hole is a flaw of the model where it is enclosed, smaller than this part of the picture, and not even in its middle surely ground. */
const FLAW_AREA = 0.002
const SURELY_GROUND = 64

/** The least alpha in each square of pixels. */
interface Grid extends Size {
  readonly data: Uint8Array
  readonly step: number
}

function leastOf({ data, width, height }: Matte): Grid {
  const step = Math.max(1, Math.ceil(Math.max(width, height) / GRID_SIDE))
  const [across, down] = [Math.ceil(width / step), Math.ceil(height / step)]
  const cells = new Uint8Array(across * down).fill(255)
  for (let y = 0, at = 0; y < height; y++) {
    const row = Math.floor(y / step) * across
    for (let x = 0; x < across; x++) {
      let least = cells[row + x] ?? 0
      for (const end = Math.min(width, (x + 1) * step) + y * width; at < end; at++) if ((data[at] ?? 0) < least) least = data[at] ?? 0
      cells[row + x] = least
    }
  }
  return { data: cells, width: across, height: down, step }
}

/** Closes holes that are flaws: their cells count as subject from then on. */
function closeFlaws({ data, width, height }: Grid): void {
  const seen = new Uint8Array(data.length)
  for (let start = 0; start < data.length; start++) {
    if (seen[start] === 1 || (data[start] ?? 0) >= HALF) continue
    const hole = [start]
    seen[start] = 1
    let isFlaw = true
    for (let next = 0; next < hole.length; next++) {
      const cell = hole[next] ?? 0
      const [x, y] = [cell % width, Math.floor(cell / width)]
      const touchesSide = x === 0 || y === 0 || x === width - 1 || y === height - 1
      if (touchesSide || (data[cell] ?? 0) < SURELY_GROUND) isFlaw = false
      const beside = [
        x > 0 ? cell - 1 : cell,
        x < width - 1 ? cell + 1 : cell,
        y > 0 ? cell - width : cell,
        y < height - 1 ? cell + width : cell,
      ]
      for (const neighbour of beside) {
        if (seen[neighbour] === 1 || (data[neighbour] ?? 0) >= HALF) continue
        seen[neighbour] = 1
        hole.push(neighbour)
      }
    }
    if (isFlaw && hole.length <= FLAW_AREA * data.length) for (const cell of hole) data[cell] = HALF
  }
}

/** How far each cell lies from those that are ground, in cells (chamfer distance of 1 and √2); the picture's sides are no ground. */
function depthsOf({ data, width, height }: Grid): Float32Array {
  const depths = Float32Array.from(data, (least) => (least < HALF ? 0 : Infinity))
  const nearer = (at: number, x: number, y: number, cost: number): void => {
    if (x < 0 || y < 0 || x >= width || y >= height) return
    depths[at] = Math.min(depths[at] ?? 0, (depths[y * width + x] ?? 0) + cost)
  }
  const pass = (at: number, way: 1 | -1): void => {
    const [x, y] = [at % width, Math.floor(at / width)]
    nearer(at, x - way, y, 1)
    nearer(at, x, y - way, 1)
    nearer(at, x - way, y - way, Math.SQRT2)
    nearer(at, x + way, y - way, Math.SQRT2)
  }
  for (let at = 0; at < depths.length; at++) pass(at, 1)
  for (let at = depths.length - 1; at >= 0; at--) pass(at, -1)
  return depths
}

/**
 * A matte whose subject is solid inside: a sleeve that the model was only half sure of does not stay half transparent, nor does a small
 * hole that it did not believe in itself. Edges (`edgeWidth` pixels wide), and what is wider than an edge but rather ground, stay as they are.
 */
export function solidInside(matte: Matte, edgeWidth: number): Matte {
  const grid = leastOf(matte)
  closeFlaws(grid)
  const depths = depthsOf(grid)
  const longerSide = Math.max(grid.width, grid.height)
  const wide = edgeWidth / grid.step
  const [from, to] = [Math.max(DEEP[0] * longerSide, wide), Math.max(DEEP[1] * longerSide, PAST_EDGE * wide)]
  const lifts = depths.map((depth) => Math.min(1, Math.max(0, (depth - from) / (to - from))))
  const [across, down] = [stepsOf(0, matte.width, grid.width, grid.step), stepsOf(0, matte.height, grid.height, grid.step)]
  const data = matte.data.slice()
  for (let y = 0, at = 0; y < matte.height; y++) {
    const [upper, lower, below] = [(down.from[y] ?? 0) * grid.width, (down.next[y] ?? 0) * grid.width, down.share[y] ?? 0]
    for (let x = 0; x < matte.width; x++, at++) {
      const alpha = data[at] ?? 0
      if (alpha === 255 || alpha === 0) continue
      const [left, right, beside] = [across.from[x] ?? 0, across.next[x] ?? 0, across.share[x] ?? 0]
      const above = (lifts[upper + left] ?? 0) * (1 - beside) + (lifts[upper + right] ?? 0) * beside
      const under = (lifts[lower + left] ?? 0) * (1 - beside) + (lifts[lower + right] ?? 0) * beside
      data[at] = alpha + (255 - alpha) * (above * (1 - below) + under * below) + 0.5
    }
  }
  return { data, width: matte.width, height: matte.height }
}
