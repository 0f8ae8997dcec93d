import type { Matte } from '#shared/matte/matte'
import type { Rect } from '#shared/resize'
import type { Subject } from '#shared/tools/define'

/** The longer side of the grid on which parts of a matte are told apart. */
const GRID_SIDE = 512
/** From here on a cell holds a part of its own; down to `FAINT` it belongs to one beside it. */
const CLEAR = 64
const FAINT = 8

/** The matte's greatest alpha in each square of `step` pixels. */
interface Grid {
  readonly data: Uint8Array
  readonly width: number
  readonly height: number
  readonly step: number
}

/** A connected part: its cells, and the rectangle around them. */
interface Part extends Rect {
  readonly area: number
}

function gridOf({ data, width, height }: Matte): Grid {
  const step = Math.max(1, Math.ceil(Math.max(width, height) / GRID_SIDE))
  const [across, down] = [Math.ceil(width / step), Math.ceil(height / step)]
  const cells = new Uint8Array(across * down)
  for (let y = 0, at = 0; y < height; y++) {
    const row = Math.floor(y / step) * across
    for (let x = 0; x < across; x++) {
      let most = cells[row + x] ?? 0
      for (const end = Math.min(width, (x + 1) * step) + y * width; at < end; at++) if ((data[at] ?? 0) > most) most = data[at] ?? 0
      cells[row + x] = most
    }
  }
  return { data: cells, width: across, height: down, step }
}

/** Calls `visit` with each neighbour (of eight) of a cell. */
function eachNeighbour({ width, height }: Grid, cell: number, visit: (neighbour: number) => void): void {
  const [x, y] = [cell % width, Math.floor(cell / width)]
  for (let ny = Math.max(0, y - 1); ny <= Math.min(height - 1, y + 1); ny++) {
    for (let nx = Math.max(0, x - 1); nx <= Math.min(width - 1, x + 1); nx++) if (nx !== x || ny !== y) visit(ny * width + nx)
  }
}

/** Gives the cells that `floods` lets in from a start the number `label`; what it covers. */
function flood(grid: Grid, labels: Int32Array, start: number, label: number): Part {
  const queue = [start]
  labels[start] = label
  let [left, top, right, bottom] = [grid.width, grid.height, 0, 0]
  for (let cell = queue[0], next = 1; cell !== undefined; cell = queue[next++]) {
    const [x, y] = [cell % grid.width, Math.floor(cell / grid.width)]
    left = Math.min(left, x)
    right = Math.max(right, x)
    top = Math.min(top, y)
    bottom = Math.max(bottom, y)
    eachNeighbour(grid, cell, (neighbour) => {
      if ((labels[neighbour] ?? 0) !== 0 || (grid.data[neighbour] ?? 0) < CLEAR) return
      labels[neighbour] = label
      queue.push(neighbour)
    })
  }
  return { left, top, width: right - left + 1, height: bottom - top + 1, area: queue.length }
}

/** The parts of a grid, numbered from 1 in `labels`. */
function partsOf(grid: Grid): { labels: Int32Array; parts: Part[] } {
  const labels = new Int32Array(grid.data.length)
  const parts: Part[] = []
  for (let cell = 0; cell < labels.length; cell++) {
    if (labels[cell] === 0 && (grid.data[cell] ?? 0) >= CLEAR) parts.push(flood(grid, labels, cell, parts.length + 1))
  }
  return { labels, parts }
}

/** Lets faint cells belong to the part they hang on; those that hang on none keep 0. */
function claimFaint(grid: Grid, labels: Int32Array): void {
  const queue: number[] = []
  labels.forEach((label, cell) => label !== 0 && queue.push(cell))
  for (let next = 0; next < queue.length; next++) {
    const cell = queue[next] ?? 0
    eachNeighbour(grid, cell, (neighbour) => {
      if (labels[neighbour] !== 0 || (grid.data[neighbour] ?? 0) < FAINT) return
      labels[neighbour] = labels[cell] ?? 0
      queue.push(neighbour)
    })
  }
}

const gap = (from: number, length: number, other: number, otherLength: number): number =>
  Math.max(0, other - (from + length), from - (other + otherLength))

/** Cells between two rectangles; 0 where they touch or overlap. */
const distance = (a: Rect, b: Rect): number => Math.hypot(gap(a.left, a.width, b.left, b.width), gap(a.top, a.height, b.top, b.height))

/** Which parts are the subject. */
function chosen(parts: readonly Part[], subject: Subject, faces: readonly Rect[], longerSide: number): boolean[] {
  const largest = parts.reduce((best, part) => (part.area > best.area ? part : best))
  if (subject === 'goods') return parts.map(({ area }) => area >= 0.02 * largest.area)
  const anchored = parts.filter((part) => faces.some((face) => distance(part, face) === 0))
  const mains = anchored.length > 0 ? anchored : [largest]
  const isNear = (part: Part): boolean => mains.some((main) => distance(part, main) <= 0.02 * longerSide && part.area >= 0.001 * main.area)
  const isLarge = ({ area }: Part): boolean => anchored.length === 0 && area >= 0.3 * largest.area
  return parts.map((part) => mains.includes(part) || isNear(part) || isLarge(part))
}

/** A matte without what is not its subject: parts that its kind (and faces, for persons) do not speak for become ground. */
export function keepSubject(matte: Matte, subject: Subject, faces: readonly Rect[]): Matte {
  const grid = gridOf(matte)
  const { labels, parts } = partsOf(grid)
  if (parts.length === 0) return matte
  const { step } = grid
  const small = faces.map(({ left, top, width, height }) => ({
    left: left / step,
    top: top / step,
    width: width / step,
    height: height / step,
  }))
  const keeps = chosen(parts, subject, subject === 'person' ? small : [], Math.max(grid.width, grid.height))
  claimFaint(grid, labels)
  const data = matte.data.slice()
  for (let y = 0; y < matte.height; y++) {
    const row = Math.floor(y / step) * grid.width
    for (let x = 0; x < grid.width; x++) {
      const from = x
      while (x < grid.width && keeps[(labels[row + x] ?? 0) - 1] !== true) x++
      if (x > from) data.fill(0, y * matte.width + from * step, y * matte.width + Math.min(x * step, matte.width))
    }
  }
  return { data, width: matte.width, height: matte.height }
}
