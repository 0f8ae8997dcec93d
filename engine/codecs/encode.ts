import type { Sharp } from 'sharp'
import { writeApng } from './apng/write-apng.ts'
import { avif, effortFor } from './avif.ts'
import { writeBmp } from './bmp/write-bmp.ts'
import { checkSides } from './codec.ts'
import { writeHeic } from './heic/write-heic.ts'
import { writeIco } from './ico/write-ico.ts'
import { writeIcns } from './icns/write-icns.ts'
import { jpeg } from './jpeg.ts'
import { encodeWithMagick, magickFormats } from './magick/encode.ts'
import { writePdf, type PdfPage } from './pdf/write-pdf.ts'
import { webp } from './webp.ts'
import { hasDensity, withDensityOf } from '../image/density/density.ts'
import { flattened, frameOf } from '../image/frames.ts'
import { area, hasAlpha, outputPipelineOf, pipelineOf, timing, type Pixels } from '../image/pixels.ts'
import { AppError } from '#shared/errors/app-error'
import { formats, writableFormats, type FormatId, type WritableId } from '#shared/formats'

/** How a picture is written. */
export interface Encoding {
  /** 1..100, for formats that lose; 100 is lossless where the format can. HEIC's encoder has one quality only. */
  readonly quality: number
  /** `#rrggbb` behind transparent parts, for formats without transparency; white where left out. */
  readonly background?: string
  /** Sides of the squares in an icon file, 16..256 px; the usual set where left out. */
  readonly iconSides?: readonly number[]
  /** Pixels an inch, which gives a PDF page its size; 96 where left out. */
  readonly dpi?: number
  /** Colour is at half resolution already: a JPEG of high quality need not hold it in full. */
  readonly isChromaSubsampled?: boolean
}

type Encoder = (pixels: Pixels, encoding: Encoding) => Promise<Buffer>

/** What a browser and Windows ask an icon for. */
const USUAL_ICON_SIDES = [16, 32, 48, 64, 128, 256] as const
const CURSOR_SIDE = 32
const SCREEN_DPI = 96

const framePng = (pixels: Pixels, frame: number): Promise<Buffer> =>
  pipelineOf(frameOf(pixels, frame)).toColourspace('srgb').ensureAlpha().png({ compressionLevel: 6 }).toBuffer()

async function apng(pixels: Pixels): Promise<Buffer> {
  const { animation } = pixels
  if (!animation) return own.png(pixels)
  const frames: Buffer[] = []
  for (let frame = 0; frame < animation.frames; frame++) frames.push(await framePng(pixels, frame))
  return writeApng(frames, animation)
}

const asJpeg = (pipeline: Sharp, quality: number, isChromaSubsampled = false): Sharp =>
  pipeline.jpeg({ quality, chromaSubsampling: quality >= 90 && !isChromaSubsampled ? '4:4:4' : '4:2:0' })

/** A picture as a page of a PDF; transparency must be gone before. */
export async function pdfPage(pixels: Pixels, { quality, dpi = SCREEN_DPI }: Encoding): Promise<PdfPage> {
  const { width, height, channels } = pixels
  return { jpeg: await asJpeg(pipelineOf(pixels), quality).toBuffer(), width, height, isGrey: channels === 1, dpi }
}

/** Full colour for those who ask for quality, while a job's time allows: at 12 MP it costs AVIF a quarter more. */
const chromaOf = (pixels: Pixels, quality: number): '4:4:4' | '4:2:0' => (quality >= 90 && area(pixels) <= 6e6 ? '4:4:4' : '4:2:0')

