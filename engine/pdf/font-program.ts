/** The OpenType program of a font as pdf.js made it of the PDF's own; the same for all pages that use the font. */
export interface FontProgram {
  readonly bytes: Uint8Array
  /** By what kind of outlines it has: cubic ones (`otf`) or quadratic (`ttf`). */
  readonly extension: 'otf' | 'ttf'
  /** A glyph's number by the code point that pdf.js gave it. */
  readonly glyphs: ReadonlyMap<number, number>
}

const CMAP = 0x63_6d_61_70
const CFF_FLAVOUR = 0x4f_54_54_4f

/** Where a table lies; 0 where there is none. */
function tableAt(view: DataView, tag: number): number {
  for (let nth = 0; nth < view.getUint16(4); nth++) if (view.getUint32(12 + 16 * nth) === tag) return view.getUint32(12 + 16 * nth + 8)
  return 0
}

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

function glyphsOf(bytes: Uint8Array): ReadonlyMap<number, number> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const glyphs = new Map<number, number>()
  const cmap = tableAt(view, CMAP)
  const subtables = cmap > 0 ? view.getUint16(cmap + 2) : 0
  for (let nth = 0; nth < subtables; nth++) {
    const at = cmap + view.getUint32(cmap + 4 + 8 * nth + 4)
    const format = view.getUint16(at)
    if (format === 4) readSegments(view, at, glyphs)
    if (format === 12) readGroups(view, at, glyphs)
  }
  return glyphs
}

function read(data: unknown): FontProgram | undefined {
  if (!(data instanceof Uint8Array) || data.length < 100) return undefined
  try {
    const flavour = new DataView(data.buffer, data.byteOffset).getUint32(0)
    return { bytes: data, extension: flavour === CFF_FLAVOUR ? 'otf' : 'ttf', glyphs: glyphsOf(data) }
  } catch {
    // Tables beyond the program's end: pdf.js would not show it either.
    return undefined
  }
}

const known = new WeakMap<object, FontProgram | undefined>()

/** The program of a font as pdf.js hands it over, or undefined for one that is only named. */
export function programOf(font: unknown): FontProgram | undefined {
  if (typeof font !== 'object' || font === null) return undefined
  if (!known.has(font)) known.set(font, read(Reflect.get(font, 'data')))
  return known.get(font)
}
