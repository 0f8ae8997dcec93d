import { bmpDpi, withBmpDpi } from './bmp.ts'
import { jpegDpi, withJpegDpi } from './jpeg.ts'
import { pngDpi, withPngDpi } from './png.ts'
import { tiffDpi, withTiffDpi } from './tiff.ts'
import { exifLead, webpDpi, withWebpDpi } from './webp.ts'
import type { Pixels } from '../pixels.ts'
import { AppError } from '#shared/errors/app-error'
import type { FormatId } from '#shared/formats'
import { densityFormats, type DensityId } from '#shared/tools/set-dpi'

/** The most dots per inch that JFIF can say. */
export const MAX_DPI = 65_535

/** Reads and sets one format's density; may throw RangeError where a file's offsets lead past its end. */
interface DensityCodec {
  readonly read: (file: Buffer) => number | undefined
  readonly write: (file: Buffer, dpi: number) => Buffer
}

const codecs: Readonly<Record<DensityId, DensityCodec>> = {
  jpeg: { read: jpegDpi, write: withJpegDpi },
  png: { read: pngDpi, write: withPngDpi },
  webp: { read: webpDpi, write: withWebpDpi },
  tiff: { read: tiffDpi, write: (file, dpi) => withTiffDpi(file, dpi, 'all') },
  bmp: { read: bmpDpi, write: withBmpDpi },
}

/** Whether a format's files can say how many dots of theirs make an inch. */
export const hasDensity = (format: FormatId): format is DensityId => densityFormats.some((one) => one === format)

/**
 * The same file with its density set to `dpi` (a whole number of dots per inch, 1..65535); the picture's coded bytes stay as they are.
 * Throws `file.unreadable` for a file too broken to be changed, `format.no-density` for an OS/2 BMP.
 */
export function withDpi(file: Buffer, format: DensityId, dpi: number): Buffer {
  try {
    return codecs[format].write(file, dpi)
  } catch (thrown) {
    throw thrown instanceof RangeError ? new AppError('file.unreadable', {}, { cause: thrown }) : thrown
  }
}

/** A density somebody can have meant, in whole dots per inch; what can't be read says none. */
function plausible(read: () => number | undefined): number | undefined {
  try {
    const dpi = Math.round(read() ?? 0)
    return dpi >= 1 && dpi <= MAX_DPI ? dpi : undefined
  } catch (thrown) {
    if (thrown instanceof RangeError || thrown instanceof AppError) return undefined
    throw thrown
  }
}

/** The density a file says, in whole dots per inch; undefined where it says none, or can't be read. */
export const dpiOf = (file: Buffer, format: FormatId): number | undefined =>
  hasDensity(format) ? plausible(() => codecs[format].read(file)) : undefined

/** The density an EXIF block says, in whole dots per inch, with or without the six bytes that lead it in a JPEG. */
export const exifDpi = (exif: Buffer): number | undefined => plausible(() => tiffDpi(exif.subarray(exifLead(exif).length)))

/** An encoded picture with the density its source had: the encoder here writes JPEG without JFIF, and no density anywhere by itself. */
export const withDensityOf = (file: Buffer, format: DensityId, { dpi }: Pick<Pixels, 'dpi'>): Buffer =>
  dpi === undefined ? file : withDpi(file, format, dpi)
