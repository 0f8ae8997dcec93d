/** What happens to a frame's rectangle before the next frame: it stays, turns transparent, or what was under it comes back (GIF89a §23). */
export type Disposal = 1 | 2 | 3

/** Times as a GIF file stores them. */
export interface Timing {
  /** How long each frame shows, in hundredths of a second; 0 and 1 are stored as they are, players show them slower. */
  readonly delaysCs: readonly number[]
  /** How often it repeats; 0 is for ever, undefined plays it once without a loop extension. */
  readonly repeats: number | undefined
}

/** A rectangle of the screen, in pixels. */
export interface Rectangle {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** One frame, ready to be written. */
export interface Frame extends Rectangle {
  /** Three bytes an entry; undefined where the global table serves. */
  readonly colours: Buffer | undefined
  /** The index that shows what lies below; undefined when there is none. */
  readonly transparent: number | undefined
  readonly disposal: Disposal
  /** Smallest code size and LZW data, not yet in sub-blocks. */
  readonly codeBits: number
  readonly data: Buffer
}

const EXTENSION = 0x21
const GRAPHIC_CONTROL = 0xf9
const COMMENT = 0xfe
const APPLICATION = 0xff
const IMAGE = 0x2c
const TRAILER = 0x3b

/** Bits of an index into so many colours, at least 1. */
export const bitsFor = (colours: number): number => Math.max(1, 32 - Math.clz32(Math.max(1, colours - 1)))

/** A colour table made as long as its header can say: 2, 4, … 256 entries. */
export function colourTable(colours: readonly number[]): Buffer {
  const table = Buffer.alloc(3 << bitsFor(colours.length))
  colours.forEach((colour, index) => table.writeUIntLE(colour & 0xffffff, index * 3, 3))
  return table
}

const tableBits = (table: Buffer): number => bitsFor(table.length / 3) - 1

/** Data in sub-blocks of at most 255 bytes, closed by an empty one (GIF89a §15). */
function subBlocks(data: Buffer): Buffer {
  const out = Buffer.alloc(data.length + Math.ceil(data.length / 255) + 1)
  for (let from = 0, to = 0; from < data.length; from += 255, to += 256) {
    out[to] = Math.min(255, data.length - from)
    data.copy(out, to + 1, from, from + 255)
  }
  return out
}

function frameBytes(frame: Frame, delayCs: number, isAnimated: boolean): Buffer[] {
  const { left, top, width, height, colours, transparent, disposal, codeBits, data } = frame
  const control = Buffer.from([
    EXTENSION,
    GRAPHIC_CONTROL,
    4,
    (disposal << 2) | (transparent === undefined ? 0 : 1),
    0,
    0,
    transparent ?? 0,
    0,
  ])
  control.writeUInt16LE(delayCs, 4)
  const descriptor = Buffer.alloc(10)
  descriptor[0] = IMAGE
  ;[left, top, width, height].forEach((value, index) => descriptor.writeUInt16LE(value, 1 + index * 2))
  descriptor[9] = colours ? 0x80 | tableBits(colours) : 0
  const needsControl = isAnimated || transparent !== undefined
  return [...(needsControl ? [control] : []), descriptor, ...(colours ? [colours] : []), Buffer.from([codeBits]), subBlocks(data)]
}

/** A GIF file of these frames. `colours` is the global table, where there is one. */
export function writeGif(width: number, height: number, colours: Buffer | undefined, frames: readonly Frame[], timing: Timing): Buffer {
  const screen = Buffer.from('GIF89a\0\0\0\0\0\0\0', 'latin1')
  screen.writeUInt16LE(width, 6)
  screen.writeUInt16LE(height, 8)
  if (colours) screen[10] = 0x80 | (tableBits(colours) << 4) | tableBits(colours)
  const loop = Buffer.from([EXTENSION, APPLICATION, 11, ...Buffer.from('NETSCAPE2.0'), 3, 1, 0, 0, 0])
  if (timing.repeats !== undefined) loop.writeUInt16LE(timing.repeats, 16)
  return Buffer.concat([
    screen,
    ...(colours ? [colours] : []),
    ...(timing.repeats === undefined ? [] : [loop]),
    ...frames.flatMap((frame, index) => frameBytes(frame, timing.delaysCs[index] ?? 0, timing.delaysCs.length > 1)),
    Buffer.from([TRAILER]),
  ])
}

/** Where sub-blocks that begin at `at` end. */
function endOfBlocks(file: Buffer, at: number): number {
  while (at < file.length && file[at] !== 0) at += 1 + (file[at] ?? 0)
  return at + 1
}

const tableBytes = (flags: number): number => (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0)

/** What a file's blocks say: every frame's time as stored, how often it repeats. `end` is the offset of the trailer, or of where a file that lacks it stops. */
export function readBlocks(file: Buffer): Timing & { readonly end: number } {
  const delaysCs: number[] = []
  let repeats: number | undefined
  let delayCs = 0
  let at = 13 + tableBytes(file[10] ?? 0)
  while (at < file.length && file[at] !== TRAILER) {
    if (file[at] === IMAGE) {
      delaysCs.push(delayCs)
      delayCs = 0
      at = endOfBlocks(file, at + 11 + tableBytes(file[at + 9] ?? 0))
      continue
    }
    if (file[at] !== EXTENSION) break
    if (file[at + 1] === GRAPHIC_CONTROL && at + 6 <= file.length) delayCs = file.readUInt16LE(at + 4)
    const isLoop = file[at + 1] === APPLICATION && /^(NETSCAPE2\.0|ANIMEXTS1\.0)$/.test(file.toString('latin1', at + 3, at + 14))
    if (isLoop && file[at + 15] === 1 && at + 18 <= file.length) repeats = file.readUInt16LE(at + 16)
    at = endOfBlocks(file, at + 2)
  }
  return { delaysCs, repeats, end: at }
}

/** The offset of a file's trailer; of where it stops when it has none. */
export const endOfGif = (file: Buffer): number => readBlocks(file).end

/** Whether a file stops inside of a block. Decoders show what there is of such a file without a word. */
export const isCutGif = (file: Buffer): boolean => endOfGif(file) > file.length

/** A comment extension (GIF89a §24) of so many bytes in all, at least 5. */
export function commentOf(bytes: number): Buffer {
  const lengths: number[] = []
  for (let left = Math.max(2, bytes - 3); left > 0;) {
    // A sub-block of one byte would be its length alone, which ends the comment.
    const length = Math.min(256, left) - (left === 257 ? 1 : 0)
    lengths.push(length)
    left -= length
  }
  const blocks = lengths.map((length) => Buffer.concat([Buffer.from([length - 1]), Buffer.alloc(length - 1, ' ')]))
  return Buffer.concat([Buffer.from([EXTENSION, COMMENT]), ...blocks, Buffer.from([0])])
}
