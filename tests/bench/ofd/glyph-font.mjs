/**
 * An OpenType font whose glyphs are asked for by their numbers: its `cmap` is put in place of by one that maps U+F0000 and what follows to
 * glyph 0 and what follows. Only what a browser draws by stays.
 */
export function byGlyphs(/** @type {Uint8Array} */ font) {
  const view = new DataView(font.buffer, font.byteOffset, font.byteLength)
  /** @type {Map<string, Uint8Array>} */
  const tables = new Map()
  for (let nth = 0; nth < view.getUint16(4); nth++) {
    const at = 12 + 16 * nth
    const tag = String.fromCharCode(...font.subarray(at, at + 4))
    const start = view.getUint32(at + 8)
    tables.set(tag, font.subarray(start, start + view.getUint32(at + 12)))
  }
  const maxp = tables.get('maxp')
  if (!maxp) throw new Error('a font without glyphs')
  tables.set('cmap', cmapOf(new DataView(maxp.buffer, maxp.byteOffset).getUint16(4)))
  // Ligatures and kerning are no business of a reader that is told each glyph.
  for (const tag of ['GSUB', 'GPOS', 'GDEF', 'kern', 'DSIG']) tables.delete(tag)
  return fontOf(view.getUint32(0), tables)
}

/** What a glyph is asked for by. */
export const letterOf = (/** @type {number} */ glyph) => String.fromCodePoint(0xf0000 + glyph)

function cmapOf(/** @type {number} */ glyphs) {
  const table = new DataView(new ArrayBuffer(4 + 8 + 16 + 12))
  table.setUint16(2, 1)
  table.setUint16(4, 3)
  table.setUint16(6, 10)
  table.setUint32(8, 12)
  table.setUint16(12, 12)
  table.setUint32(16, 28)
  table.setUint32(24, 1)
  table.setUint32(28, 0xf0000)
  table.setUint32(32, 0xf0000 + glyphs - 1)
  return new Uint8Array(table.buffer)
}

function fontOf(/** @type {number} */ flavour, /** @type {Map<string, Uint8Array>} */ tables) {
  const entries = [...tables].toSorted(([a], [b]) => (a < b ? -1 : 1))
  let end = 12 + 16 * entries.length
  const places = entries.map(([, bytes]) => {
    const at = end
    end += Math.ceil(bytes.length / 4) * 4
    return at
  })
  const font = new Uint8Array(end)
  const view = new DataView(font.buffer)
  view.setUint32(0, flavour)
  view.setUint16(4, entries.length)
  for (const [nth, [tag, bytes]] of entries.entries()) {
    const at = 12 + 16 * nth
    for (let letter = 0; letter < 4; letter++) view.setUint8(at + letter, tag.charCodeAt(letter))
    font.set(bytes, places[nth])
    let sum = 0
    for (let word = 0; word < bytes.length; word += 4) sum = (sum + view.getUint32(Number(places[nth]) + word)) >>> 0
    view.setUint32(at + 4, sum)
    view.setUint32(at + 8, Number(places[nth]))
    view.setUint32(at + 12, bytes.length)
  }
  return font
}
