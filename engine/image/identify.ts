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
  // Its own parser may stumble over a broken container; such a file is none of ours.
  const type = await fileTypeFromFile(path).catch(() => undefined)
  const format = type && byMime.get(type.mime)
  if (!format || !accepts.includes(format)) throw new AppError('file.unsupported', { formats: formatLabels(accepts) })
  const isLockedAnimation = type.mime === 'image/apng' || (format === 'avif' && (await majorBrand(path)) === 'avis')
  return { format, bytes: entry.size, isLockedAnimation }
}

/** The major brand of an ISO base media file (ISO/IEC 14496-12 §4.3); `avis` is AVIF's for image sequences. */
async function majorBrand(path: string): Promise<string> {
  await using file = await open(path)
  const { buffer } = await file.read(Buffer.alloc(12), 0, 12, 0)
  return buffer.toString('latin1', 8, 12)
}
