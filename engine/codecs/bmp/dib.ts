import { checkSize } from '#engine/image/check-size'
import { channelMasks, type ChannelMasks } from './masks.ts'
import type { Limits } from '#engine/limits'
import { AppError } from '#shared/errors/app-error'

/** How the samples of a bitmap lie: row by row, in runs, or as a JPEG or PNG file of their own. */
export type Coding = 'rows' | 'runs' | 'embedded'

/** A device-independent bitmap's header, checked: everything needed to read its samples. */
export interface Dib {
  readonly width: number
  readonly height: number
  readonly isTopDown: boolean
  /** Bits of a pixel: 1, 2, 4 or 8 of a palette index; 16, 24 or 32 of colours; 0 where they are embedded. */
  readonly bits: number
  readonly coding: Coding
  /** Palette entries as blue, green, red and, unless `paletteStride` is 3, one unused byte. */
  readonly palette: Buffer
  readonly paletteStride: 3 | 4
  /** Where the channels of a 16- or 32-bit pixel are. */
  readonly masks: ChannelMasks | undefined
  /** Where the samples begin in the file. */
  readonly samplesAt: number
  readonly icc: Buffer | undefined
}

const CORE_HEADER_BYTES = 12
const INFO_HEADER_BYTES = 40
/** BITMAPV2INFOHEADER and BITMAPV3INFOHEADER: masks are part of the header. */
const MASKED_HEADER_BYTES = new Set([52, 56, 108, 124])
const PROFILE_HEADER_BYTES = 124
const PROFILE_EMBEDDED = 0x4d424544

const compression = { rgb: 0, rle8: 1, rle4: 2, fields: 3, jpeg: 4, png: 5, alphaFields: 6 }
/** OS/2 gives two of the numbers other meanings. */
const os2Compression = { huffman: 3, rle24: 4 }

/** Throws `file.unreadable`. */
export function refuse(): never {
  throw new AppError('file.unreadable', {})
}

const isWindows = (size: number): boolean => size === INFO_HEADER_BYTES || MASKED_HEADER_BYTES.has(size)

const isKnown = (size: number): boolean => size === CORE_HEADER_BYTES || (size >= 16 && size <= 64) || isWindows(size)

function codingOf(code: number, bits: number, size: number): Coding {
  if (!isWindows(size) && code === os2Compression.rle24 && bits === 24) return 'runs'
  // Huffman 1D is bits of black and white only; nothing writes it any more.
  if (code === os2Compression.huffman && bits === 1) throw new AppError('file.unusual-encoding', {})
  if (bits === 64) throw new AppError('file.unusual-encoding', {})
  if (!isWindows(size) && code > compression.rle4) refuse()
  switch (code) {
    case compression.rgb:
      return [1, 2, 4, 8, 16, 24, 32].includes(bits) ? 'rows' : refuse()
    case compression.rle8:
      return bits === 8 ? 'runs' : refuse()
    case compression.rle4:
      return bits === 4 ? 'runs' : refuse()
    case compression.fields:
    case compression.alphaFields:
      return bits === 16 || bits === 32 ? 'rows' : refuse()
    case compression.jpeg:
    case compression.png:
      return 'embedded'
    default:
      return refuse()
  }
}

/** Reads one little-endian number of a header; a field past the header's own size is 0, as OS/2 2.x says. */
const fieldsOf = (file: Buffer, at: number, size: number) => (offset: number) => (offset + 4 <= size ? file.readUInt32LE(at + offset) : 0)

/** Entries of the palette that really are there: OS/2 files with a short one exist, and only the samples' place tells. */
function paletteLength(file: Buffer, place: { at: number; stride: number; samplesAt: number }, bits: number, used: number): number {
  if (bits === 0 || bits > 8) return 0
  const whole = 1 << bits
  if (used > 0 && place.at + used * place.stride > file.length) refuse()
  const room = place.samplesAt > place.at ? Math.floor((place.samplesAt - place.at) / place.stride) : whole
  return Math.min(whole, used || whole, room)
}

function iccOf(file: Buffer, at: number, size: number): Buffer | undefined {
  if (size < PROFILE_HEADER_BYTES || file.readUInt32LE(at + 56) !== PROFILE_EMBEDDED) return undefined
  const start = at + file.readUInt32LE(at + 112)
  const end = start + file.readUInt32LE(at + 116)
  return end > start && end <= file.length ? file.subarray(start, end) : undefined
}

/** Where a bitmap's header lies, where its file says the samples are (0: behind the palette), and whether it is an icon's, which counts its mask's rows too. */
export interface DibPlace {
  readonly at: number
  readonly samplesAt: number
  readonly isIcon: boolean
}

/**
 * Reads the header of a bitmap of any version: OS/2 1.x and 2.x (12, 16–64 bytes), Windows 3, 4 and 5 (40, 52, 56, 108, 124 bytes).
 * Throws `file.unreadable` for what no version allows, `file.unusual-encoding` for OS/2's Huffman coding and 64-bit pixels,
 * `image.too-many-pixels`.
 */
export function readDib(file: Buffer, { at, samplesAt, isIcon }: DibPlace, limits: Limits): Dib {
  if (file.length < at + CORE_HEADER_BYTES) refuse()
  const size = file.readUInt32LE(at)
  if (!isKnown(size) || file.length < at + size) refuse()
  const isCore = size === CORE_HEADER_BYTES
  const width = isCore ? file.readUInt16LE(at + 4) : file.readInt32LE(at + 4)
  const rows = isCore ? file.readUInt16LE(at + 6) : file.readInt32LE(at + 8)
  const planes = file.readUInt16LE(at + (isCore ? 8 : 12))
  const bits = file.readUInt16LE(at + (isCore ? 10 : 14))
  const height = isIcon ? Math.floor(Math.abs(rows) / 2) : Math.abs(rows)
  // Icons of some writers count no plane.
  if (width <= 0 || height === 0 || (planes !== 1 && !isIcon)) refuse()
  checkSize({ width, height }, limits)
  const field = fieldsOf(file, at, isCore ? 0 : size)
  const code = field(16)
  const coding = codingOf(code, bits, size)
  // A size field may be short of a header or a padding (OS/2 counts the headers only), never larger than the file by multiples.
  if (field(20) > 2 * file.length || (coding === 'runs' && rows < 0)) refuse()
  const hasMasksBehind = size === INFO_HEADER_BYTES && (code === compression.fields || code === compression.alphaFields)
  const maskBytes = hasMasksBehind ? (code === compression.alphaFields ? 16 : 12) : 0
  const paletteAt = at + size + maskBytes
  if (file.length < paletteAt) refuse()
  const paletteStride = isCore ? 3 : 4
  const used = field(32)
  const length = paletteLength(file, { at: paletteAt, stride: paletteStride, samplesAt }, bits, used)
  const behind = paletteAt + (bits > 8 ? used : used || length) * paletteStride
  const hasFields = code === compression.fields || code === compression.alphaFields
  const maskBytesThere = hasMasksBehind ? maskBytes : Math.min(16, size - INFO_HEADER_BYTES)
  const masks = file.subarray(at + INFO_HEADER_BYTES, at + INFO_HEADER_BYTES + Math.max(0, maskBytesThere))
  return {
    width,
    height,
    isTopDown: rows < 0,
    bits,
    coding,
    palette: file.subarray(paletteAt, paletteAt + length * paletteStride),
    paletteStride,
    masks: channelMasks(bits, hasFields ? masks : undefined),
    samplesAt: samplesAt >= at + size ? samplesAt : behind,
    icc: iccOf(file, at, size),
  }
}
