import { medianOf } from '../math/median.ts'

/** A frequency that stands out of a profile: cycles a column, up to one half, and how many times as strong as what is usual there. */
export interface Line {
  readonly frequency: number
  readonly strength: number
}

/** The side of a JPEG's blocks. */
const BLOCK = 8
/** What changes more slowly (cycles a column) is the picture. */
const SLOWEST = 0.015
/** Weaker ones are chance. */
const FAINTEST = 4
/** Columns to each side of which the median is a profile's course. */
const COURSE = 12
/** The share of all frequencies, to each side, of which the median is the usual; it is taken at every so many. */
const USUAL_SHARE = 0.03
const USUAL_STEP = 8
/** What is off by more deviations is cut: one post or pillar has all frequencies. */
const MOST_OFF = 4

/** The discrete Fourier transform in place (Cooley and Tukey 1965); the length is a power of two. */
function transform(re: Float64Array, im: Float64Array): void {
  const count = re.length
  for (let at = 1, to = 0; at < count; at++) {
    let bit = count >> 1
    for (; to & bit; bit >>= 1) to ^= bit
    to ^= bit
    if (at < to) [re[at], re[to], im[at], im[to]] = [re[to] ?? 0, re[at] ?? 0, im[to] ?? 0, im[at] ?? 0]
  }
  for (let half = 1; half < count; half *= 2) {
    for (let k = 0; k < half; k++) {
      const [c, s] = [Math.cos((Math.PI * k) / half), -Math.sin((Math.PI * k) / half)]
      for (let one = k; one < count; one += 2 * half) {
        const other = one + half
        const u = (re[other] ?? 0) * c - (im[other] ?? 0) * s
        const v = (re[other] ?? 0) * s + (im[other] ?? 0) * c
        const [p, q] = [re[one] ?? 0, im[one] ?? 0]
        re[other] = p - u
        im[other] = q - v
        re[one] = p + u
        im[one] = q + v
      }
    }
  }
}

/** A profile beside its course, 0 where it is on it; of a JPEG without what each column of a block has more than the others. */
function ripplesOf(profile: Float64Array, isJpeg: boolean): Float64Array {
  const ripples = profile.map((value, x) => value / (medianOf(profile.subarray(Math.max(0, x - COURSE), x + COURSE + 1)) || 1e-9) - 1)
  if (isJpeg) {
    for (let column = 0; column < BLOCK; column++) {
      const own = medianOf(ripples.filter((_, x) => x % BLOCK === column)) ?? 0
      for (let x = column; x < ripples.length; x += BLOCK) ripples[x] = (ripples[x] ?? 0) - own
    }
  }
  const most = (MOST_OFF * (medianOf(ripples.map(Math.abs)) ?? 0)) / 0.6745 || 1
  return ripples.map((ripple) => Math.max(-most, Math.min(most, ripple)))
}

/** Each frequency's power in times of the median around it, which is the logarithm of 2 where all is chance. */
function strengthsOf(powers: Float64Array, count: number): Float64Array {
  const reach = Math.round(count * USUAL_SHARE)
  const usual: number[] = []
  for (let at = 0; at < powers.length; at += USUAL_STEP)
    usual.push((medianOf(powers.subarray(Math.max(4, at - reach), at + reach + 1)) ?? 0) / Math.LN2)
  return powers.map((power, at) => power / (usual[Math.min(usual.length - 1, Math.round(at / USUAL_STEP))] || 1))
}

/** The place of a peak between its neighbours, from their amplitudes. */
function between(left: number, own: number, right: number): number {
  const [a, b, c] = [Math.sqrt(left), Math.sqrt(own), Math.sqrt(right)]
  return Math.max(-0.5, Math.min(0.5, (a - c) / (2 * (a - 2 * b + c) || 1)))
}

/** The frequencies that stand out of a profile. */
export function linesOf(profile: Float64Array, isJpeg: boolean): Line[] {
  const width = profile.length
  const count = 2 ** Math.ceil(Math.log2(2 * width))
  const [re, im] = [new Float64Array(count), new Float64Array(count)]
  re.set(ripplesOf(profile, isJpeg).map((ripple, x) => ripple * (0.5 - 0.5 * Math.cos((2 * Math.PI * (x + 0.5)) / width))))
  transform(re, im)
  const strengths = strengthsOf(
    Float64Array.from({ length: count / 2 + 1 }, (_, at) => (re[at] ?? 0) ** 2 + (im[at] ?? 0) ** 2),
    count,
  )
  // The window makes each frequency so broad.
  const near = Math.ceil((1.6 * count) / width)
  const lines: Line[] = []
  for (let at = Math.ceil(SLOWEST * count); at <= count / 2; at++) {
    const strength = strengths[at] ?? 0
    if (strength < FAINTEST || strengths.subarray(Math.max(0, at - near), at + near + 1).some((other) => other > strength)) continue
    const frequency = (at + between(strengths[at - 1] ?? 0, strength, strengths[at + 1] ?? 0)) / count
    lines.push({ frequency: Math.min(0.5, frequency), strength })
  }
  return isJpeg ? alone(lines) : lines
}

/** A frequency as it is seen in whole columns, 0 to one half. */
export function folded(frequency: number): number {
  const rest = Math.abs(frequency) % 1
  return rest > 0.5 ? 1 - rest : rest
}

/** Without those that only repeat a stronger one a block's frequency away. */
function alone(lines: readonly Line[]): Line[] {
  const isEcho = (line: Line, of: Line): boolean =>
    of.strength > 1.5 * line.strength &&
    [-4, -3, -2, -1, 1, 2, 3, 4].some((times) => Math.abs(folded(of.frequency + times / BLOCK) - line.frequency) < 0.002)
  return lines.filter((line) => !lines.some((of) => isEcho(line, of)))
}
