import sharp from 'sharp'
import { readDib, refuse } from './dib.ts'
import { checkSize } from '#engine/image/check-size'
import { isAllClear, readSamples, withoutAlpha, type Bitmap } from './samples.ts'
import { blameFile } from '#engine/failures'
import type { Limits } from '#engine/limits'

const FILE_HEADER_BYTES = 14

const JPEG_START = Buffer.from('ffd8', 'hex')
const PNG_START = Buffer.from('89504e470d0a1a0a', 'hex')

/** Whether bytes begin like a PNG file. */
export const isPng = (file: Buffer): boolean => file.subarray(0, PNG_START.length).equals(PNG_START)

/** A JPEG or PNG file inside another as samples in sRGB. Throws `file.unreadable` when it is neither or broken, `image.too-many-pixels`. */
export async function readEmbedded(file: Buffer, limits: Limits): Promise<Bitmap> {
  if (!isPng(file) && !file.subarray(0, 2).equals(JPEG_START)) refuse()
  try {
    const picture = sharp(file, { limitInputPixels: false, failOn: 'error' })
    const { width, height } = await picture.metadata()
    checkSize({ width, height }, limits)
    const { data, info } = await picture.toColourspace('srgb').raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true })
    return { data, width, height, channels: info.channels === 4 ? 4 : 3 }
  } catch (thrown) {
    return blameFile(thrown)
  }
}

/**
 * Decodes a BMP file of any version: palettes, run lengths, 16 to 32 bits in any masks, rows from either end, embedded JPEG
 * and PNG. Alpha counts where the header gives it a mask and some pixel uses it (browsers do the same); spare bits never do.
 * An embedded profile comes along, a linked one is not followed.
 * Throws `file.unreadable`, `file.unusual-encoding` or `image.too-many-pixels`, before memory is taken for samples.
 */
export async function readBmp(file: Buffer, limits: Limits): Promise<Bitmap> {
  if (file.length < FILE_HEADER_BYTES || file.toString('latin1', 0, 2) !== 'BM') refuse()
  // OS/2 counts the headers only here; what is larger by multiples is made up.
  if (file.readUInt32LE(2) > 2 * file.length) refuse()
  const dib = readDib(file, { at: FILE_HEADER_BYTES, samplesAt: file.readUInt32LE(10), isIcon: false }, limits)
  if (dib.coding === 'embedded') return readEmbedded(file.subarray(dib.samplesAt), limits)
  const bitmap = readSamples(file, dib)
  const shown = dib.masks?.alpha && isAllClear(bitmap) ? withoutAlpha(bitmap) : bitmap
  return dib.icc ? { ...shown, icc: dib.icc } : shown
}
