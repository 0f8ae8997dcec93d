import { luma601 } from '../math/luma.ts'
import { airlightOf, type Light } from './airlight.ts'
import { boxMean } from '../math/box.ts'
import { localMinima } from '../math/extrema.ts'
import { guidedLines } from '../math/guided.ts'
import { quantile } from '../math/noise.ts'
import type { Colours } from '../math/shrink.ts'

/** How much light of the things themselves comes through, over a small copy of a picture. */
export interface HazeMap {
  readonly light: Light
  readonly width: number
  readonly height: number
  /** At each place the share that comes through, 0..1, as a line over brightness 0..1: `slope * brightness + rest`. */
  readonly slope: Float32Array
  readonly rest: Float32Array
  /** How hazy the picture is, 0 (clear) to 1. */
  readonly amount: number
}

/** Share of the haze that is taken for such: a little of it is what tells of distance. */
const TAKEN = 0.88
/** Share of the picture that is darker than the haze's light. */
const DARKER = 0.98
/** Half the sides of the squares in which something is dark and through which edges are followed, as shares of the longer side. */
const PATCH = 0.015
const AROUND = 0.05
/** Variance of brightness below which the guide counts as flat. */
const FLAT = 1e-3
/** The least that comes through from a sky: it has no detail to be won, but noise, and tints. */
const SKY = 0.75

const between = (value: number, none: number, all: number): number => Math.max(0, Math.min(1, (value - none) / (all - none)))

/** Brightness of a small copy, 0..1. */
export function brightnessOf({ planes: [r, g, b] }: Colours): Float32Array {
  return r.map((red, at) => luma601(red, g[at] ?? 0, b[at] ?? 0))
}

/** Of each pixel the least of its colours, in shares of the haze's own. */
function leastOf({ planes: [r, g, b] }: Colours, light: Light): Float32Array {
  return r.map((red, at) => Math.min(red / light[0], (g[at] ?? 0) / light[1], (b[at] ?? 0) / light[2]))
}

/** How far the haze's colour is taken towards grey: what was found may be sky or cloud, and a cast of it would tint all that is dark. */
const NEUTRAL = 0.5

/** The haze's colour is at least as bright as nearly all of the picture: seen through haze, nothing but what is white outshines it. */
function lightOf(small: Colours, brightness: Float32Array): Light {
  const found = airlightOf(small)
  const own = luma601(found[0], found[1], found[2])
  const scale = Math.max(1, (quantile(brightness, DARKER) ?? 1) / Math.max(0.02, own))
  const [r, g, b] = found.map((value) => Math.max(0.1, Math.min(1, scale * (value + NEUTRAL * (own - value)))))
  return [r ?? 1, g ?? 1, b ?? 1]
}

/** How far brightness differs from its mean around each place, 0..1. */
function detailOf(brightness: Float32Array, width: number, height: number): Float32Array {
  const radius = Math.max(1, Math.round(Math.max(width, height) * 0.01))
  const means = boxMean(brightness, width, height, radius)
  const squares = boxMean(
    brightness.map((value) => value * value),
    width,
    height,
    radius,
  )
  return squares.map((value, at) => Math.sqrt(Math.max(0, value - (means[at] ?? 0) ** 2)))
}

/**
 * How hazy a picture is: where there is detail there are shadows, and in clear air they are dark. A veil over everything leaves none dark; one over
 * what is far leaves few. Places without detail (sky, walls) tell nothing.
 */
function amountOf(dark: Float32Array, detail: Float32Array): number {
  const seen = dark.filter((_, at) => (detail[at] ?? 0) > 0.012)
  if (seen.length < 0.02 * dark.length) return 0
  return Math.max(between(quantile(seen, 0.05) ?? 0, 0.11, 0.21), 0.7 * between(quantile(seen, 0.2) ?? 0, 0.26, 0.42))
}

/** How much each place looks like sky, 0..1: as bright as the haze, without colour of its own or detail, and rather above than below. */
function skyOf({ width, height }: Colours, least: Float32Array, detail: Float32Array): Float32Array {
  const even = least.map((value, at) => {
    const upper = 1 - 0.7 * between(Math.floor(at / width) / height, 0.35, 0.8)
    return upper * between(value, 0.72, 0.88) * (1 - between(detail[at] ?? 0, 0.012, 0.035))
  })
  return boxMean(even, width, height, Math.max(1, Math.round(Math.max(width, height) * 0.02)))
}

/** What comes through, by the dark channel: something near by is dark in one colour, so the light that is there is the haze's (He, Sun and Tang 2011). */
export function hazeMapOf(small: Colours, least0: number): HazeMap {
  const { width, height } = small
  const brightness = brightnessOf(small)
  const light = lightOf(small, brightness)
  const least = leastOf(small, light)
  const side = Math.max(width, height)
  const dark = localMinima(least, width, height, Math.max(1, Math.round(PATCH * side)))
  const detail = detailOf(brightness, width, height)
  const sky = skyOf(small, least, detail)
  const through = dark.map((value, at) => Math.max(1 - TAKEN * value, least0 + (SKY - least0) * (sky[at] ?? 0)))
  const lines = guidedLines(brightness, through, width, height, Math.max(2, Math.round(AROUND * side)), FLAT)
  return { light, width, height, ...lines, amount: amountOf(dark, detail) }
}