// Fast settings: what is asked for here is another format or size, not the fewest bytes; that is compress-image's trade.
const own = {
  jpeg: async (pixels, { quality, isChromaSubsampled }) => {
    checkSides(jpeg, pixels)
    return asJpeg(outputPipelineOf(pixels), quality, isChromaSubsampled).toBuffer()
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
    return outputPipelineOf(pixels)
      .avif({ quality, effort: effortFor(area(pixels)), bitdepth: 8, chromaSubsampling: chromaOf(pixels, quality) })
      .toBuffer()
  },
  gif: async (pixels) => outputPipelineOf(pixels).gif(timing(pixels)).toBuffer(),
  tiff: async (pixels) => outputPipelineOf(pixels).tiff({ compression: 'lzw', predictor: 'horizontal' }).toBuffer(),
  heic: writeHeic,
  bmp: async (pixels) => writeBmp(pixels),
  ico: (pixels, { iconSides = USUAL_ICON_SIDES }) => writeIco(pixels, iconSides),
  cur: (pixels) => writeIco(pixels, [CURSOR_SIDE], { xPx: 0, yPx: 0 }),
  icns: (pixels) => writeIcns(() => pipelineOf(pixels), Math.max(pixels.width, pixels.height)),
  apng,
  pdf: async (pixels, encoding) => writePdf([await pdfPage(pixels, encoding)]),
} as const satisfies Partial<Record<WritableId, Encoder>>

const encoders: Readonly<Record<WritableId, Encoder>> = {
  ...magickFormats(
    (format) =>
      (pixels, { quality }) =>
        encodeWithMagick(pixels, format, quality),
  ),
  ...own,
}

/** Formats that hold transparency; into others a picture goes on a background. */
const transparent: ReadonlySet<WritableId> = new Set([
  ...(['png', 'webp', 'avif', 'gif', 'tiff', 'heic', 'ico', 'cur', 'icns', 'apng', 'jxl', 'jp2', 'psd', 'psb', 'tga', 'bmp'] as const),
  ...(['dds', 'qoi', 'jng', 'aseprite', 'exr', 'dpx', 'fl32', 'miff', 'vips', 'viff', 'pam', 'farbfeld', 'avs'] as const),
])

/** Formats that hold movement. */
const animated: ReadonlySet<WritableId> = new Set(['gif', 'webp', 'apng'])

/** Whether a format holds the frames of an animation. */
export const isAnimatable = (format: WritableId): boolean => animated.has(format)

/** Formats that an encoder writes metadata into. */
const carriers: ReadonlySet<WritableId> = new Set(['jpeg', 'png', 'webp', 'avif', 'tiff', 'jxl', 'jp2', 'psd', 'psb', 'miff'])

/** Whether what a picture carries besides its pixels can go into a format. */
export const canCarry = (format: WritableId): boolean => carriers.has(format)

/**
 * Most pixels an encoder gets through within half a job's deadline and memory (12 MP measured: HEIC 23 s, JP2 10 s, JXL 7 s,
 * GIF 20 s); others are bounded by memory.
 */
const maxPixels: Readonly<Partial<Record<WritableId, number>>> = {
  gif: 24e6,
  heic: 16e6,
  jxl: 30e6,
  jp2: 30e6,
  j2k: 30e6,
  xpm: 16e6,
}

/**
 * A picture in a format, at its own size and density (icons excepted), flattened where the format has no transparency. Throws
 * `format.side-limit` for a side the format can't hold, `format.pixel-limit` where its encoder would never end.
 */
export async function encode(pixels: Pixels, format: WritableId, encoding: Encoding): Promise<Buffer> {
  const limit = maxPixels[format]
  // Frames of an animation are quantised one by one and are bounded by the limits of reading.
  if (limit !== undefined && pixels.width * pixels.height > limit) {
    throw new AppError('format.pixel-limit', { format: formats[format].label, maxPixels: limit })
  }
  const still = pixels.animation && !isAnimatable(format) && format !== 'tiff' ? frameOf(pixels, 0) : pixels
  const ready = hasAlpha(still) && !transparent.has(format) ? await flattened(still, encoding.background) : still
  const file = await encoders[format](ready, encoding)
  // WebP can say it in EXIF only, which is not asked for.
  return format !== 'webp' && hasDensity(format) ? withDensityOf(file, format, pixels) : file
}

/** Whether a word names a format this product writes. */
export const isWritable = (format: FormatId): format is WritableId => writableFormats.some((one) => one === format)

/** The format a changed picture is written in: its own; where that can't be written, PNG with transparency and JPEG without. */
export const keptFormat = (format: FormatId, pixels: Pixels): WritableId =>
  isWritable(format) ? format : hasAlpha(pixels) ? 'png' : 'jpeg'
