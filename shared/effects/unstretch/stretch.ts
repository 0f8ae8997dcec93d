import type { Ellipse } from './ellipses.ts'
import { normal, priorOf, type RememberedStretch } from './known-sizes.ts'
import { traceLogs, type Traces } from './traces.ts'
import type { Size } from '#shared/resize'

/** What something tells of a picture's stretching: how many times too wide it looks, as a natural logarithm, and its standard deviation. */
export interface Told {
  readonly stretch: number
  readonly deviation: number
}

/** What a picture's file tells of its stretching. */
export interface FileClues {
  /** Its proportions against those of the thumbnail that was made when it was taken, and shows all of it. */
  readonly thumbnail?: Told
  /** Sizes of other proportions that it remembers. */
  readonly remembered?: readonly RememberedStretch[]
}

/** What tells of a picture's stretching. */
export interface Clues extends FileClues {
  readonly size: Size
  readonly ellipses: readonly Ellipse[]
  readonly faces: readonly Told[]
  /** What resampling left: faces tell about where, traces exactly. */
  readonly traces?: Traces
}

/** How many times too wide a picture is (below 1: too narrow), whether that is known within a few percent, and what says so. */
export interface Stretch {
  readonly times: number
  readonly isSure: boolean
  /** What is seen in it; else what its file remembers; else nothing but what resampling left. */
  readonly by: 'sight' | 'file' | 'traces'
}

/** Logarithms of stretchings that are thought of, and their distance. */
const MOST = Math.log(2)
const STEP = 0.001
const COUNT = 2 * Math.round(MOST / STEP) + 1
const stretchAt = (at: number): number => (at - (COUNT - 1) / 2) * STEP
const stretches = Float64Array.from({ length: COUNT }, (_, at) => stretchAt(at))

/** Of outlines that look like ellipses many are none of a circle: their share, and how they are spread. */
const FOREIGN = 0.7
const FOREIGN_DENSITY = 0.5
/** Programs that change a picture make its thumbnail anew as often as this, and then it has the picture's proportions whatever they are. */
const MADE_ANEW = 0.2
/** How likely all is wrong that a thumbnail tells. */
const THUMBNAIL_ASTRAY = 0.003
/** Wheels of a car and plates on a table lean alike: several tell less than they would each by itself. */
const ALIKE = 0.6
/** How sure it has to be that a picture was stretched, and from where on that is seen (as a logarithm). */
const SURE = 0.8
/** The same where the file remembers other proportions: that alone is a reason, unless something speaks against it. */
const REMEMBERED_SURE = 0.65
const SEEN = 0.02

/** How much an ellipse counts: outlines around one centre are one thing's. */
const weightOf = (ellipse: Ellipse, all: readonly Ellipse[]): number =>
  ALIKE / all.filter(({ x, y }) => Math.hypot(x - ellipse.x, y - ellipse.y) < 0.3 * Math.min(ellipse.a, ellipse.b)).length

/** The logarithm of how well each stretching explains what is seen. */
function explained({ ellipses, faces, traces, thumbnail }: Clues): Float64Array {
  const total = traces ? traceLogs(traces, stretches) : new Float64Array(COUNT)
  for (const ellipse of ellipses) {
    const { a, b } = ellipse
    const [ratio, deviation, weight] = [Math.log(a / b), 0.004 + 0.2 / Math.min(a, b), weightOf(ellipse, ellipses)]
    for (let at = 0; at < COUNT; at++) {
      const fit = (1 - FOREIGN) * normal(stretchAt(at) - ratio, deviation) + FOREIGN * FOREIGN_DENSITY
      total[at] = (total[at] ?? 0) + weight * Math.log(fit)
    }
  }
  for (const { stretch, deviation } of faces) {
    for (let at = 0; at < COUNT; at++) {
      total[at] = (total[at] ?? 0) + Math.log(0.9 * normal(stretchAt(at) - stretch, deviation) + 0.1 * FOREIGN_DENSITY)
    }
  }
  if (!thumbnail) return total
  const { stretch, deviation } = thumbnail
  const anyhow = MADE_ANEW * normal(stretch, deviation) + THUMBNAIL_ASTRAY
  return total.map((value, at) => value + Math.log((1 - MADE_ANEW) * normal(stretchAt(at) - stretch, deviation) + anyhow))
}

/**
 * How a picture was stretched, by Bayes' rule from what its circles, its faces, its file, its proportions and the traces of resampling tell; undefined where
 * all tells that it is as it should be. Traces alone, where neither circle nor face is seen and the file tells nothing, have to be clear, and are no more
 * than a guess: they do not say what a picture should look like.
 */
export function stretchOf(clues: Clues): Stretch | undefined {
  const { size, ellipses, faces, thumbnail, remembered = [] } = clues
  const isSeen = ellipses.length > 0 || faces.length > 0
  const by = isSeen ? 'sight' : thumbnail !== undefined || remembered.length > 0 ? 'file' : 'traces'
  const logs = explained(clues)
  const most = logs.reduce((max, value) => Math.max(max, value), -Infinity)
  const prior = priorOf(size, stretches, remembered)
  const chances = logs.map((value, at) => Math.exp(value - most) * (prior[at] ?? 0))
  const sum = chances.reduce((total, value) => total + value, 0)
  const near = (from: number): readonly [number, number] => {
    let [mass, moment] = [0, 0]
    for (let at = 0; at < COUNT; at++) {
      const stretch = stretchAt(at)
      if (Math.abs(stretch - from) > SEEN) continue
      mass += chances[at] ?? 0
      moment += (chances[at] ?? 0) * stretch
    }
    return [mass / sum, moment / Math.max(1e-300, mass)]
  }
  let best: readonly [number, number] = [0, 0]
  for (let at = 0; at < COUNT; at++) {
    const there = near(stretchAt(at))
    if (there[0] > best[0]) best = there
  }
  const [mass, stretch] = best
  const needed = remembered.length > 0 ? REMEMBERED_SURE : SURE
  if (1 - near(0)[0] < needed || Math.abs(stretch) < SEEN) return undefined
  const isSure = mass >= SURE
  if (by !== 'traces') return { times: Math.exp(stretch), isSure, by }
  return isSure ? { times: Math.exp(stretch), isSure: false, by } : undefined
}
