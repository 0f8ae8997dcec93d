import { writeCoders, type MagickWritable } from './coders.ts'
import { writeWithMagick, type MagickEncoding } from './magick.ts'
import { pipelineOf, samplesOf, type Pixels } from '#engine/image/pixels'
import { AppError } from '#shared/errors/app-error'
import { formats } from '#shared/formats'

/** Headers of these give a side 16 bits, or fewer. */
const maxSidePx: Readonly<Partial<Record<MagickWritable, number>>> = {
  tga: 65_535,
  pcx: 65_535,
  dcx: 65_535,
  psd: 30_000,
  sgi: 65_535,
  pict: 32_767,
  palm: 65_535,
  otb: 255,
  wpg: 65_535,
  aseprite: 65_535,
  cin: 65_535,
}

/** OpenJPEG's fixed quality is a PSNR in dB: 22 to 44 for 1..99, which at 90 is near what JPEG reaches there; 0 is lossless. */
const psnr = (quality: number): number => (quality === 100 ? 0 : 22 + 0.22 * quality)

const encodingOf = (format: MagickWritable, quality: number): MagickEncoding => {
  if (format === 'jp2' || format === 'j2k') return { defines: { quality: String(psnr(quality)) } }
  // libjxl's default effort 7 takes 80 s for 12 MP.
  if (format === 'jxl') return { quality, defines: { effort: '3' } }
  return { quality }
}

/** A table with an entry for every format ImageMagick writes. */
export const magickFormats = <T>(entry: (format: MagickWritable) => T): Readonly<Record<MagickWritable, T>> => {
  const ids = Object.keys(writeCoders) as MagickWritable[] // Object.keys forgets the key type
  return Object.fromEntries(ids.map((id) => [id, entry(id)])) as Record<MagickWritable, T> // and so does fromEntries
}

/** A still picture in one of ImageMagick's formats. Throws `format.side-limit`. */
export async function encodeWithMagick(pixels: Pixels, format: MagickWritable, quality: number): Promise<Buffer> {
  const limit = maxSidePx[format]
  if (limit !== undefined && Math.max(pixels.width, pixels.height) > limit) {
    throw new AppError('format.side-limit', { format: formats[format].label, maxSidePx: limit })
  }
  const colour = pixels.channels === 2 ? await samplesOf(pipelineOf(pixels).toColourspace('srgb')) : pixels
  return writeWithMagick({ ...colour, ...pixels.carried }, format, encodingOf(format, quality))
}
