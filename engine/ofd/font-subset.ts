import type { FontProgram } from '../pdf/font-program.ts'
import { charStringsAt, componentsAt, glyphsAt, tablesOf, type Table } from '../pdf/sfnt.ts'

const END_CHAR = 14
/** Tables that readers shape text by, which are told every glyph here. */
const FOR_SHAPING = /^(GSUB|GPOS|GDEF|JSTF|BASE|kern|morx|mort|feat|DSIG|hdmx|VDMX|LTSH)$/

/** A program's bytes, and where its tables lie. */
interface Copy {
  readonly bytes: Uint8Array
  readonly view: DataView
  readonly tables: ReadonlyMap<string, Table>
}

/** Glyphs drawn by quadratic curves: those that nobody uses have no outline any more, and what they took is zeros. */
function emptyOutlines({ bytes, view, tables }: Copy, used: ReadonlySet<number>): void {
  const starts = glyphsAt(view, tables)
  const [head, loca, glyf] = ['head', 'loca', 'glyf'].map((tag) => tables.get(tag))
  if (!starts || !head || !loca || !glyf) return
  const kept = new Set(used)
  // Grows while it is gone through: parts may have parts.
  for (const glyph of kept) for (const part of componentsAt(view, starts[glyph] ?? 0, starts[glyph + 1] ?? 0)) kept.add(part)
  const isLong = view.getUint16(head.at + 50) !== 0
  let next = starts.at(-1) ?? 0
  for (let glyph = starts.length - 2; glyph >= 0; glyph--) {
    const [start, end] = [starts[glyph] ?? 0, starts[glyph + 1] ?? 0]
    if (kept.has(glyph) && start < end) next = start
    else bytes.fill(0, start, end)
    if (isLong) view.setUint32(loca.at + 4 * glyph, next - glyf.at)
    else view.setUint16(loca.at + 2 * glyph, (next - glyf.at) / 2)
  }
}

/** Glyphs drawn by cubic curves: those that nobody uses end where they begin. */
function emptyCharStrings({ bytes, view }: Copy, cff: Table, used: ReadonlySet<number>): void {
  const starts = charStringsAt(view, cff) ?? []
  for (const [glyph, start] of starts.entries()) if (!used.has(glyph)) bytes.fill(END_CHAR, start, starts[glyph + 1] ?? start)
}

/** Widths of glyphs that nobody uses; the last one counts for all that follow. */
function emptyWidths({ view, tables }: Copy, used: ReadonlySet<number>): void {
  const [hhea, hmtx] = [tables.get('hhea'), tables.get('hmtx')]
  if (!hhea || !hmtx) return
  const count = view.getUint16(hhea.at + 34)
  for (let glyph = 0; glyph < count - 1; glyph++) if (!used.has(glyph)) view.setUint32(hmtx.at + 4 * glyph, 0)
}

/**
 * A font's program in which only the glyphs in use are drawn. Their numbers stay, and so does every table's place: what is emptied costs next to
 * nothing in a zip.
 */
export function subsetOf(program: FontProgram, used: ReadonlySet<number>): Uint8Array {
  const bytes = program.bytes.slice()
  try {
    const view = new DataView(bytes.buffer)
    const tables = tablesOf(view)
    const copy = { bytes, view, tables }
    const cff = tables.get('CFF ')
    if (cff) emptyCharStrings(copy, cff, used)
    else emptyOutlines(copy, used)
    emptyWidths(copy, used)
    const post = tables.get('post')
    if (post) {
      // Version 3: glyphs without names.
      bytes.fill(0, post.at + 32, post.at + post.length)
      view.setUint32(post.at, 0x0003_0000)
    }
    for (const [tag, { at, length }] of tables) if (FOR_SHAPING.test(tag)) bytes.fill(0, at, at + length)
    return bytes
  } catch (thrown) {
    if (thrown instanceof RangeError) return program.bytes
    throw thrown
  }
}
