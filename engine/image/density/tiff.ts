import { AppError } from '#shared/errors/app-error'

const X_RESOLUTION = 282
const Y_RESOLUTION = 283
const RESOLUTION_UNIT = 296
const PER_INCH = 2
const PER_CENTIMETRE = 3
const SHORT = 3
const RATIONAL = 5
const RATIONAL_BYTES = 8
/** More pages than any document has: beyond it, the chain of directories is a maze. */
const MAX_DIRECTORIES = 65_536

/** How numbers and directories lie in one TIFF structure: classic or BigTIFF, in either byte order. */
interface Layout {
  readonly isLittle: boolean
  readonly isBig: boolean
  /** Bytes of an offset, of a directory's count, and of an entry. */
  readonly offsetBytes: 4 | 8
  readonly countBytes: 2 | 8
  readonly entryBytes: 12 | 20
}

/** One directory: where the offset that leads to it is, where it begins, and its entries as they stand. */
interface Directory {
  readonly pointerAt: number
  readonly at: number
  readonly entries: readonly { readonly tag: number; readonly at: number }[]
}

function refuse(): never {
  throw new AppError('file.unreadable', {})
}

const readNumber = (file: Buffer, at: number, bytes: number, { isLittle }: Layout): number => {
  if (bytes === 8) return Number(isLittle ? file.readBigUInt64LE(at) : file.readBigUInt64BE(at))
  return isLittle ? file.readUIntLE(at, bytes) : file.readUIntBE(at, bytes)
}

const writeNumber = (file: Buffer, value: number, at: number, bytes: number, { isLittle }: Layout): void => {
  if (bytes === 8 && isLittle) file.writeBigUInt64LE(BigInt(value), at)
  else if (bytes === 8) file.writeBigUInt64BE(BigInt(value), at)
  else if (isLittle) file.writeUIntLE(value, at, bytes)
  else file.writeUIntBE(value, at, bytes)
}

/** Reads the byte order and version (TIFF 6.0 §2; BigTIFF by its design note). Throws `file.unreadable`. */
function layoutOf(file: Buffer): Layout {
  const order = file.toString('latin1', 0, 2)
  if (file.length < 8 || (order !== 'II' && order !== 'MM')) refuse()
  const isLittle = order === 'II'
  const version = isLittle ? file.readUInt16LE(2) : file.readUInt16BE(2)
  if (version !== 42 && version !== 43) refuse()
  return version === 43
    ? { isLittle, isBig: true, offsetBytes: 8, countBytes: 8, entryBytes: 20 }
    : { isLittle, isBig: false, offsetBytes: 4, countBytes: 2, entryBytes: 12 }
}

const entriesAt = (at: number, { countBytes }: Layout): number => at + countBytes

function directoryAt(file: Buffer, pointerAt: number, layout: Layout): Directory | undefined {
  const at = readNumber(file, pointerAt, layout.offsetBytes, layout)
  if (at === 0) return undefined
  const count = readNumber(file, at, layout.countBytes, layout)
  const start = entriesAt(at, layout)
  if (count === 0 || start + count * layout.entryBytes + layout.offsetBytes > file.length) refuse()
  const entries = Array.from({ length: count }, (_, index) => {
    const entryAt = start + index * layout.entryBytes
    return { tag: readNumber(file, entryAt, 2, layout), at: entryAt }
  })
  return { pointerAt, at, entries }
}

/** Every directory of the chain. Throws `file.unreadable` for one that leads back into itself. */
function directoriesOf(file: Buffer, layout: Layout): Directory[] {
  const found: Directory[] = []
  const seen = new Set<number>()
  let pointerAt = layout.isBig ? 8 : 4
  for (let next = directoryAt(file, pointerAt, layout); next !== undefined; next = directoryAt(file, pointerAt, layout)) {
    if (seen.has(next.at) || found.length === MAX_DIRECTORIES) refuse()
    seen.add(next.at)
    found.push(next)
    pointerAt = entriesAt(next.at, layout) + next.entries.length * layout.entryBytes
  }
  return found.length > 0 ? found : refuse()
}

/** Where the value of an entry of this type and count 1 is; undefined when it is another kind of entry. */
function valueAt(file: Buffer, { entries }: Directory, tag: number, type: number, layout: Layout): number | undefined {
  const entry = entries.find((one) => one.tag === tag)
  if (entry === undefined || readNumber(file, entry.at + 2, 2, layout) !== type) return undefined
  if (readNumber(file, entry.at + 4, layout.offsetBytes, layout) !== 1) return undefined
  const inline = entry.at + 4 + layout.offsetBytes
  if (type !== RATIONAL || layout.isBig) return inline
  const at = readNumber(file, inline, layout.offsetBytes, layout)
  return at >= 8 && at + RATIONAL_BYTES <= file.length ? at : undefined
}

const placesOf = (file: Buffer, directory: Directory, layout: Layout): readonly number[] | undefined => {
  const x = valueAt(file, directory, X_RESOLUTION, RATIONAL, layout)
  const y = valueAt(file, directory, Y_RESOLUTION, RATIONAL, layout)
  const unit = valueAt(file, directory, RESOLUTION_UNIT, SHORT, layout)
  return x === undefined || y === undefined || unit === undefined ? undefined : [x, y, unit]
}

