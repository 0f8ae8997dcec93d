import { charStringsAt, glyphsAt, tablesOf, type Table } from './sfnt.ts'

/** The OpenType program of a font as pdf.js made it of the PDF's own; the same for all pages that use the font. */
export interface FontProgram {
  readonly bytes: Uint8Array
  /** By what kind of outlines it has: cubic ones (`otf`) or quadratic (`ttf`). */
  readonly extension: 'otf' | 'ttf'
  /** A glyph's number by the code point that pdf.js gave it. */
  readonly glyphs: ReadonlyMap<number, number>
  /** A glyph that shows nothing, where there is one. */
  readonly blank?: number
  /** How far glyphs may reach above and below the baseline, in ems. */
  readonly reach: { readonly above: number; readonly below: number }
}

const CFF_FLAVOUR = 0x4f_54_54_4f

/** Segments of 16-bit codes (OpenType, cmap format 4). */
function readSegments(view: DataView, at: number, glyphs: Map<number, number>): void {
  const bytes = view.getUint16(at + 6)
  const [ends, starts, deltas, offsets] = [at + 14, at + 16 + bytes, at + 16 + 2 * bytes, at + 16 + 3 * bytes]
  for (let one = 0; one < bytes; one += 2) {
    const [start, end, offset] = [view.getUint16(starts + one), view.getUint16(ends + one), view.getUint16(offsets + one)]
    for (let code = start; code <= end && code < 0xff_ff; code++) {
      const glyph = offset === 0 ? code : view.getUint16(offsets + one + offset + 2 * (code - start))
      const moved = offset !== 0 && glyph === 0 ? 0 : (glyph + view.getUint16(deltas + one)) & 0xff_ff
      if (moved !== 0) glyphs.set(code, moved)
    }
  }
}

/** Groups of codes in a row (OpenType, cmap format 12). */
function readGroups(view: DataView, at: number, glyphs: Map<number, number>): void {
  for (let nth = 0; nth < view.getUint32(at + 12); nth++) {
    const [start, end, glyph] = [0, 4, 8].map((field) => view.getUint32(at + 16 + 12 * nth + field))
    if (start === undefined || end === undefined || glyph === undefined || end - start > 0xff_ff) return
    for (let code = start; code <= end; code++) glyphs.set(code, glyph + code - start)
  }
}

type IsTaken = (platform: number, encoding: number) => boolean

function mappingOf(view: DataView, tables: ReadonlyMap<string, Table>, isTaken: IsTaken = () => true): ReadonlyMap<number, number> {
  const glyphs = new Map<number, number>()
  const cmap = tables.get('cmap')?.at
  if (cmap === undefined) return glyphs
  for (let nth = 0; nth < view.getUint16(cmap + 2); nth++) {
    if (!isTaken(view.getUint16(cmap + 4 + 8 * nth), view.getUint16(cmap + 4 + 8 * nth + 2))) continue
    const at = cmap + view.getUint32(cmap + 4 + 8 * nth + 4)
    const format = view.getUint16(at)
    if (format === 4) readSegments(view, at, glyphs)
    if (format === 12) readGroups(view, at, glyphs)
  }
  return glyphs
}

/** The longest charstring that draws nothing: a width, and the end. */
const BLANK_CHARSTRING = 6
const END_CHAR = 14

/** A glyph that shows nothing, if there is one beside `.notdef`. */
function blankOf(view: DataView, tables: ReadonlyMap<string, Table>): number | undefined {
  const cff = tables.get('CFF ')
  const starts = cff ? charStringsAt(view, cff) : glyphsAt(view, tables)
  const isBlank = (at: number, end: number): boolean =>
    cff ? end > at && end - at <= BLANK_CHARSTRING && view.getUint8(end - 1) === END_CHAR : at === end
  const found = starts?.findIndex((at, glyph) => glyph > 0 && glyph < starts.length - 1 && isBlank(at, starts[glyph + 1] ?? 0))
  return found !== undefined && found > 0 ? found : undefined
}

/** How far glyphs reach above and below the baseline, in ems, as the font itself says. */
function reachOf(view: DataView, tables: ReadonlyMap<string, Table>): FontProgram['reach'] {
  const head = tables.get('head')?.at
  const unit = head === undefined ? 0 : view.getUint16(head + 18)
  if (head === undefined || unit === 0) return { above: 1, below: 0.3 }
  return { above: view.getInt16(head + 42) / unit, below: -view.getInt16(head + 38) / unit }
}

function read(data: unknown): FontProgram | undefined {
  if (!(data instanceof Uint8Array) || data.length < 100) return undefined
  try {
    const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
    const tables = tablesOf(view)
    const blank = blankOf(view, tables)
    return {
      bytes: data,
      extension: view.getUint32(0) === CFF_FLAVOUR ? 'otf' : 'ttf',
      glyphs: mappingOf(view, tables),
      reach: reachOf(view, tables),
      ...(blank !== undefined && { blank }),
    }
  } catch {
    // Tables beyond the program's end: pdf.js would not show it either.
    return undefined
  }
}

const MICROSOFT = 3
const UNICODE_BMP = 1
const UNICODE_FULL = 10

/** The glyphs of a font file with quadratic outlines by the characters of Unicode that it says they are; empty where it says none. */
export function characterMap(bytes: Uint8Array): ReadonlyMap<number, number> {
  try {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const tables = tablesOf(view)
    if (!tables.has('glyf')) return new Map()
    return mappingOf(view, tables, (platform, encoding) =>
      platform === MICROSOFT ? encoding === UNICODE_BMP || encoding === UNICODE_FULL : platform === 0,
    )
  } catch {
    // No OpenType font, or a broken one.
    return new Map()
  }
}

const known = new WeakMap<object, FontProgram | undefined>()

/** The program of a font as pdf.js hands it over, or undefined for one that is only named. */
export function programOf(font: unknown): FontProgram | undefined {
  if (typeof font !== 'object' || font === null) return undefined
  if (!known.has(font)) known.set(font, read(Reflect.get(font, 'data')))
  return known.get(font)
}
