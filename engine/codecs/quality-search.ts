import { area, type Pixels } from '../image/pixels.ts'

/** A lossy encoder set on one picture, seen as a curve of bytes over quality. */
export interface QualityScale {
  readonly lowest: number
  readonly highest: number
  /** What `encode` would weigh, in bytes, told cheaply; grows with quality. */
  estimate(quality: number): Promise<number>
  /** Makes estimates near a quality more exact, for a small part of an encode. */
  sharpen(quality: number): Promise<void>
  encode(quality: number): Promise<Buffer>
  /** A file that looks like `encode`'s but may weigh more, where that is quicker to make. */
  preview(quality: number): Promise<Buffer>
  /** From this fill on, in a coarse part of the scale, the variants are not tried: they cost full encodes. */
  readonly fullEnough: number
  /** Other settings of the encoder about as good as this quality, whose bytes fall between its steps; best first. */
  readonly variants: readonly QualityScale[]
  /** The same encoder with colour at full resolution (4:4:4), where this one halves it. */
  readonly inFullColour?: QualityScale
}

/** The best encode found within a limit; `isWithin` is false when even the lowest quality is above it. */
export interface Encoded {
  readonly bytes: Buffer
  readonly quality: number
  readonly isWithin: boolean
}

/** What the search is after. */
export interface Aim {
  readonly limitBytes: number
  /** Milliseconds that may still be spent; with little left, the search stops at the best so far. */
  readonly msLeft: () => number
}

/** From this fill (bytes over limit) on, another full encode is not worth its time; by how many have been made. */
const GOOD_ENOUGH = [1, 0.965, 0.955, 0.94]
const MAX_ENCODES = 8
/** Outside these, quantisation steps are so coarse that one step of quality moves the bytes by 5–30 %. */
const FINE_QUALITIES = [22, 80] as const
/** The first encode aims a little low: landing above the limit costs another one. */
const FIRST_AIM = 0.994

/** The fill at which trying variants stops: a full encode of a large picture takes longer than its last percents are worth. */
export const fullEnough = (pixels: Pixels): number => (area(pixels) > 1e6 ? 0.93 : 0.96)

interface Point {
  readonly quality: number
  readonly bytes: number
}

/**
 * The highest whole number in [low, high] whose size is within `limit`, for a growing size function; undefined if none is.
 * Regula falsi on ln(size), which is close to a line over quality. The bracket opens outwards from the middle, because the
 * ends of a quality scale are the dearest to encode and seldom the answer.
 */
export async function highestWithin(
  sizeOf: (quality: number) => Promise<number>,
  limit: number,
  [low, high]: readonly [number, number],
): Promise<number | undefined> {
  let below: Point | undefined
  let above: Point | undefined
  let quality = Math.round((low + high) / 2)
  for (let step = 0; ; step++) {
    const point = { quality, bytes: await sizeOf(quality) }
    if (point.bytes <= limit) below = point
    else above = point
    const next = nextGuess(below, above, limit, [low, high], step)
    if (next === undefined) return below?.quality
    quality = next
  }
}

/** Where to look next between (or beyond) the known points; undefined when the answer is known. */
function nextGuess(below: Point | undefined, above: Point | undefined, limit: number, range: readonly [number, number], step: number) {
  const [low, high] = range
  if (!above) return below && below.quality < high ? Math.min(high, Math.ceil(below.quality + 0.6 * (high - below.quality))) : undefined
  if (!below) return above.quality > low ? Math.max(low, Math.floor(low + 0.4 * (above.quality - low))) : undefined
  if (above.quality - below.quality <= 1) return undefined
  const share = Math.log(limit / below.bytes) / Math.log(above.bytes / below.bytes)
  // Every third step halves the bracket: regula falsi alone can crawl along one side.
  const position = step % 3 === 2 || !Number.isFinite(share) ? 0.5 : share
  const guess = Math.round(below.quality + position * (above.quality - below.quality))
  return Math.min(above.quality - 1, Math.max(below.quality + 1, guess))
}

/** The quality whose encode is expected to be just within the limit, by estimates as they stand; undefined when the lowest is expected above it. */
export const roughQuality = (scale: QualityScale, limitBytes: number): Promise<number | undefined> =>
  highestWithin((quality) => scale.estimate(quality), limitBytes * FIRST_AIM, [scale.lowest, scale.highest])

