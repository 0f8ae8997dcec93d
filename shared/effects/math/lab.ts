import type { Rgb } from '../effect.ts'

/** A picture in CIE Lab (white of sRGB): lightness 0..100, `a` from green to red, `b` from blue to yellow. */
export interface Lab {
  readonly l: Float32Array
  readonly a: Float32Array
  readonly b: Float32Array
}

/** Linear light 0..1 of a stored level (IEC 61966-2-1). */
export const LINEAR = Float32Array.from({ length: 256 }, (_, level) => {
  const value = level / 255
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
})

const LEVELS = 1 << 16
/** Stored levels of linear light; so fine that every level finds itself again. */
const LEVEL = Uint8Array.from({ length: LEVELS + 1 }, (_, at) => {
  const value = at / LEVELS
  return Math.round(255 * (value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055))
})

/** The stored level of linear light; what lies outside 0..1 takes its end. */
export const levelOf = (light: number): number => LEVEL[Math.max(0, Math.min(LEVELS, Math.round(light * LEVELS)))] ?? 0

/** CIE 15: where the cube root gives way to a line, and that line. */
const TOE = 216 / 24_389
const SLOPE = 841 / 108
const OFFSET = 4 / 29
const STEPS = 1 << 13
const ROOT = Float32Array.from({ length: STEPS + 2 }, (_, at) => {
  const light = at / STEPS
  return light > TOE ? Math.cbrt(light) : SLOPE * light + OFFSET
})

function root(light: number): number {
  const place = light * STEPS
  const at = place | 0
  const below = ROOT[at] ?? 1
  return below + ((ROOT[at + 1] ?? 1) - below) * (place - at)
}

/** Undoes `root`. */
const cube = (value: number): number => (value > 6 / 29 ? value * value * value : (value - OFFSET) / SLOPE)

/** Linear light 0..1 of a lightness 0..100. */
export const lightOf = (lightness: number): number => cube((lightness + 16) / 116)

/** The lightness 0..100 of linear light 0..1. */
export const lightnessOf = (light: number): number => 116 * root(Math.max(0, Math.min(1, light))) - 16

/** How much red, green and blue count in linear light. */
export const WEIGHTS = [0.212_673, 0.715_152, 0.072_175] as const

/** The lightness of grey levels, and by `at` of any pixel of a picture. */
export function lightnessAt(data: Uint8Array, at: number): number {
  return lightnessOf(
    WEIGHTS[0] * (LINEAR[data[at] ?? 0] ?? 0) +
      WEIGHTS[1] * (LINEAR[data[at + 1] ?? 0] ?? 0) +
      WEIGHTS[2] * (LINEAR[data[at + 2] ?? 0] ?? 0),
  )
}

/** An empty picture in Lab. */
export const emptyLab = (count: number): Lab => ({ l: new Float32Array(count), a: new Float32Array(count), b: new Float32Array(count) })

/** Puts a colour of linear light (0..1) into a picture in Lab; the matrix of sRGB's primaries is divided by its white, so that grey has no colour. */
export function putLight({ l, a, b }: Lab, at: number, red: number, green: number, blue: number): void {
  const x = root(0.43395 * red + 0.37621 * green + 0.18984 * blue)
  const y = root(WEIGHTS[0] * red + WEIGHTS[1] * green + WEIGHTS[2] * blue)
  const z = root(0.017_757 * red + 0.109_468 * green + 0.872_775 * blue)
  l[at] = 116 * y - 16
  a[at] = 500 * (x - y)
  b[at] = 200 * (y - z)
}

/** A picture in Lab. */
export function labOf({ data, width, height }: Rgb): Lab {
  const lab = emptyLab(width * height)
  for (let at = 0, from = 0; from < data.length; at++, from += 3) {
    putLight(lab, at, LINEAR[data[from] ?? 0] ?? 0, LINEAR[data[from + 1] ?? 0] ?? 0, LINEAR[data[from + 2] ?? 0] ?? 0)
  }
  return lab
}

/** From here on colours are drawn together, so that what lies outside of the gamut keeps its differences instead of being cut off. */
const KNEE = 0.85
/** As near to the gamut's end as what did not reach it before may come: a step inside the outermost levels. */
const MOST = 0.98

/** Which part of the way from its grey to the gamut's end a colour in linear light takes; above 1 it lies outside. */
function reachOf(red: number, green: number, blue: number, grey: number): number {
  const low = Math.min(red, green, blue)
  const high = Math.max(red, green, blue)
  return Math.max(grey > 0 ? (grey - low) / grey : 0, grey < 1 ? (high - grey) / (1 - grey) : 0)
}

/** How much of its colourfulness a colour keeps that takes `reach` of the way, and took `before` in the source. */
function kept(reach: number, before: number): number {
  const knee = Math.max(KNEE, Math.min(1, before))
  if (reach <= knee) return 1
  const room = Math.max(MOST, Math.min(1, before)) - knee
  return (knee + (room > 0 ? room * (1 - Math.exp((knee - reach) / room)) : 0)) / reach
}

/**
 * Lab as levels of sRGB. Colours beyond the gamut keep lightness and (nearly) hue, and lose colourfulness: more the further out they are, so
 * that they stay different. Only where the source has a channel at its end may the result have one: else it stays a level inside. Grey pixels of the source stay grey.
 */
export function rgbOf({ l, a, b }: Lab, source: Rgb): Uint8Array {
  const from = source.data
  const out = new Uint8Array(from.length)
  for (let pixel = 0, at = 0; pixel < l.length; pixel++, at += 3) {
    const isAtEnd =
      Math.max(from[at] ?? 0, from[at + 1] ?? 0, from[at + 2] ?? 0) === 255 ||
      Math.min(from[at] ?? 0, from[at + 1] ?? 0, from[at + 2] ?? 0) === 0
    const [least, most] = isAtEnd ? [0, 255] : [1, 254]
    const middle = ((l[pixel] ?? 0) + 16) / 116
    const grey = Math.max(0, Math.min(1, cube(middle)))
    const [wasRed, wasGreen, wasBlue] = [LINEAR[from[at] ?? 0] ?? 0, LINEAR[from[at + 1] ?? 0] ?? 0, LINEAR[from[at + 2] ?? 0] ?? 0]
    const [alpha, beta] = [a[pixel] ?? 0, b[pixel] ?? 0]
    if (alpha * alpha + beta * beta < 1e-4) {
      out[at] = out[at + 1] = out[at + 2] = Math.max(least, Math.min(most, levelOf(grey)))
      continue
    }
    const x = cube(middle + alpha / 500)
    const z = cube(middle - beta / 200)
    const red = 3.079_955 * x - 1.537_139 * grey - 0.542_816 * z
    const green = -0.921_258 * x + 1.876_011 * grey + 0.045_247 * z
    const blue = 0.052_887 * x - 0.204_026 * grey + 1.151_138 * z
    const was = WEIGHTS[0] * wasRed + WEIGHTS[1] * wasGreen + WEIGHTS[2] * wasBlue
    const share = kept(reachOf(red, green, blue, grey), reachOf(wasRed, wasGreen, wasBlue, was))
    out[at] = Math.max(least, Math.min(most, levelOf(grey + (red - grey) * share)))
    out[at + 1] = Math.max(least, Math.min(most, levelOf(grey + (green - grey) * share)))
    out[at + 2] = Math.max(least, Math.min(most, levelOf(grey + (blue - grey) * share)))
  }
  return out
}
