import sharp from 'sharp'
import type { Codec, Origin } from './codec.ts'
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
/** Below this quality no picture is worth keeping its size for. */
const HOPELESS_QUALITY = 4
const SMALLEST_SIDE_PX = 8
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
  const open = async (at: Pixels): Promise<Candidate> => {
    const scale = codec.open(at, origin)
    return { pixels: at, scale, quality: await predictQuality(scale, aim.limitBytes) }
  }
  const full = await open(pixels)
  if (aim.keepsPixels || (full.quality ?? 0) >= codec.worstQuality) return encode(full, aim)
  let chosen = await shrinkToGood(codec, full, open, aim)
  if ((full.quality ?? 0) > HOPELESS_QUALITY && (await isMoreSimilar(codec, full, chosen, origin))) chosen = full
  for (;;) {
    const fitted = await encode(chosen, aim)
    const { width, height } = fitted
    if (fitted.isWithin || Math.min(width, height) <= SMALLEST_SIDE_PX) return fitted
    chosen = await open(await shrunk(pixels, (0.8 * width) / pixels.width))
  }
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
  let candidate = full
  let factor = 1
  // Each attempt holds a further copy of a picture that may be hundreds of megabytes.
  const attempts = area(full.pixels) > HUGE_PIXELS ? 1 : 3
  for (let attempt = 0; attempt < attempts; attempt++) {
    const bytes = await candidate.scale.estimate(codec.goodQuality)
    factor = Math.min(0.95, factor * (limitBytes / bytes) ** (1 / BYTES_PER_SIDE_POWER))
    candidate = await open(await shrunk(full.pixels, factor))
    const { quality } = candidate
    if (quality !== undefined && Math.abs(quality - codec.goodQuality) <= 12) break
  }
  return candidate
}

/** Whether, on a few crops, full size at its low quality is nearer to the source than the shrunk picture at its better one. */
async function isMoreSimilar(codec: Codec, full: Candidate, small: Candidate, origin: Origin): Promise<boolean> {
  const source = crops(full.pixels)
  const factor = small.pixels.width / full.pixels.width
  const reduced = await shrunk(source, factor)
  const atFull = await seen(codec, source, full.quality ?? 1, origin)
  const atSmall = await seen(codec, reduced, small.quality ?? codec.goodQuality, origin)
  const enlarged = await resized(atSmall, source.width, source.height)
  const reference = planes(source)
  return pictureError(reference, planes(atFull)) < pictureError(reference, planes(enlarged))
}

/** What a viewer sees of some pixels after encoding at a quality. */
async function seen(codec: Codec, pixels: Pixels, quality: number, origin: Origin): Promise<Pixels> {
  const bytes = await codec.open(pixels, origin).encode(quality)
  const decoded = sharp(bytes).toColourspace(pixels.channels <= 2 ? 'b-w' : 'srgb')
  return samplesOf(decoded)
}
