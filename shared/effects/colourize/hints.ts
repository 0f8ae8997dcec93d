import { chromaOf, noChroma, type Chroma, type Grey } from './chroma.ts'
import { emptyGrid, levelsOf, solve, type Grid } from './spread.ts'
import { labOf } from '../math/lab.ts'
import type { Hint } from '#shared/hints'
import type { Size } from '#shared/resize'

/** How far a hint reaches into a plain area that has a colour already, as a part of the longer side. */
const REACH = 0.3
/** With no colour to come back to, hints reach everywhere; the system stays solvable. */
const EVERYWHERE = 1e-7
/** Steps of light between neighbours up to this (of 255) are no edge, and a picture's own graininess is none either. */
const LEAST_STEP = 2
const TOLERANCE = 1e-3
/** How fast neighbours grow unlike with the step between them: the highest power that keeps dabs' colours as near as lower ones do; measured on photos. */
const EDGE = 3.5

/** Where hints say a colour, and which; where they cross, the last one counts. */
interface Said {
  readonly isSaid: Uint8Array
  readonly a: Float32Array
  readonly b: Float32Array
}

const levelsIn = (colour: string): Uint8Array => Uint8Array.from([1, 3, 5], (at) => Number.parseInt(colour.slice(at, at + 2), 16))

/** The places of a disc. */
function disc(x: number, y: number, radius: number, { width, height }: Size, put: (at: number) => void): void {
  const [top, bottom] = [Math.max(0, Math.ceil(y - radius)), Math.min(height - 1, Math.floor(y + radius))]
  for (let row = top; row <= bottom; row++) {
    const half = Math.sqrt(Math.max(0, radius * radius - (row - y) ** 2))
    for (let column = Math.max(0, Math.ceil(x - half)); column <= Math.min(width - 1, Math.floor(x + half)); column++)
      put(row * width + column)
  }
}

/** The places a hint's brush passes over. A thin one passes over some all the same. */
function passedOver({ size, points }: Hint, grid: Size, put: (at: number) => void): void {
  const radius = Math.max(0.75, (size * Math.max(grid.width, grid.height)) / 2)
  let [fromX, fromY] = [(points[0] ?? 0) * grid.width - 0.5, (points[1] ?? 0) * grid.height - 0.5]
  disc(fromX, fromY, radius, grid, put)
  for (let at = 2; at + 1 < points.length; at += 2) {
    const [x, y] = [(points[at] ?? 0) * grid.width - 0.5, (points[at + 1] ?? 0) * grid.height - 0.5]
    const steps = Math.ceil(Math.hypot(x - fromX, y - fromY) / Math.max(0.5, radius / 3))
    for (let step = 1; step <= steps; step++)
      disc(fromX + ((x - fromX) * step) / steps, fromY + ((y - fromY) * step) / steps, radius, grid, put)
    ;[fromX, fromY] = [x, y]
  }
}

function said(hints: readonly Hint[], grid: Size): Said {
  const count = grid.width * grid.height
  const found: Said = { isSaid: new Uint8Array(count), a: new Float32Array(count), b: new Float32Array(count) }
  for (const hint of hints) {
    const { a, b } = labOf({ data: levelsIn(hint.colour), width: 1, height: 1 })
    passedOver(hint, grid, (at) => {
      found.isSaid[at] = 1
      found.a[at] = a[0] ?? 0
      found.b[at] = b[0] ?? 0
    })
  }
  return found
}

/** How large the steps between neighbours usually are: half of them are smaller. */
function usualStep({ data, width }: Grey): number {
  const counts = new Uint32Array(256)
  let total = 0
  for (let at = 1; at < data.length; at++) {
    if (at % width === 0) continue
    const step = Math.abs((data[at] ?? 0) - (data[at - 1] ?? 0))
    counts[step] = (counts[step] ?? 0) + 1
    total += 1
  }
  let below = 0
  for (let step = 0; step < 256; step++) {
    below += counts[step] ?? 0
    if (below >= total / 2) return step
  }
  return 0
}

