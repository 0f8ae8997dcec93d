import sharp from 'sharp'
import { checkSides, type Codec, type Origin } from './codec.ts'
import { fitQuality, predictQuality, roughQuality, type Aim, type QualityScale } from './quality-search.ts'
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
const LEAST_SHORT_SIDE_PX = 8
/** People want their pixels: fewer of them must be clearly better. */
const CLEARLY_LESS = 0.95
const HUGE_PIXELS = 40e6

interface Candidate {
  readonly pixels: Pixels
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
  const open = (at: Pixels): Promise<Candidate> => predicted(at, codec.open(at), aim)
  const scale = codec.open(pixels)
  const full = await predicted(pixels, origin.isChromaSubsampled ? scale : await withBetterColour(codec, pixels, scale, aim), aim)
  if (aim.keepsPixels || (full.quality ?? 0) >= codec.worstQuality) return encode(full, aim)
  let chosen = await shrinkToGood(codec, full, open, aim)
  if ((full.quality ?? 0) > HOPELESS_QUALITY && (await isMoreSimilar(codec, full, chosen))) chosen = full
  for (;;) {
    const fitted = await encode(chosen, aim)
    const { width, height } = fitted
    if (fitted.isWithin || Math.min(width, height) <= LEAST_SHORT_SIDE_PX) return fitted
    chosen = await open(await shrunk(pixels, (0.8 * width) / pixels.width))
  }
}

const predicted = async (pixels: Pixels, scale: QualityScale, { limitBytes }: Aim): Promise<Candidate> => ({
  pixels,
  scale,
  quality: await predictQuality(scale, limitBytes),
})

const encode = async ({ pixels: { width, height }, scale, quality }: Candidate, aim: Aim): Promise<Fitted> => ({
  ...(await fitQuality(scale, quality, aim)),
  width,
  height,
})

function shrunk(pixels: Pixels, factor: number): Promise<Pixels> {
  const shorter = Math.min(pixels.width, pixels.height)
  // A thin picture stops shrinking in both directions when its short side would vanish.
  const kept = Math.max(factor, Math.min(1, LEAST_SHORT_SIDE_PX / shorter))
  return resized(pixels, Math.round(pixels.width * kept), Math.round(pixels.height * kept))
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
async function isMoreSimilar(codec: Codec, full: Candidate, small: Candidate): Promise<boolean> {
  const source = crops(full.pixels)
  const reference = planes(source)
  const reduced = await shrunk(source, small.pixels.width / full.pixels.width)
  const atSmall = await seen(codec.open(reduced), reduced, small.quality ?? codec.goodQuality)
  const enlarged = await resized(atSmall, source.width, source.height)
  const atFull = await seen(codec.open(source), source, full.quality ?? 1)
  return pictureError(reference, planes(atFull)) * CLEARLY_LESS < pictureError(reference, planes(enlarged))
}

/** The scale, or the one with colour at full resolution, if that is nearer to the source on a few crops in as many bytes. */
async function withBetterColour(codec: Codec, pixels: Pixels, scale: QualityScale, { limitBytes }: Aim): Promise<QualityScale> {
  const { inFullColour } = scale
  const half = await roughQuality(scale, limitBytes)
  if (inFullColour === undefined || half === undefined || half < RICH_QUALITY) return scale
  const full = await roughQuality(inFullColour, limitBytes)
  if (full === undefined) return scale
  const source = crops(pixels)
  const reference = planes(source)
  const onCrops = codec.open(source)
  const atHalf = pictureError(reference, planes(await seen(onCrops, source, half)))
  const atFull = pictureError(reference, planes(await seen(onCrops.inFullColour ?? onCrops, source, full)))
  return atFull < atHalf ? inFullColour : scale
}

/** What a viewer sees of some pixels after their encoder has written them at a quality. */
async function seen(scale: QualityScale, { channels }: Pixels, quality: number): Promise<Pixels> {
  return samplesOf(sharp(await scale.preview(quality)).toColourspace(channels === 1 ? 'b-w' : 'srgb'))
}
