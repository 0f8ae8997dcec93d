import { open, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { fileTypeFromBuffer, fileTypeFromFile } from 'file-type'
import { brandsIn } from './signatures.ts'
import { sniff } from './sniff.ts'
import { AppError } from '#shared/errors/app-error'
import { convertibleFormats, formatLabels, formats, isFormatId, type FormatId } from '#shared/formats'

/** What a file really is, by its content. */
export interface Identity<F extends FormatId = FormatId> {
  readonly format: F
  readonly bytes: number
  /** An APNG or AVIF sequence: re-encoded in its own format it would lose its movement. */
  readonly isLockedAnimation: boolean
}

/** Bytes from a file's start that tell what it is, and that `checkHead` wants. */
export const HEAD_BYTES = 16_384

// Tools that take other files than pictures accept these by what file-type says.
const byMime = new Map<string, FormatId>(Object.entries(formats).flatMap(([id, { mime }]) => (isFormatId(id) ? [[mime, id] as const] : [])))

/**
 * Tells what a file is from its first bytes. Its name (the path's last part where none is given) is asked only where formats
 * share one structure or have no signature. Throws `file.missing`, `file.empty`, or `file.unsupported` when it is none of `accepts`.
 */
export async function identify<F extends FormatId>(
  path: string,
  accepts: readonly F[],
  name: string = basename(path),
): Promise<Identity<F>> {
  const entry = await stat(path).catch(() => undefined)
  if (!entry?.isFile()) throw new AppError('file.missing', {})
  if (entry.size === 0) throw new AppError('file.empty', {})
  const head = await headOf(path)
  const format = await formatOf(head, name)
  if (!isOneOf(accepts, format)) throw new AppError('file.unsupported', { formats: formatLabels(accepts) })
  // Its own parser may stumble over a broken container; such a file says nothing of being animated.
  const type = format === 'png' ? await fileTypeFromFile(path).catch(() => undefined) : undefined
  return { format, bytes: entry.size, isLockedAnimation: type?.mime === 'image/apng' || brandsIn(head).has('avis') }
}

const isOneOf = <F extends FormatId>(accepts: readonly F[], format: FormatId | undefined): format is F =>
  accepts.some((accepted) => accepted === format)

/**
 * Refuses by its first bytes (`HEAD_BYTES`) and its name a file that is none of `accepts`: a check at the door, before the
 * file is fetched. Throws `file.empty` or `file.unsupported`. `identify` has the last word.
 */
export async function checkHead(head: Buffer, accepts: readonly FormatId[], name: string): Promise<void> {
  if (head.length === 0) throw new AppError('file.empty', {})
  if (!isOneOf(accepts, await formatOf(head, name))) throw new AppError('file.unsupported', { formats: formatLabels(accepts) })
}

async function formatOf(head: Buffer, name: string): Promise<FormatId | undefined> {
  const picture = sniff(head, name)
  if (picture !== undefined) return picture
  const type = await fileTypeFromBuffer(head).catch(() => undefined)
  const other = type && byMime.get(type.mime)
  // What file-type alone takes for a picture has no importer here.
  return isOneOf(convertibleFormats, other) ? undefined : other
}

/** A file's first bytes. Throws `file.no-access` when it may not be read. */
async function headOf(path: string): Promise<Buffer> {
  await using file = await open(path).catch((cause: unknown) => {
    throw new AppError('file.no-access', {}, { cause })
  })
  const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
  return buffer.subarray(0, bytesRead)
}
