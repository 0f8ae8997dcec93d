import sharp, { type Metadata, type Sharp } from 'sharp'
import { identify, type Identity } from './identify.ts'
import { pngMetadata } from './png-chunks.ts'
import { samplesOf, simplify, type Pixels } from './pixels.ts'
import { translate } from '../failures.ts'
import type { Limits } from '../limits.ts'
import { AppError } from '#shared/errors/app-error'
import type { FormatId } from '#shared/formats'

/** A picture file whose header has been read and found within the limits. Sizes are upright, in pixels. */
export interface Picture<F extends FormatId = FormatId> extends Identity<F> {
  readonly path: string
  readonly width: number
  readonly height: number
  readonly frames: number
  readonly metadata: Metadata
}

/**
 * Tells what a file is and reads its header.
 * Throws `file.*` when it is none of `accepts`; `image.too-many-pixels` or `image.too-many-frames` before anything is decoded; libvips errors pass through.
 */
export async function openPicture<F extends FormatId>(path: string, accepts: readonly F[], limits: Limits): Promise<Picture<F>> {
  return readHeader(path, await identify(path, accepts), limits)
}

async function readHeader<F extends FormatId>(path: string, identity: Identity<F>, limits: Limits): Promise<Picture<F>> {
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

/** What a picture carries besides its pixels and can keep, in bytes; a CMYK profile can't be kept by an sRGB picture. */
export const metadataBytes = ({ metadata: { exif, icc, xmp, iptc, space } }: Picture): number =>
  [exif, space === 'cmyk' ? undefined : icc, xmp, iptc].reduce((sum, part) => sum + (part?.length ?? 0), 0)

const isGrey = ({ space }: Metadata): boolean => space === 'b-w' || space === 'grey16'

/** A pipeline from the file itself: upright, every frame, in sRGB or grey; with all its metadata when that is to be kept. */
function pipelineFrom({ path, frames, metadata }: Picture, keepsMetadata: boolean): Sharp {
  const page = metadata.pagePrimary ?? 0
  const source = { limitInputPixels: false, failOn: 'error', ...(frames > 1 ? { animated: true } : { page }) } as const
  const upright = sharp(path, source).autoOrient()
  // Grey with alpha is decoded as colour with alpha: on its way to grey, sharp drops the alpha.
  const coloured = upright.toColourspace(isGrey(metadata) && !metadata.hasAlpha ? 'b-w' : 'srgb')
  if (keepsMetadata) {
    // A CMYK or grey profile on sRGB samples would turn the colours; everything else of the metadata may stay.
    const isOfOtherColours = metadata.space === 'cmyk' || (isGrey(metadata) && metadata.hasAlpha)
    return isOfOtherColours ? coloured.keepExif().keepXmp() : coloured.keepMetadata()
  }
  // sharp takes 16-bit samples with a profile to P3 on its own; this takes them on to sRGB. (Without a profile it would shift them.)
  return metadata.space === 'rgb16' && metadata.hasProfile ? coloured.withIccProfile('srgb', { attach: false }) : coloured
}

/** What a decoder says without our knowing it is still about the file, not about us. */
function unreadable(thrown: unknown): never {
  const failure = translate(thrown)
  throw failure.code === 'internal' ? new AppError('file.unreadable', {}, { cause: thrown }) : failure
}

/** The metadata of a picture as PNG chunks, its orientation already applied; for the encoders that build PNG files themselves. */
export const metadataChunks = async (picture: Picture): Promise<Buffer> =>
  pngMetadata(await pipelineFrom(picture, true).resize(1, 1).png().toBuffer())

/**
 * Decodes a picture: upright, 8-bit, sRGB (CMYK, wide-gamut and 16-bit sources converted by their profiles) or grey, frames kept.
 * With `keepMetadata`, samples stay in the source's own profile and encoders write what it carries besides its pixels. Throws
 * `file.unreadable` for a broken file, `file.unusual-encoding` for an animation that is to be turned.
 */
export async function decode(picture: Picture, keepMetadata: boolean): Promise<Pixels> {
  const { width, height, frames, metadata } = picture
  if (frames > 1 && (metadata.orientation ?? 1) > 1) throw new AppError('file.unusual-encoding', {})
  const { data, channels } = await samplesOf(pipelineFrom(picture, keepMetadata)).catch(unreadable)
  const animation = { frames, delaysMs: metadata.delay ?? [], loop: metadata.loop ?? 0 }
  const reopen = (): Sharp => pipelineFrom(picture, true)
  const pixels = { data, width, height, channels, ...(frames > 1 && { animation }), ...(keepMetadata && { reopen }) }
  return simplify(pixels)
}
