import { deflateSync } from 'node:zlib'
import { pngChunk } from '#engine/image/png-chunks'

/** What a PNG file needs beside its deflated scanlines; palette entries are packed 0xAABBGGRR. */
export interface PngHeader {
  width: number
  height: number
  bitDepth: 1 | 2 | 4 | 8
  colourType: 0 | 2 | 3 | 4 | 6
  palette?: readonly number[]
}

const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10])

/** A PNG file (ISO/IEC 15948) from filtered scanlines, each led by its filter byte. Trailing opaque palette entries need no tRNS byte. */
export const pngFile = (header: PngHeader, scanlines: Buffer, level: 6 | 9): Buffer => {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(header.width, 0)
  head.writeUInt32BE(header.height, 4)
  head[8] = header.bitDepth
  head[9] = header.colourType
  const parts = [signature, pngChunk('IHDR', head)]
  if (header.palette) {
    const { palette } = header
    parts.push(pngChunk('PLTE', Buffer.from(palette.flatMap((c) => [c & 255, (c >>> 8) & 255, (c >>> 16) & 255]))))
    const lastClear = palette.findLastIndex((c) => c >>> 24 < 255)
    if (lastClear >= 0) parts.push(pngChunk('tRNS', Buffer.from(palette.slice(0, lastClear + 1).map((c) => c >>> 24))))
  }
  const body = deflateSync(scanlines, { level, memLevel: 9 })
  return Buffer.concat([...parts, pngChunk('IDAT', body), pngChunk('IEND', Buffer.alloc(0))])
}

/** Palette entries (packed 0xAABBGGRR) of an indexed PNG file; throws RangeError when it has none. */
export const readPalette = (file: Buffer): number[] => {
  let colours: Buffer | undefined
  let alphas = Buffer.alloc(0)
  for (let at = 8; at < file.length; at += file.readUInt32BE(at) + 12) {
    const type = file.toString('latin1', at + 4, at + 8)
    const body = file.subarray(at + 8, at + 8 + file.readUInt32BE(at))
    if (type === 'PLTE') colours = body
    if (type === 'tRNS') alphas = Buffer.from(body)
    if (type === 'IDAT') break
  }
  if (!colours) throw new RangeError('PNG has no palette')
  const plte = colours
  return Array.from({ length: plte.length / 3 }, (_, i) => {
    const alpha = alphas[i] ?? 255
    return ((alpha << 24) | (plte.readUIntLE(i * 3, 3) & 0xffffff)) >>> 0
  })
}
