import sharp from 'sharp'
import { lumaOf } from './stretch-clues.ts'
import { rememberedIn, sizesInXmp, type Remembered } from '../image/exif.ts'
import type { Picture } from '../image/open.ts'
import { samplesOf, type Pixels } from '../image/pixels.ts'
import { quarterTurn } from '../image/turn.ts'
import { rememberedStretches } from '#shared/effects/unstretch/known-sizes'
import type { FileClues } from '#shared/effects/unstretch/stretch'
import { readThumbnail, type Thumbnail } from '#shared/effects/unstretch/thumbnail'
import type { Size } from '#shared/resize'

/** The longer side of the copy that is compared with a thumbnail. */
const COMPARED_PX = 512
/** Pixels of what is still a thumbnail. */
const MOST_PIXELS = 1_000_000

/** How what the sensor saw is turned clockwise, then mirrored, to lie upright, by EXIF orientation 1..8 (Exif 2.32 §4.6.4). */
const TURNS = [
  ['0', 'none'],
  ['0', 'horizontal'],
  ['180', 'none'],
  ['0', 'vertical'],
  ['90', 'horizontal'],
  ['90', 'none'],
  ['90', 'vertical'],
  ['270', 'none'],
] as const

/** A thumbnail's samples, upright; undefined where it is no JPEG, larger than a thumbnail, or broken. */
async function opened(bytes: Buffer, orientation: number): Promise<Pixels | undefined> {
  if (bytes.readUInt16BE(0) !== 0xffd8) return undefined
  const [rotate, flip] = TURNS[orientation - 1] ?? TURNS[0]
  try {
    const thumbnail = sharp(bytes, { limitInputPixels: MOST_PIXELS, failOn: 'error' }).toColourspace('srgb').removeAlpha()
    return quarterTurn(await samplesOf(thumbnail), rotate, flip)
  } catch {
    // What doesn't decode tells nothing; the picture itself is no worse for it.
    return undefined
  }
}

async function thumbnailOf(pixels: Pixels, { thumbnail, orientation }: Remembered): Promise<Thumbnail | undefined> {
  const small = thumbnail && thumbnail.length > 2 ? await opened(thumbnail, orientation) : undefined
  return small && readThumbnail(await lumaOf(pixels, COMPARED_PX), await lumaOf(small, COMPARED_PX))
}

const upright = ({ width, height }: Size, orientation: number): Size =>
  orientation > 4 ? { width: height, height: width } : { width, height }

/**
 * What a still picture's file tells of its stretching: the thumbnail its camera made, and the sizes that EXIF and XMP remember. A picture that was
 * cut from what its thumbnail shows has proportions of its own: its sizes tell nothing then.
 */
export async function fileCluesOf(pixels: Pixels, { exif, xmp }: Pick<Picture['metadata'], 'exif' | 'xmp'>): Promise<FileClues> {
  const remembered = (exif && rememberedIn(exif)) ?? { orientation: 1, sizes: [] }
  const thumbnail = await thumbnailOf(pixels, remembered)
  if (thumbnail?.shows === 'more') return {}
  const sizes = [...remembered.sizes, ...(xmp ? sizesInXmp(xmp) : [])].map((size) => upright(size, remembered.orientation))
  const stretches = rememberedStretches(pixels, sizes)
  const { width, height } = pixels
  return {
    ...(thumbnail && {
      thumbnail: {
        stretch: Math.log((width / height) * (thumbnail.size.height / thumbnail.size.width)),
        deviation: thumbnail.deviation,
      },
    }),
    ...(stretches.length > 0 && { remembered: stretches }),
  }
}
