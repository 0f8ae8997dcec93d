import sharp from 'sharp'
import { checkSides, type Codec, type Origin } from './codec.ts'
import { fitQuality, predictQuality, type Aim, type QualityScale } from './quality-search.ts'
import { area, resized, samplesOf, type Pixels } from '../image/pixels.ts'
import { pictureError, planes } from '../image/picture-error.ts'
import { crops } from '../image/crops.ts'

/** A picture fitted to a byte limit: its bytes and what it had to give up for them. */
export interface Fitted {
  readonly bytes: Buffer
  readonly isWithin: boolean
  /** As the format counts it; a PNG has none. */
  readonly quality?: number
  readonly width: number
  readonly height: number
}

/** Bytes grow with the side to this power when quality stays (measured over photos; area alone would be 2). */
const BYTES_PER_SIDE_POWER = 1.6
/** From this quality on, colour at full resolution may be worth more than still finer luma. */
const RICH_QUALITY = 75
/** Below this quality no picture is worth keeping its size for. */
const HOPELESS_QUALITY = 4
const SMALLEST_SIDE_PX = 8
/** People want their pixels: fewer of them must be clearly better. */
const CLEARLY_LESS = 0.95
const HUGE_PIXELS = 40e6

interface Candidate {
  readonly pixels: Pixels
  readonly open: Codec['open']
  readonly scale: QualityScale
  readonly quality: number | undefined
}

/**
 * The best picture a format can give within a byte limit. Quality is lowered first; when it would fall so low that a
 * smaller picture may look better, both are tried on samples and the one more similar to the source is kept. With
 * `keepsPixels` only quality gives way, and `isWithin` tells whether that was enough.
 */
export async function fitPicture(codec: Codec, pixels: Pixels, origin: Origin, aim: Aim & { keepsPixels: boolean }): Promise<Fitted> {
  checkSides(codec, pixels)
  const open = (at: Pixels): Promise<Candidate> => candidate(codec.open, at, aim)
  const full = await open(pixels)
  if ((full.quality ?? 0) >= RICH_QUALITY && !origin.isChromaSubsampled) return encode(await withBetterColour(codec, full, aim), aim)
  if (aim.keepsPixels || (full.quality ?? 0) >= codec.worstQuality) return encode(full, aim)
  let chosen = await shrinkToGood(codec, full, open, aim)
  if ((full.quality ?? 0) > HOPELESS_QUALITY && (await isMoreSimilar(codec, full, chosen))) chosen = full
  for (;;) {
    const fitted = await encode(chosen, aim)
    const { width, height } = fitted
    if (fitted.isWithin || Math.min(width, height) <= SMALLEST_SIDE_PX) return fitted
    chosen = await open(await shrunk(pixels, (0.8 * width) / pixels.width))
  }
}

const candidate = async (open: Codec['open'], pixels: Pixels, { limitBytes }: Aim): Promise<Candidate> => {
  const scale = open(pixels)
  return { pixels, open, scale, quality: await predictQuality(scale, limitBytes) }
}

const encode = async ({ pixels: { width, height }, scale, quality }: Candidate, aim: Aim): Promise<Fitted> => ({
  ...(await fitQuality(scale, quality, aim)),
  width,
  height,
})

function shrunk(pixels: Pixels, factor: number): Promise<Pixels> {
  const side = (length: number): number => Math.max(Math.min(length, SMALLEST_SIDE_PX), Math.round(length * factor))
  return resized(pixels, side(pixels.width), side(pixels.height))
}

/** Shrinks until the quality that fits is about the codec's good one, by the power law, corrected twice at most. */
async function shrinkToGood(
  codec: Codec,
  full: Candidate,
  open: (pixels: Pixels) => Promise<Candidate>,
  { limitBytes }: Aim,
): Promise<Candidate> {
  let shrinking = full
  let factor = 1
  // Each attempt holds a further copy of a picture that may be hundreds of megabytes.
  const attempts = area(full.pixels) > HUGE_PIXELS ? 1 : 3
  for (let attempt = 0; attempt < attempts; attempt++) {
    const bytes = await shrinking.scale.estimate(codec.goodQuality)
    factor = Math.min(0.95, factor * (limitBytes / bytes) ** (1 / BYTES_PER_SIDE_POWER))
    shrinking = await open(await shrunk(full.pixels, factor))
    const { quality } = shrinking
    if (quality !== undefined && Math.abs(quality - codec.goodQuality) <= 12) break
  }
  return shrinking
}

/** Whether, on a few crops, full size at its low quality is nearer to the source than the shrunk picture at its better one. */
async function isMoreSimilar({ goodQuality }: Codec, full: Candidate, small: Candidate): Promise<boolean> {
  const source = crops(full.pixels)
  const reduced = await shrunk(source, small.pixels.width / full.pixels.width)
  const atSmall = await seen(small, reduced, small.quality ?? goodQuality)
  const enlarged = await resized(atSmall, source.width, source.height)
  return damage(source, await seen(full, source, full.quality ?? 1)) * CLEARLY_LESS < damage(source, enlarged)
}

/** The candidate, or the one with colour at full resolution in as many bytes, if that is nearer to the source on a few crops. */
async function withBetterColour(codec: Codec, half: Candidate, aim: Aim): Promise<Candidate> {
  const full = codec.openFullColour && (await candidate(codec.openFullColour, half.pixels, aim))
  if (full?.quality === undefined || half.quality === undefined) return half
  const source = crops(half.pixels)
  const [atHalf, atFull] = [await seen(half, source, half.quality), await seen(full, source, full.quality)]
  return damage(source, atFull) < damage(source, atHalf) ? full : half
}

const damage = (source: Pixels, shown: Pixels): number => pictureError(planes(source), planes(shown))

/** What a viewer sees of some pixels after a candidate's encoder has written them at a quality. */
async function seen({ open }: Candidate, pixels: Pixels, quality: number): Promise<Pixels> {
  const bytes = await open(pixels).encode(quality)
  return samplesOf(sharp(bytes).toColourspace(pixels.channels === 1 ? 'b-w' : 'srgb'))
}
