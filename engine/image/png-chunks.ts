import { crc32 } from 'node:zlib'

const SIGNATURE_BYTES = 8
const IEND_BYTES = 12
/** What a picture says besides its pixels: EXIF, colour profile, texts, physical size, time. */
const METADATA_TYPES: ReadonlySet<string> = new Set(['eXIf', 'iCCP', 'iTXt', 'tEXt', 'zTXt', 'pHYs', 'tIME'])

/** One PNG chunk: length, type, data, checksum (PNG, third edition, §5.3). */
export function pngChunk(type: string, data: Uint8Array): Buffer {
  const chunk = Buffer.alloc(data.length + 12)
  chunk.writeUInt32BE(data.length, 0)
  chunk.write(type, 4, 'latin1')
  chunk.set(data, 8)
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + data.length)), 8 + data.length)
  return chunk
}

/** An XMP packet as PNG carries it. */
export const xmpChunk = (packet: Uint8Array): Buffer =>
  pngChunk('iTXt', Buffer.concat([Buffer.from('XML:com.adobe.xmp\0\0\0\0\0', 'latin1'), packet]))

/** The metadata chunks of a well-formed PNG, as they stand there. */
export function pngMetadata(png: Buffer): Buffer {
  const kept: Buffer[] = []
  for (let at = SIGNATURE_BYTES; at + 12 <= png.length; at += png.readUInt32BE(at) + 12) {
    const type = png.toString('latin1', at + 4, at + 8)
    if (METADATA_TYPES.has(type)) kept.push(png.subarray(at, at + png.readUInt32BE(at) + 12))
  }
  return Buffer.concat(kept)
}

/** A PNG with further chunks after its header, where readers expect profile and EXIF. */
export function withChunks(png: Buffer, chunks: Buffer): Buffer {
  const headerEnd = SIGNATURE_BYTES + png.readUInt32BE(SIGNATURE_BYTES) + 12
  return Buffer.concat([png.subarray(0, headerEnd), chunks, png.subarray(headerEnd)])
}

/** A PNG with further chunks before its end. */
export const withLastChunks = (png: Buffer, chunks: Buffer): Buffer =>
  Buffer.concat([png.subarray(0, -IEND_BYTES), chunks, png.subarray(-IEND_BYTES)])
