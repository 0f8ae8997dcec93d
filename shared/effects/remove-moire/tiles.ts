import type { Rgb } from '../effect.ts'
import { fourier } from '../math/fft.ts'
import { mirrored } from '../math/plane.ts'

/** The side of the squares a picture is looked at in, in pixels. */
export const SIDE = 128
/** How far they lie apart: each pixel lies in four. */
export const HOP = SIDE / 2

const COUNT = SIDE * SIDE
/** The transform of such a square. */
export const transform = fourier(SIDE)

/** Hann's window, of which neighbours half a side apart add up to one. */
const HANN = Float32Array.from({ length: SIDE }, (_, at) => 0.5 - 0.5 * Math.cos((2 * Math.PI * at) / SIDE))

/** The spectrum of a square: of its brightness, and of its two colour differences as one complex picture. */
export interface Spectrum {
  readonly brightRe: Float32Array
  readonly brightIm: Float32Array
  readonly colourRe: Float32Array
  readonly colourIm: Float32Array
}

/** An empty one, to be used for every square. */
export const emptySpectrum = (): Spectrum => ({
  brightRe: new Float32Array(COUNT),
  brightIm: new Float32Array(COUNT),
  colourRe: new Float32Array(COUNT),
  colourIm: new Float32Array(COUNT),
})

/** How many squares lie along a side; the first begins half a side before the picture. */
export const tilesAlong = (length: number): number => Math.ceil(length / HOP) + 1

/** Where a square begins. */
export const startOf = (tile: number): number => (tile - 1) * HOP

/** Reads the square that begins at a place of a part and transforms it; what lies beyond the part is its mirror image. */
export function look({ data, width, height }: Rgb, left: number, top: number, into: Spectrum): void {
  const { brightRe, brightIm, colourRe, colourIm } = into
  const columns = Uint32Array.from({ length: SIDE }, (_, x) => mirrored(left + x, width) * 3)
  brightIm.fill(0)
  for (let y = 0, to = 0; y < SIDE; y++) {
    const row = mirrored(top + y, height) * width * 3
    const down = HANN[y] ?? 0
    for (let x = 0; x < SIDE; x++, to++) {
      const at = row + (columns[x] ?? 0)
      const weight = down * (HANN[x] ?? 0)
      const [red, green, blue] = [data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0]
      brightRe[to] = weight * (0.25 * red + 0.5 * green + 0.25 * blue)
      colourRe[to] = weight * (red - green)
      colourIm[to] = weight * (blue - green)
    }
  }
  transform.forward(brightRe, brightIm)
  transform.forward(colourRe, colourIm)
}

/** The strength of each frequency of a square: of a real picture, or of both of a complex one's together. */
export function strengthOf(re: Float32Array, im: Float32Array, isPair: boolean, out: Float32Array): void {
  const powers = out
  for (let at = 0; at < COUNT; at++) powers[at] = (re[at] ?? 0) ** 2 + (im[at] ?? 0) ** 2
  if (!isPair) {
    for (let at = 0; at < COUNT; at++) out[at] = Math.sqrt(powers[at] ?? 0)
    return
  }
  for (let at = 0; at < COUNT; at++) {
    const back = oppositeOf(at)
    if (back < at) continue
    out[at] = out[back] = Math.sqrt(((powers[at] ?? 0) + (powers[back] ?? 0)) / 2)
  }
}

/** The place of the frequency that runs the other way. */
export const oppositeOf = (at: number): number => ((SIDE - ((at / SIDE) | 0)) % SIDE) * SIDE + ((SIDE - (at % SIDE)) % SIDE)
