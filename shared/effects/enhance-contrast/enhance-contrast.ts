import { gridOf, mapOf, MAP_STEPS, spreadLocally, type Tiles } from './local-contrast.ts'
import { CURVE_STEPS, curveFor, slopesOf, tonesOf, type Tones } from './tone-curve.ts'
import { gainOf } from '../gain.ts'
import type { Effect, Rgb } from '../effect.ts'
import { labOf, lightnessAt, rgbOf } from '../math/lab.ts'
import type { OptionsOf } from '#shared/tools/index'

/** What 100 by hand is, in times of what `auto` does. */
const STRONGEST = 2

/** What a picture tells before its effect. */
export interface EnhanceContrastMeasure {
  /** Lightness by lightness, and how much more colourful colours get there. */
  readonly curve: Float32Array
  readonly colour: Float32Array
  readonly tiles: Tiles
  /** How much of what the tiles' maps tell is done. */
  readonly weight: number
}

/** About as many pixels of a picture are looked at. */
const SAMPLES = 3e5
/** Lightnesses within which a picture shows nothing that could be spread. */
const FLAT = 1.5
/** How steep a tile's map may be: for a picture whose tiles are flat, and for one that has contrast everywhere. */
const STEEP = { flat: 1.5, contrasty: 1.15 }
/** The deviation of lightness within tiles (after the curve) of pictures of either kind. */
const INSIDE = { flat: 6, contrasty: 16 }
/** Lightness noise, as a standard deviation, of which half as much is spread. */
const NOISY = 2.2

/** Samples of lightness, with the tile of each. */
interface Samples {
  readonly lightness: Float32Array
  readonly tile: Uint16Array
  /** The standard deviation of noise, in lightness. */
  readonly noise: number
}

/** Pixels in even distances, and the noise of their neighbourhoods (the median of second differences: edges are few, noise is everywhere). */
function samplesOf(picture: Rgb, across: number, down: number): Samples {
  const { data, width, height } = picture
  const step = Math.max(1, Math.floor(Math.sqrt((width * height) / SAMPLES)))
  const [columns, rows] = [Math.ceil(width / step), Math.ceil(height / step)]
  const lightness = new Float32Array(columns * rows)
  const tile = new Uint16Array(columns * rows)
  const rough = new Uint32Array(256)
  let seen = 0
  for (let row = 0, to = 0; row < rows; row++) {
    const y = row * step
    for (let column = 0; column < columns; column++, to++) {
      const x = column * step
      const at = (y * width + x) * 3
      const value = lightnessAt(data, at)
      lightness[to] = value
      tile[to] = Math.floor((y * down) / height) * across + Math.floor((x * across) / width)
      if (column % 4 !== 1 || x < 1 || x + 1 >= width) continue
      const bend = Math.abs(2 * value - lightnessAt(data, at - 3) - lightnessAt(data, at + 3))
      const bin = Math.min(255, Math.floor(bend * 16))
      rough[bin] = (rough[bin] ?? 0) + 1
      seen += 1
    }
  }
  let middle = 0
  for (let sum = 0; middle < 255 && sum + (rough[middle] ?? 0) < seen / 2; middle++) sum += rough[middle] ?? 0
  // The median of |second difference| of white noise is 0.6745 * sqrt(6) of its deviation.
  return { lightness, tile, noise: middle / 16 / 1.652 }
}

function histogramOf(lightness: Float32Array): Float64Array {
  const histogram = new Float64Array(1024)
  for (const value of lightness) {
    const bin = Math.max(0, Math.min(1023, Math.floor(value * 10.24)))
    histogram[bin] = (histogram[bin] ?? 0) + 1
  }
  return histogram
}

/** A curve's value at a lightness 0..100. */
function valueAt(curve: Float32Array, lightness: number): number {
  const place = Math.max(0, Math.min(CURVE_STEPS - 1e-4, (lightness * CURVE_STEPS) / 100))
  const at = place | 0
  const below = curve[at] ?? 0
  return below + ((curve[at + 1] ?? 0) - below) * (place - at)
}

