import type { Pixels } from '../image/pixels.ts'
import type { Matte } from '#shared/matte/matte'
import { stepsOf } from '#shared/matte/steps'
import type { Rect, Size } from '#shared/resize'

/** A picture's red, green and blue as planes of 0..1. */
export type Colours = readonly [Float32Array, Float32Array, Float32Array]

/** A rectangle with `margin` more pixels on each side, as far as they lie in the picture. */
export function grown({ left, top, width, height }: Rect, margin: number, picture: Size): Rect {
  const [fromX, fromY] = [Math.max(0, left - margin), Math.max(0, top - margin)]
  const [toX, toY] = [Math.min(picture.width, left + width + margin), Math.min(picture.height, top + height + margin)]
  return { left: fromX, top: fromY, width: toX - fromX, height: toY - fromY }
}

/** Where a pixel's green and blue stand behind its red; grey ones have one sample for all. */
const offsets = ({ channels }: Pixels): readonly [number, number] => (channels < 3 ? [0, 0] : [1, 2])

/** The colours of a part of a picture. */
export function coloursOf(pixels: Pixels, { left, top, width, height }: Rect): Colours {
  const [r, g, b] = [new Float32Array(width * height), new Float32Array(width * height), new Float32Array(width * height)]
  const [green, blue] = offsets(pixels)
  const { data, channels } = pixels
  for (let y = 0, to = 0; y < height; y++) {
    let from = ((top + y) * pixels.width + left) * channels
    for (let x = 0; x < width; x++, to++, from += channels) {
      r[to] = (data[from] ?? 0) / 255
      g[to] = (data[from + green] ?? 0) / 255
      b[to] = (data[from + blue] ?? 0) / 255
    }
  }
  return [r, g, b]
}

/** A matte and its picture in squares of `step` pixels, averaged; all of it 0..1. */
export interface Reduced extends Size {
  readonly step: number
  readonly alpha: Float32Array
  readonly colours: Colours
}

const noColours = (length: number): Colours => [new Float32Array(length), new Float32Array(length), new Float32Array(length)]

/** Adds one row of pixels to the sums of the squares it runs through. */
function addRow(sums: Reduced, pixels: Pixels, matte: Matte, y: number): void {
  const { step, width, alpha, colours } = sums
  const [r, g, b] = colours
  const [green, blue] = offsets(pixels)
  const { data, channels } = pixels
  let at = Math.floor(y / step) * width
  for (let x = 0, from = y * matte.width * channels, pixel = y * matte.width; x < matte.width; at++) {
    const end = Math.min(matte.width, x + step)
    let a = 0
    let red = 0
    let grn = 0
    let blu = 0
    for (; x < end; x++, pixel++, from += channels) {
      a += matte.data[pixel] ?? 0
      red += data[from] ?? 0
      grn += data[from + green] ?? 0
      blu += data[from + blue] ?? 0
    }
    alpha[at] = (alpha[at] ?? 0) + a
    r[at] = (r[at] ?? 0) + red
    g[at] = (g[at] ?? 0) + grn
    b[at] = (b[at] ?? 0) + blu
  }
}

/** A smaller copy of a picture and its matte. */
export function reduced(pixels: Pixels, matte: Matte, step: number): Reduced {
  const [width, height] = [Math.ceil(matte.width / step), Math.ceil(matte.height / step)]
  const length = width * height
  const sums = { width, height, step, alpha: new Float32Array(length), colours: noColours(length) }
  for (let y = 0; y < matte.height; y++) addRow(sums, pixels, matte, y)
  for (let y = 0, at = 0; y < height; y++) {
    const rows = Math.min(matte.height, (y + 1) * step) - y * step
    for (let x = 0; x < width; x++, at++) {
      const share = 1 / (255 * rows * (Math.min(matte.width, (x + 1) * step) - x * step))
      for (const plane of [sums.alpha, ...sums.colours]) plane[at] = (plane[at] ?? 0) * share
    }
  }
  return sums
}

/** A part of a plane at the picture's size, between the samples of the smaller plane. */
export function enlarged(plane: Float32Array, { width, height, step }: Omit<Reduced, 'alpha' | 'colours'>, area: Rect): Float32Array {
  const out = new Float32Array(area.width * area.height)
  const across = stepsOf(area.left, area.width, width, step)
  const down = stepsOf(area.top, area.height, height, step)
  const [first, last] = [across.from[0] ?? 0, across.next[area.width - 1] ?? 0]
  const line = new Float32Array(last + 1)
  for (let y = 0, to = 0; y < area.height; y++) {
    const [upper, lower, below] = [(down.from[y] ?? 0) * width, (down.next[y] ?? 0) * width, down.share[y] ?? 0]
    for (let x = first; x <= last; x++) {
      const above = plane[upper + x] ?? 0
      line[x] = above + ((plane[lower + x] ?? 0) - above) * below
    }
    for (let x = 0; x < area.width; x++, to++) {
      const left = line[across.from[x] ?? 0] ?? 0
      out[to] = left + ((line[across.next[x] ?? 0] ?? 0) - left) * (across.share[x] ?? 0)
    }
  }
  return out
}
