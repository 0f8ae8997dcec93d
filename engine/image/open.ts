import sharp, { type Metadata, type Sharp } from 'sharp'
import type { Identity } from './identify.ts'
import { pngMetadata } from './png-chunks.ts'
import { samplesOf, simplify, type Pixels } from './pixels.ts'
import type { Limits } from '../limits.ts'
import { AppError } from '#shared/errors/app-error'

/** A picture file whose header has been read and found within the limits. Sizes are upright, in pixels. */
export interface Picture extends Identity {
  readonly path: string
  readonly width: number
  readonly height: number
  readonly frames: number
  readonly metadata: Metadata
}

/**
 * Reads a picture's header.
 * Throws `image.too-many-pixels` or `image.too-many-frames` before anything is decoded; libvips errors pass through.
 */
export async function openPicture(path: string, identity: Identity, limits: Limits): Promise<Picture> {
  const metadata = await sharp(path, { limitInputPixels: false, failOn: 'error' }).metadata()
  // An AVIF file may hold further pictures (thumbnails, collections); they are no animation, only its primary one is shown.
  const frames = identity.format === 'avif' ? 1 : (metadata.pages ?? 1)
  const { width, height } = metadata.autoOrient
  const pixels = width * height
  if (pixels > limits.maxPixels || Math.max(width, height) > limits.maxSidePx) {
    throw new AppError('image.too-many-pixels', { pixels, maxPixels: limits.maxPixels })
  }
  if (frames > limits.maxFrames || (frames > 1 && pixels * frames > limits.maxFramesPixels)) {
    throw new AppError('image.too-many-frames', { maxFrames: Math.min(limits.maxFrames, Math.floor(limits.maxFramesPixels / pixels)) })
  }
  return { ...identity, path, width, height, frames, metadata }
}

/** What a picture carries besides its pixels, in bytes. */
export const metadataBytes = ({ metadata: { exif, icc, xmp, iptc } }: Picture): number =>
  [exif, icc, xmp, iptc].reduce((sum, part) => sum + (part?.length ?? 0), 0)

// Grey with alpha is decoded as colour with alpha: on its way to grey, sharp drops the alpha.
const isPlainGrey = ({ space, hasAlpha }: Metadata): boolean => (space === 'b-w' || space === 'grey16') && !hasAlpha

/** A pipeline from the file itself: upright, every frame, in sRGB or grey; with all its metadata when that is to be kept. */
function pipelineFrom({ path, frames, metadata }: Picture, keepsMetadata: boolean): Sharp {
  const page = metadata.pagePrimary ?? 0
  const source = { limitInputPixels: false, failOn: 'error', ...(frames > 1 ? { animated: true } : { page }) } as const
  const upright = sharp(path, source).autoOrient()
  const coloured = upright.toColourspace(isPlainGrey(metadata) ? 'b-w' : 'srgb')
  if (!keepsMetadata) return coloured
  // A CMYK profile on sRGB samples would turn the colours; everything else of the metadata may stay.
  return metadata.space === 'cmyk' ? coloured.keepExif().keepXmp() : coloured.keepMetadata()
}

/** The metadata of a picture as PNG chunks, its orientation already applied; for the encoders that build PNG files themselves. */
export const metadataChunks = async (picture: Picture): Promise<Buffer> =>
  pngMetadata(await pipelineFrom(picture, true).resize(1, 1).png().toBuffer())

/**
 * Decodes a picture: upright, 8-bit, sRGB (CMYK, wide-gamut and 16-bit sources converted by their profiles) or grey, frames kept.
 * With `keepMetadata`, samples stay in the source's own profile and encoders write what it carries besides its pixels. Throws what libvips throws on a broken file.
 */
export async function decode(picture: Picture, keepMetadata: boolean): Promise<Pixels> {
  const { width, height, frames, metadata } = picture
  const { data, channels } = await samplesOf(pipelineFrom(picture, keepMetadata))
  const animation = { frames, delaysMs: metadata.delay ?? [], loop: metadata.loop ?? 0 }
  const reopen = (): Sharp => pipelineFrom(picture, true)
  const pixels = { data, width, height, channels, ...(frames > 1 && { animation }), ...(keepMetadata && { reopen }) }
  return simplify(pixels)
}