/** How alike in light two neighbours are, 1 down to next to nothing: colours change where the light does. */
function likeness(light: Grey): (one: number, other: number) => number {
  const scale = Math.max(LEAST_STEP, 1.5 * usualStep(light))
  const table = Float32Array.from({ length: 256 }, (_, step) => 1 / (1 + (step / scale) ** EDGE))
  return (one, other) => table[Math.abs((light.data[one] ?? 0) - (light.data[other] ?? 0))] ?? 1
}

/** The system of all places no hint says the colour of, and how strongly hints beside each give it theirs (`pull`). */
interface System {
  readonly grid: Grid
  readonly pull: (colour: (at: number) => number) => Float32Array
}

function systemOf(light: Grey, { isSaid }: Said, hold: number): System {
  const { width, height } = light
  const grid = emptyGrid(light)
  const wide = width + 2
  const alike = likeness(light)
  const pulls: { to: number; from: number; weight: number }[] = []
  const link = (one: number, other: number, at: number, next: number, links: Float32Array): void => {
    const weight = alike(one, other)
    grid.own[at] = (grid.own[at] ?? 0) + (isSaid[one] === 1 ? 0 : weight)
    grid.own[next] = (grid.own[next] ?? 0) + (isSaid[other] === 1 ? 0 : weight)
    if (isSaid[one] === isSaid[other]) links[at] = isSaid[one] === 1 ? 0 : weight
    else pulls.push(isSaid[one] === 1 ? { to: next, from: one, weight } : { to: at, from: other, weight })
  }
  for (let y = 0, one = 0; y < height; y++) {
    for (let x = 0; x < width; x++, one++) {
      const at = (y + 1) * wide + x + 1
      if (isSaid[one] !== 1) grid.own[at] = (grid.own[at] ?? 0) + hold
      if (x + 1 < width) link(one, one + 1, at, at + 1, grid.right)
      if (y + 1 < height) link(one, one + width, at, at + wide, grid.below)
    }
  }
  const pull = (colour: (at: number) => number): Float32Array => {
    const given = new Float32Array(grid.own.length)
    for (const { to, from, weight } of pulls) given[to] = (given[to] ?? 0) + weight * colour(from)
    return given
  }
  return { grid, pull }
}

/**
 * A chroma with what hints say: under their strokes just their colours, and from there on as far as the light stays alike, in the manner of Levin,
 * Lischinski and Weiss ("Colorization using optimization", 2004): the colours whose squared differences between neighbours, weighted by how alike
 * these are in light, come to the least. Where there is a chroma already, hints lose to it with distance; where no hint reaches it stays as it is.
 * `light` is the picture's at the chroma's size (`smallGrey`).
 */
export function withHints(light: Grey, chroma: Chroma | undefined, hints: readonly Hint[]): Chroma {
  const before = chroma ?? noChroma(light)
  const found = said(hints, light)
  if (!found.isSaid.includes(1)) return before
  const { width, height } = light
  const hold = chroma ? 1 / (REACH * Math.max(width, height)) ** 2 : EVERYWHERE
  const { grid, pull } = systemOf(light, found, hold)
  const levels = levelsOf(grid)
  const spread = (colour: (at: number) => number): Float32Array => {
    const padded = solve(levels, pull(colour), TOLERANCE)
    return Float32Array.from({ length: width * height }, (_, at) =>
      found.isSaid[at] === 1 ? colour(at) : (padded[(Math.floor(at / width) + 1) * (width + 2) + (at % width) + 1] ?? 0),
    )
  }
  const a = spread((at) => found.a[at] ?? 0)
  const b = spread((at) => found.b[at] ?? 0)
  if (!chroma) return chromaOf(a, b, light)
  const said01 = spread(() => 1)
  for (let at = 0; at < a.length; at++) {
    const rest = Math.max(0, 1 - (said01[at] ?? 0))
    a[at] = (a[at] ?? 0) + rest * (before.a[at] ?? 0)
    b[at] = (b[at] ?? 0) + rest * (before.b[at] ?? 0)
  }
  return chromaOf(a, b, light)
}
