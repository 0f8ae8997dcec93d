import { luma601 } from '../math/luma.ts'
import { hazeMapOf, type HazeMap } from './haze-map.ts'
import type { Effect, Place, Rgb } from '../effect.ts'
import { gainOf } from '../gain.ts'
import { lumaOf } from '../math/luma.ts'
import { noiseOf } from '../math/noise.ts'
import { shrink } from '../math/shrink.ts'
import { samplesOf } from '../samples.ts'
import type { OptionsOf } from '#shared/tools/index'

/** What 100 by hand is, in times of what `auto` does. */
const STRONGEST = 1.5

/** What a picture tells before haze is taken from it. */
export interface DehazeMeasure extends HazeMap {
  /** How much of the haze is taken away, as a share of its depth: 1 is what there is. */
  readonly gain: number
  /** What comes through is never taken for less than this: noise would be all that is left. */
  readonly floor: number
}

/** Longer side of the copy that haze is measured on, in pixels. */
const SIDE = 480
/** Below this amount a picture is clear. */
const CLEAR = 0.05

/** The least that may come through, 0..1, so that a deviation of the noise grows to ten levels at most. */
function floorOf(picture: Rgb): number {
  const noise = noiseOf(samplesOf(picture).map((sample) => ({ ...sample, data: lumaOf(sample) })))
  return Math.max(0.14, Math.min(0.5, noise / 10))
}

function measure(picture: Rgb, { strength }: OptionsOf<'dehaze'>): DehazeMeasure | undefined {
  const gain = gainOf(strength, STRONGEST)
  if (gain === 0) return undefined
  const floor = floorOf(picture)
  const map = hazeMapOf(shrink(picture, SIDE), floor)
  if (strength.by === 'auto' && map.amount < CLEAR) return undefined
  return { ...map, gain: gain * (strength.by === 'auto' ? map.amount : Math.max(0.5, map.amount)), floor }
}

/** Where a row of the whole lies among those of the small copy: the one before, the one after and how far between. */
function spot(at: number, whole: number, small: number): readonly [before: number, after: number, share: number] {
  const exact = Math.max(0, Math.min(small - 1, ((at + 0.5) * small) / whole - 0.5))
  const before = Math.floor(exact)
  return [before, Math.min(small - 1, before + 1), exact - before]
}

/** Fills a row of the part with what a plane of the small copy has there, first between its rows and then between its columns. */
function interpolate(plane: Float32Array, map: HazeMap, { left, top, whole }: Place, y: number, row: Float32Array): void {
  const [above, below, down] = spot(top + y, whole.height, map.height)
  const between = new Float32Array(map.width)
  for (let x = 0; x < map.width; x++) {
    between[x] = (plane[above * map.width + x] ?? 0) * (1 - down) + (plane[below * map.width + x] ?? 0) * down
  }
  const scale = map.width / whole.width
  for (let x = 0; x < row.length; x++) {
    const exact = Math.max(0, Math.min(map.width - 1, (left + x + 0.5) * scale - 0.5))
    const before = Math.floor(exact)
    const value = between[before] ?? 0
    row[x] = value + ((between[before + 1] ?? value) - value) * (exact - before)
  }
}

/** Takes haze out of a picture: the light it adds, as far as each place is covered. */
export const dehaze: Effect<OptionsOf<'dehaze'>, DehazeMeasure> = {
  measure,
  reach: () => 0,
  apply: ({ data, width, height }, measured, place) => {
    const { light, gain, floor } = measured
    const out = new Uint8ClampedArray(data.length)
    const [slopes, rests] = [new Float32Array(width), new Float32Array(width)]
    const [red, green, blue] = light.map((value) => value * 255) as [number, number, number] // a light has three colours
    for (let y = 0, at = 0; y < height; y++) {
      interpolate(measured.slope, measured, place, y, slopes)
      interpolate(measured.rest, measured, place, y, rests)
      for (let x = 0; x < width; x++, at += 3) {
        const [r, g, b] = [data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0]
        const line = (slopes[x] ?? 0) * (luma601(r, g, b) / 255) + (rests[x] ?? 0)
        const through = Math.max(floor, Math.min(1, Math.max(floor, line)) ** gain)
        out[at] = red + (r - red) / through
        out[at + 1] = green + (g - green) / through
        out[at + 2] = blue + (b - blue) / through
      }
    }
    return new Uint8Array(out.buffer)
  },
}
