import { AppError } from '#shared/errors/app-error'

/** One chunk of a RIFF file: its type, where it begins and ends (padding included), and its data. */
export interface RiffChunk {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly data: Buffer
}

const HEADER_BYTES = 12

/** The chunks of a WebP file (WebP Container Specification). Throws `file.unreadable` when it is none, or holds less than it says. */
export function webpChunks(file: Buffer): RiffChunk[] {
  if (file.length < HEADER_BYTES || file.toString('latin1', 0, 4) !== 'RIFF' || file.toString('latin1', 8, 12) !== 'WEBP') {
    throw new AppError('file.unreadable', {})
  }
  const riffEnd = file.readUInt32LE(4) + 8
  const chunks: RiffChunk[] = []
  for (let at = HEADER_BYTES; at + 8 <= riffEnd;) {
    const size = at + 8 <= file.length ? file.readUInt32LE(at + 4) : Infinity
    const dataEnd = at + 8 + size
    if (dataEnd > file.length) throw new AppError('file.unreadable', {})
    const end = Math.min(dataEnd + (size % 2), file.length)
    chunks.push({ type: file.toString('latin1', at, at + 4), start: at, end, data: file.subarray(at + 8, dataEnd) })
    at = end
  }
  return chunks
}

/** One RIFF chunk with its padding. */
export function riffChunk(type: string, data: Buffer): Buffer {
  const chunk = Buffer.alloc(8 + data.length + (data.length % 2))
  chunk.write(type, 0, 'latin1')
  chunk.writeUInt32LE(data.length, 4)
  data.copy(chunk, 8)
  return chunk
}

/** Puts the VP8X header before the only chunk of a simple WebP file (WebP Container Specification, "Extended File Format"). */
export function extendWebp(file: Buffer): Buffer {
  const isLossless = file.toString('latin1', 12, 16) === 'VP8L'
  const bits = isLossless ? file.readUInt32LE(21) : 0
  const width = isLossless ? (bits & 0x3fff) + 1 : file.readUInt16LE(26) & 0x3fff
  const height = isLossless ? ((bits >>> 14) & 0x3fff) + 1 : file.readUInt16LE(28) & 0x3fff
  const header = Buffer.alloc(18)
  header.write('VP8X', 0, 'latin1')
  header.writeUInt32LE(10, 4)
  header[8] = isLossless && (bits >>> 28) & 1 ? 0x10 : 0
  header.writeUIntLE(width - 1, 12, 3)
  header.writeUIntLE(height - 1, 15, 3)
  const extended = Buffer.concat([file.subarray(0, 12), header, file.subarray(12)])
  extended.writeUInt32LE(file.readUInt32LE(4) + header.length, 4)
  return extended
}
