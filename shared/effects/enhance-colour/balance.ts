import { illuminantOf } from './illuminant.ts'
import type { Rgb } from '../effect.ts'
import { LINEAR, WEIGHTS } from '../math/lab.ts'

/** What red, green and blue are multiplied by in linear light. */
export type Gains = readonly [number, number, number]

/** Gains that change no pixel by a level. */
const LEAST = 0.008

/** How bright a picture is in each channel, in linear light; of a large one samples are looked at. */
function meansOf({ data }: Rgb): Gains {
  const sums: [number, number, number] = [0, 0, 0]
  const step = 3 * Math.max(1, Math.floor(data.length / 3 / 2e5))
  let count = 0
  for (let at = 0; at < data.length; at += step, count++) {
    sums[0] += LINEAR[data[at] ?? 0] ?? 0
    sums[1] += LINEAR[data[at + 1] ?? 0] ?? 0
    sums[2] += LINEAR[data[at + 2] ?? 0] ?? 0
  }
  return [sums[0] / count, sums[1] / count, sums[2] / count]
}

const weighed = (channels: Gains): number => channels[0] * WEIGHTS[0] + channels[1] * WEIGHTS[1] + channels[2] * WEIGHTS[2]

/** Whether all of a picture is grey but for single levels: then its light is. */
function isGrey({ data }: Rgb): boolean {
  for (let at = 0; at < data.length; at += 3) {
    const [red, green, blue] = [data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0]
    if (Math.max(red, green, blue) - Math.min(red, green, blue) > 2) return false
  }
  return true
}

/** The gains that take a share (0..1) of a picture's cast out and keep its brightness. */
export function gainsFor(picture: Rgb, share: number): Gains | undefined {
  if (isGrey(picture)) return undefined
  const light = illuminantOf(picture)
  const [red, blue] = [-share * light.red, -share * light.blue]
  if (Math.hypot(red, blue) < LEAST) return undefined
  const means = meansOf(picture)
  const raw: Gains = [Math.exp(red), 1, Math.exp(blue)]
  const bright = weighed(means) / Math.max(1e-6, weighed([means[0] * raw[0], means[1], means[2] * raw[2]]))
  return [raw[0] * bright, bright, raw[2] * bright]
}

/** From this linear light of its least channel on a pixel is taken for a highlight, which is white under any light. */
const HIGHLIGHT = 0.85

/** The part of a pixel's gains that counts: nothing of them where all channels are at their end. */
export const gainShare = (least: number): number => (least < HIGHLIGHT ? 1 : (1 - least) / (1 - HIGHLIGHT))
