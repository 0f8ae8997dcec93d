import { fourier, type Fourier } from './fft.ts'
import { mirrored } from './plane.ts'

/** Side of the squares that are filtered at once. */
const SIDE = 256

interface Square {
  readonly re: Float32Array
  readonly im: Float32Array
}

const squareOf = (): Square => ({ re: new Float32Array(SIDE * SIDE), im: new Float32Array(SIDE * SIDE) })

/** A round filter of limited reach, as the spectrum of its kernel. */
export interface RoundFilter {
  readonly reach: number
  readonly spectrum: Float32Array
}

/**
 * The filter that passes each frequency (0..0.7 cycles a pixel) as `transfer` says, but for what its kernel would have beyond `reach` pixels: the
 * kernel is faded out towards there and keeps its sum of 1. So no result depends on how a picture is cut into parts.
 */
export function roundFilter(transfer: (frequency: number) => number, reach: number): RoundFilter {
  const { forward, inverse } = fourier(SIDE)
  const kernel = squareOf()
  const away = (at: number): number => Math.min(at, SIDE - at)
  for (let v = 0; v < SIDE; v++) {
    for (let u = 0; u < SIDE; u++) {
      kernel.re[v * SIDE + u] = transfer(Math.hypot(away(u), away(v)) / SIDE)
    }
  }
  inverse(kernel.re, kernel.im)
  let sum = 0
  for (let y = 0; y < SIDE; y++) {
    for (let x = 0; x < SIDE; x++) {
      const far = Math.max(0, (Math.hypot(away(x), away(y)) / reach - 0.6) / 0.4)
      const weight = far >= 1 ? 0 : 0.5 + 0.5 * Math.cos(Math.PI * far)
      sum += kernel.re[y * SIDE + x] = weight * (kernel.re[y * SIDE + x] ?? 0)
    }
  }
  kernel.im.fill(0)
  forward(kernel.re, kernel.im)
  return { reach, spectrum: kernel.re.map((value) => value / sum) }
}

interface Flat {
  readonly data: Float32Array
  readonly width: number
  readonly height: number
}

function fill(to: Float32Array, { data, width, height }: Flat, left: number, top: number): void {
  for (let y = 0; y < SIDE; y++) {
    const row = mirrored(top + y, height) * width
    for (let x = 0; x < SIDE; x++) {
      const own = left + x
      to[y * SIDE + x] = data[row + (own < 0 || own >= width ? mirrored(own, width) : own)] ?? 0
    }
  }
}

function take(from: Float32Array, { data, width, height }: Flat, left: number, top: number, reach: number): void {
  const wide = Math.min(SIDE - 2 * reach, width - left)
  for (let y = 0; y < Math.min(SIDE - 2 * reach, height - top); y++) {
    const start = (y + reach) * SIDE + reach
    data.set(from.subarray(start, start + wide), (top + y) * width + left)
  }
}

function filterSquare({ forward, inverse }: Fourier, { re, im }: Square, spectrum: Float32Array): void {
  forward(re, im)
  for (let at = 0; at < spectrum.length; at++) {
    const factor = spectrum[at] ?? 0
    re[at] = (re[at] ?? 0) * factor
    im[at] = (im[at] ?? 0) * factor
  }
  inverse(re, im)
}

/** A plane under a filter, its borders mirrored: overlapping squares, two at a time as one's real and other's imaginary part (overlap-save). */
export function convolve(plane: Float32Array, width: number, height: number, { reach, spectrum }: RoundFilter): Float32Array {
  const source: Flat = { data: plane, width, height }
  const result: Flat = { data: new Float32Array(plane.length), width, height }
  const step = SIDE - 2 * reach
  const corners: [left: number, top: number][] = []
  for (let top = 0; top < height; top += step) for (let left = 0; left < width; left += step) corners.push([left, top])
  const square = squareOf()
  const transform = fourier(SIDE)
  for (let at = 0; at < corners.length; at += 2) {
    const [first, second] = [corners[at], corners[at + 1]]
    if (first) fill(square.re, source, first[0] - reach, first[1] - reach)
    if (second) fill(square.im, source, second[0] - reach, second[1] - reach)
    filterSquare(transform, square, spectrum)
    if (first) take(square.re, result, first[0], first[1], reach)
    if (second) take(square.im, result, second[0], second[1], reach)
  }
  return result.data
}
