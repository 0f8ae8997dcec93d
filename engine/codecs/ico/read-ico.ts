import { channelMasks } from '../bmp/masks.ts'
import { readDib, refuse, type Dib } from '../bmp/dib.ts'
import { isPng, readEmbedded } from '../bmp/read-bmp.ts'
import { isAllClear, readSamples, rowBytes, withoutAlpha, type Bitmap } from '../bmp/samples.ts'
import type { Limits } from '#engine/limits'
import { AppError } from '#shared/errors/app-error'

const DIRECTORY_BYTES = 6
const ENTRY_BYTES = 16
const ICON = 1
const CURSOR = 2

/** One picture of an icon: how large and deep it says it is, and its bytes, empty where the file does not hold them. */
interface Entry {
  readonly pixels: number
  readonly bits: number
  readonly bytes: Buffer
}

function entryAt(file: Buffer, at: number): Entry {
  const start = file.readUInt32LE(at + 12)
  const end = start + file.readUInt32LE(at + 8)
  const bytes = end <= file.length ? file.subarray(start, end) : Buffer.alloc(0)
  const [width, height] = [file[at] || 256, file[at + 1] || 256]
  // What the picture says of itself counts for more: directories of larger or deeper ones are often left at 0.
  if (isPng(bytes) && bytes.length >= 26) {
    const channels = [1, 0, 3, 1, 2, 0, 4][bytes[25] ?? 0] ?? 0
    return { pixels: bytes.readUInt32BE(16) * bytes.readUInt32BE(20), bits: (bytes[24] ?? 0) * channels, bytes }
  }
  const isDib = bytes.length >= 40 && bytes.readUInt32LE(0) >= 40
  if (!isDib) return { pixels: width * height, bits: file.readUInt16LE(at + 6), bytes }
  return { pixels: bytes.readInt32LE(4) * Math.floor(Math.abs(bytes.readInt32LE(8)) / 2), bits: bytes.readUInt16LE(14), bytes }
}

/** Every 32-bit icon has its alpha in the highest byte, though its header rarely says so. */
const withIconAlpha = (dib: Dib): Dib => {
  if (dib.bits !== 32 || dib.coding !== 'rows' || dib.masks?.alpha) return dib
  const masks = Buffer.alloc(16)
  ;[0xff0000, 0xff00, 0xff, 0xff000000].forEach((mask, index) => masks.writeUInt32LE(mask, index * 4))
  return { ...dib, masks: channelMasks(32, masks) }
}

/** A bitmap with the pixels clear that its AND mask names; rows the file lacks clear nothing. */
function masked(bitmap: Bitmap, mask: Buffer): Bitmap {
  const { data, width, height } = bitmap
  const stride = rowBytes(width, 1)
  const samples = Buffer.alloc(width * height * 4)
  let isClear = false
  for (let y = 0, from = 0, to = 0; y < height; y++) {
    const row = stride * (height - 1 - y)
    for (let x = 0; x < width; x++, from += 3, to += 4) {
      const isOut = (((mask[row + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1) === 1
      isClear ||= isOut
      data.copy(samples, to, from, from + 3)
      samples[to + 3] = isOut ? 0 : 255
    }
  }
  return isClear ? { data: samples, width, height, channels: 4 } : bitmap
}

function readIconDib(bytes: Buffer, limits: Limits): Bitmap {
  const dib = withIconAlpha(readDib(bytes, { at: 0, samplesAt: 0, isIcon: true }, limits))
  if (dib.coding !== 'rows') throw new AppError('file.unusual-encoding', {})
  const bitmap = readSamples(bytes, dib)
  // Alpha, where any pixel has some, overrules the mask (Windows draws it so).
  const hasOwnAlpha = bitmap.channels === 4 && !isAllClear(bitmap)
  const mask = bytes.subarray(dib.samplesAt + rowBytes(dib.width, dib.bits) * dib.height)
  const shown = hasOwnAlpha ? bitmap : masked(bitmap.channels === 4 ? withoutAlpha(bitmap) : bitmap, mask)
  return dib.icc ? { ...shown, icc: dib.icc } : shown
}

/**
 * Decodes the largest picture of an ICO or CUR file, of equally large ones the deepest, whether it is PNG or BMP; pixels its
 * AND mask names are clear. Throws `file.unreadable` for no entries and for one that lies outside the file,
 * `image.too-many-pixels`.
 */
export async function readIco(file: Buffer, limits: Limits): Promise<Bitmap> {
  if (file.length < DIRECTORY_BYTES + ENTRY_BYTES || file.readUInt16LE(0) !== 0) refuse()
  const [type, count] = [file.readUInt16LE(2), file.readUInt16LE(4)]
  if ((type !== ICON && type !== CURSOR) || count === 0 || file.length < DIRECTORY_BYTES + ENTRY_BYTES * count) refuse()
  const entries = Array.from({ length: count }, (_, index) => entryAt(file, DIRECTORY_BYTES + ENTRY_BYTES * index))
  const [best] = entries.toSorted((left, right) => right.pixels - left.pixels || right.bits - left.bits)
  if (best === undefined || best.bytes.length === 0) return refuse()
  return isPng(best.bytes) ? readEmbedded(best.bytes, limits) : readIconDib(best.bytes, limits)
}
