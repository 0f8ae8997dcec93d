import { AppError } from '#shared/errors/app-error'

const HEADER_AT = 14
const METRES_PER_INCH = 0.0254
/** Headers shorter than this, those of OS/2, end before the density. */
const SHORTEST_HEADER_BYTES = 32

function headerOf(file: Buffer): number {
  if (file.length < HEADER_AT + 4 || file.toString('latin1', 0, 2) !== 'BM') throw new AppError('file.unreadable', {})
  const bytes = file.readUInt32LE(HEADER_AT)
  if (HEADER_AT + bytes > file.length) throw new AppError('file.unreadable', {})
  return bytes
}

/** A BMP with its density set. Throws `format.no-density` for an old header that has no room for it, `file.unreadable`. */
export function withBmpDpi(file: Buffer, dpi: number): Buffer {
  if (headerOf(file) < SHORTEST_HEADER_BYTES) throw new AppError('format.no-density', { format: 'BMP' })
  const copy = Buffer.from(file)
  const perMetre = Math.round(dpi / METRES_PER_INCH)
  copy.writeInt32LE(perMetre, HEADER_AT + 24)
  copy.writeInt32LE(perMetre, HEADER_AT + 28)
  return copy
}

/** The density a BMP says, in dots per inch; undefined where it says none. Throws `file.unreadable`. */
export function bmpDpi(file: Buffer): number | undefined {
  if (headerOf(file) < SHORTEST_HEADER_BYTES) return undefined
  const perMetre = file.readInt32LE(HEADER_AT + 24)
  return perMetre > 0 ? perMetre * METRES_PER_INCH : undefined
}
