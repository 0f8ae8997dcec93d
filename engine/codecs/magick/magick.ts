import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import {
  ColorProfile,
  ColorSpace,
  ConfigurationFiles,
  ImageMagick,
  initializeImageMagick,
  MagickImageCollection,
  MagickReadSettings,
  Orientation,
  ResourceLimits,
  type IMagickImage,
  type MagickFormat,
} from '@imagemagick/magick-wasm'
import sharp from 'sharp'
import { policy, readCoders, SAMPLES, writeCoders, type MagickReadable, type MagickWritable } from './coders.ts'
import { isCutShort } from './data-end.ts'
import { checkSize } from '#engine/image/check-size'
import { uprightExif } from '#engine/image/exif'
import type { Carried, Raster } from '#engine/image/raster'
import type { Limits } from '#engine/limits'
import { AppError } from '#shared/errors/app-error'

/** Beyond this, samples, their copies in wasm memory and the coder's own (LibRaw: 8 bytes a pixel) would not fit a child's memory. */
const MAX_PIXELS = 60e6
/** About a megabyte of samples leaves wasm memory at a time. */
const PIECE_BYTES = 1 << 20

/**
 * Formats read as a whole: a GIMP file's picture is all of its layers, a Photo CD's frames are its sizes,
 * and the PlayStation readers find nothing when asked for one frame. Of others the
 * first frame is the picture (Photoshop's merged one), and the rest would each be decoded for nothing.
 */
const wholes: ReadonlySet<MagickReadable> = new Set(['xcf', 'pcd', 'tim', 'tm2'])

let ready: Promise<void> | undefined

/** Loads ImageMagick (WebAssembly, 8 bits a sample) under our policy; it stays until the process ends. */
async function load(): Promise<void> {
  ready ??= readFile(createRequire(import.meta.url).resolve('@imagemagick/magick-wasm/magick.wasm')).then((wasm) => {
    const files = ConfigurationFiles.default
    files.policy.data = policy
    return initializeImageMagick(wasm, files)
  })
  await ready
}

// The library's format names are strings of just these values.
const nameOf = (coder: string): MagickFormat => coder as MagickFormat

let srgb: Promise<Buffer> | undefined

/** libvips' built-in sRGB profile. */
const srgbProfile = (): Promise<Buffer> =>
  (srgb ??= (async () => {
    const blank = sharp({ create: { width: 1, height: 1, channels: 3, background: '#000' } })
    const { icc } = await sharp(await blank.withIccProfile('srgb').png().toBuffer()).metadata()
    if (!icc) throw new Error('no sRGB profile')
    return icc
  })())

/**
 * Reads a picture's first frame, upright. Its sides are held against the limits before anything is decoded.
 * Throws `image.too-many-pixels`, `file.unreadable`; ImageMagick's own errors pass through.
 */
export async function readWithMagick(file: Buffer, format: MagickReadable, limits: Limits): Promise<Raster> {
  await load()
  const within = { ...limits, maxPixels: Math.min(limits.maxPixels, MAX_PIXELS) }
  ResourceLimits.width = BigInt(limits.maxSidePx)
  ResourceLimits.height = BigInt(limits.maxSidePx)
  const settings = new MagickReadSettings({
    format: nameOf(readCoders[format]),
    ...(!wholes.has(format) && { frameIndex: 0, frameCount: 1 }),
  })
  const target = new ColorProfile(await srgbProfile())
  ping(file, settings, (image) => checkSize(image, within))
  if (isCutShort(file, format)) throw new AppError('file.unreadable', {})
  return ImageMagick.readCollection(file, settings, (images) => {
    const [first] = images
    if (first === undefined) throw new AppError('file.unreadable', {})
    for (const image of images) checkSize(image, within)
    if (images.length === 1) return rasterOf(first, target)
    return images.merge((merged) => rasterOf(merged, target))
  })
}

function ping(file: Buffer, settings: MagickReadSettings, check: (image: IMagickImage) => void): void {
  const images = MagickImageCollection.create()
  try {
    images.ping(file, settings)
    for (const image of images) check(image)
  } finally {
    images.dispose()
  }
}

const profile = (image: IMagickImage, name: string): Buffer | undefined => {
  const data = image.getProfile(name)?.data
  return data && data.length > 0 ? Buffer.from(data) : undefined
}

function carriedBy(image: IMagickImage): Carried {
  const [exif, icc, xmp] = [profile(image, 'exif'), profile(image, 'icc'), profile(image, 'xmp')]
  const upright = exif && uprightExif(exif)
  // A profile of grey or CMYK samples does not fit the RGB ones that leave here.
  const isRgb = icc?.toString('latin1', 16, 20) === 'RGB '
  return { ...(upright && { exif: upright }), ...(icc && isRgb && { icc }), ...(xmp && { xmp }) }
}

function rasterOf(image: IMagickImage, target: ColorProfile): Raster {
  if (image.orientation !== Orientation.Undefined) image.autoOrient()
  if (image.colorSpace === ColorSpace.CMYK && image.getProfile('icc')) {
    image.transformColorSpace(target)
    image.removeProfile('icc')
  }
  if (image.colorSpace !== ColorSpace.Gray) image.colorSpace = ColorSpace.sRGB
  const { width, height, hasAlpha } = image
  const channels = hasAlpha ? 4 : 3
  const data = Buffer.allocUnsafe(width * height * channels)
  const rows = Math.max(1, Math.floor(PIECE_BYTES / (width * channels)))
  image.getPixels((pixels) => {
    for (let top = 0; top < height; top += rows) {
      const piece = pixels.toByteArray(0, top, width, Math.min(rows, height - top), SAMPLES[channels])
      if (piece === null) throw new AppError('file.unreadable', {})
      data.set(piece, top * width * channels)
    }
  })
  return { data, width, height, channels, ...carriedBy(image) }
}

/** How a coder writes: `quality` 1..100 where it has one, and its own settings (`define` on ImageMagick's command line). */
export interface MagickEncoding {
  readonly quality?: number
  readonly defines?: Readonly<Record<string, string>>
}

/** A picture written by one of ImageMagick's coders, with what it carries where the format has room for that. */
export async function writeWithMagick(raster: Raster, format: MagickWritable, { quality, defines = {} }: MagickEncoding): Promise<Buffer> {
  await load()
  const { width, height, channels, data, exif, icc, xmp } = raster
  if (channels === 2) throw new Error('grey with alpha comes as colour')
  const coder = writeCoders[format]
  const samples = new MagickReadSettings({ format: nameOf(SAMPLES[channels]), width, height, depth: 8 })
  return ImageMagick.read(data, samples, (image) => {
    if (quality !== undefined) image.quality = quality
    for (const [key, value] of Object.entries(defines)) image.settings.setDefine(nameOf(coder), key, value)
    for (const [name, block] of Object.entries({ exif, icc, xmp })) if (block) image.setProfile(name, block)
    return image.write(nameOf(coder), (bytes) => Buffer.from(bytes))
  })
}
