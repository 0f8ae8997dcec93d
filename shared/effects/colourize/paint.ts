import { gainOf } from '../gain.ts'
import { greyOf, type Chroma } from './chroma.ts'
import { upsampled, upsampleReach } from './upsample.ts'
import type { Place, Rgb } from '../effect.ts'
import { LINEAR, levelOf, lightOf, lightnessOf, WEIGHTS } from '../math/lab.ts'
import type { Size } from '#shared/resize'

/** Of every grey level, (L + 16) / 116 in Lab. */
const MIDDLES = Float32Array.from({ length: 256 }, (_, level) => (lightnessOf(LINEAR[level] ?? 0) + 16) / 116)

const cube = (value: number): number => lightOf(116 * value - 16)

/** Which part of the way from its grey to the gamut's end a colour takes, in linear light. */
function wayOut(grey: number, red: number, green: number, blue: number): number {
  const [low, high] = [Math.min(red, green, blue), Math.max(red, green, blue)]
  return Math.max((grey - low) / grey, (high - grey) / (1 - grey))
}

/** Writes the colour of a grey level under a chroma. */
function write(level: number, a: number, b: number, out: Uint8Array, to: number): void {
  const grey = LINEAR[level] ?? 0
  const middle = MIDDLES[level] ?? 0
  const x = cube(middle + a / 500)
  const z = cube(middle - b / 200)
  const [red, green, blue] = [
    3.079_955 * x - 1.537_139 * grey - 0.542_816 * z,
    -0.921_258 * x + 1.876_011 * grey + 0.045_247 * z,
    0.052_887 * x - 0.204_026 * grey + 1.151_138 * z,
  ]
  // What lies outside of the gamut comes in on the way to its grey: as light as before, less colourful.
  const most = 1 / Math.max(1, wayOut(grey, red, green, blue))
  for (let share = most; share > 0.02; share *= 0.7) {
    const warm = levelOf(grey + (red - grey) * share)
    const cold = levelOf(grey + (blue - grey) * share)
    // Green is what rounding the others left for it: with its weight in the light it makes good for them.
    const left = (grey - WEIGHTS[0] * (LINEAR[warm] ?? 0) - WEIGHTS[2] * (LINEAR[cold] ?? 0)) / WEIGHTS[1]
    const leaf = levelOf(left)
    const light = WEIGHTS[0] * (LINEAR[warm] ?? 0) + WEIGHTS[1] * (LINEAR[leaf] ?? 0) + WEIGHTS[2] * (LINEAR[cold] ?? 0)
    if (levelOf(light) !== level) continue
    out[to] = warm
    out[to + 1] = leaf
    out[to + 2] = cold
    return
  }
  out[to] = out[to + 1] = out[to + 2] = level
}

/** The liveliest that can be asked for. */
const LIVELIEST = 1.6

/** How much of a chroma a strength asks for: all of it by itself and at 50, none at 0, more from there to 100. */
export const chromaStrength = (strength: Parameters<typeof gainOf>[0]): number => gainOf(strength, LIVELIEST)

/** How far around a part pixels are needed for it to be painted as in the whole. */
export const paintReach = (chroma: Size, whole: Size): number => upsampleReach(chroma, whole)

/**
 * A part of a picture (or all of it) in the colours of a chroma of the whole, times `strength`: 1 as it is, 0 grey. Of the picture only its light
 * counts, so a tinted one is made neutral first. The light stays to the bit: made grey again (relative luminance, in sRGB's levels) the result is, in
 * every pixel, what the picture made grey is. A colour this leaves no room for loses colourfulness.
 */
export function paintChroma(part: Rgb, chroma: Chroma, strength: number, place: Place): Uint8Array {
  const { width, height } = part
  const grey = greyOf(part)
  const out = new Uint8Array(width * height * 3)
  const colours = upsampled(grey, chroma, place)
  const [a, b] = [new Float32Array(width), new Float32Array(width)]
  for (let row = 0, at = 0; row < height; row++) {
    colours(row, a, b)
    for (let x = 0; x < width; x++, at++) {
      const [red, blue] = [(a[x] ?? 0) * strength, (b[x] ?? 0) * strength]
      const level = grey.data[at] ?? 0
      if (level === 0 || level === 255 || red * red + blue * blue < 0.02) out[at * 3] = out[at * 3 + 1] = out[at * 3 + 2] = level
      else write(level, red, blue, out, at * 3)
    }
  }
  return out
}
