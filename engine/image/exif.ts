import type { Size } from '#shared/resize'

const ORIENTATION = 0x0112
const GPS_POINTER = 0x8825
const EXIF_POINTER = 0x8769
/** Width and height: of the directory's own picture (TIFF 6.0 §8), and of what the camera took (Exif 2.32 §4.6.5, `PixelXDimension`). */
const OWN_SIZE = [0x0100, 0x0101] as const
const TAKEN_SIZE = [0xa002, 0xa003] as const
/** Where a JPEG thumbnail lies in the block, and its bytes (Exif 2.32 §4.6.2, `JPEGInterchangeFormat`). */
const THUMBNAIL = [0x0201, 0x0202] as const
const SHORT = 3
const LONG = 4
/** Longer sides are no picture's. */
const MOST_PX = 1_000_000
/** Bytes of one value of each TIFF field type 1..12 (TIFF 6.0 §2). */
const TYPE_BYTES = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8]
const ENTRY_BYTES = 12
const PREFIX = Buffer.from('Exif\0\0', 'latin1')

interface Directory {
  readonly at: number
  readonly count: number
}

const orderOf = (exif: Buffer) => {
  const isLittle = exif.toString('latin1', 0, 2) === 'II'
  return {
    u16: (at: number) => (at + 2 > exif.length ? 0 : isLittle ? exif.readUInt16LE(at) : exif.readUInt16BE(at)),
    u32: (at: number) => (at + 4 > exif.length ? 0 : isLittle ? exif.readUInt32LE(at) : exif.readUInt32BE(at)),
    put16: (value: number, at: number) => (isLittle ? exif.writeUInt16LE(value, at) : exif.writeUInt16BE(value, at)),
    put32: (value: number, at: number) => (isLittle ? exif.writeUInt32LE(value, at) : exif.writeUInt32BE(value, at)),
  }
}

function directoryAt(exif: Buffer, at: number): Directory {
  const room = Math.floor((exif.length - at - 2) / ENTRY_BYTES)
  return { at, count: at < 8 || room < 0 ? 0 : Math.min(orderOf(exif).u16(at), room) }
}

const entriesOf = ({ at, count }: Directory): number[] => Array.from({ length: count }, (_, i) => at + 2 + i * ENTRY_BYTES)

/** An EXIF block without the prefix JPEG and HEIF put before it, as a copy to change; undefined when it has no TIFF structure. */
function copyOf(block: Buffer): Buffer | undefined {
  const exif = Buffer.from(block.subarray(0, 6).equals(PREFIX) ? block.subarray(6) : block)
  return /^(II\*\0|MM\0\*)/.test(exif.toString('latin1', 0, 4)) ? exif : undefined
}

/** What an EXIF block remembers of the picture as it was taken. */
export interface Remembered {
  /** How the picture is turned and mirrored to lie upright, 1..8; 1 where nothing is said. Sizes and thumbnail lie as the sensor did. */
  readonly orientation: number
  /** Sizes in pixels that the block's directories give. */
  readonly sizes: readonly Size[]
  /** The bytes of a JPEG made of the picture when it was taken. */
  readonly thumbnail?: Buffer
}

/** A whole number of one value, SHORT or LONG, that a directory says of a tag; undefined where it says none. */
function numberOf(exif: Buffer, directory: Directory, tag: number): number | undefined {
  const { u16, u32 } = orderOf(exif)
  const at = entriesOf(directory).find((entry) => u16(entry) === tag)
  if (at === undefined || u32(at + 4) !== 1) return undefined
  return u16(at + 2) === SHORT ? u16(at + 8) : u16(at + 2) === LONG ? u32(at + 8) : undefined
}

/** A size that a picture can have; none of what is said wrongly. */
const sizesOf = (width: number | undefined, height: number | undefined): readonly Size[] =>
  [width, height].every((side) => side !== undefined && side > 0 && side <= MOST_PX) ? [{ width: width ?? 1, height: height ?? 1 }] : []

