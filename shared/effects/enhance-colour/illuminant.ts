import type { Rgb } from '../effect.ts'
import { LINEAR } from '../math/lab.ts'
import { medianOf } from '../math/median.ts'

/** The colour of a light beside its strength: the logarithms of red over green and of blue over green, in linear light. */
export interface Light {
  readonly red: number
  readonly blue: number
}

/** What several ways to tell the light come to, and how far they lie apart. */
export interface Illuminant extends Light {
  readonly apart: number
}

/** The longer side of the small copy that is looked at. */
const SIDE = 256
/** Levels at and above which a channel may be cut off, and below which there is more noise than colour. */
const CUT_OFF = 248
const DARK = 10

/** A small copy in linear light, averaged; pixels of which a part was cut off or dark are left out (`isGood` 0). */
interface Small {
  readonly width: number
  readonly height: number
  readonly channels: readonly [Float32Array, Float32Array, Float32Array]
  readonly isGood: Uint8Array
}

/** At most so many pixels along a side of a square are averaged: enough against noise, and a large picture costs no more than a small one. */
const TAPS = 4

function smallOf({ data, width, height }: Rgb): Small {
  const step = Math.max(1, Math.max(width, height) / SIDE)
  const [wide, high] = [Math.max(1, Math.floor(width / step)), Math.max(1, Math.floor(height / step))]
  const [red, green, blue] = [new Float32Array(wide * high), new Float32Array(wide * high), new Float32Array(wide * high)]
  const isGood = new Uint8Array(wide * high)
  const stride = Math.max(1, Math.floor(step / TAPS))
  for (let y = 0, to = 0; y < high; y++) {
    const [top, bottom] = [Math.floor(y * step), Math.max(Math.floor(y * step) + 1, Math.floor((y + 1) * step))]
    for (let x = 0; x < wide; x++, to++) {
      const [left, right] = [Math.floor(x * step), Math.max(Math.floor(x * step) + 1, Math.floor((x + 1) * step))]
      let [r, g, b, count, bad] = [0, 0, 0, 0, 0]
      for (let v = top; v < bottom; v += stride) {
        for (let u = left; u < right; u += stride, count++) {
          const at = (v * width + u) * 3
          const [one, two, three] = [data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0]
          const most = Math.max(one, two, three)
          if (most >= CUT_OFF || most < DARK) bad += 1
          r += LINEAR[one] ?? 0
          g += LINEAR[two] ?? 0
          b += LINEAR[three] ?? 0
        }
      }
      red[to] = r / count
      green[to] = g / count
      blue[to] = b / count
      isGood[to] = bad * 4 <= count ? 1 : 0
    }
  }
  return { width: wide, height: high, channels: [red, green, blue], isGood }
}

const LEAST = 1e-4
const lightFrom = (red: number, green: number, blue: number): Light => ({
  red: Math.log((red + LEAST) / (green + LEAST)),
  blue: Math.log((blue + LEAST) / (green + LEAST)),
})

/** The mean of powers of a channel's good samples, to the root: the nearer to its brightest, the higher the power. */
function normOf(samples: Float32Array, isGood: Uint8Array, power: number): number {
  let [sum, count] = [0, 0]
  for (let at = 0; at < samples.length; at++) {
    if (isGood[at] === 0) continue
    sum += (samples[at] ?? 0) ** power
    count += 1
  }
  return count > 0 ? (sum / count) ** (1 / power) : 0
}

/** Shades of grey (Finlayson and Trezzi, "Shades of Gray and Colour Constancy", 2004). */
const shadesOfGrey = ({ channels: [r, g, b], isGood }: Small, power: number): Light =>
  lightFrom(normOf(r, isGood, power), normOf(g, isGood, power), normOf(b, isGood, power))

/** The slope of a channel at each good pixel that has good neighbours. */
function slopes(samples: Float32Array, { width, height, isGood }: Small): Float32Array {
  const out = new Float32Array(samples.length)
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const at = y * width + x
      if (((isGood[at - 1] ?? 0) & (isGood[at + 1] ?? 0) & (isGood[at - width] ?? 0) & (isGood[at + width] ?? 0)) === 0) continue
      out[at] = Math.hypot((samples[at + 1] ?? 0) - (samples[at - 1] ?? 0), (samples[at + width] ?? 0) - (samples[at - width] ?? 0))
    }
  }
  return out
}

/** Grey edge (van de Weijer, Gevers and Gijsenij, "Edge-Based Color Constancy", 2007), of the first order. */
function greyEdge(small: Small, power: number): Light {
  const [r, g, b] = small.channels
  const norm = (samples: Float32Array): number => normOf(slopes(samples, small), small.isGood, power)
  return lightFrom(norm(r), norm(g), norm(b))
}

/** The share of pixels that are taken for grey. */
const GREYEST = 0.02
/** The least step of ln(green) that counts as contrast. */
const CONTRAST = 0.03

/**
 * Grey pixels, by what no light changes (Qian et al., "On Finding Gray Pixels", 2019): where brightness changes and the proportions of the
 * channels do not, a surface is grey, or of one colour; of the pixels where they change least for the contrast there is, the mean.
 */
function greyPixels({ width, height, channels, isGood }: Small): Light {
  const [r, g, b] = channels.map((samples) => samples.map((value) => Math.log(value + LEAST)))
  if (!r || !g || !b) return { red: 0, blue: 0 }
  const greyness: [number, number][] = []
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const at = y * width + x
      if (isGood[at] === 0) continue
      const bend = (samples: Float32Array): number =>
        (samples[at] ?? 0) - ((samples[at - 1] ?? 0) + (samples[at + 1] ?? 0) + (samples[at - width] ?? 0) + (samples[at + width] ?? 0)) / 4
      const [one, two, three] = [bend(r), bend(g), bend(b)]
      if (Math.min(Math.abs(one), Math.abs(two), Math.abs(three)) < CONTRAST) continue
      const mean = (one + two + three) / 3
      greyness.push([Math.hypot(one - mean, two - mean, three - mean) / Math.abs(mean), at])
    }
  }
  if (greyness.length < 50) return shadesOfGrey({ width, height, channels, isGood }, 6)
  greyness.sort(([a], [c]) => a - c)
  const sums = [0, 0, 0]
  for (const [, at] of greyness.slice(0, Math.max(50, Math.round(greyness.length * GREYEST)))) {
    channels.forEach((samples, channel) => (sums[channel] = (sums[channel] ?? 0) + (samples[at] ?? 0)))
  }
  return lightFrom(sums[0] ?? 0, sums[1] ?? 0, sums[2] ?? 0)
}

/** The light a picture was taken in: the middle of three ways that fail at different scenes, and how far they lie apart. */
export function illuminantOf(picture: Rgb): Illuminant {
  const small = smallOf(picture)
  const lights = [shadesOfGrey(small, 6), greyEdge(small, 5), greyPixels(small)]
  const middle: Light = { red: medianOf(lights.map(({ red }) => red)) ?? 0, blue: medianOf(lights.map(({ blue }) => blue)) ?? 0 }
  const apart = lights.reduce((sum, { red, blue }) => sum + Math.hypot(red - middle.red, blue - middle.blue), 0) / lights.length
  return { ...middle, apart }
}