function writeRational(file: Buffer, dpi: number, at: number, layout: Layout): void {
  writeNumber(file, dpi, at, 4, layout)
  writeNumber(file, 1, at + 4, 4, layout)
}

const isOurs = ({ tag }: { tag: number }): boolean => tag === X_RESOLUTION || tag === Y_RESOLUTION || tag === RESOLUTION_UNIT

/** A directory rewritten with the three density entries, to stand at `at`; a classic one is followed by the value both axes share. */
function rewritten(file: Buffer, directory: Directory, at: number, dpi: number, layout: Layout): Buffer {
  const { offsetBytes, countBytes, entryBytes } = layout
  const others = directory.entries.filter((entry) => !isOurs(entry))
  const count = others.length + 3
  const bytes = Buffer.alloc(countBytes + count * entryBytes + offsetBytes + RATIONAL_BYTES)
  writeNumber(bytes, count, 0, countBytes, layout)
  const rationalAt = bytes.length - RATIONAL_BYTES
  const made = [X_RESOLUTION, Y_RESOLUTION, RESOLUTION_UNIT].map((tag) => {
    const entry = Buffer.alloc(entryBytes)
    const value = 4 + offsetBytes
    writeNumber(entry, tag, 0, 2, layout)
    writeNumber(entry, tag === RESOLUTION_UNIT ? SHORT : RATIONAL, 2, 2, layout)
    writeNumber(entry, 1, 4, offsetBytes, layout)
    if (tag === RESOLUTION_UNIT) writeNumber(entry, PER_INCH, value, 2, layout)
    else if (layout.isBig) writeRational(entry, dpi, value, layout)
    else writeNumber(entry, at + rationalAt, value, 4, layout)
    return { tag, entry }
  })
  const kept = others.map((one) => ({ tag: one.tag, entry: file.subarray(one.at, one.at + entryBytes) }))
  const sorted = [...kept, ...made].toSorted((left, right) => left.tag - right.tag)
  sorted.forEach(({ entry }, index) => entry.copy(bytes, countBytes + index * entryBytes))
  const oldEnd = entriesAt(directory.at, layout) + directory.entries.length * entryBytes
  file.copy(bytes, countBytes + count * entryBytes, oldEnd, oldEnd + offsetBytes)
  writeRational(bytes, dpi, rationalAt, layout)
  return bytes
}

/**
 * A TIFF structure (a file, or an EXIF block) with its density set: `all` directories, or the `first` only. Values that are
 * there are overwritten where they stand; a directory that lacks one is written anew at the end and everything else stays at
 * its offset. Throws `file.unreadable`, or RangeError for offsets past the end.
 */
export function withTiffDpi(source: Buffer, dpi: number, which: 'all' | 'first'): Buffer {
  const layout = layoutOf(source)
  const directories = directoriesOf(source, layout).slice(0, which === 'first' ? 1 : undefined)
  const file = Buffer.from(source)
  const added: Buffer[] = []
  // Directories begin on a word (TIFF 6.0 §2).
  let end = file.length + (file.length % 2)
  // From the last to the first: when a directory moves, the one before it learns its new place before it moves itself.
  for (const directory of directories.toReversed()) {
    const places = placesOf(file, directory, layout)
    if (places) {
      const [x = 0, y = 0, unit = 0] = places
      writeRational(file, dpi, x, layout)
      writeRational(file, dpi, y, layout)
      writeNumber(file, PER_INCH, unit, 2, layout)
      continue
    }
    const moved = rewritten(file, directory, end, dpi, layout)
    writeNumber(file, end, directory.pointerAt, layout.offsetBytes, layout)
    added.push(moved)
    end += moved.length
  }
  return added.length === 0 ? file : Buffer.concat([file, Buffer.alloc(file.length % 2), ...added])
}

/** The density a TIFF structure's first directory says, in dots per inch; undefined where it says none. Throws as `withTiffDpi` does. */
export function tiffDpi(file: Buffer): number | undefined {
  const layout = layoutOf(file)
  const directory = directoryAt(file, layout.isBig ? 8 : 4, layout)
  const x = directory && valueAt(file, directory, X_RESOLUTION, RATIONAL, layout)
  if (directory === undefined || x === undefined) return undefined
  const unitAt = valueAt(file, directory, RESOLUTION_UNIT, SHORT, layout)
  const unit = unitAt === undefined ? PER_INCH : readNumber(file, unitAt, 2, layout)
  const perUnit = readNumber(file, x, 4, layout) / readNumber(file, x + 4, 4, layout)
  if (unit !== PER_INCH && unit !== PER_CENTIMETRE) return undefined
  return unit === PER_CENTIMETRE ? perUnit * 2.54 : perUnit
}

/** An EXIF block that says a density and nothing else: an empty directory, filled. */
export function exifOfDpi(dpi: number): Buffer {
  const layout: Layout = { isLittle: true, isBig: false, offsetBytes: 4, countBytes: 2, entryBytes: 12 }
  const head = Buffer.from('II*\0\x08\0\0\0\0\0\0\0\0\0', 'latin1')
  const directory = rewritten(head, { pointerAt: 4, at: 8, entries: [] }, 8, dpi, layout)
  return Buffer.concat([head.subarray(0, 8), directory])
}
