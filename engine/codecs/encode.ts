import { checkSides } from './codec.ts'
import { avif } from './avif.ts'
import { jpeg } from './jpeg.ts'
import { webp } from './webp.ts'
import { hasAlpha, outputPipelineOf, type Pixels } from '../image/pixels.ts'
import { writableFormats, type FormatId, type WritableId } from '#shared/formats'

/** How a picture is written. */
export interface Encoding {
  /** 1..100, for formats that lose; 100 is lossless where the format can. */
  readonly quality: number
}

type Encoder = (pixels: Pixels, encoding: Encoding) => Promise<Buffer>

const timing = ({ animation }: Pixels): { loop?: number; delay?: number[] } =>
  animation ? { loop: animation.loop, ...(animation.delaysMs.length > 0 && { delay: [...animation.delaysMs] }) } : {}

// Fast settings: what is asked for here is another format or size, not the fewest bytes; that is compress-image's trade.
const encoders: Readonly<Record<WritableId, Encoder>> = {
  jpeg: async (pixels, { quality }) => {
    checkSides(jpeg, pixels)
    const chromaSubsampling = quality >= 90 ? '4:4:4' : '4:2:0'
    return outputPipelineOf(pixels).jpeg({ quality, chromaSubsampling }).toBuffer()
  },
  png: async (pixels) => outputPipelineOf(pixels).png({ compressionLevel: 6 }).toBuffer(),
  webp: async (pixels, { quality }) => {
    checkSides(webp, pixels)
    return outputPipelineOf(pixels)
      .webp({ quality, effort: 2, lossless: quality === 100, ...timing(pixels) })
      .toBuffer()
  },
  avif: async (pixels, { quality }) => {
    checkSides(avif, pixels)
    return outputPipelineOf(pixels).avif({ quality, effort: 0, bitdepth: 8 }).toBuffer()
  },
  gif: async (pixels) => outputPipelineOf(pixels).gif(timing(pixels)).toBuffer(),
  tiff: async (pixels) => outputPipelineOf(pixels).tiff({ compression: 'lzw', predictor: 'horizontal' }).toBuffer(),
}

/**
 * A picture in a format, at its own size. JPEG wants transparency gone before (`flatten`). Throws `format.side-limit` for a
 * side the format can't hold.
 */
export const encode = (pixels: Pixels, format: WritableId, encoding: Encoding): Promise<Buffer> => encoders[format](pixels, encoding)

/** Whether a word names a format this product writes. */
export const isWritable = (format: FormatId): format is WritableId => writableFormats.some((one) => one === format)

/** The format a changed picture is written in: its own; where that can't be written, PNG with transparency and JPEG without. */
export const keptFormat = (format: FormatId, pixels: Pixels): WritableId =>
  isWritable(format) ? format : hasAlpha(pixels) ? 'png' : 'jpeg'
