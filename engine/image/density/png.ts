import { withTiffDpi } from './tiff.ts'
import { pngChunk } from '../png-chunks.ts'
import { AppError } from '#shared/errors/app-error'

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')
const METRES_PER_INCH = 0.0254
const PER_METRE = 1

interface Chunk {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly data: Buffer
}

/** The chunks to the end of a PNG. Throws `file.unreadable` when it is none, or ends before its IEND. */
function chunksOf(file: Buffer): Chunk[] {
  if (!file.subarray(0, 8).equals(SIGNATURE)) throw new AppError('file.unreadable', {})
  const chunks: Chunk[] = []
  for (let at = 8; at + 12 <= file.length;) {
    const end = at + 12 + file.readUInt32BE(at)
    if (end > file.length) break
    const type = file.toString('latin1', at + 4, at + 8)
    chunks.push({ type, start: at, end, data: file.subarray(at + 8, end - 4) })
    if (type === 'IEND') return chunks
    at = end
  }
  throw new AppError('file.unreadable', {})
}

/** EXIF with its density set, where it has one: what says nothing needs no correction. */
function patchedExif({ data }: Chunk, dpi: number): Buffer {
  try {
    const exif = withTiffDpi(data, dpi, 'first')
    return pngChunk('eXIf', exif)
  } catch (thrown) {
    if (thrown instanceof RangeError || thrown instanceof AppError) return pngChunk('eXIf', data)
    throw thrown
  }
}

/** A PNG with its density set in pHYs, and in EXIF where it has that. Throws `file.unreadable`. */
export function withPngDpi(file: Buffer, dpi: number): Buffer {
  const [header, ...others] = chunksOf(file)
  if (header?.type !== 'IHDR') throw new AppError('file.unreadable', {})
  const density = Buffer.alloc(9)
  const perMetre = Math.round(dpi / METRES_PER_INCH)
  density.writeUInt32BE(perMetre, 0)
  density.writeUInt32BE(perMetre, 4)
  density[8] = PER_METRE
  const parts = [file.subarray(0, header.end), pngChunk('pHYs', density)]
  let done = header.end
  for (const chunk of others) {
    if (chunk.type !== 'pHYs' && chunk.type !== 'eXIf') continue
    parts.push(file.subarray(done, chunk.start))
    if (chunk.type === 'eXIf') parts.push(patchedExif(chunk, dpi))
    done = chunk.end
  }
  return Buffer.concat([...parts, file.subarray(done)])
}

/** The density a PNG's pHYs says, in dots per inch; undefined where it says none, or a ratio only. Throws as `withPngDpi` does. */
export function pngDpi(file: Buffer): number | undefined {
  const density = chunksOf(file).find(({ type, data }) => type === 'pHYs' && data.length === 9)?.data
  return density?.[8] === PER_METRE ? density.readUInt32BE(0) * METRES_PER_INCH : undefined
}
