import { readWithMagick } from '../magick/magick.ts'
import type { Raster } from '#engine/image/raster'
import type { Limits } from '#engine/limits'
import { AppError } from '#shared/errors/app-error'

/** Names of an OpenEXR file's channels (OpenEXR File Layout, `chlist`), from its first header. */
function channelsOf(file: Buffer): string[] {
  const start = file.indexOf('channels\0chlist\0', 0, 'latin1')
  if (start < 0) return []
  const names: string[] = []
  // The attribute's size stands between its type and the list; a channel is its name, a zero and 16 bytes.
  for (let at = start + 20; at < file.length && file[at] !== 0;) {
    const end = file.indexOf(0, at)
    if (end < 0) break
    names.push(file.toString('latin1', at, end))
    at = end + 17
  }
  return names
}

/**
 * Reads an OpenEXR picture of red, green and blue, or of luminance alone. ImageMagick here shows others (luminance with
 * subsampled chroma, named layers) in wrong colours without a word, so that they are refused: `file.unusual-encoding`.
 */
export async function readExr(file: Buffer, limits: Limits): Promise<Raster> {
  const channels = new Set(channelsOf(file))
  const isColour = ['R', 'G', 'B'].every((name) => channels.has(name))
  const isGrey = channels.has('Y') && !channels.has('RY') && !channels.has('BY')
  if (!isColour && !isGrey) throw new AppError('file.unusual-encoding', {})
  return readWithMagick(file, 'exr', limits)
}
