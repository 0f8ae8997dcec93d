import { cameraOf } from './camera-tiff.ts'
import { signatures } from './signatures.ts'
import { convertibleFormats, hasExtension, type ReadableId } from '#shared/formats'
import { splitName } from '#shared/names'

/** A plausible side of a picture in a header without a signature. */
const isSide = (px: number): boolean => px > 0 && px <= 30_000

/** Truevision TGA 2.0 §1: kinds of colour map and picture, bits a pixel, and unused descriptor bits at 0. */
function isTga(head: Buffer): boolean {
  const [mapKind = 9, kind = 0, depth = 0, descriptor = 255] = [head[1], head[2], head[16], head[17]]
  const isMapped = kind === 1 || kind === 9
  const hasKnownKind = isMapped || [2, 3, 10, 11].includes(kind)
  const hasKnownDepth = (isMapped ? [8, 16] : [8, 15, 16, 24, 32]).includes(depth)
  return head.length > 18 && mapKind <= 1 && hasKnownKind && (!isMapped || mapKind === 1) && hasKnownDepth && (descriptor & 0xc0) === 0
}

const sides = (read: (head: Buffer) => readonly [number, number]) => (head: Buffer) => head.length > 16 && read(head).every(isSide)

/**
 * Formats that begin with no mark of their own, by what their header must look like. They count only for a file that bears
 * their extension, and only when nothing else fits.
 */
const unmarked: Readonly<Partial<Record<ReadableId, (head: Buffer) => boolean>>> = {
  tga: isTga,
  // Type 0, fixed header 0 (WAP-237 §4.5.1), then the sides.
  wbmp: (head) => head.length > 4 && head[0] === 0 && head[1] === 0 && (head[2] ?? 0) > 0 && (head[3] ?? 0) > 0,
  otb: (head) => head.length > 4 && (head[0] ?? 1) === 0 && (head[1] ?? 0) > 0 && (head[2] ?? 0) > 0 && head[3] === 1,
  aai: sides((head) => [head.readUInt32LE(0), head.readUInt32LE(4)]),
  avs: sides((head) => [head.readUInt32BE(0), head.readUInt32BE(4)]),
  palm: sides((head) => [head.readUInt16BE(0), head.readUInt16BE(2)]),
  pix: sides((head) => [head.readUInt16BE(0), head.readUInt16BE(2)]),
  rla: sides((head) => [1 + head.readInt16BE(2) - head.readInt16BE(0), 1 + head.readInt16BE(6) - head.readInt16BE(4)]),
  mtv: (head) => /^\d{1,5} \d{1,5}\n/.test(head.toString('latin1', 0, 12)),
  // These do have a signature, which a broken file may fall short of: bearing the name too, it is not foreign but broken.
  bmp: (head) => head.toString('latin1', 0, 2) === 'BM',
  ico: (head) => head.length >= 4 && head.readUInt32LE(0) === 1 << 16,
  cur: (head) => head.length >= 4 && head.readUInt32LE(0) === 2 << 16,
  mac: (head) => head.length > 512 && head.readUInt32BE(0) <= 3,
}

/** The readable format a name promises, if any. */
const promisedBy = (name: string): ReadableId | undefined => {
  const { extension } = splitName(name)
  return extension === '' ? undefined : convertibleFormats.find((id) => hasExtension(id, extension))
}

/**
 * The format of a file by its first 16 KB; undefined for what is no picture we know. The content decides. The name only
 * tells camera files of one structure apart and lets in the few formats without a signature, and those never against one.
 */
export function sniff(head: Buffer, name: string): ReadableId | undefined {
  const marked = signatures.find(([, fits]) => fits(head))?.[0]
  const named = promisedBy(name)
  if (marked === 'tiff') return cameraOf(head, named) ?? 'tiff'
  if (marked === 'rw2' && named === 'rwl') return 'rwl'
  if (marked !== undefined) return marked
  if (isForeign(head)) return undefined
  return named !== undefined && unmarked[named]?.(head) === true ? named : undefined
}

/** Programs, archives, documents and scripts: never a picture without a signature, whatever they are called. */
function isForeign(head: Buffer): boolean {
  const start = head.toString('latin1', 0, 512)
  return /^(MZ|PK|%PDF|%!|\u007fELF|#!|Rar!|7z\u00bc|\s*<[!?a-z]|push |viewbox )/i.test(start)
}
