import { exifOfDpi, tiffDpi, withTiffDpi } from './tiff.ts'
import { extendWebp, riffChunk, webpChunks } from '../webp-chunks.ts'
import { AppError } from '#shared/errors/app-error'

const HAS_EXIF = 0x08
const JPEG_LEAD = Buffer.from('Exif\0\0', 'latin1')

/** The six bytes that lead EXIF in a JPEG, where a block begins with them, as some writers leave them elsewhere too; else none. */
export const exifLead = (exif: Buffer): Buffer => (exif.subarray(0, 6).equals(JPEG_LEAD) ? JPEG_LEAD : Buffer.alloc(0))

/** EXIF with its density set; broken EXIF is replaced by one that says the density alone. */
function patchedExif(exif: Buffer, dpi: number): Buffer {
  const lead = exifLead(exif)
  try {
    return Buffer.concat([lead, withTiffDpi(exif.subarray(lead.length), dpi, 'first')])
  } catch (thrown) {
    if (thrown instanceof RangeError || thrown instanceof AppError) return exifOfDpi(dpi)
    throw thrown
  }
}

/** A WebP file with its density set in EXIF, which is made where there is none. Throws `file.unreadable`. */
export function withWebpDpi(file: Buffer, dpi: number): Buffer {
  const extended = webpChunks(file)[0]?.type === 'VP8X' ? file : extendWebp(file)
  const chunks = webpChunks(extended)
  const [first] = chunks
  if (first === undefined || first.data.length < 10) throw new AppError('file.unreadable', {})
  const old = chunks.find(({ type }) => type === 'EXIF')
  const made = riffChunk('EXIF', old ? patchedExif(old.data, dpi) : exifOfDpi(dpi))
  // Behind the picture, before XMP: the order the specification gives.
  const at = old?.start ?? chunks.find(({ type }) => type === 'XMP ')?.start ?? chunks.at(-1)?.end ?? extended.length
  const after = old?.end ?? at
  const result = Buffer.concat([extended.subarray(0, at), made, extended.subarray(after)])
  result.writeUInt32LE(extended.readUInt32LE(4) + result.length - extended.length, 4)
  result[first.start + 8] = (result[first.start + 8] ?? 0) | HAS_EXIF
  return result
}

/** The density a WebP file's EXIF says, in dots per inch. Throws as `withWebpDpi` does, RangeError for broken EXIF. */
export function webpDpi(file: Buffer): number | undefined {
  const exif = webpChunks(file).find(({ type }) => type === 'EXIF')?.data
  return exif && tiffDpi(exif.subarray(exifLead(exif).length))
}
