import type { QualityScale } from './quality-search.ts'
import type { Pixels } from '../image/pixels.ts'
import { AppError } from '#shared/errors/app-error'
import { formats, type FormatId } from '#shared/formats'

/** What the source file tells about how much is worth keeping. */
export interface Origin {
  /** Colour was stored at half resolution already: storing it in full would spend bytes on nothing. */
  readonly isChromaSubsampled: boolean
  readonly isLossless: boolean
}

/** A lossy format that can be fitted to a byte limit by quality. */
export interface Codec {
  readonly format: FormatId
  /** Longest side its encoder takes, in pixels. */
  readonly maxSidePx: number
  /** Below this quality at full size, fewer pixels at `goodQuality` usually look better. */
  readonly worstQuality: number
  readonly goodQuality: number
  /** The encoder set on a picture. */
  open(pixels: Pixels): QualityScale
  /** Every sample kept exactly, where the format can. */
  encodeLossless?(pixels: Pixels): Promise<Buffer>
}

/** Throws `format.side-limit` when a side is longer than a codec's encoder takes: told beforehand, not by its crash. */
export function checkSides({ format, maxSidePx }: Codec, { width, height }: Pixels): void {
  if (Math.max(width, height) > maxSidePx) throw new AppError('format.side-limit', { format: formats[format].label, maxSidePx })
}
