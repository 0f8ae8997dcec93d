import { edgeBlurs } from './measure-blur.ts'
import { restore, restoreReach, type Blur } from './restore.ts'
import type { Effect, Rgb } from '../effect.ts'
import { gainOf } from '../gain.ts'
import { lumaOf } from '../math/luma.ts'
import { noiseOf, quantile } from '../math/noise.ts'
import { samplesOf } from '../samples.ts'
import type { OptionsOf } from '#shared/tools/index'

/** What 100 by hand is, in times of what `auto` does. */
const STRONGEST = 1.5

/** What a picture tells before it is sharpened: how it was blurred, and how much of that is to be undone. */
export type SharpenMeasure = Blur

/** Below this a picture is as sharp as pictures are: deviation of its blur in pixels. */
const SHARP = 0.58
const MOST = 4
/** Fewer clear edges than this share of the pixels tell nothing. */
const EDGES = 0.0003
/** By how much edges of photos seem sharper than they are, as what is near them shows: the mean over photos blurred by 1 to 2.5 pixels. */
const NEARNESS = 1.08

/** Deviations of the blur and of the noise of a picture. */
function blurOf(picture: Rgb): { sigma: number; noise: number } {
  const samples = samplesOf(picture).map((sample) => ({ data: lumaOf(sample), width: sample.width, height: sample.height }))
  const noise = noiseOf(samples)
  const edges = samples.flatMap((sample) => edgeBlurs(sample, noise))
  const pixels = samples.reduce((sum, { data }) => sum + data.length, 0)
  const edge = edges.length < Math.max(8, EDGES * pixels) ? undefined : quantile(edges, 0.5)
  return { sigma: Math.min(MOST, NEARNESS * (edge ?? 0)), noise }
}

/** What is to be undone, and how far. Asked for by hand, a sharp picture is sharpened a little too. */
function measure(picture: Rgb, { strength }: OptionsOf<'sharpen'>): SharpenMeasure | undefined {
  const gain = gainOf(strength, STRONGEST)
  if (gain === 0) return undefined
  const { sigma, noise } = blurOf(picture)
  if (strength.by === 'auto') return sigma < SHARP ? undefined : { sigma, noise, gain }
  return { sigma: Math.max(SHARP, sigma), noise, gain }
}

/** Undoes a Gaussian blur in brightness by Wiener's filter, of a strength and against a noise that the picture itself tells. Colours stay. */
export const sharpen: Effect<OptionsOf<'sharpen'>, SharpenMeasure> = {
  measure,
  reach: restoreReach,
  apply: (part, blur) => {
    const { data, width, height } = part
    const luma = lumaOf(part)
    const restored = restore(luma, width, height, blur)
    const out = new Uint8ClampedArray(data.length)
    for (let at = 0, to = 0; at < luma.length; at++) {
      const change = (restored[at] ?? 0) - (luma[at] ?? 0)
      for (let c = 0; c < 3; c++, to++) out[to] = (data[to] ?? 0) + change
    }
    return new Uint8Array(out.buffer)
  },
}
