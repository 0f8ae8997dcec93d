import { avif } from './avif.ts'
import { jpeg } from './jpeg.ts'
import { webp } from './webp.ts'
import { checkSize } from '../image/check-size.ts'
import type { Limits } from '../limits.ts'
import { AppError } from '#shared/errors/app-error'
import { formats, type FormatId } from '#shared/formats'
import type { Size } from '#shared/resize'

/** The longest side in pixels, where a format has one below what any picture here may have; GIF stores sides in 16 bits. */
const maxSidesPx: Readonly<Partial<Record<FormatId, number>>> = {
  jpeg: jpeg.maxSidePx,
  webp: webp.maxSidePx,
  avif: avif.maxSidePx,
  gif: 65_535,
}

/**
 * Refuses a result before a sample of it is allocated. Throws `format.side-limit` for a side its format can't hold, and
 * `image.too-many-pixels` for more than a picture, or all frames of one, may have.
 */
export function checkOutput({ width, height }: Size, format: FormatId, frames: number, limits: Limits): void {
  const maxSidePx = maxSidesPx[format]
  const pixels = width * height
  checkSize({ width, height }, limits, true)
  if (frames > 1 && pixels * frames > limits.maxFramesPixels) {
    throw new AppError('image.too-many-pixels', { pixels: pixels * frames, maxPixels: limits.maxFramesPixels, isResult: true })
  }
  if (maxSidePx !== undefined && Math.max(width, height) > maxSidePx) {
    throw new AppError('format.side-limit', { format: formats[format].label, maxSidePx })
  }
}
