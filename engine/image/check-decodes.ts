import sharp from 'sharp'
import { checkFrames, checkSize } from './check-size.ts'
import { blameFile } from '../failures.ts'
import type { Limits } from '../limits.ts'

/**
 * Decodes a picture file to its last pixel, every page and frame, for tools that hand the file on without decoding it: a broken
 * one must not come back as a good one. Returns its upright sides in pixels.
 * Throws `file.unreadable`, `file.unusual-encoding`, `image.too-many-pixels` or `image.too-many-frames`.
 */
export async function checkDecodes(path: string, limits: Limits): Promise<{ width: number; height: number }> {
  try {
    const base = { limitInputPixels: false, failOn: 'error' } as const
    const { autoOrient, pages = 1, format } = await sharp(path, base).metadata()
    const isPaged = format === 'tiff'
    checkFrames(pages, 0, limits)
    for (let page = 0; page < (isPaged ? pages : 1); page++) {
      checkSize(await sharp(path, { ...base, page }).metadata(), limits)
      // Shrunk to a point, its rows stream by and need no memory.
      const whole = sharp(path, { ...base, ...(isPaged ? { page } : { animated: pages > 1 }) })
      await whole.resize(1, 1, { fit: 'fill', fastShrinkOnLoad: false }).raw().toBuffer()
    }
    return { width: autoOrient.width, height: autoOrient.height }
  } catch (thrown) {
    return blameFile(thrown)
  }
}
