import { refuse, type Dib } from './dib.ts'
import { sampleOf, type ChannelMasks } from './masks.ts'
import { walkRuns } from './runs.ts'

/** A decoded bitmap: 8-bit interleaved samples from the top, in its own profile where it has one. */
export interface Bitmap {
  readonly data: Buffer
  readonly width: number
  readonly height: number
  /** 3 red, green, blue; 4 with alpha. */
  readonly channels: 3 | 4
  readonly icc?: Buffer
}

/** Bytes of a row: rows end on four bytes. */
export const rowBytes = (width: number, bits: number): number => ((width * bits + 31) >>> 5) * 4

/** Bytes rows of samples take in a file; the last one may lack its padding. */
export const samplesBytes = (width: number, height: number, bits: number): number =>
  rowBytes(width, bits) * (height - 1) + Math.ceil((width * bits) / 8)

/** A function that puts a palette's colour at a place; an index past the palette is no colour. */
function colouring({ palette, paletteStride }: Dib, data: Buffer): (index: number, to: number) => void {
  return (index, to) => {
    const from = index * paletteStride
    if (from + 3 > palette.length) refuse()
    data[to] = palette[from + 2] ?? 0
    data[to + 1] = palette[from + 1] ?? 0
    data[to + 2] = palette[from] ?? 0
  }
}

function indexedRows(file: Buffer, dib: Dib): Bitmap {
  const { width, height, bits, isTopDown, samplesAt } = dib
  const data = Buffer.allocUnsafe(width * height * 3)
  const colour = colouring(dib, data)
  const [perByte, mask] = [8 / bits, (1 << bits) - 1]
  for (let y = 0, to = 0; y < height; y++) {
    const row = samplesAt + rowBytes(width, bits) * (isTopDown ? y : height - 1 - y)
    for (let x = 0; x < width; x++, to += 3) {
      const byte = file[row + Math.floor(x / perByte)] ?? 0
      colour((byte >> (8 - bits * ((x % perByte) + 1))) & mask, to)
    }
  }
  return { data, width, height, channels: 3 }
}

function bgrRows(file: Buffer, { width, height, isTopDown, samplesAt }: Dib): Bitmap {
  const data = Buffer.allocUnsafe(width * height * 3)
  for (let y = 0, to = 0; y < height; y++) {
    let from = samplesAt + rowBytes(width, 24) * (isTopDown ? y : height - 1 - y)
    for (let x = 0; x < width; x++, from += 3, to += 3) {
      data[to] = file[from + 2] ?? 0
      data[to + 1] = file[from + 1] ?? 0
      data[to + 2] = file[from] ?? 0
    }
  }
  return { data, width, height, channels: 3 }
}

function packedRows(file: Buffer, { width, height, bits, isTopDown, samplesAt }: Dib, masks: ChannelMasks): Bitmap {
  const { red, green, blue, alpha } = masks
  const channels = alpha ? 4 : 3
  const data = Buffer.allocUnsafe(width * height * channels)
  const bytes = bits / 8
  for (let y = 0, to = 0; y < height; y++) {
    let from = samplesAt + rowBytes(width, bits) * (isTopDown ? y : height - 1 - y)
    for (let x = 0; x < width; x++, from += bytes, to += channels) {
      const pixel = bytes === 4 ? file.readUInt32LE(from) : file.readUInt16LE(from)
      data[to] = sampleOf(pixel, red)
      data[to + 1] = sampleOf(pixel, green)
      data[to + 2] = sampleOf(pixel, blue)
      if (alpha) data[to + 3] = sampleOf(pixel, alpha)
    }
  }
  return { data, width, height, channels }
}

function runs(file: Buffer, dib: Dib): Bitmap {
  const { width, height, bits } = dib
  const coded = file.subarray(dib.samplesAt)
  // Walked once for nothing: no memory for a picture that its few bytes do not hold.
  const given = walkRuns(coded, dib, () => {})
  if (given === 0) refuse()
  const channels = given === width * height ? 3 : 4
  const data = Buffer.alloc(width * height * channels)
  const colour = colouring(dib, data)
  walkRuns(coded, dib, (x, y, at, isLow) => {
    const to = ((height - 1 - y) * width + x) * channels
    const byte = coded[at] ?? 0
    if (bits === 24) data.set([coded[at + 2] ?? 0, coded[at + 1] ?? 0, byte], to)
    else colour(bits === 8 ? byte : isLow ? byte & 15 : byte >> 4, to)
    if (channels === 4) data[to + 3] = 255
  })
  return { data, width, height, channels }
}

/**
 * The samples of a bitmap whose header is read; pixels its runs leave out are transparent. Throws `file.unreadable` when the
 * file holds fewer than the header says (told before memory is taken), or an index is outside the palette.
 */
export function readSamples(file: Buffer, dib: Dib): Bitmap {
  const { width, height, bits, coding, masks } = dib
  if (dib.samplesAt > file.length) refuse()
  if (coding === 'runs') return runs(file, dib)
  if (dib.samplesAt + samplesBytes(width, height, bits) > file.length) refuse()
  if (masks) return packedRows(file, dib, masks)
  return bits === 24 ? bgrRows(file, dib) : indexedRows(file, dib)
}

/** Whether every pixel of an RGBA bitmap is fully transparent: then its alpha was never meant. */
export function isAllClear({ data }: Pick<Bitmap, 'data'>): boolean {
  for (let at = 3; at < data.length; at += 4) if (data[at] !== 0) return false
  return true
}

/** An RGBA bitmap without its alpha. */
export function withoutAlpha({ data, width, height, icc }: Bitmap): Bitmap {
  const samples = Buffer.allocUnsafe(width * height * 3)
  for (let from = 0, to = 0; to < samples.length; from += 4, to += 3) data.copy(samples, to, from, from + 3)
  return { data: samples, width, height, channels: 3, ...(icc && { icc }) }
}
