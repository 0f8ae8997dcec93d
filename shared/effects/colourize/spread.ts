import type { Size } from '#shared/resize'

/**
 * A linear system on a grid: at each place `own * x - sum of link * neighbour's x = given`. Planes have an empty place all around them; a place whose
 * `own` is 0 is not asked for and stays 0.
 */
export interface Grid extends Size {
  readonly own: Float32Array
  /** The link to the place on the right, and to the one below. */
  readonly right: Float32Array
  readonly below: Float32Array
}

/** An empty grid of a size; `at` of a place is `(y + 1) * (width + 2) + x + 1`. */
export function emptyGrid({ width, height }: Size): Grid {
  const plane = (): Float32Array => new Float32Array((width + 2) * (height + 2))
  return { width, height, own: plane(), right: plane(), below: plane() }
}

/** A grid of a quarter of the places, each for a block of four (Galerkin's product for blocks of one value each). */
function coarser(fine: Grid): Grid {
  const coarse = emptyGrid({ width: (fine.width + 1) >> 1, height: (fine.height + 1) >> 1 })
  const [wide, narrow] = [fine.width + 2, coarse.width + 2]
  for (let y = 0; y < fine.height; y++) {
    for (let x = 0, at = (y + 1) * wide + 1; x < fine.width; x++, at++) {
      const to = ((y >> 1) + 1) * narrow + (x >> 1) + 1
      const [right, below] = [fine.right[at] ?? 0, fine.below[at] ?? 0]
      const inside = (x % 2 === 0 ? right : 0) + (y % 2 === 0 ? below : 0)
      coarse.own[to] = (coarse.own[to] ?? 0) + (fine.own[at] ?? 0) - 2 * inside
      if (x % 2 === 1) coarse.right[to] = (coarse.right[to] ?? 0) + right
      if (y % 2 === 1) coarse.below[to] = (coarse.below[to] ?? 0) + below
    }
  }
  return coarse
}

/** A grid with what a cycle needs on it. */
interface Level {
  readonly grid: Grid
  readonly given: Float32Array
  readonly x: Float32Array
}

const COARSEST = 4
/** Blocks of one value are too stiff by about this much (Braess, "Towards algebraic multigrid for elliptic problems of second order", 1995). */
const OVER = 1.8

/** A grid and ever coarser ones of it, to solve with. */
export function levelsOf(grid: Grid): readonly Level[] {
  const levels: Level[] = []
  for (let next = grid; ; next = coarser(next)) {
    levels.push({ grid: next, given: new Float32Array(next.own.length), x: new Float32Array(next.own.length) })
    if (Math.max(next.width, next.height) <= COARSEST) return levels
  }
}

/** What a place's neighbours give it. */
const around = ({ right, below }: Grid, x: Float32Array, at: number, wide: number): number =>
  (right[at] ?? 0) * (x[at + 1] ?? 0) +
  (right[at - 1] ?? 0) * (x[at - 1] ?? 0) +
  (below[at] ?? 0) * (x[at + wide] ?? 0) +
  (below[at - wide] ?? 0) * (x[at - wide] ?? 0)

/** One pass of Gauss and Seidel's method, from the first place to the last or back. */
function relax(grid: Grid, given: Float32Array, x: Float32Array, isBack: boolean): void {
  const { width, height, own } = grid
  const wide = width + 2
  const step = isBack ? -1 : 1
  for (let row = 0; row < height; row++) {
    let at = ((isBack ? height - 1 - row : row) + 1) * wide + (isBack ? width : 1)
    for (let count = 0; count < width; count++, at += step) {
      const self = own[at] ?? 0
      if (self > 0) x[at] = ((given[at] ?? 0) + around(grid, x, at, wide)) / self
    }
  }
}

/** The grid's left side. */
function applied(grid: Grid, x: Float32Array, out: Float32Array): void {
  const wide = grid.width + 2
  for (let y = 1; y <= grid.height; y++) {
    for (let at = y * wide + 1; at <= y * wide + grid.width; at++) {
      const self = grid.own[at] ?? 0
      out[at] = self > 0 ? self * (x[at] ?? 0) - around(grid, x, at, wide) : 0
    }
  }
}

/** What is left of `given` is handed to the blocks. */
function restrict({ grid, given, x }: Level, coarse: Level): void {
  const [wide, narrow] = [grid.width + 2, coarse.grid.width + 2]
  coarse.given.fill(0)
  for (let y = 0; y < grid.height; y++) {
    for (let column = 0, at = (y + 1) * wide + 1; column < grid.width; column++, at++) {
      const self = grid.own[at] ?? 0
      if (self === 0) continue
      const to = ((y >> 1) + 1) * narrow + (column >> 1) + 1
      coarse.given[to] = (coarse.given[to] ?? 0) + (given[at] ?? 0) - self * (x[at] ?? 0) + around(grid, x, at, wide)
    }
  }
}

/** What the blocks found is added to their places. */
function prolong({ grid, x }: Level, coarse: Level): void {
  const [wide, narrow] = [grid.width + 2, coarse.grid.width + 2]
  for (let y = 0; y < grid.height; y++) {
    for (let column = 0, at = (y + 1) * wide + 1; column < grid.width; column++, at++) {
      if ((grid.own[at] ?? 0) > 0) x[at] = (x[at] ?? 0) + OVER * (coarse.x[((y >> 1) + 1) * narrow + (column >> 1) + 1] ?? 0)
    }
  }
}

/** One V cycle from nothing: a symmetric, cheap and good guess of the solution. */
function cycle(levels: readonly Level[], depth = 0): void {
  const [level, coarse] = [levels[depth], levels[depth + 1]]
  if (!level) return
  const { grid, given, x } = level
  x.fill(0)
  const passes = coarse ? 1 : 8
  for (let pass = 0; pass < passes; pass++) relax(grid, given, x, false)
  if (coarse) {
    restrict(level, coarse)
    cycle(levels, depth + 1)
    prolong(level, coarse)
  }
  for (let pass = 0; pass < passes; pass++) relax(grid, given, x, true)
}

function dot(one: Float32Array, other: Float32Array): number {
  let sum = 0
  for (let at = 0; at < one.length; at++) sum += (one[at] ?? 0) * (other[at] ?? 0)
  return sum
}

const MOST_STEPS = 60

/** Solves the first of `levels` for `given` by conjugate gradients with the cycle as preconditioner; `tolerance` is of the first residual. */
export function solve(levels: readonly Level[], given: Float32Array, tolerance: number): Float32Array {
  const [top] = levels
  const x = new Float32Array(given.length)
  if (!top) return x
  const residual = given.slice()
  const image = new Float32Array(given.length)
  const guess = (): number => {
    top.given.set(residual)
    cycle(levels)
    return dot(residual, top.x)
  }
  let size = guess()
  const end = size * tolerance * tolerance
  const direction = top.x.slice()
  for (let step = 0; step < MOST_STEPS && size > end && size > 0; step++) {
    applied(top.grid, direction, image)
    const length = size / dot(direction, image)
    for (let at = 0; at < x.length; at++) {
      x[at] = (x[at] ?? 0) + length * (direction[at] ?? 0)
      residual[at] = (residual[at] ?? 0) - length * (image[at] ?? 0)
    }
    const next = guess()
    const turn = next / size
    for (let at = 0; at < x.length; at++) direction[at] = (top.x[at] ?? 0) + turn * (direction[at] ?? 0)
    size = next
  }
  return x
}
