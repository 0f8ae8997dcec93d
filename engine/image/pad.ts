import { commentOf, endOfGif } from '../codecs/gif/gif-file.ts'
import { pngChunk, withLastChunks } from './png-chunks.ts'
import { extendWebp } from './webp-chunks.ts'
import type { CompressibleId } from '#shared/formats'

const COM = 0xfe
const LONGEST_COM_BYTES = 65_533

/**
 * The same picture, made at least `minBytes` long by data that readers skip: exam sites refuse files below a size as
 * well as above one. May overshoot by the few bytes a container's smallest unit takes.
 */
export function padTo(file: Buffer, format: CompressibleId, minBytes: number): Buffer {
  const missing = minBytes - file.length
  if (missing <= 0) return file
  switch (format) {
    case 'jpeg':
      return withComments(file, missing)
    case 'png':
      return withLastChunks(file, pngChunk('tEXt', Buffer.from(`Comment\0${' '.repeat(Math.max(0, missing - 20))}`, 'latin1')))
    case 'avif':
      return Buffer.concat([file, freeBox(missing)])
    case 'webp':
      return withRiffChunk(file, missing)
    case 'gif': {
      const end = endOfGif(file)
      return Buffer.concat([file.subarray(0, end), commentOf(missing), file.subarray(end)])
    }
  }
}

/** Puts COM segments behind the APPn segments, which JFIF and EXIF want directly after the start of the image. */
function withComments(file: Buffer, bytes: number): Buffer {
  let at = 2
  while (file[at] === 0xff && ((file[at + 1] ?? 0) & 0xf0) === 0xe0) at += 2 + file.readUInt16BE(at + 2)
  return Buffer.concat([file.subarray(0, at), ...comments(bytes), file.subarray(at)])
}

/** Whether a file ends where its container says: only then data can be put behind its parts without breaking it. */
export function isWellClosed(file: Buffer, format: CompressibleId): boolean {
  if (format === 'png') return file.toString('latin1', file.length - 8, file.length - 4) === 'IEND'
  if (format === 'webp') return file.length >= 12 && file.readUInt32LE(4) + 8 === file.length
  if (format === 'gif') return endOfGif(file) === file.length - 1
  return true
}

/** COM segments (ITU-T T.81 §B.2.4.5) of `bytes` together. */
function comments(bytes: number): Buffer[] {
  const segments: Buffer[] = []
  for (let left = bytes; left > 0; left -= LONGEST_COM_BYTES + 2) {
    const payload = Math.max(2, Math.min(LONGEST_COM_BYTES + 2, left) - 2)
    const segment = Buffer.alloc(payload + 2, ' ')
    segment[0] = 0xff
    segment[1] = COM
    segment.writeUInt16BE(payload, 2)
    segments.push(segment)
  }
  return segments
}

/** A `free` box (ISO/IEC 14496-12 §8.1.2), which may stand anywhere. */
function freeBox(bytes: number): Buffer {
  const box = Buffer.alloc(Math.max(8, bytes))
  box.writeUInt32BE(box.length, 0)
  box.write('free', 4, 'latin1')
  return box
}

/** Adds a chunk of an unknown type, which WebP allows at the end of the extended format only; a simple file is extended first. */
function withRiffChunk(file: Buffer, bytes: number): Buffer {
  const extended = file.toString('latin1', 12, 16) === 'VP8X' ? file : extendWebp(file)
  const payload = Math.max(0, bytes - (extended.length - file.length) - 8)
  const chunk = Buffer.alloc(8 + payload + (payload % 2))
  chunk.write('JUNK', 0, 'latin1')
  chunk.writeUInt32LE(payload, 4)
  const padded = Buffer.concat([extended, chunk])
  padded.writeUInt32LE(padded.length - 8, 4)
  return padded
}
