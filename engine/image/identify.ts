import { open, stat } from 'node:fs/promises'
import { fileTypeFromFile } from 'file-type'
import { AppError } from '#shared/errors/app-error'
import { formatLabels, formats, isFormatId, type FormatId } from '#shared/formats'

/** What a file really is, by its content. */
export interface Identity {
  readonly format: FormatId
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
export async function identify(path: string, accepts: readonly FormatId[]): Promise<Identity> {
  const entry = await stat(path).catch(() => undefined)
  if (!entry?.isFile()) throw new AppError('file.missing', {})
  if (entry.size === 0) throw new AppError('file.empty', {})
  const brands = await brandsOf(path)
  // Its own parser may stumble over a broken container; such a file is none of ours.
  const type = await fileTypeFromFile(path).catch(() => undefined)
  const format = brands.has('avif') || brands.has('avis') ? 'avif' : type && byMime.get(type.mime)
  if (!format || !accepts.includes(format)) throw new AppError('file.unsupported', { formats: formatLabels(accepts) })
  return { format, bytes: entry.size, isLockedAnimation: type?.mime === 'image/apng' || brands.has('avis') }
}

/**
 * The brands of an ISO base media file, major and compatible (ISO/IEC 14496-12 §4.3); empty for other files. AVIF may be
 * named by either; `avis` is for image sequences. Throws `file.no-access` when the file may not be read.
 */
async function brandsOf(path: string): Promise<ReadonlySet<string>> {
  await using file = await open(path).catch((cause: unknown) => {
    throw new AppError('file.no-access', {}, { cause })
  })
  const { buffer, bytesRead } = await file.read(Buffer.alloc(256), 0, 256, 0)
  if (buffer.toString('latin1', 4, 8) !== 'ftyp') return new Set()
  const end = Math.min(bytesRead, buffer.readUInt32BE(0))
  const brands = new Set([buffer.toString('latin1', 8, 12)])
  for (let at = 16; at + 4 <= end; at += 4) brands.add(buffer.toString('latin1', at, at + 4))
  return brands
}
