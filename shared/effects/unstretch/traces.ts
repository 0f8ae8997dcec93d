import { folded, linesOf, type Line } from './lines.ts'
import { profilesOf, turned, type Profiles } from './profiles.ts'
import { stepsClearness } from './steps.ts'
import type { Plane } from '../math/plane.ts'

/** What resampling left along each side: for each scale of `scaleAt` how much likelier it makes what is seen, as a natural logarithm. */
export interface Traces {
  readonly across: Float64Array
  readonly down: Float64Array
}

/** Logarithms of scales that are thought of, and their distance. */
const MOST = 0.75
const STEP = 0.001
const COUNT = 2 * Math.round(MOST / STEP) + 1
const scaleAt = (at: number): number => (at - (COUNT - 1) / 2) * STEP

/** A block's frequencies in columns of the source: the last one is that of its pixels, which interpolation leaves. */
const BLOCK = 8
/** How far off a frequency may lie, in cycles of the whole side; and how near to a block's of the picture's own it may be one of those. */
const OFF = 0.6
const OWN = 2.5
/** What changes more slowly is the picture. */
const SLOWEST = 0.02
/** Slower than any block that is thought of; a line there as strong as this is a pattern's, whose overtones are no more than so many times as strong. */
const SLOW = 0.06
const PATTERN = 12
const ABOVE_PATTERN = 1.5
/** What a line is worth, as a logarithm: as good as nothing if it is faint, and no more than so much, since pictures have lines of their own. */
const FAINT = 4
const CLEAR = 8
const WORTH_CLEAR = 4.08
const GROWTH = 1.4
const MOST_WORTH = 15
/** What it costs a scale that a line is missing. */
const MISSING = -0.5
/** So many lines of a block have to be there, and none counts for much more than the weakest of these: what is periodic in a picture has a line or two. */
const NEEDED = 3
const MORE = 1.5
/** The lines of a block are alike to so many times. */
const LIKE = 30
/** Interpolation's frequency is seen so many times over. */
const OVERTONES = 2
/** Lines of one cause tell less than each would by itself. */
const ALIKE = 0.7

/** What an earlier JPEG's steps are worth, as a logarithm: nothing up to so many deviations, then as much a deviation, and no more in all. */
const CHANCE = 6.2
const WORTH_DEVIATION = 2
const MOST_BY_STEPS = 15

/** What is told together grows slowly to this: a scale and its half explain many lines alike, and then it is for faces to say which. */
const MOST_TOLD = 20

/** How far scales that leave traces are spread, as a logarithm: what is made much smaller keeps none. */
const USUAL_SCALES = 0.35

/** How sides come to be resampled: one of them alone, across or down, else both. */
const ACROSS_ONLY = 0.45
const DOWN_ONLY = 0.35
/** How likely it is that all of this is wrong. */
const ASTRAY = 0.003
/** Pictures whose sides are shorter tell nothing. */
const LEAST_PX = 64

const worthOf = (strength: number): number =>
  strength < CLEAR
    ? (WORTH_CLEAR * Math.max(0, strength - FAINT)) / (CLEAR - FAINT)
    : Math.min(MOST_WORTH, WORTH_CLEAR + GROWTH * Math.log(strength / CLEAR))

/** The strongest line near a frequency; 0 where there is none. */
const strengthNear = (lines: readonly Line[], frequency: number, off: number): number =>
  lines.reduce((most, line) => (Math.abs(line.frequency - frequency) < off ? Math.max(most, line.strength) : most), 0)

/** What the lines of a block are worth together. */
function togetherOf(strengths: readonly number[], weakest: number): number {
  const most = worthOf(weakest) + MORE
  return Math.max(0, ALIKE * strengths.reduce((sum, strength) => sum + (strength > FAINT ? Math.min(worthOf(strength), most) : MISSING), 0))
}

/**
 * The share of all lines' strength that a scale explains, overtones too. Windows of a house, bricks and words leave lines like resampling does, but many of
 * them, and no scale explains most. Of a line no more than `most` is explained.
 */
function shareOf(lines: readonly Line[], scale: number, length: number, most: number): number {
  let [sum, explained] = [0, 0]
  for (const { frequency, strength } of lines) {
    sum += strength
    for (let times = 1; times <= OVERTONES * BLOCK; times++) {
      const exact = times / BLOCK / scale
      if (Math.abs(folded(exact) - frequency) > OFF / length + (exact * STEP) / 2) continue
      explained += Math.min(strength, most)
      break
    }
  }
  return sum === 0 ? 0 : explained / sum
}

/** How likely each scale makes the lines of a side of so many pixels. */
function evidenceOf(pixels: readonly Line[], blocks: readonly Line[], length: number, hasOwnBlocks: boolean): Float64Array {
  return Float64Array.from({ length: COUNT }, (_, at) => {
    const scale = Math.exp(scaleAt(at))
    const strengths: number[] = []
    let own = 0
    for (let k = 1; k <= BLOCK; k++) {
      const frequency = k / BLOCK / scale
      const seen = folded(frequency)
      const off = OFF / length + (frequency * STEP) / 2
      const isOwn = hasOwnBlocks && Math.abs(seen * BLOCK - Math.round(seen * BLOCK)) / BLOCK < OWN / length
      if (seen < SLOWEST || seen > 0.5 - off || isOwn) continue
      strengths.push(strengthNear(blocks, seen, off))
      if (k === BLOCK) own = worthOf(strengthNear(pixels, seen, off)) || MISSING
    }
    const weakest = strengths.toSorted((a, b) => b - a)[NEEDED - 1] ?? 0
    const byPixels = own > 0 ? own * Math.sqrt(shareOf(pixels, scale, length, Infinity)) : own
    const byBlocks = weakest > FAINT ? togetherOf(strengths, weakest) * Math.sqrt(shareOf(blocks, scale, length, LIKE * weakest)) : 0
    return MOST_TOLD * Math.tanh((byPixels + byBlocks) / MOST_TOLD) - 0.5 * (scaleAt(at) / USUAL_SCALES) ** 2
  })
}

