/** Steps of a curve over lightness. */
export const CURVE_STEPS = 512

/** What a picture's lightness is like: percentiles of 0..100. */
export interface Tones {
  readonly darkest: number
  readonly middle: number
  readonly brightest: number
}

/** What a curve is asked for beside what the picture asks for itself: -1..1, where 0 is nothing. */
export interface Wishes {
  readonly shadows: number
  readonly highlights: number
}

/** Where the ends of a picture's lightness are brought to, and the share of the way there. */
const BLACK = 6
const WHITE = 92
/** A picture that uses less than this share of the range was meant so, in part: it is not spread out more. */
const LEAST_SPREAD = 36
/** Where, 0..1 of what is used, the middle of most photos lies (5 of 6 of those looked at); one beyond is drawn by `PULL` of the way (of the logarithm) to it. */
const USUAL = { from: 0.37, to: 0.58 }
const PULL = 0.7
const LEAST_BEND = 0.4
/** How far greys are moved from the middle at most where more is asked for than suits; the curve rises below 100 / 2 pi. */
const STEEPER = 11
/** How far a wish moves what it is about; both together keep the curve rising below 0.29. */
const WISH = 0.25

/** The ends of lightness that grounds of drawings and cut-off skies take; what lies there says nothing of the middle. */
const OUTMOST = 2

/** The lightness below which a share of a histogram lies, of the part of it between two bins. */
function percentile(histogram: Float64Array, share: number, from = 0, till = histogram.length): number {
  const part = histogram.subarray(from, till)
  const wanted = share * part.reduce((sum, count) => sum + count, 0)
  let sum = 0
  for (const [bin, count] of part.entries()) {
    if (count > 0 && sum + count >= wanted) return (100 * (from + bin + (wanted - sum) / count)) / histogram.length
    sum += count
  }
  return (50 * (from + till)) / histogram.length
}

/** What a histogram over lightness says. */
export function tonesOf(histogram: Float64Array): Tones {
  const outmost = Math.round((histogram.length * OUTMOST) / 100)
  return {
    darkest: percentile(histogram, 0.004),
    middle: percentile(histogram, 0.5, outmost, histogram.length - outmost),
    brightest: percentile(histogram, 0.996),
  }
}

/** A bump over 0..1 that is 0 at both ends with its top at a third, whose slope never falls below -9/4. */
const bump = (value: number): number => (27 / 4) * value * (1 - value) ** 2

/**
 * How strongly a picture's middle is drawn to where it usually lies: `k` of x / (x + k(1 - x)), which over 0..1 rises everywhere, between the
 * slopes k and 1/k (below 1 it lightens).
 */
function bendOf(place: number): number {
  const aim = Math.max(USUAL.from, Math.min(USUAL.to, place))
  return Math.max(LEAST_BEND, Math.min(1 / LEAST_BEND, ((place * (1 - aim)) / (aim * (1 - place))) ** PULL))
}

/**
 * The curve of lightness a picture asks for, as values 0..100 at `CURVE_STEPS + 1` places: its ends are brought to black and white, its middle
 * towards the middle; what lies beyond the ends keeps its order in the little room that is left. It rises everywhere, so no two greys change
 * places. `amount` 1 is what suits, 2 the most.
 */
export function curveFor({ darkest, middle, brightest }: Tones, amount: number, wishes: Wishes): Float32Array {
  const spread = Math.max(LEAST_SPREAD, brightest - darkest)
  const centre = (darkest + brightest) / 2
  // What is spread less than it takes to fill the range stays about where it lies in it.
  const from = Math.max(0, Math.min(100 - spread, centre - spread / 2))
  const till = from + spread
  const [low, high] = [Math.min(from, BLACK), Math.max(till, WHITE)]
  const bend = bendOf(Math.max(0.02, Math.min(0.98, (middle - from) / spread)))
  const suited = (lightness: number): number => {
    if (lightness < from) return (lightness * low) / from
    if (lightness > till) return high + ((lightness - till) * (100 - high)) / (100 - till)
    const used = (lightness - from) / spread
    return low + ((high - low) * used) / (used + bend * (1 - used))
  }
  const steeper = Math.max(0, amount - 1)
  return Float32Array.from({ length: CURVE_STEPS + 1 }, (_, at) => {
    const lightness = (100 * at) / CURVE_STEPS
    const full = suited(lightness)
    const turned = full + STEEPER * steeper * Math.sin((2 * Math.PI * (full - 50)) / 100)
    const share = Math.max(0, Math.min(1, (lightness + Math.min(1, amount) * (turned - lightness)) / 100))
    return 100 * (share + WISH * (wishes.shadows * bump(share) + wishes.highlights * bump(1 - share)))
  })
}

/** How steep a curve is at each of its places, over a neighbourhood of a sixteenth of the range. */
export function slopesOf(curve: Float32Array): Float32Array {
  const reach = CURVE_STEPS / 32
  return Float32Array.from(curve, (_, at) => {
    const [from, to] = [Math.max(0, at - reach), Math.min(CURVE_STEPS, at + reach)]
    return (((curve[to] ?? 0) - (curve[from] ?? 0)) * CURVE_STEPS) / (100 * (to - from))
  })
}
