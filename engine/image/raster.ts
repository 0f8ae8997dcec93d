import { deflateSync } from 'node:zlib'
import { pngChunk, xmpChunk } from './png-chunks.ts'

/** What a picture says besides its samples, as files carry it: a TIFF-structured EXIF block, an ICC profile, an XMP packet. */
export interface Carried {
  readonly exif?: Buffer
  readonly icc?: Buffer
  readonly xmp?: Buffer
}

/** A picture as an importer hands it over: upright, interleaved samples from the top, with what it carried. */
export interface Raster extends Carried {
  readonly data: Buffer
  readonly width: number
  readonly height: number
  /** 1 grey, 2 grey and alpha, 3 RGB, 4 RGB and alpha; in the profile, or sRGB. */
  readonly channels: 1 | 2 | 3 | 4
}

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')
const COLOUR_TYPES = { 1: 0, 2: 4, 3: 2, 4: 6 } as const

/**
 * A PNG file of a raster that costs next to no time: its scanlines are stored, not packed (deflate level 0). It is how a
 * picture reaches sharp together with its profile, EXIF and XMP.
 */
export function storedPng({ data, width, height, channels, exif, icc, xmp }: Raster): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head[8] = 8
  head[9] = COLOUR_TYPES[channels]
  const chunks = [SIGNATURE, pngChunk('IHDR', head)]
  if (icc) chunks.push(pngChunk('iCCP', Buffer.concat([Buffer.from('icc\0\0', 'latin1'), deflateSync(icc)])))
  if (exif) chunks.push(pngChunk('eXIf', exif))
  if (xmp) chunks.push(xmpChunk(xmp))
  const rowBytes = width * channels
  const scanlines = Buffer.alloc((rowBytes + 1) * height)
  for (let row = 0; row < height; row++) data.copy(scanlines, row * (rowBytes + 1) + 1, row * rowBytes, (row + 1) * rowBytes)
  const packed = deflateSync(scanlines, { level: 0, chunkSize: 1 << 20 })
  return Buffer.concat([...chunks, pngChunk('IDAT', packed), pngChunk('IEND', Buffer.alloc(0))])
}
