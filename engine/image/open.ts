import { readFile } from 'node:fs/promises'
import sharp, { type Metadata, type Sharp } from 'sharp'
import { isCutGif } from '../codecs/gif/gif-file.ts'
import { checkFrames, checkSize } from './check-size.ts'
import { identify, type Identity } from './identify.ts'
import { importPicture, isForSharp } from './import-picture.ts'
import { pngMetadata } from './png-chunks.ts'
import { samplesOf, simplify, type Pixels } from './pixels.ts'
import { sourceDpi } from './density/source-dpi.ts'
import { blameFile } from '../failures.ts'
import { localLimits, type Limits } from '../limits.ts'
import { AppError } from '#shared/errors/app-error'
import type { FormatId } from '#shared/formats'

/** A picture file whose header has been read and found within the limits. Sizes are upright, in pixels. */
export interface Picture<F extends FormatId = FormatId> extends Identity<F> {
  readonly path: string
  /** What sharp reads: the file itself, or in memory what an importer made of a file that sharp does not know. */
  readonly source: string | Buffer
  readonly width: number
  readonly height: number
  readonly frames: number
  /** The page this is, where one was chosen, from 0. */
  readonly page?: number
  readonly metadata: Metadata
}

/**
 * Tells what a file is and reads its header; a file that sharp does not know is decoded by its importer, after its header was
 * checked. `name` is what the file is called, for the formats that need it (`identify`). Throws `file.*` when it is none of
 * `accepts`; `image.too-many-pixels` or `image.too-many-frames` before anything is decoded; libvips errors pass through.
 */
export async function openPicture<F extends FormatId>(
  path: string,
  accepts: readonly F[],
  limits: Limits,
  name?: string,
): Promise<Picture<F>> {
  const identity = await identify(path, accepts, name)
  const source = isForSharp(identity.format) ? path : await importPicture(path, identity.format, limits)
  return readHeader(source, path, identity, limits)
}

async function readHeader<F extends FormatId>(
  source: Picture['source'],
  path: string,
  identity: Identity<F>,
  limits: Limits,
): Promise<Picture<F>> {
  const metadata = await sharp(source, { limitInputPixels: false, failOn: 'error' }).metadata()
  // An AVIF file may hold further pictures (thumbnails, collections); they are no animation, only its primary one is shown.
  const frames = identity.format === 'avif' ? 1 : (metadata.pages ?? 1)
  const { width, height } = metadata.autoOrient
  checkSize({ width, height }, limits)
  checkFrames(frames, width * height, limits)
  if (identity.format === 'gif' && isCutGif(await readFile(path))) throw new AppError('file.unreadable', {})
  return { ...identity, path, source, width, height, frames, metadata }
}

/**
 * The pages of a file one by one, each a picture of its own size: those of a multi-page TIFF, for others the whole file.
 * No more than `limits.maxFrames`; throws as `openPicture` does.
 */
export async function openPages<F extends FormatId>(
  path: string,
  accepts: readonly F[],
  limits: Limits,
  name?: string,
): Promise<readonly (() => Promise<Picture<F>>)[]> {
  const identity = await identify(path, accepts, name)
  if (identity.format !== 'tiff') return [() => openPicture(path, accepts, limits, name)]
  const { pages = 1 } = await sharp(path, { limitInputPixels: false, failOn: 'error' }).metadata()
  checkFrames(pages, 0, limits)
  return Array.from({ length: pages }, (_, page) => async () => {
    const metadata = await sharp(path, { limitInputPixels: false, failOn: 'error', page }).metadata()
    const { width, height } = metadata.autoOrient
    checkSize({ width, height }, limits)
    return { ...identity, path, source: path, width, height, frames: 1, page, metadata }
  })
}

/** What a picture carries besides its pixels and can keep, in bytes; a CMYK profile can't be kept by an sRGB picture. */
export const metadataBytes = ({ metadata: { exif, icc, xmp, iptc, space } }: Picture): number =>
  [exif, space === 'cmyk' ? undefined : icc, xmp, iptc].reduce((sum, part) => sum + (part?.length ?? 0), 0)

const isGrey = ({ space }: Metadata): boolean => space === 'b-w' || space === 'grey16'

/** A pipeline from the file itself: upright, every frame, in sRGB or grey; with all its metadata when that is to be kept. */
export function pipelineFrom({ source: input, frames, page = 0, metadata }: Picture, keepsMetadata: boolean): Sharp {
  const source = {
    limitInputPixels: false,
    failOn: 'error',
    ...(frames > 1 ? { animated: true } : { page: metadata.pagePrimary ?? page }),
  } as const
  const upright = sharp(input, source).autoOrient()
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

/** The metadata of a picture as PNG chunks, its orientation already applied; for the encoders that build PNG files themselves. */
export const metadataChunks = async (picture: Picture): Promise<Buffer> =>
  pngMetadata(await pipelineFrom(picture, true).resize(1, 1).png().toBuffer())

/** What libtiff can't decode and ImageMagick's build can: old-style JPEG inside TIFF, tiles of separate planes. */
const isForMagick = ({ format, frames, page = 0 }: Picture, thrown: unknown): boolean =>
  format === 'tiff' &&
  frames === 1 &&
  page === 0 &&
  thrown instanceof Error &&
  /not configured|separate planes not supported/.test(thrown.message)

/**
 * Decodes a picture: upright, 8-bit, sRGB (CMYK, wide-gamut and 16-bit sources converted by their profiles) or grey, frames kept.
 * With `keepMetadata`, samples stay in the source's own profile and encoders write what it carries besides its pixels. Throws
 * `file.unreadable` for a broken file, `file.unusual-encoding` for an animation that is to be turned.
 */
export async function decode(picture: Picture, keepMetadata: boolean): Promise<Pixels> {
  const { path, format, width, height, frames, metadata } = picture
  if (frames > 1 && (metadata.orientation ?? 1) > 1) throw new AppError('file.unusual-encoding', {})
  const samples = await samplesOf(pipelineFrom(picture, keepMetadata)).catch((thrown: unknown) => {
    if (isForMagick(picture, thrown)) return undefined
    return blameFile(thrown)
  })
  if (!samples) return decode(await imported(picture), keepMetadata)
  const { data, channels } = samples
  const animation = { frames, delaysMs: metadata.delay ?? [], loop: metadata.loop ?? 0 }
  const reopen = (): Sharp => pipelineFrom(picture, true)
  const dpi = await sourceDpi(path, format, metadata)
  const pixels = {
    data,
    width,
    height,
    channels,
    ...(frames > 1 && { animation }),
    ...(dpi !== undefined && { dpi }),
    ...(keepMetadata && { reopen }),
  }
  return simplify(pixels)
}

/** The same picture read by its importer; its size has been checked. */
async function imported(picture: Picture): Promise<Picture> {
  const source = await importPicture(picture.path, 'tiff', localLimits)
  const metadata = await sharp(source, { limitInputPixels: false }).metadata()
  return { ...picture, source, metadata, width: metadata.width, height: metadata.height, page: 0 }
}
