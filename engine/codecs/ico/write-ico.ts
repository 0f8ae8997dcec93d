import { rowBytes } from '../bmp/samples.ts'
import { pipelineOf, type Pixels } from '#engine/image/pixels'

/** Windows reads PNG in icons since Vista; smaller ones stay BMP, which everything reads. */
const LARGEST_BMP_PX = 128
const INFO_HEADER_BYTES = 40
const DIRECTORY_BYTES = 6
const ENTRY_BYTES = 16

/** Where a cursor points, in pixels of the picture it is made from. */
export interface Hotspot {
  readonly xPx: number
  readonly yPx: number
}

/** A bitmap as icons hold it: 32 bits a pixel from the bottom, then its mask with a bit for every clear pixel. */
function iconDib(rgba: Buffer, sizePx: number): Buffer {
  const [stride, maskStride] = [sizePx * 4, rowBytes(sizePx, 1)]
  const dib = Buffer.alloc(INFO_HEADER_BYTES + (stride + maskStride) * sizePx)
  dib.writeUInt32LE(INFO_HEADER_BYTES, 0)
  dib.writeInt32LE(sizePx, 4)
  dib.writeInt32LE(sizePx * 2, 8)
  dib.writeUInt16LE(1, 12)
  dib.writeUInt16LE(32, 14)
  dib.writeUInt32LE((stride + maskStride) * sizePx, 20)
  const maskAt = INFO_HEADER_BYTES + stride * sizePx
  for (let y = 0, from = 0; y < sizePx; y++) {
    const row = sizePx - 1 - y
    for (let x = 0; x < sizePx; x++, from += 4) {
      const to = INFO_HEADER_BYTES + row * stride + x * 4
      dib[to] = rgba[from + 2] ?? 0
      dib[to + 1] = rgba[from + 1] ?? 0
      dib[to + 2] = rgba[from] ?? 0
      dib[to + 3] = rgba[from + 3] ?? 0
      const byte = maskAt + row * maskStride + (x >> 3)
      if (rgba[from + 3] === 0) dib[byte] = (dib[byte] ?? 0) | (0x80 >> (x & 7))
    }
  }
  return dib
}

async function iconPicture(pixels: Pixels, sizePx: number): Promise<Buffer> {
  const clear = { r: 0, g: 0, b: 0, alpha: 0 }
  const square = pipelineOf(pixels)
    .toColourspace('srgb')
    .ensureAlpha()
    .resize(sizePx, sizePx, { fit: 'contain', background: clear, kernel: 'lanczos3' })
  if (sizePx > LARGEST_BMP_PX) return square.png({ compressionLevel: 9 }).toBuffer()
  return iconDib(await square.raw({ depth: 'uchar' }).toBuffer(), sizePx)
}

/** A place in the picture, on the square of one size it was fitted into. */
function hotspotOn({ width, height }: Pixels, { xPx, yPx }: Hotspot, sizePx: number): readonly [number, number] {
  const scale = sizePx / Math.max(width, height)
  const place = (at: number, side: number): number =>
    Math.max(0, Math.min(sizePx - 1, Math.floor((at + 0.5) * scale + (sizePx - side * scale) / 2)))
  return [place(xPx, width), place(yPx, height)]
}

/**
 * An ICO file of a picture's first frame, or with a hotspot a CUR file: one entry for each of `sizes` (side in pixels, 1..256), the
 * picture whole and centred on a clear square. Above 128 px an entry is PNG, else a 32-bit BMP with its AND mask.
 */
export async function writeIco(pixels: Pixels, sizes: readonly number[], hotspot?: Hotspot): Promise<Buffer> {
  const { data, width, height, channels } = pixels
  const frame: Pixels = { data: data.subarray(0, width * height * channels), width, height, channels }
  const pictures: Buffer[] = []
  const directory = Buffer.alloc(DIRECTORY_BYTES + ENTRY_BYTES * sizes.length)
  directory.writeUInt16LE(hotspot ? 2 : 1, 2)
  directory.writeUInt16LE(sizes.length, 4)
  let start = directory.length
  for (const [index, sizePx] of sizes.entries()) {
    const picture = await iconPicture(frame, sizePx)
    const entry = directory.subarray(DIRECTORY_BYTES + ENTRY_BYTES * index)
    entry[0] = entry[1] = sizePx & 255 // 0 is 256
    const [planesOrX, bitsOrY] = hotspot ? hotspotOn(frame, hotspot, sizePx) : [1, 32]
    entry.writeUInt16LE(planesOrX, 4)
    entry.writeUInt16LE(bitsOrY, 6)
    entry.writeUInt32LE(picture.length, 8)
    entry.writeUInt32LE(start, 12)
    start += picture.length
    pictures.push(picture)
  }
  return Buffer.concat([directory, ...pictures])
}
