import { pngChunk, withChunks } from './png-chunks.ts'
import type { CompressibleId } from '#shared/formats'

/** Bytes `withDpi` adds, at most. */
export const DPI_BYTES = 128

/**
 * A file of ours that says how many pixels an inch of paper holds: JFIF's APP0 segment in a JPEG, pHYs in a PNG, the pixels
 * untouched. The file must not say so yet; WebP and AVIF have no place for it outside of EXIF and stay as they are.
 */
export function withDpi(file: Buffer, format: CompressibleId, dpi: number): Buffer {
  switch (format) {
    case 'jpeg':
      return Buffer.concat([file.subarray(0, 2), jfif(dpi), file.subarray(2)])
    case 'png':
      return withChunks(file, physicalSize(dpi))
    case 'webp':
    case 'avif':
      return file
  }
}

/** The JFIF 1.02 APP0 segment, density in dots an inch, no thumbnail (ITU-T T.871 §10.1). */
function jfif(dpi: number): Buffer {
  const segment = Buffer.from('ffe000104a46494600010201000000000000', 'hex')
  segment.writeUInt16BE(dpi, 12)
  segment.writeUInt16BE(dpi, 14)
  return segment
}

/** The pHYs chunk, in pixels a metre (PNG, third edition, §11.3.4.3). */
function physicalSize(dpi: number): Buffer {
  const data = Buffer.alloc(9)
  const perMetre = Math.round(dpi / 0.0254)
  data.writeUInt32BE(perMetre, 0)
  data.writeUInt32BE(perMetre, 4)
  data[8] = 1
  return pngChunk('pHYs', data)
}