/** The tiles' maps; the limit is the scene's: much for a flat picture, little for one with contrast or noise. */
function tilesOf({ lightness, tile, noise }: Samples, grid: { across: number; down: number }, curve: Float32Array, amount: number): Tiles {
  const count = grid.across * grid.down
  const histograms = Array.from({ length: count }, () => new Float64Array(MAP_STEPS))
  const [sums, squares, counts] = [new Float64Array(count), new Float64Array(count), new Float64Array(count)]
  for (const [at, value] of lightness.entries()) {
    const which = tile[at] ?? 0
    const mapped = valueAt(curve, value)
    const histogram = histograms[which]
    const bin = Math.max(0, Math.min(MAP_STEPS - 1, Math.floor((mapped * MAP_STEPS) / 100)))
    if (histogram) histogram[bin] = (histogram[bin] ?? 0) + 1
    sums[which] = (sums[which] ?? 0) + mapped
    squares[which] = (squares[which] ?? 0) + mapped * mapped
    counts[which] = (counts[which] ?? 0) + 1
  }
  let inside = 0
  for (let at = 0; at < count; at++) {
    const many = Math.max(1, counts[at] ?? 0)
    inside += Math.sqrt(Math.max(0, (squares[at] ?? 0) / many - ((sums[at] ?? 0) / many) ** 2)) / count
  }
  const contrast = Math.max(0, Math.min(1, (inside - INSIDE.flat) / (INSIDE.contrasty - INSIDE.flat)))
  const steep = STEEP.flat + (STEEP.contrasty - STEEP.flat) * contrast
  const limit = 1 + (Math.max(1, (1 + amount) / 2) * (steep - 1)) / (1 + (noise / NOISY) ** 2)
  const maps = new Float32Array(count * (MAP_STEPS + 1))
  for (const [at, histogram] of histograms.entries())
    mapOf(histogram, limit, maps.subarray(at * (MAP_STEPS + 1), (at + 1) * (MAP_STEPS + 1)))
  return { ...grid, maps }
}

const wishesOf = ({ shadows, highlights }: OptionsOf<'enhance-contrast'>) => ({ shadows: shadows / 100, highlights: highlights / 100 })

const isFlat = ({ darkest, brightest }: Tones): boolean => brightest - darkest < FLAT

/**
 * Contrast: one curve for the whole picture (its ends to black and white, its middle towards the middle), then contrast limited adaptive histogram
 * equalisation, both on the lightness of CIE Lab. Colours become as much more colourful as their lightness is spread, as if the curve were
 * that of each channel, and never less, without leaving the gamut.
 */
export const enhanceContrast: Effect<OptionsOf<'enhance-contrast'>, EnhanceContrastMeasure> = {
  measure: (picture, options) => {
    const amount = gainOf(options.strength, STRONGEST)
    const wishes = wishesOf(options)
    const grid = gridOf(picture)
    const samples = samplesOf(picture, grid.across, grid.down)
    const tones = tonesOf(histogramOf(samples.lightness))
    if (isFlat(tones) || (amount === 0 && wishes.shadows === 0 && wishes.highlights === 0)) return undefined
    const curve = curveFor(tones, amount, wishes)
    return { curve, colour: slopesOf(curve), tiles: tilesOf(samples, grid, curve, amount), weight: Math.min(1, amount) }
  },
  reach: () => 0,
  apply: (part, { curve, colour, tiles, weight }, place) => {
    const lab = labOf(part)
    const { l, a, b } = lab
    const before = l.slice()
    for (let at = 0; at < l.length; at++) l[at] = valueAt(curve, l[at] ?? 0)
    const global = l.slice()
    spreadLocally(l, part, place, tiles, weight)
    for (let at = 0; at < l.length; at++) {
      // The local part lightens and darkens as light does: colours go along in proportion.
      const gain = Math.max(1, valueAt(colour, before[at] ?? 0)) * Math.min(1.5, ((l[at] ?? 0) + 16) / ((global[at] ?? 0) + 16))
      a[at] = (a[at] ?? 0) * gain
      b[at] = (b[at] ?? 0) * gain
    }
    return rgbOf(lab, part)
  },
}
