import sharp from 'sharp'
import { translate } from '../failures.ts'
import type { Limits } from '../limits.ts'
import { AppError } from '#shared/errors/app-error'

/**
 * Decodes a picture file to its last pixel, every page and frame, for tools that hand the file on without decoding it: a broken
 * one must not come back as a good one. Returns its upright sides in pixels.
 * Throws `file.unreadable`, `file.unusual-encoding`, `image.too-many-pixels` or `image.too-many-frames`.
 */
export async function checkDecodes(path: string, { maxPixels, maxSidePx, maxFrames }: Limits): Promise<{ width: number; height: number }> {
  try {
    const base = { limitInputPixels: false, failOn: 'error' } as const
    const { autoOrient, pages = 1, format } = await sharp(path, base).metadata()
    const isPaged = format === 'tiff'
    if (pages > maxFrames) throw new AppError('image.too-many-frames', { maxFrames })
    for (let page = 0; page < (isPaged ? pages : 1); page++) {
      const { width, height } = await sharp(path, { ...base, page }).metadata()
      const pixels = width * height
      if (pixels > maxPixels || Math.max(width, height) > maxSidePx) throw new AppError('image.too-many-pixels', { pixels, maxPixels })
      // Shrunk to a point, its rows stream by and need no memory.
      const whole = sharp(path, { ...base, ...(isPaged ? { page } : { animated: pages > 1 }) })
      await whole.resize(1, 1, { fit: 'fill', fastShrinkOnLoad: false }).raw().toBuffer()
    }
    return { width: autoOrient.width, height: autoOrient.height }
  } catch (thrown) {
    const failure = translate(thrown)
    throw failure.code === 'internal' ? new AppError('file.unreadable', {}, { cause: thrown }) : failure
  }
}
