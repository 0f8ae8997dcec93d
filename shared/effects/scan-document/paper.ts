import { luma601 } from '../math/luma.ts'
import { blocksOf, closed, interpolated } from './blocks.ts'
import { regionsOf, type Region } from './regions.ts'
import { blurPlane } from '#shared/matte/blur'
import type { Rgb } from '#shared/effects/effect'

/** What a page's paper would look like without anything on it, and what on it is neither text nor paper, in coarse squares. */
export interface Paper {
  /** Pixels of a square's side. */
  readonly side: number
  readonly columns: number
  readonly rows: number
  /** The paper's colour in each square's middle, as the light there makes it. */
  readonly red: Float32Array
  readonly green: Float32Array
  readonly blue: Float32Array
  /** 1 in pictures and fields of colour, 0 where there is text or nothing. */
  readonly spared: Float32Array
  /** The share of the page that is taken for paper, and of what is brighter than the paper around it: on a page hardly anything is. */
  readonly share: number
  readonly brighter: number
}

/** Paper takes this much of a page, and no more of it is brighter. */
const LEAST_PAPER = 0.25
const MOST_BRIGHTER = 0.008

/** Whether a picture is one of paper with something on it. */
export const isPaper = ({ share, brighter }: Paper): boolean => share >= LEAST_PAPER && brighter <= MOST_BRIGHTER

/** Squares a stroke of a headline is narrower than twice of. */
const STROKE = 2
/** How much paper differs from square to square, at most, in light (logarithm) and in colour: what differs more has an edge. */
const LIGHT_STEP = 0.075
const COLOUR_STEP = 0.05
/** How far the colour of paper in shadow is from that of the rest, and how dark it gets. */
const SHADOW_COLOUR = 0.14
const SHADOW_DEPTH = Math.log(0.22)
/** Of the page: less is no shadow of its own; a field of colour or a picture that is to be spared is no smaller. */
const LEAST_SHADOW = 0.002
const LEAST_FIELD = 0.0015
/** Shadows reach in from the page's edge; what lies apart from the rest within it is paper in a frame if it is as light, else a picture. */
const FRAMED = 0.15
/** How far paper in light and paper in shadow lie apart, in squares. */
const PENUMBRA = 5

/** Light and colour of each square: logarithms, so that a share of the light is a difference. */
interface Looks {
  readonly light: Float32Array
  readonly warm: Float32Array
  readonly green: Float32Array
}

function looksOf(red: Float32Array, green: Float32Array, blue: Float32Array): Looks {
  const plane = (of: (at: number) => number): Float32Array => Float32Array.from(red, (_, at) => of(at))
  return {
    light: plane((at) => Math.log(luma601(red[at] ?? 0, green[at] ?? 0, blue[at] ?? 0))),
    warm: plane((at) => Math.log((red[at] ?? 1) / (blue[at] ?? 1))),
    green: plane((at) => Math.log(((green[at] ?? 1) * (green[at] ?? 1)) / ((red[at] ?? 1) * (blue[at] ?? 1))) / 2),
  }
}

const meanOf = (values: Float32Array, isIn: (at: number) => boolean): number => {
  let [sum, count] = [0, 0]
  for (let at = 0; at < values.length; at++) {
    if (!isIn(at)) continue
    sum += values[at] ?? 0
    count += 1
  }
  return sum / Math.max(1, count)
}

const off = (values: Float32Array, one: number, other: number): number => Math.abs((values[one] ?? 0) - (values[other] ?? 0))

/** Which squares are paper, in light or in shadow: 1 or 0. */
function paperSquares(looks: Looks, columns: number, rows: number): Float32Array {
  const { light, warm, green } = looks
  const { labels, all } = regionsOf(
    columns,
    rows,
    () => true,
    (one, other) => off(light, one, other) < LIGHT_STEP && off(warm, one, other) < COLOUR_STEP && off(green, one, other) < COLOUR_STEP,
  )
  const means = all.map(() => 0)
  for (let at = 0; at < labels.length; at++) means[labels[at] ?? 0] = (means[labels[at] ?? 0] ?? 0) + (light[at] ?? 0)
  const brightness = ({ label, count }: Region): number => (means[label] ?? 0) / count
  const worth = (one: Region): number => one.count * Math.exp(brightness(one))
  const main = all.reduce((one, other) => (worth(other) > worth(one) ? other : one))
  const inMain = (at: number): boolean => labels[at] === main.label
  const [mainLight, mainWarm, mainGreen] = [meanOf(light, inMain), meanOf(warm, inMain), meanOf(green, inMain)]
  const arePaper = all.map((one) => {
    if (one === main) return true
    if (one.count < LEAST_SHADOW * labels.length) return false
    const isIn = (at: number): boolean => labels[at] === one.label
    const fall = brightness(one) - mainLight
    const isItsColour =
      Math.abs(meanOf(warm, isIn) - mainWarm) < SHADOW_COLOUR && Math.abs(meanOf(green, isIn) - mainGreen) < SHADOW_COLOUR / 2
    const isAtEdge = one.left === 0 || one.top === 0 || one.right === columns - 1 || one.bottom === rows - 1
    return isItsColour && fall > SHADOW_DEPTH && fall < 0.4 && (isAtEdge || Math.abs(fall) < FRAMED)
  })
  const paper = Float32Array.from(labels, (label) => (arePaper[label] === true ? 1 : 0))
  bridge(paper, looks, [mainWarm, mainGreen], columns, rows)
  return paper
}

