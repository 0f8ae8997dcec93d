import { createReadStream, createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createDeflateRaw } from 'node:zlib'
import { configure, ZipWriter } from '@zip.js/zip.js'
import type { Context, InputFile, OutputFile, Processor } from '../processor.ts'
import { AppError } from '#shared/errors/app-error'
import { folderNames, freeName, safeName, splitName } from '#shared/names'
import { BYTES_PER_MB } from '#shared/units'

configure({ useWebWorkers: false })

/** Formats that are deflated inside already: a second time costs seconds and gains nothing. */
const COMPRESSED =
  /^(jpe?g|png|webp|avif|gif|heic|heif|jxl|jp2|mp4|mov|mkv|avi|webm|mp3|m4a|aac|flac|zip|7z|rar|gz|xz|docx|xlsx|pptx|pdf|ofd|wps|et|dps)$/i

/** What a zip spends on an entry beside its content, at most: both headers, zip64, time stamps and AES fields, descriptor (APPNOTE 4.3). */
const ENTRY_BYTES = 260
/** The end of a zip: its directory's end records (APPNOTE 4.3.14–4.3.16). */
const END_BYTES = 200

/** One file on its way into a zip. */
interface Entry {
  readonly source: string
  /** Path in the zip, with `/`. */
  readonly path: string
  readonly bytes: number
  readonly modified: Date
  readonly isStored: boolean
}

/**
 * Packs all files into one zip: names in UTF-8 (bit 11), folders kept, AES-256 with a password. With a limit for each
 * archive, into as many independent zips as it takes, each of which opens by itself. Throws `archive.entry-too-large` for
 * a file that does not fit under the limit alone.
 */
export const packZip: Processor<'pack-zip'> = async ({ inputs, options }, context) => {
  const entries = await entriesOf(inputs)
  const name = safeName(options.name || commonFolder(inputs) || splitName(inputs[0].name).stem)
  const parts = options.splitMb === undefined ? [entries] : await divide(entries, options.splitMb * BYTES_PER_MB)
  const total = entries.reduce((sum, { bytes }) => sum + bytes, 0)
  let before = 0
  const outputs: OutputFile[] = []
  for (const [n, part] of parts.entries()) {
    const file = parts.length === 1 ? `${name}.zip` : `${name}-${n + 1}.zip`
    const advance = (bytes: number): void => context.progress(Math.min(1, (before + bytes) / Math.max(1, total)))
    outputs.push(await write(file, part, options.password, advance, context))
    before += part.reduce((sum, { bytes }) => sum + bytes, 0)
  }
  return outputs
}

async function entriesOf(inputs: readonly InputFile[]): Promise<readonly Entry[]> {
  const taken = folderNames(inputs.map(({ folder }) => folder))
  const entries: Entry[] = []
  for (const { path: source, name, folder } of inputs) {
    const { size, mtime } = await stat(source)
    const path = freeName(taken, folder ? `${folder}/` : '', safeName(name))
    entries.push({ source, path, bytes: size, modified: mtime, isStored: COMPRESSED.test(splitName(name).extension) })
  }
  return entries
}

/** The top folder that all files came from, if it is one. */
function commonFolder(inputs: readonly InputFile[]): string | undefined {
  const tops = new Set(inputs.map(({ folder }) => folder?.split('/')[0]))
  return tops.size === 1 ? [...tops][0] : undefined
}

/** Entries in their order, cut into parts that stay below the limit. */
async function divide(entries: readonly Entry[], limitBytes: number): Promise<readonly (readonly Entry[])[]> {
  const parts: Entry[][] = []
  let room = 0
  for (const entry of entries) {
    const needed = (await packedBytes(entry)) + ENTRY_BYTES + 2 * Buffer.byteLength(entry.path)
    if (needed > limitBytes - END_BYTES) throw new AppError('archive.entry-too-large', { name: entry.path, limitBytes })
    if (needed > room) {
      parts.push([])
      room = limitBytes - END_BYTES
    }
    parts.at(-1)?.push(entry)
    room -= needed
  }
  return parts
}

/** Bytes of an entry's content in the zip: counted by deflating it once, since it must be known before it is written. */
async function packedBytes({ source, bytes, isStored }: Entry): Promise<number> {
  if (isStored) return bytes
  let count = 0
  await pipeline(createReadStream(source), createDeflateRaw(), async (pieces: AsyncIterable<Buffer>) => {
    for await (const piece of pieces) count += piece.length
  })
  // Another deflate of the same level may come out a little longer.
  return Math.ceil(count * 1.01) + 64
}

async function write(
  file: string,
  entries: readonly Entry[],
  password: string,
  advance: (bytes: number) => void,
  { folder }: Context,
): Promise<OutputFile> {
  const path = join(folder, file)
  const zip = new ZipWriter(Writable.toWeb(createWriteStream(path)), {
    ...(password !== '' && { password, encryptionStrength: 3 }),
    useUnicodeFileNames: true,
  })
  let done = 0
  for (const { source, path: inside, bytes, modified, isStored } of entries) {
    const content = Readable.toWeb(createReadStream(source)) as ReadableStream // Node's own name for the same stream
    await zip.add(inside, content, {
      ...(isStored && { level: 0 }),
      lastModDate: modified,
      uncompressedSize: bytes,
      onprogress: async (written) => advance(done + written),
    })
    done += bytes
    advance(done)
  }
  await zip.close()
  return { path, name: file, format: 'zip', bytes: (await stat(path)).size }
}