/** What the blocks of an earlier JPEG are worth that lie as they did: then the side was not resampled. */
function untouched(lines: readonly Line[], length: number): number {
  const worths = [1, 2, 3].map((k) => worthOf(strengthNear(lines, k / BLOCK, OFF / length)))
  return worths.filter((worth) => worth > 0).length < 2 ? 0 : worths.reduce((sum, worth) => sum + worth, 0)
}

/** Lines that are no overtones of a pattern of the picture's own, which is told by lines slower than a block's. */
function ownless(lines: readonly Line[]): Line[] {
  const slow = lines.reduce((most, { frequency, strength }) => (frequency < SLOW ? Math.max(most, strength) : most), 0)
  return slow < PATTERN ? [...lines] : lines.filter(({ strength }) => strength > ABOVE_PATTERN * slow)
}

/** The evidence of a side's profiles. */
export function evidence({ plainly, evenly }: Profiles, isJpeg: boolean): Float64Array {
  const [pixels, blocks] = [ownless(linesOf(plainly, isJpeg)), ownless(linesOf(evenly, isJpeg))]
  const asItWas = isJpeg ? 0 : untouched(blocks, plainly.length)
  return evidenceOf(pixels, blocks, plainly.length, isJpeg || asItWas > 0).map((value) => value - asItWas)
}

/**
 * What an earlier JPEG's steps tell of the scale of a plane's rows, which begin in the picture's corner. Its squares fit together with others at scales
 * beside the right one too, less clearly; at its own scale they tell against all others.
 */
function stepsEvidence(corner: Plane, isJpeg: boolean): Float64Array {
  const clear = stepsClearness(corner, isJpeg)
  const most = clear.reduce((top, { deviations }) => Math.max(top, deviations), 0)
  const worths = clear.map(({ scale, deviations }) => {
    const worth = Math.min(MOST_BY_STEPS, WORTH_DEVIATION * Math.max(0, deviations - CHANCE))
    return { scale, worth: worth * (deviations / Math.max(1, most)) ** 2 }
  })
  const asItWas = worths.reduce((top, { scale, worth }) => (Math.abs(scale) < 3 * STEP ? Math.max(top, worth) : top), 0)
  return Float64Array.from({ length: COUNT }, (_, at) => {
    const near = worths.reduce((top, { scale, worth }) => (Math.abs(scale - scaleAt(at)) < 1.5 * STEP ? Math.max(top, worth) : top), 0)
    return (Math.abs(scaleAt(at)) < 3 * STEP ? 0 : near) - asItWas
  })
}

/** The evidence of a plane's rows, and of those of its corner. */
function alongRows(luma: Plane, corner: Plane, isJpeg: boolean): Float64Array {
  if (Math.min(luma.width, luma.height) < LEAST_PX) return new Float64Array(COUNT)
  const bySteps = stepsEvidence(corner, isJpeg)
  return evidence(profilesOf(luma), isJpeg).map((value, at) => value + (bySteps[at] ?? 0))
}

/**
 * What resampling left in a picture's brightness, at full size, and in that of its corner (`READ_PX` each way are enough). A JPEG's own blocks, which begin
 * anywhere, are left out of account.
 */
export const tracesOf = (luma: Plane, corner: Plane, isJpeg: boolean): Traces => ({
  across: alongRows(luma, corner, isJpeg),
  down: alongRows(turned(luma), turned(corner), isJpeg),
})

/**
 * How much likelier each stretching (a logarithm) makes the traces of both sides, as a natural logarithm: one side was resampled, or both, by any two scales
 * that differ by it. A picture resized alike has the same traces in both.
 */
export function traceLogs({ across, down }: Traces, stretches: Float64Array): Float64Array {
  const top = Math.max(0, ...across) + Math.max(0, ...down)
  const wide = across.map((value) => Math.exp(value - top / 2))
  const high = down.map((value) => Math.exp(value - top / 2))
  const asItWas = Math.exp(-top / 2)
  const likely = stretches.map((stretch) => {
    const by = Math.round(stretch / STEP)
    const middle = (COUNT - 1) / 2
    const isNone = Math.abs(stretch) < 3 * STEP
    const one = isNone ? asItWas : (wide[middle + by] ?? asItWas)
    const other = isNone ? asItWas : (high[middle - by] ?? asItWas)
    let both = 0
    for (let at = Math.max(0, by); at < Math.min(COUNT, COUNT + by); at++) both += (wide[at] ?? 0) * (high[at - by] ?? 0)
    return asItWas * (ACROSS_ONLY * one + DOWN_ONLY * other) + ((1 - ACROSS_ONLY - DOWN_ONLY) * both) / COUNT
  })
  const mean = likely.reduce((sum, value) => sum + value, 0) / likely.length
  return likely.map((value) => Math.log((value / mean) * (1 - ASTRAY) + ASTRAY))
}
