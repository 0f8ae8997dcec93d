import { lumaSteps } from '../math/jpeg-steps.ts'
import { medianOf } from '../math/median.ts'
import type { Plane } from '../math/plane.ts'
import { cubic } from '../math/resample.ts'

/*
 * Undone by the right scale, the frequencies of an earlier JPEG's squares lie near multiples of its steps again, even after another JPEG that was not
 * much coarser (Bianchi and Piva, "Reverse engineering of double JPEG compression in the presence of image resizing", 2012).
 */

const BLOCK = 8
/** So many rows and columns are read, from the corner where the first square begins. */
export const READ_PX = 512
/** Frequencies that are looked at, of a square's columns (1 to 3) and rows (0 to 3): what is slow outlives a second JPEG. */
const COLUMNS = 3
const ROWS = 4
const FREQUENCIES = Array.from({ length: COLUMNS * ROWS }, (_, n) => [1 + (n % COLUMNS), Math.floor(n / COLUMNS)] as const)
/** Qualities of the earlier JPEG that are thought of: finer ones leave nothing. */
const QUALITIES = Array.from({ length: 36 }, (_, at) => 60 + at)
const LEAST_STEP = 2
const MOST_STEP = 40
/** Bins of a frequency's sizes. */
const BINS = 128
const BIN = 0.5

/** Scales that lie so many apart tell what is usual: at the right one's neighbours there are still its squares. */
const BESIDE = [4, 16] as const
/** A few samples have no deviations less than these. */
const LEAST_DEVIATION = 0.7
/** What a frequency tells at most, in deviations. */
const MOST_BY_ONE = 20
/** The picture's own squares fit together with others again at scales like these (as logarithms), so near. */
const OWN_SCALES = [1, 2 / 3, 3 / 4, 6 / 7, 4 / 3, 3 / 2].map(Math.log)
const OWN = 0.012

/** The steps of a frequency at each quality, 0 where none can be told. */
const tables = QUALITIES.map(lumaSteps)
const stepsOf = FREQUENCIES.map(([u, v]) =>
  tables.map((table) => {
    const step = table[v * BLOCK + u] ?? 0
    return step < LEAST_STEP || step > MOST_STEP ? 0 : step
  }),
)
const distinct = stepsOf.map((steps) => [...new Set(steps)].filter((step) => step > 0))
const waves = new Map(
  distinct.flat().map((step) => [step, Float64Array.from({ length: BINS }, (_, bin) => Math.cos((2 * Math.PI * bin * BIN) / step))]),
)
/** The orthonormal cosine transform of eight samples. */
const cosines = Array.from({ length: BLOCK }, (_, u) =>
  Float64Array.from({ length: BLOCK }, (__, at) => (u === 0 ? Math.SQRT1_2 / 2 : 0.5) * Math.cos(((2 * at + 1) * u * Math.PI) / 16)),
)

/** Frequencies of eight rows each: line `v * down + y` holds those of row frequency `v` of the squares `y` downwards, for each column. */
interface Lines {
  readonly across: number
  readonly down: number
  readonly data: Float32Array
}

function linesOf({ data, width, height }: Plane): Lines {
  const [across, down] = [Math.min(width, READ_PX), Math.floor(Math.min(height, READ_PX) / BLOCK)]
  const out = new Float32Array(ROWS * down * across)
  for (let v = 0; v < ROWS; v++) {
    for (let y = 0; y < down * BLOCK; y++) {
      const [from, to, share] = [y * width, (v * down + Math.floor(y / BLOCK)) * across, (cosines[v]?.[y % BLOCK] ?? 0) / BIN]
      for (let x = 0; x < across; x++) out[to + x] = (out[to + x] ?? 0) + share * (data[from + x] ?? 0)
    }
  }
  return { across, down, data: out }
}

/** How columns from `first` on count for a square's column frequencies 1, 2 and 3. */
interface Weights {
  readonly first: number
  readonly shares: readonly [Float64Array, Float64Array, Float64Array]
}

/** The weights of a square that begins at a column of the source, where the picture is so many times as wide as that. */
function weightsOf(begin: number, scale: number, across: number): Weights {
  const spread = Math.max(1, scale)
  const placeOf = (column: number): number => (begin + column + 0.5) * scale - 0.5
  const first = Math.max(0, Math.floor(placeOf(0) - 2 * spread) + 1)
  const end = Math.min(across, Math.ceil(placeOf(BLOCK - 1) + 2 * spread))
  const shares = [new Float64Array(end - first), new Float64Array(end - first), new Float64Array(end - first)] as const
  for (let column = 0; column < BLOCK; column++) {
    const place = placeOf(column)
    const [from, to] = [Math.max(first, Math.ceil(place - 2 * spread)), Math.min(end - 1, Math.floor(place + 2 * spread))]
    let sum = 0
    for (let at = from; at <= to; at++) sum += cubic((place - at) / spread)
    for (let at = from; at <= to; at++) {
      const tap = cubic((place - at) / spread) / sum
      for (const [u, share] of shares.entries()) share[at - first] = (share[at - first] ?? 0) + (cosines[1 + u]?.[column] ?? 0) * tap
    }
  }
  return { first, shares }
}