/** What an EXIF block remembers, whatever its offsets and counts claim; undefined when there is no TIFF structure in it. */
export function rememberedIn(block: Buffer): Remembered | undefined {
  const exif = copyOf(block)
  if (!exif) return undefined
  const { u32 } = orderOf(exif)
  const main = directoryAt(exif, u32(4))
  const taken = directoryAt(exif, numberOf(exif, main, EXIF_POINTER) ?? 0)
  // The offset of the next directory, the thumbnail's, stands behind the entries.
  const small = directoryAt(exif, u32(main.at + 2 + main.count * ENTRY_BYTES))
  const said = numberOf(exif, main, ORIENTATION) ?? 1
  const orientation = said >= 1 && said <= 8 ? said : 1
  const sizeIn = (directory: Directory, [wide, high]: readonly [number, number]) =>
    sizesOf(numberOf(exif, directory, wide), numberOf(exif, directory, high))
  const sizes = [...sizeIn(taken, TAKEN_SIZE), ...sizeIn(main, OWN_SIZE)]
  const [from = 0, bytes = 0] = THUMBNAIL.map((tag) => numberOf(exif, small, tag) ?? 0)
  const isInside = from >= 8 && bytes > 0 && from + bytes <= exif.length
  return { orientation, sizes, ...(isInside && { thumbnail: exif.subarray(from, from + bytes) }) }
}

/** Sizes in pixels that an XMP packet gives in its EXIF and TIFF namespaces (XMP part 2 §3), as the sensor lay. */
export function sizesInXmp(packet: Buffer): readonly Size[] {
  const text = packet.toString('utf8')
  const numberNamed = (name: string): number | undefined => {
    const found = new RegExp(`\\b${name}(?:\\s*=\\s*["']|>)\\s*(\\d{1,7})\\s*["'<]`).exec(text)
    return found?.[1] === undefined ? undefined : Number(found[1])
  }
  return [
    ...sizesOf(numberNamed('exif:PixelXDimension'), numberNamed('exif:PixelYDimension')),
    ...sizesOf(numberNamed('tiff:ImageWidth'), numberNamed('tiff:ImageLength')),
  ]
}

/** An EXIF block (TIFF structure, Exif 2.32 §4.6) that says its picture lies upright; undefined when there is no structure in it. */
export function uprightExif(block: Buffer): Buffer | undefined {
  const exif = copyOf(block)
  if (!exif) return undefined
  const { u16, u32, put16 } = orderOf(exif)
  const entry = entriesOf(directoryAt(exif, u32(4))).find((at) => u16(at) === ORIENTATION)
  if (entry !== undefined) put16(1, entry + 8)
  return exif
}

/** Whether an EXIF block says where the picture was taken. */
export function hasLocation(block: Buffer): boolean {
  const exif = copyOf(block)
  if (!exif) return false
  const { u16, u32 } = orderOf(exif)
  return entriesOf(directoryAt(exif, u32(4))).some((at) => u16(at) === GPS_POINTER)
}

/** An EXIF block whose GPS directory is gone, its values overwritten with zeros, not just unlinked. */
export function withoutLocation(block: Buffer): Buffer | undefined {
  const exif = copyOf(block)
  if (!exif) return undefined
  const { u16, u32, put16 } = orderOf(exif)
  const main = directoryAt(exif, u32(4))
  const entry = entriesOf(main).find((at) => u16(at) === GPS_POINTER)
  if (entry === undefined) return exif
  const gps = directoryAt(exif, u32(entry + 8))
  for (const at of entriesOf(gps)) {
    const bytes = (TYPE_BYTES[u16(at + 2)] ?? 1) * u32(at + 4)
    const from = u32(at + 8)
    if (bytes > 4 && from >= 8) exif.fill(0, Math.min(from, exif.length), Math.min(from + bytes, exif.length))
  }
  if (gps.count > 0) exif.fill(0, gps.at, gps.at + 2 + gps.count * ENTRY_BYTES)
  const end = main.at + 2 + main.count * ENTRY_BYTES
  // The next-directory offset behind the entries moves up with them.
  exif.copy(exif, entry, entry + ENTRY_BYTES, Math.min(end + 4, exif.length))
  put16(main.count - 1, main.at)
  return exif
}

/** An XMP packet without the properties that say where a picture was taken (EXIF and Photoshop/IPTC namespaces), attributes and elements. */
export function xmpWithoutLocation(packet: Buffer): Buffer {
  const names = '(?:exif:GPS\\w+|photoshop:(?:City|State|Country)|Iptc4xmpCore:(?:Location|CountryCode)|Iptc4xmpExt:Location\\w*)'
  const text = packet
    .toString('utf8')
    .replace(new RegExp(`\\s${names}\\s*=\\s*("[^"]*"|'[^']*')`, 'g'), '')
    .replace(new RegExp(`<(${names})(?:\\s[^>]*)?/>`, 'g'), '')
    .replace(new RegExp(`<(${names})(?:\\s[^>]*)?>[\\s\\S]*?</\\1>`, 'g'), '')
  return Buffer.from(text, 'utf8')
}