/** Adds to the paper the edges of shadows: squares of its colour as light as something between the paper on either side. */
function bridge(
  paper: Float32Array,
  { light, warm, green }: Looks,
  [mainWarm, mainGreen]: readonly [number, number],
  columns: number,
  rows: number,
): void {
  const added: number[] = []
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++) {
      const at = y * columns + x
      if (
        paper[at] === 1 ||
        Math.abs((warm[at] ?? 0) - mainWarm) > SHADOW_COLOUR ||
        Math.abs((green[at] ?? 0) - mainGreen) > SHADOW_COLOUR / 2
      )
        continue
      let [least, most] = [Infinity, -Infinity]
      for (let v = Math.max(0, y - PENUMBRA); v <= Math.min(rows - 1, y + PENUMBRA); v++)
        for (let u = Math.max(0, x - PENUMBRA); u <= Math.min(columns - 1, x + PENUMBRA); u++) {
          if (paper[v * columns + u] !== 1) continue
          least = Math.min(least, light[v * columns + u] ?? 0)
          most = Math.max(most, light[v * columns + u] ?? 0)
        }
      const own = light[at] ?? 0
      if (most - least > 0.1 && own > least - 0.03 && own < most + 0.03) added.push(at)
    }
  }
  for (const at of added) paper[at] = 1
}

/** Pictures and fields of colour: what is not paper and large every way. */
function sparedSquares(paper: Float32Array, columns: number, rows: number): Float32Array {
  const other = paper.map((one) => 1 - one)
  const opened = closed(
    other.map((one) => -one),
    columns,
    rows,
    1,
  ).map((one) => -one)
  const { labels, all } = regionsOf(
    columns,
    rows,
    (at) => (opened[at] ?? 0) > 0,
    () => true,
  )
  const isLarge = all.map(({ count }) => count >= LEAST_FIELD * labels.length)
  return Float32Array.from(labels, (label) => (isLarge[label] === true ? 1 : 0))
}

/** The paper of a page. */
export function paperOf(page: Rgb): Paper {
  const { side, columns, rows, ...colours } = blocksOf(page)
  const filled = (plane: Float32Array): Float32Array => closed(plane, columns, rows, STROKE)
  const [red, green, blue] = [filled(colours.red), filled(colours.green), filled(colours.blue)]
  const squares = paperSquares(looksOf(red, green, blue), columns, rows)
  const spared = sparedSquares(squares, columns, rows)
  const share = squares.reduce((sum, one) => sum + one, 0) / squares.length
  // A square at the edge of something else is partly that.
  const isInner = eroded(squares, columns, rows)
  const ground = (plane: Float32Array): Float32Array => {
    const data = interpolated(plane, isInner, columns, rows)
    blurPlane({ data, width: columns, height: rows }, 0.9)
    return data
  }
  const paper = { side, columns, rows, red: ground(red), green: ground(green), blue: ground(blue), spared }
  return { ...paper, share, brighter: brighterShare(paper, red, green, blue) }
}

/** How much brighter than the paper something is, to count. */
const BRIGHTER = 1.12

function brighterShare(paper: Pick<Paper, 'red' | 'green' | 'blue'>, red: Float32Array, green: Float32Array, blue: Float32Array): number {
  let count = 0
  for (let at = 0; at < red.length; at++) {
    const own = luma601(red[at] ?? 0, green[at] ?? 0, blue[at] ?? 0)
    const ground = luma601(paper.red[at] ?? 0, paper.green[at] ?? 0, paper.blue[at] ?? 0)
    if (own > BRIGHTER * ground) count += 1
  }
  return count / red.length
}

/** Squares of the paper all of whose neighbours are paper; the paper itself where that leaves none. */
function eroded(paper: Float32Array, columns: number, rows: number): Float32Array {
  const inner = paper.map((one, at) => {
    const [x, y] = [at % columns, Math.floor(at / columns)]
    const isWhole =
      (x === 0 || paper[at - 1] === 1) &&
      (x === columns - 1 || paper[at + 1] === 1) &&
      (y === 0 || paper[at - columns] === 1) &&
      (y === rows - 1 || paper[at + columns] === 1)
    return one === 1 && isWhole ? 1 : 0
  })
  return inner.some((one) => one === 1) ? inner : paper
}
