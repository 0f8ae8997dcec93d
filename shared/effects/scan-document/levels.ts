import { luma601 } from '../math/luma.ts'
import type { Paper } from './paper.ts'
import type { Rgb } from '#shared/effects/effect'

/** What a page's tones are once its light is taken off: paper is near 1. */
export interface Tones {
  /** The level of most of its paper. */
  readonly white: number
  /** How far paper strays from it by grain. */
  readonly grain: number
  /** The level of its darkest strokes. */
  readonly ink: number
}

const BINS = 300
const PER_LEVEL = 240
/** Pixels looked at, at most. */
const SAMPLES = 400_000
/** Below this a level is ink's. */
const INK = 0.72
/** The share of ink that is as dark as ink gets. */
const DARKEST = 0.25
/** Where nothing is written: what ink would be. */
const USUAL_INK = 0.25

/** Samples of a page's brightness over its paper's, in a histogram; pictures and fields do not count. */
function histogramOf({ data, width, height }: Rgb, paper: Paper): Float64Array {
  const bins = new Float64Array(BINS)
  const step = Math.max(1, Math.floor(Math.sqrt((width * height) / SAMPLES)))
  for (let y = 0; y < height; y += step) {
    const row = Math.floor(y / paper.side) * paper.columns
    for (let x = 0; x < width; x += step) {
      const square = row + Math.floor(x / paper.side)
      if (paper.spared[square] === 1) continue
      const at = (y * width + x) * 3
      const own = luma601(data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0)
      const ground = luma601(paper.red[square] ?? 0, paper.green[square] ?? 0, paper.blue[square] ?? 0)
      const bin = Math.min(BINS - 1, Math.round((PER_LEVEL * own) / ground))
      bins[bin] = (bins[bin] ?? 0) + 1
    }
  }
  return bins
}

/** The tones of a page over its paper. */
export function tonesOf(page: Rgb, paper: Paper): Tones {
  const bins = histogramOf(page, paper)
  let peak = Math.round(0.9 * PER_LEVEL)
  for (let bin = Math.round(0.8 * PER_LEVEL); bin < Math.min(BINS, Math.round(1.1 * PER_LEVEL)); bin++)
    if ((bins[bin] ?? 0) > (bins[peak] ?? 0)) peak = bin
  // Ink makes paper's darker side longer than grain alone, so the brighter side tells the grain.
  let [above, squares] = [0, 0]
  for (let bin = peak; bin < BINS; bin++) {
    above += bins[bin] ?? 0
    squares += (bins[bin] ?? 0) * (bin - peak) ** 2
  }
  const grain = Math.min(0.08, Math.sqrt(squares / Math.max(1, above)) / PER_LEVEL)
  let [count, sum] = [0, 0]
  for (let bin = 0; bin < INK * PER_LEVEL; bin++) count += bins[bin] ?? 0
  const total = bins.reduce((all, one) => all + one, 0)
  if (count < 1e-4 * total) return { white: peak / PER_LEVEL, grain, ink: USUAL_INK }
  let seen = 0
  for (let bin = 0; bin < INK * PER_LEVEL && seen < DARKEST * count; bin++) {
    seen += bins[bin] ?? 0
    sum += (bins[bin] ?? 0) * bin
  }
  return { white: peak / PER_LEVEL, grain, ink: Math.min(0.6, sum / Math.max(1, seen) / PER_LEVEL) }
}
