import { rowBytes } from './samples.ts'
import { hasAlpha, type Pixels } from '#engine/image/pixels'

const FILE_HEADER_BYTES = 14
const INFO_HEADER_BYTES = 40
const V4_HEADER_BYTES = 108
const BITFIELDS = 3
const CALIBRATED_SRGB = 0x73524742
const METRES_PER_INCH = 0.0254

/** What a depth needs before its samples: grey as a palette of 256, colour as it is, alpha with masks that say so. */
function headerOf({ width, height, channels }: Pixels, bits: 8 | 24 | 32, dpi: number | undefined): Buffer {
  const infoBytes = bits === 32 ? V4_HEADER_BYTES : INFO_HEADER_BYTES
  const paletteBytes = channels === 1 ? 1024 : 0
  const header = Buffer.alloc(FILE_HEADER_BYTES + infoBytes + paletteBytes)
  const imageBytes = rowBytes(width, bits) * height
  header.write('BM', 0, 'latin1')
  header.writeUInt32LE(header.length + imageBytes, 2)
  header.writeUInt32LE(header.length, 10)
  const info = header.subarray(FILE_HEADER_BYTES)
  info.writeUInt32LE(infoBytes, 0)
  info.writeInt32LE(width, 4)
  info.writeInt32LE(height, 8)
  info.writeUInt16LE(1, 12)
  info.writeUInt16LE(bits, 14)
  info.writeUInt32LE(imageBytes, 20)
  const perMetre = dpi === undefined ? 0 : Math.round(dpi / METRES_PER_INCH)
  info.writeUInt32LE(perMetre, 24)
  info.writeUInt32LE(perMetre, 28)
  if (bits === 32) {
    info.writeUInt32LE(BITFIELDS, 16)
    ;[0xff0000, 0xff00, 0xff, 0xff000000].forEach((mask, index) => info.writeUInt32LE(mask, INFO_HEADER_BYTES + index * 4))
    info.writeUInt32LE(CALIBRATED_SRGB, 56)
  }
  for (let grey = 0; grey < paletteBytes / 4; grey++) info.fill(grey, infoBytes + grey * 4, infoBytes + grey * 4 + 3)
  return header
}

/**
 * A BMP file of a picture's first frame, the way most programs read it: 8-bit grey or 24-bit colour under a Windows 3 header, 32-bit with
 * alpha under a Windows 4 one. `dpi` is its density in dots per inch; without it the file says none.
 */
export function writeBmp(pixels: Pixels, dpi?: number): Buffer {
  const { data, width, height, channels } = pixels
  const bits = hasAlpha(pixels) ? 32 : channels === 1 ? 8 : 24
  const header = headerOf(pixels, bits, dpi)
  const stride = rowBytes(width, bits)
  const file = Buffer.alloc(header.length + stride * height)
  header.copy(file)
  const [green, blue] = channels < 3 ? [0, 0] : [1, 2]
  for (let y = 0, from = 0; y < height; y++) {
    let to = header.length + stride * (height - 1 - y)
    for (let x = 0; x < width; x++, from += channels) {
      if (bits !== 8) {
        file[to++] = data[from + blue] ?? 0
        file[to++] = data[from + green] ?? 0
      }
      file[to++] = data[from] ?? 0
      if (bits === 32) file[to++] = data[from + channels - 1] ?? 0
    }
  }
  return file
}
