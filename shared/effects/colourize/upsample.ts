import { shrunk, type Chroma, type Grey } from './chroma.ts'
import type { Place } from '../effect.ts'
import { guidedLines, type Lines } from '../math/guided.ts'
import type { Size } from '#shared/resize'

/** How many places of the chroma around one its colours are made from. */
const RADIUS = 2
/** Below this variance of light (0..1) a neighbourhood counts as flat: its colour follows the chroma, not the light. */
const EPSILON = 4e-4

/** The colour of a row's pixels, as `a` and `b`. */
export type RowColours = (row: number, a: Float32Array, b: Float32Array) => void

/** How far around a pixel of the picture its colour depends on others, in pixels. */
export function upsampleReach({ width, height }: Size, whole: Size): number {
  const cell = Math.max(whole.width / width, whole.height / height)
  return cell <= 1 ? 0 : Math.ceil((2 * RADIUS + 3) * cell)
}

/** Which of the chroma's places lie in a part along one side. */
function span(from: number, length: number, cell: number, count: number): readonly [number, number] {
  return [Math.max(0, Math.floor(from / cell)), Math.min(count, Math.ceil((from + length) / cell))]
}

/** The chroma's places in a part, with the part's light at each. */
interface Cells extends Size {
  readonly left: number
  readonly top: number
  readonly light: Float32Array
  readonly a: Float32Array
  readonly b: Float32Array
}

/** One of the ranges of pixels the chroma's places stand for; at least a pixel, and only of those that are here. */
function range(at: number, cell: number, from: number, length: number): readonly [number, number] {
  const first = Math.max(0, Math.min(length - 1, Math.floor(at * cell) - from))
  return [first, Math.max(first + 1, Math.min(length, Math.floor((at + 1) * cell) - from))]
}

function cellsOf(grey: Grey, chroma: Chroma, { left, top, whole }: Place): Cells {
  const [across, down] = [whole.width / chroma.width, whole.height / chroma.height]
  const [x0, x1] = span(left, grey.width, across, chroma.width)
  const [y0, y1] = span(top, grey.height, down, chroma.height)
  const [width, height] = [x1 - x0, y1 - y0]
  const planes = { light: new Float32Array(width * height), a: new Float32Array(width * height), b: new Float32Array(width * height) }
  const columns = Array.from({ length: width }, (_, x) => range(x0 + x, across, left, grey.width))
  for (let y = 0, to = 0; y < height; y++) {
    const [first, end] = range(y0 + y, down, top, grey.height)
    for (let x = 0; x < width; x++, to++) {
      const [start, stop] = columns[x] ?? [0, 1]
      let sum = 0
      for (let row = first; row < end; row++)
        for (let at = row * grey.width + start; at < row * grey.width + stop; at++) sum += grey.data[at] ?? 0
      planes.light[to] = sum / ((end - first) * (stop - start) * 255)
      const from = (y0 + y) * chroma.width + x0 + x
      planes.a[to] = chroma.a[from] ?? 0
      planes.b[to] = chroma.b[from] ?? 0
    }
  }
  return { ...planes, width, height, left: x0, top: y0 }
}

/** The lines that tell each colour from the light. */
const linesOf = ({ light, a, b, width, height }: Cells): readonly [Lines, Lines] => [
  guidedLines(light, a, width, height, RADIUS, EPSILON),
  guidedLines(light, b, width, height, RADIUS, EPSILON),
]

/** A row of a plane between two of its rows. */
function blendRows(plane: Float32Array, width: number, above: number, below: number, share: number, out: Float32Array): void {
  for (let x = 0; x < width; x++) {
    const value = plane[above * width + x] ?? 0
    out[x] = value + ((plane[below * width + x] ?? 0) - value) * share
  }
}

/** Between which two places a pixel lies, and how far on the way to the second. */
function between(pixel: number, cell: number, first: number, count: number): readonly [number, number, number] {
  const place = Math.max(0, Math.min(count - 1, (pixel + 0.5) / cell - 0.5 - first))
  const low = Math.floor(place)
  return [low, Math.min(count - 1, low + 1), place - low]
}

/**
 * The colours of a part of a picture from a chroma of the whole, so that they end where the light does: the fast guided filter (He and Sun, "Fast
 * guided filter", 2015), fitted in the chroma's places and evaluated on the picture's own light. Where the chroma has a place a pixel, it is taken as it is.
 */
export function upsampled(grey: Grey, chroma: Chroma, place: Place): RowColours {
  const { whole, left, top } = place
  if (chroma.width === whole.width && chroma.height === whole.height) {
    return (row, a, b) => {
      const from = (top + row) * chroma.width + left
      a.set(chroma.a.subarray(from, from + grey.width))
      b.set(chroma.b.subarray(from, from + grey.width))
    }
  }
  const cells = cellsOf(grey, chroma, place)
  const lines = linesOf(cells)
  const [across, down] = [whole.width / chroma.width, whole.height / chroma.height]
  const columns = Array.from({ length: grey.width }, (_, x) => between(left + x, across, cells.left, cells.width))
  const [lows, highs, shares] = [
    Int32Array.from(columns, ([low]) => low),
    Int32Array.from(columns, ([, high]) => high),
    Float32Array.from(columns, ([, , share]) => share),
  ]
  const [slope, rest] = [new Float32Array(cells.width), new Float32Array(cells.width)]
  return (row, ...outs) => {
    const [above, below, share] = between(top + row, down, cells.top, cells.height)
    for (const [at, line] of lines.entries()) {
      const out = outs[at] ?? new Float32Array(0)
      blendRows(line.slope, cells.width, above, below, share, slope)
      blendRows(line.rest, cells.width, above, below, share, rest)
      for (let x = 0; x < grey.width; x++) {
        const [low, high, part] = [lows[x] ?? 0, highs[x] ?? 0, shares[x] ?? 0]
        const light = (grey.data[row * grey.width + x] ?? 0) / 255
        const steep = (slope[low] ?? 0) + ((slope[high] ?? 0) - (slope[low] ?? 0)) * part
        out[x] = steep * light + (rest[low] ?? 0) + ((rest[high] ?? 0) - (rest[low] ?? 0)) * part
      }
    }
  }
}

/** The light of a picture at its chroma's size, for what works there. */
export const smallGrey = (grey: Grey, size: Size): Grey =>
  size.width === grey.width && size.height === grey.height ? grey : shrunk(grey, size)