/** Counts a value in bins. */
function count(histogram: Float64Array, value: number): void {
  const bin = Math.round(Math.abs(value))
  if (bin < BINS) histogram[bin] = (histogram[bin] ?? 0) + 1
}

/** Adds the frequencies of all squares below each other to their histograms, three for each row frequency. */
function add(histograms: readonly Float64Array[], { across, down, data }: Lines, { first, shares }: Weights): void {
  const [one, two, three] = shares
  for (let v = 0; v < ROWS; v++) {
    const [ones, twos, threes] = histograms.slice(COLUMNS * v, COLUMNS * v + COLUMNS)
    if (!ones || !twos || !threes) return
    for (let y = 0, from = v * down * across + first; y < down; y++, from += across) {
      let a = 0
      let b = 0
      let c = 0
      for (let at = 0; at < one.length; at++) {
        const value = data[from + at] ?? 0
        a += (one[at] ?? 0) * value
        b += (two[at] ?? 0) * value
        c += (three[at] ?? 0) * value
      }
      count(ones, a)
      count(twos, b)
      count(threes, c)
    }
  }
}

/** How much nearer to multiples of a step values lie than by chance, in deviations of it. */
function nearness(histogram: Float64Array, wave: Float64Array): number {
  let [sum, all] = [0, 0]
  for (let bin = 0; bin < BINS; bin++) {
    sum += (wave[bin] ?? 0) * (histogram[bin] ?? 0)
    all += histogram[bin] ?? 0
  }
  return sum / Math.sqrt(Math.max(1, all / 2))
}

/** For each frequency and step how near its values lie to multiples, undone by a scale. */
function nearnesses(lines: Lines, scale: number): readonly ReadonlyMap<number, number>[] {
  const histograms = FREQUENCIES.map(() => new Float64Array(BINS))
  for (let begin = 0; (begin + BLOCK) * scale < lines.across - 2; begin += BLOCK)
    add(histograms, lines, weightsOf(begin, scale, lines.across))
  return histograms.map(
    (histogram, n) => new Map((distinct[n] ?? []).map((step) => [step, nearness(histogram, waves.get(step) ?? histogram)])),
  )
}

/** Values beside what is usual near by, in deviations. */
function standingOut(values: Float64Array): Float64Array {
  const [from, to] = BESIDE
  const off = values.map((value, at) => {
    let [sum, found] = [0, 0]
    for (let apart = from; apart <= to; apart++) {
      for (const near of [values[at - apart], values[at + apart]]) {
        if (near === undefined) continue
        sum += near
        found += 1
      }
    }
    return value - sum / Math.max(1, found)
  })
  const deviation = Math.max(LEAST_DEVIATION, 1.4826 * (medianOf(off.map(Math.abs)) ?? 0))
  return off.map((value) => value / deviation)
}

/** Logarithms of scales that are tried, natural ones, and their distance; the outermost only tell what is usual. */
const MOST = 0.452
const APART = 0.002
const scales = Float64Array.from({ length: 2 * Math.round(MOST / APART) + 1 }, (_, at) => (at - Math.round(MOST / APART)) * APART)

/** A scale, as a natural logarithm, and how clearly it brings back the squares and steps of an earlier JPEG, in deviations of chance. */
export interface Clearness {
  readonly scale: number
  readonly deviations: number
}

/**
 * How clearly scales of a picture's rows bring back the squares and steps of an earlier JPEG: those of the quality that fits best. Of a JPEG without the
 * scales at which its own squares would show. The first square begins in the picture's corner.
 */
export function stepsClearness(luma: Plane, isJpeg: boolean): readonly Clearness[] {
  const lines = linesOf(luma)
  const found = Array.from(scales, (scale) => nearnesses(lines, Math.exp(scale)))
  const clear = distinct.map(
    (steps, n) => new Map(steps.map((step) => [step, standingOut(Float64Array.from(found, (one) => one[n]?.get(step) ?? 0))])),
  )
  const told = Array.from(scales, (scale, at) => {
    const byQuality = QUALITIES.map((_, quality) => {
      const all = clear.flatMap((of, n) => of.get(stepsOf[n]?.[quality] ?? 0)?.[at] ?? [])
      return all.reduce((sum, one) => sum + Math.min(MOST_BY_ONE, one), 0) / Math.sqrt(Math.max(1, all.length))
    })
    return { scale, deviations: Math.max(0, ...byQuality) }
  })
  const isOwn = (scale: number): boolean => isJpeg && OWN_SCALES.some((own) => Math.abs(own - scale) < OWN)
  return told.slice(BESIDE[1], -BESIDE[1]).filter(({ scale }) => !isOwn(scale))
}