/** Like `roughQuality`, with the estimates sharpened where it matters. */
export async function predictQuality(scale: QualityScale, limitBytes: number): Promise<number | undefined> {
  let quality = await roughQuality(scale, limitBytes)
  for (let round = 0; round < 2 && quality !== undefined; round++) {
    const before = quality
    await scale.sharpen(before)
    quality = await roughQuality(scale, limitBytes)
    if (quality !== undefined && Math.abs(quality - before) <= 2) break
  }
  return quality
}

/**
 * The best encode of a picture within a byte limit: predict by cheap estimates, encode, correct the estimates by the true
 * sizes, encode again only if it pays; then try the variants where quality steps are coarse. Never returns more than the
 * limit unless nothing fits; then the lowest quality, with `isWithin` false. `predicted` comes from predictQuality.
 */
export async function fitQuality(scale: QualityScale, predicted: number | undefined, aim: Aim): Promise<Encoded> {
  const { limitBytes, msLeft } = aim
  const errors = new Map<number, number>()
  let best: Encoded | undefined
  let tooHigh = scale.highest + 1
  let quality = predicted ?? scale.lowest
  for (let encodes = 1; encodes <= MAX_ENCODES; encodes++) {
    const startedWith = msLeft()
    const bytes = await scale.encode(quality)
    if (bytes.length <= limitBytes) best = { bytes, quality, isWithin: true }
    else if (quality === scale.lowest) return { bytes, quality, isWithin: false }
    else tooHigh = quality
    const fill = (best?.bytes.length ?? 0) / limitBytes
    if (fill >= (GOOD_ENOUGH[encodes] ?? 0.93) || (best && msLeft() <= 2 * (startedWith - msLeft()))) break
    errors.set(quality, bytes.length / (await scale.estimate(quality)))
    const from = best ? best.quality + 1 : scale.lowest
    if (from >= tooHigh) break
    const sizeOf = corrected(scale, errors)
    quality = (await highestWithin(sizeOf, limitBytes, [from, tooHigh - 1])) ?? from
    // Filled well, and the next step is expected to be thrown away.
    if (fill >= 0.95 && (await sizeOf(quality)) > limitBytes * 1.004) break
  }
  if (!best) return { bytes: await scale.encode(scale.lowest), quality: scale.lowest, isWithin: false }
  return fillUp(scale, best, errors, aim)
}

/** Estimates multiplied by the error seen at the qualities encoded so far, linear between them. */
function corrected(scale: QualityScale, errors: ReadonlyMap<number, number>): (quality: number) => Promise<number> {
  const known = [...errors].toSorted(([left], [right]) => left - right)
  const errorAt = (quality: number): number => {
    const [fromQuality, fromError] = known.findLast(([at]) => at <= quality) ?? known[0] ?? [quality, 1]
    const [toQuality, toError] = known.find(([at]) => at >= quality) ?? [fromQuality, fromError]
    if (toQuality === fromQuality) return toError
    return fromError + ((toError - fromError) * (quality - fromQuality)) / (toQuality - fromQuality)
  }
  return async (quality) => (await scale.estimate(quality)) * errorAt(quality)
}

/** Looks for an encode nearer to the limit among the variants, where one step of quality is a big step in bytes. */
async function fillUp(
  scale: QualityScale,
  best: Encoded,
  errors: ReadonlyMap<number, number>,
  { limitBytes, msLeft }: Aim,
): Promise<Encoded> {
  const [fineFrom, fineTo] = FINE_QUALITIES
  if ((best.quality > fineFrom && best.quality < fineTo) || best.quality === scale.highest) return best
  let fullest = best
  for (const variant of scale.variants) {
    if (fullest.bytes.length >= scale.fullEnough * limitBytes || msLeft() < 10_000) break
    const sizeOf = corrected(variant, errors)
    const range = [Math.max(variant.lowest, best.quality - 6), Math.min(variant.highest, best.quality + 6)] as const
    const quality = await highestWithin(sizeOf, limitBytes * 0.998, range)
    if (quality === undefined || (await sizeOf(quality)) < fullest.bytes.length * 1.01) continue
    const bytes = await variant.encode(quality)
    if (bytes.length <= limitBytes && bytes.length > fullest.bytes.length) fullest = { bytes, quality, isWithin: true }
    // At high quality an encode takes longest: one more is enough.
    if (best.quality >= fineTo) break
  }
  return fullest
}
