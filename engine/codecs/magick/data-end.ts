import type { MagickReadable } from './coders.ts'

/** Bytes of one sample of a VIPS band format: unsigned and signed char, short, int, float, complex, double, double complex. */
const VIPS_SAMPLE_BYTES = [1, 1, 2, 2, 4, 4, 4, 8, 8, 16]
const VIPS_HEADER_BYTES = 64

/** VIPS: a header of 64 bytes in the order its mark tells, then the samples. */
function vipsEnd(file: Buffer): number {
  const isLittle = file.readUInt32BE(0) === 0xb6a6f208
  const word = (at: number): number => (isLittle ? file.readUInt32LE(at) : file.readUInt32BE(at))
  const [width, height, bands, format] = [word(4), word(8), word(12), word(20)]
  return VIPS_HEADER_BYTES + width * height * bands * (VIPS_SAMPLE_BYTES[format] ?? 1)
}

const SGI_HEADER_BYTES = 512

/** SGI (image file format 1.00): samples row by row, or tables of where each row's runs start and how long they are. */
function sgiEnd(file: Buffer): number {
  const [isPacked, sampleBytes, dimensions] = [file[2] === 1, file[3] ?? 1, file.readUInt16BE(4)]
  const [width, height, channels] = [file.readUInt16BE(6), file.readUInt16BE(8), file.readUInt16BE(10)]
  const rows = (dimensions > 1 ? height : 1) * (dimensions > 2 ? channels : 1)
  if (!isPacked) return SGI_HEADER_BYTES + width * rows * sampleBytes
  let end = 0
  for (let row = 0; row < rows; row++) {
    const entry = SGI_HEADER_BYTES + row * 4
    end = Math.max(end, file.readUInt32BE(entry) + file.readUInt32BE(entry + rows * 4))
  }
  return end
}

const FITS_BLOCK_BYTES = 2880
const FITS_CARD_BYTES = 80

/** FITS 4.0 §4: cards of 80 letters up to END, in blocks of 2880 bytes; then the samples, whose sides are named by the cards. */
function fitsEnd(file: Buffer): number {
  const values = new Map<string, number>()
  for (let at = 0; at + FITS_CARD_BYTES <= file.length; at += FITS_CARD_BYTES) {
    const card = file.toString('latin1', at, at + FITS_CARD_BYTES)
    const key = card.slice(0, 8).trim()
    if (key === 'END') {
      const start = Math.ceil((at + FITS_CARD_BYTES) / FITS_BLOCK_BYTES) * FITS_BLOCK_BYTES
      const sides = Array.from({ length: Math.min(values.get('NAXIS') ?? 0, 9) }, (_, axis) => values.get(`NAXIS${axis + 1}`) ?? 0)
      return start + (Math.abs(values.get('BITPIX') ?? 8) / 8) * sides.reduce((product, side) => product * side, 1)
    }
    if (card[8] === '=') values.set(key, Number.parseInt(card.slice(10, 30), 10))
  }
  return Infinity
}

const PSD_HEADER_BYTES = 26

/** Photoshop: after colours, resources and layers lies the merged picture, raw or in rows of PackBits led by their lengths. */
function photoshopEnd(file: Buffer, isLarge: boolean): number {
  const [channels, height, width, depth] = [file.readUInt16BE(12), file.readUInt32BE(14), file.readUInt32BE(18), file.readUInt16BE(22)]
  const colours = PSD_HEADER_BYTES + 4 + file.readUInt32BE(PSD_HEADER_BYTES)
  const resources = colours + 4 + file.readUInt32BE(colours)
  const layers = isLarge ? resources + 8 + Number(file.readBigUInt64BE(resources)) : resources + 4 + file.readUInt32BE(resources)
  const compression = file.readUInt16BE(layers)
  const data = layers + 2
  const rows = height * channels
  if (compression === 0) return data + rows * Math.ceil((width * depth) / 8)
  if (compression !== 1) return data
  const lengthBytes = isLarge ? 4 : 2
  let end = data + rows * lengthBytes
  for (let row = 0; row < rows; row++) end += file.readUIntBE(data + row * lengthBytes, lengthBytes)
  return end
}

const ends: Readonly<Partial<Record<MagickReadable, (file: Buffer) => number>>> = {
  vips: vipsEnd,
  sgi: sgiEnd,
  fits: fitsEnd,
  psd: (file) => photoshopEnd(file, false),
  psb: (file) => photoshopEnd(file, true),
}

/**
 * Whether a file ends before the samples its header promises, in the formats whose readers in ImageMagick fill such a gap with
 * black and say nothing.
 */
export function isCutShort(file: Buffer, format: MagickReadable): boolean {
  try {
    return (ends[format]?.(file) ?? 0) > file.length
  } catch (thrown) {
    if (thrown instanceof RangeError) return true
    throw thrown
  }
}
