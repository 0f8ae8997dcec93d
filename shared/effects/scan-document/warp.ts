import { projectionTo, type Projection, type Quad } from './quad.ts'
import type { Rgb } from '#shared/effects/effect'
import type { Size } from '#shared/resize'

/** How a page is taken out of a photo. */
export interface Layout extends Size {
  /** The page's corners in the photo, in pixels. */
  readonly quad: Quad
  /** The page's own size before it is turned, in pixels. */
  readonly page: Size
  /** How far it is turned about its middle, in degrees clockwise. */
  readonly turn: number
  /** The colour of what lies beyond the page after it was turned. */
  readonly paper: readonly [number, number, number]
}

/** Weights of Catmull and Rom's cubic for the four samples around a place `t` (0..1) between the middle two (Keys, 1981, a = -1/2). */
function cubic(t: number, out: Float64Array): void {
  const [square, cube] = [t * t, t * t * t]
  out[0] = (-cube + 2 * square - t) / 2
  out[1] = (3 * cube - 5 * square + 2) / 2
  out[2] = (-3 * cube + 4 * square + t) / 2
  out[3] = (cube - square) / 2
}

const between = (value: number, most: number): number => (value < 0 ? 0 : value > most ? most : value)

/** Reads a picture between its pixels. */
class Sampler {
  readonly #wx = new Float64Array(4)
  readonly #wy = new Float64Array(4)
  readonly #columns = new Int32Array(4)

  readonly #picture: Rgb

  constructor(picture: Rgb) {
    this.#picture = picture
  }

  /** Writes the colour at a place into `out`; beyond its sides the picture goes on as its outermost pixels. */
  read(x: number, y: number, out: Uint8Array, to: number): void {
    const { data, width, height } = this.#picture
    const [left, top] = [Math.floor(x - 0.5), Math.floor(y - 0.5)]
    cubic(x - 0.5 - left, this.#wx)
    cubic(y - 0.5 - top, this.#wy)
    for (let i = 0; i < 4; i++) this.#columns[i] = 3 * between(left - 1 + i, width - 1)
    let red = 0
    let green = 0
    let blue = 0
    for (let j = 0; j < 4; j++) {
      const row = between(top - 1 + j, height - 1) * width * 3
      const weightY = this.#wy[j] ?? 0
      for (let i = 0; i < 4; i++) {
        const at = row + (this.#columns[i] ?? 0)
        const weight = weightY * (this.#wx[i] ?? 0)
        red += weight * (data[at] ?? 0)
        green += weight * (data[at + 1] ?? 0)
        blue += weight * (data[at + 2] ?? 0)
      }
    }
    out[to] = between(red + 0.5, 255)
    out[to + 1] = between(green + 0.5, 255)
    out[to + 2] = between(blue + 0.5, 255)
  }
}

const EDGE = 1e-6

/** Rows `first` to `end` of a page as it is to be, by one resampling of the photo. */
function warpRows(
  sampler: Sampler,
  layout: Layout,
  [a, b, c, d, e, f, g, h]: Projection,
  first: number,
  end: number,
  out: Uint8Array,
): void {
  const { width, height, page, turn, paper } = layout
  const [sin, cos] = [Math.sin((-turn * Math.PI) / 180), Math.cos((-turn * Math.PI) / 180)]
  for (let y = first; y < end; y++) {
    for (let x = 0; x < width; x++) {
      const [fromX, fromY] = [x + 0.5 - width / 2, y + 0.5 - height / 2]
      const u = (fromX * cos - fromY * sin) / page.width + 0.5
      const v = (fromX * sin + fromY * cos) / page.height + 0.5
      const to = (y * width + x) * 3
      if (u < -EDGE || v < -EDGE || u > 1 + EDGE || v > 1 + EDGE) {
        out[to] = paper[0]
        out[to + 1] = paper[1]
        out[to + 2] = paper[2]
        continue
      }
      const w = g * u + h * v + 1
      sampler.read((a * u + b * v + c) / w, (d * u + e * v + f) / w, out, to)
    }
  }
}

const STRIP_ROWS = 64

/** The page a layout takes out of a photo. */
export function warped(photo: Rgb, layout: Layout, progress: (share: number) => void = () => undefined): Rgb {
  const { width, height } = layout
  const data = new Uint8Array(width * height * 3)
  const sampler = new Sampler(photo)
  const projection = projectionTo(layout.quad)
  for (let row = 0; row < height; row += STRIP_ROWS) {
    warpRows(sampler, layout, projection, row, Math.min(height, row + STRIP_ROWS), data)
    progress(Math.min(1, (row + STRIP_ROWS) / height))
  }
  return { data, width, height }
}
