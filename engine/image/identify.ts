import { open, stat } from 'node:fs/promises'
import { fileTypeFromBuffer, fileTypeFromFile, type FileTypeResult } from 'file-type'
import { AppError } from '#shared/errors/app-error'
import { formatLabels, formats, isFormatId, type FormatId } from '#shared/formats'

/** What a file really is, by its content. */
export interface Identity<F extends FormatId = FormatId> {
  readonly format: F
  readonly bytes: number
  /** An APNG or AVIF sequence: no encoder here can write one, so it must not be re-encoded. */
  readonly isLockedAnimation: boolean
}

const byMime = new Map<string, FormatId>(Object.entries(formats).flatMap(([id, { mime }]) => (isFormatId(id) ? [[mime, id] as const] : [])))
byMime.set('image/apng', 'png')

/**
 * Tells what a file is from its first bytes; its name is never asked.
 * Throws `file.missing`, `file.empty`, or `file.unsupported` when it is none of `accepts`.
 */
export async function identify<F extends FormatId>(path: string, accepts: readonly F[]): Promise<Identity<F>> {
  const entry = await stat(path).catch(() => undefined)
  if (!entry?.isFile()) throw new AppError('file.missing', {})
  if (entry.size === 0) throw new AppError('file.empty', {})
  const brands = brandsIn(await headOf(path))
  // Its own parser may stumble over a broken container; such a file is none of ours.
  const type = await fileTypeFromFile(path).catch(() => undefined)
  const format = formatOf(brands, type)
  if (!isOneOf(accepts, format)) throw new AppError('file.unsupported', { formats: formatLabels(accepts) })
  return { format, bytes: entry.size, isLockedAnimation: type?.mime === 'image/apng' || brands.has('avis') }
}

const isOneOf = <F extends FormatId>(accepts: readonly F[], format: FormatId | undefined): format is F =>
  accepts.some((accepted) => accepted === format)

/** Bytes from a file's start that `checkHead` wants. */
export const HEAD_BYTES = 16_384

/**
 * Refuses by its first bytes alone a file that is none of `accepts`: a check at the door, before the file is fetched.
 * Throws `file.empty` or `file.unsupported`. `identify` has the last word.
 */
export async function checkHead(head: Buffer, accepts: readonly FormatId[]): Promise<void> {
  if (head.length === 0) throw new AppError('file.empty', {})
  const type = await fileTypeFromBuffer(head).catch(() => undefined)
  // A PNG's chunks may fill the head before its picture begins, and then the parser says nothing.
  const format = formatOf(brandsIn(head), type) ?? (head.subarray(0, 8).equals(PNG_SIGNATURE) ? 'png' : undefined)
  if (!isOneOf(accepts, format)) throw new AppError('file.unsupported', { formats: formatLabels(accepts) })
}

const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')

const formatOf = (brands: ReadonlySet<string>, type: FileTypeResult | undefined): FormatId | undefined =>
  brands.has('avif') || brands.has('avis') ? 'avif' : type && byMime.get(type.mime)

/** A file's first 256 bytes. Throws `file.no-access` when it may not be read. */
async function headOf(path: string): Promise<Buffer> {
  await using file = await open(path).catch((cause: unknown) => {
    throw new AppError('file.no-access', {}, { cause })
  })
  const { buffer, bytesRead } = await file.read(Buffer.alloc(256), 0, 256, 0)
  return buffer.subarray(0, bytesRead)
}

/**
 * The brands of an ISO base media file, major and compatible (ISO/IEC 14496-12 §4.3); empty for other files. AVIF may be
 * named by either; `avis` is for image sequences.
 */
function brandsIn(head: Buffer): ReadonlySet<string> {
  if (head.length < 16 || head.toString('latin1', 4, 8) !== 'ftyp') return new Set()
  const end = Math.min(head.length, head.readUInt32BE(0))
  const brands = new Set([head.toString('latin1', 8, 12)])
  for (let at = 16; at + 4 <= end; at += 4) brands.add(head.toString('latin1', at, at + 4))
  return brands
}
