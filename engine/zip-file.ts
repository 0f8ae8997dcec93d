import { appendFileSync, writeFileSync } from 'node:fs'
import { constants, crc32, deflateRawSync } from 'node:zlib'
import { Zip, ZipDeflate, type ZipInputFile } from 'fflate'

/** An entry whose text comes piece by piece. */
export interface TextEntry {
  readonly write: (text: string) => void
  readonly end: () => void
}

/** A zip on its way to disk. Its bytes go there as they come, except that of entries that are open side by side the later ones wait, compressed. */
export interface ZipFile {
  /** Begins an entry of text in UTF-8. */
  readonly text: (path: string) => TextEntry
  /** A whole entry, compressed. */
  readonly packed: (path: string, bytes: Uint8Array) => void
  /** A whole entry as it is: what is compressed already. */
  readonly stored: (path: string, bytes: Uint8Array) => void
  /** Ends the zip and answers how many bytes it has. */
  readonly close: () => number
}

/** What of an entry is compressed at a time, in characters, and how far back the next part of it looks, in bytes. */
const PIECE = 1 << 18
const WINDOW = 1 << 15

const { Z_FINISH, Z_SYNC_FLUSH } = constants

/**
 * Compressed by zlib, each part with the end of the one before as its dictionary, which is what a stream would have in its window. fflate's own
 * compressor takes several times as long, and spoils content with zeros in it.
 */
function textEntry(zip: Zip, filename: string): TextEntry {
  const entry = { filename, compression: 8, size: 0, crc: 0 } satisfies ZipInputFile
  const added: ZipInputFile = entry
  zip.add(added)
  let waiting = ''
  let before: Buffer | undefined
  const flush = (isLast: boolean): void => {
    const content = Buffer.from(waiting, 'utf8')
    waiting = ''
    entry.size += content.length
    entry.crc = crc32(content, entry.crc)
    const finishFlush = isLast ? Z_FINISH : Z_SYNC_FLUSH
    const packed = deflateRawSync(content, { level: 6, finishFlush, ...(before && { dictionary: before }) })
    before = content.subarray(-WINDOW)
    added.ondata?.(null, packed, isLast)
  }
  return {
    write: (text: string): void => {
      waiting += text
      if (waiting.length >= PIECE) flush(false)
    },
    end: (): void => flush(true),
  }
}

function packedEntry(zip: Zip, filename: string, content: Uint8Array): void {
  const entry: ZipInputFile = { filename, compression: 8, size: content.length, crc: crc32(content) }
  zip.add(entry)
  entry.ondata?.(null, deflateRawSync(content, { level: 9 }), true)
}

/** Begins a zip in a file of its own. The file is not held open: a zip that is never ended leaves nothing to close. */
export function createZip(path: string): ZipFile {
  writeFileSync(path, '')
  let bytes = 0
  const zip = new Zip((error, data) => {
    if (error) throw error
    appendFileSync(path, data)
    bytes += data.length
  })
  return {
    text: (name) => textEntry(zip, name),
    packed: (name, content) => packedEntry(zip, name, content),
    stored: (name, content) => {
      // Not `ZipPassThrough`: readers that go through a zip from its start need a stored entry's length before it.
      const entry = new ZipDeflate(name, { level: 0 })
      zip.add(entry)
      entry.push(content, true)
    },
    close: () => {
      zip.end()
      return bytes
    },
  }
}
