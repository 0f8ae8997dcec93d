import type { Ellipse } from './ellipses.ts'
import { traceLogs, type Traces } from './traces.ts'
import type { Size } from '#shared/resize'

/** What faces tell of a picture's stretching: how many times too wide they look, as a natural logarithm, and its standard deviation. */
export interface FaceClue {
  readonly stretch: number
  readonly deviation: number
}

/** What tells of a picture's stretching. */
export interface Clues {
  readonly size: Size
  readonly ellipses: readonly Ellipse[]
  readonly faces: readonly FaceClue[]
  /** What resampling left: faces tell about where, traces exactly. */
  readonly traces?: Traces
}

/** How many times too wide a picture is (below 1: too narrow), and whether that is known within a few percent. */
export interface Stretch {
  readonly times: number
  readonly isSure: boolean
}

/** Logarithms of stretchings that are thought of, and their distance. */
const MOST = Math.log(2)
const STEP = 0.001
const COUNT = 2 * Math.round(MOST / STEP) + 1
const stretchAt = (at: number): number => (at - (COUNT - 1) / 2) * STEP
const stretches = Float64Array.from({ length: COUNT }, (_, at) => stretchAt(at))

/** Proportions pictures have, wide or tall, and how many have them. */
const USUAL = [
  [1, 0.16],
  [4 / 3, 0.3],
  [3 / 2, 0.24],
  [16 / 9, 0.2],
  [5 / 4, 0.04],
  [7 / 5, 0.03],
  [16 / 10, 0.03],
] as const

/** How likely a picture is as it should be, and stretched from usual proportions, before one looks at it; the rest is any stretching. */
const AS_IT_IS = 0.7
const FROM_USUAL = 0.2
/** How exactly proportions are met, as a logarithm: sides are whole pixels. */
const MEETS = 0.005

/** Of outlines that look like ellipses some are none of a circle: their share, and how they are spread. */
const FOREIGN = 0.4
const FOREIGN_DENSITY = 0.5
/** Wheels of a car and plates on a table lean alike: several tell less than they would each by itself. */
const ALIKE = 0.6
/** How sure it has to be that a picture was stretched, and from where on that is seen (as a logarithm). */
const SURE = 0.8
const SEEN = 0.02

const normal = (off: number, deviation: number): number => Math.exp(-0.5 * (off / deviation) ** 2) / (deviation * Math.sqrt(2 * Math.PI))

function priors({ width, height }: Size): Float64Array {
  const shapes = USUAL.flatMap(([ratio, share]) => [
    { stretch: Math.log(width / height / ratio), share: share / 2 },
    { stretch: Math.log((width / height) * ratio), share: share / 2 },
  ])
  return stretches.map((stretch) => {
    const usual = shapes.reduce((sum, shape) => sum + shape.share * normal(stretch - shape.stretch, MEETS), 0)
    return AS_IT_IS * normal(stretch, MEETS) + FROM_USUAL * usual + (1 - AS_IT_IS - FROM_USUAL) / (2 * MOST)
  })
}

/** How much an ellipse counts: outlines around one centre are one thing's. */
const weightOf = (ellipse: Ellipse, all: readonly Ellipse[]): number =>
  ALIKE / all.filter(({ x, y }) => Math.hypot(x - ellipse.x, y - ellipse.y) < 0.3 * Math.min(ellipse.a, ellipse.b)).length

/** The logarithm of how well each stretching explains what is seen. */
function explained({ ellipses, faces, traces }: Clues): Float64Array {
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
  return total
}

/**
 * How a picture was stretched, by Bayes' rule from what its circles, its faces, its proportions and the traces of resampling tell; undefined where no
 * circle and no face is seen, or all tells that it is as it should be: traces alone say nothing of what a picture should look like.
 */
export function stretchOf(clues: Clues): Stretch | undefined {
  if (clues.ellipses.length === 0 && clues.faces.length === 0) return undefined
  const logs = explained(clues)
  const most = logs.reduce((max, value) => Math.max(max, value), -Infinity)
  const prior = priors(clues.size)
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
  return 1 - near(0)[0] < SURE || Math.abs(stretch) < SEEN ? undefined : { times: Math.exp(stretch), isSure: mass >= SURE }
}
