import { SIDE } from './tiles.ts'

/** A frequency that stands out of a square's spectrum: in cycles a square, `v` never negative. */
export interface Peak {
  readonly u: number
  readonly v: number
  /** Whether it stands out in the colour differences; else in brightness. */
  readonly isColour: boolean
}

/** Slower waves than this (in cycles a square) are shading, not a pattern. */
const SLOWEST = 7
/** The amplitude (levels) below which nobody sees a wave; a wave of amplitude 1 has this strength under the window. */
const FAINTEST = 1.2
const STRENGTH = (SIDE * SIDE) / 8
/** As many frequencies of a square are looked at more closely. */
const MOST_PEAKS = 10
/** How far a frequency stands out (natural logarithm) to be noticed. */
const NOTICED = 1.6

const ring: readonly (readonly [number, number])[] = Array.from(
  { length: 15 * 15 },
  (_, at) => [(at % 15) - 7, Math.floor(at / 15) - 7] as const,
).filter(([x, y]) => Math.hypot(x, y) >= 4.5 && Math.hypot(x, y) <= 7.4)

const around = (at: number): number => (at + 2 * SIDE) % SIDE
/** The strength at a frequency, negative ones too. */
export const at = (strengths: Float32Array, u: number, v: number): number => strengths[around(v) * SIDE + around(u)] ?? 0

/**
 * What would be at a frequency without a pattern: the median of the ring around it, or, where that is more, what lies further in and further out in
 * the same direction, since an edge draws a line through the middle of a spectrum and is no pattern.
 */
export function groundAt(strengths: Float32Array, u: number, v: number): number {
  const values = ring.map(([x, y]) => at(strengths, u + x, v + y)).toSorted((a, b) => a - b)
  const length = Math.hypot(u, v)
  const [x, y] = [u / length, v / length]
  const along = (from: number): number => {
    let sum = 0
    for (const step of [from, from + 1, from + 2]) sum += at(strengths, Math.round(u + x * step), Math.round(v + y * step))
    return sum / 3
  }
  return Math.max(values[values.length >> 1] ?? 0, Math.min(along(4), along(-6)), 1e-3)
}

/** Whether nothing within two cycles is stronger. */
function isTop(strengths: Float32Array, u: number, v: number): boolean {
  const own = at(strengths, u, v)
  for (let y = -2; y <= 2; y++) {
    for (let x = -2; x <= 2; x++) if (at(strengths, u + x, v + y) > own) return false
  }
  return true
}

/** The frequencies that stand out of a square's spectrum, the strongest first. */
export function peaksOf(strengths: Float32Array, isColour: boolean): Peak[] {
  const floor = FAINTEST * STRENGTH * (isColour ? 1.5 : 1)
  const found: (Peak & { own: number })[] = []
  const half = SIDE / 2
  for (let v = 0; v < half; v++) {
    for (let u = v === 0 ? 1 : 1 - half; u < half; u++) {
      const own = strengths[v * SIDE + around(u)] ?? 0
      if (own < floor || u * u + v * v < SLOWEST * SLOWEST || !isTop(strengths, u, v)) continue
      found.push({ u, v, isColour, own })
    }
  }
  const strongest = found.toSorted((a, b) => b.own - a.own).slice(0, MOST_PEAKS)
  return strongest.filter(({ u, v, own }) => Math.log(own / groundAt(strengths, u, v)) > NOTICED).map(({ u, v }) => ({ u, v, isColour }))
}
