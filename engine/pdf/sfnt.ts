/** A table of an OpenType font: where it lies in the file. */
export interface Table {
  readonly at: number
  readonly length: number
}

/** The tables of an OpenType font by their tags. Throws RangeError where the file ends too early. */
export function tablesOf(view: DataView): ReadonlyMap<string, Table> {
  const tables = new Map<string, Table>()
  for (let nth = 0; nth < view.getUint16(4); nth++) {
    const at = 12 + 16 * nth
    const tag = String.fromCharCode(view.getUint8(at), view.getUint8(at + 1), view.getUint8(at + 2), view.getUint8(at + 3))
    tables.set(tag, { at: view.getUint32(at + 8), length: view.getUint32(at + 12) })
  }
  return tables
}

/** Where the items of a CFF INDEX begin, and at last where the INDEX ends (Adobe TN 5176 §5). */
export function indexAt(view: DataView, at: number): readonly number[] {
  const count = view.getUint16(at)
  if (count === 0) return [at + 2]
  const size = view.getUint8(at + 2)
  const data = at + 3 + (count + 1) * size - 1
  return Array.from({ length: count + 1 }, (_, nth) => {
    let offset = 0
    for (let byte = 0; byte < size; byte++) offset = offset * 256 + view.getUint8(at + 3 + nth * size + byte)
    return data + offset
  })
}

/** A number of a CFF DICT, and where the next thing begins (TN 5176 §4); NaN for a real one, which no offset is. */
function operand(view: DataView, at: number): readonly [number, number] {
  const first = view.getUint8(at)
  if (first === 28) return [view.getInt16(at + 1), at + 3]
  if (first === 29) return [view.getInt32(at + 1), at + 5]
  if (first === 30) {
    let end = at + 1
    while ((view.getUint8(end) & 0x0f) !== 0x0f) end++
    return [NaN, end + 1]
  }
  if (first <= 246) return [first - 139, at + 1]
  if (first <= 250) return [(first - 247) * 256 + view.getUint8(at + 1) + 108, at + 2]
  return [-(first - 251) * 256 - view.getUint8(at + 1) - 108, at + 2]
}

/** Operators of a Top DICT (TN 5176 §9); two bytes long behind 12. */
const [CHARSET, CHAR_STRINGS, NUMBERED] = [15, 17, 1230]

/** What a CFF table's first Top DICT says: operators with their last number. */
function topDict(view: DataView, { at: cff }: Table): { readonly entries: ReadonlyMap<number, number>; readonly end: number } {
  const names = indexAt(view, cff + view.getUint8(cff + 2))
  const dicts = indexAt(view, names.at(-1) ?? cff)
  const entries = new Map<number, number>()
  let [at, end] = [dicts[0] ?? 0, dicts[1] ?? 0]
  let value = NaN
  while (at < end) {
    const byte = view.getUint8(at)
    if (byte <= 21) {
      entries.set(byte === 12 ? 1200 + view.getUint8(at + 1) : byte, value)
      at += byte === 12 ? 2 : 1
    } else [value, at] = operand(view, at)
  }
  return { entries, end: dicts.at(-1) ?? cff }
}

/** Where the glyphs' charstrings begin in a CFF table, and at last where they end; undefined where there are none. */
export function charStringsAt(view: DataView, table: Table): readonly number[] | undefined {
  const at = topDict(view, table).entries.get(CHAR_STRINGS) ?? 0
  return at > 0 ? indexAt(view, table.at + at) : undefined
}

/** A CFF table's own strings, which its numbers of names from 391 on stand for. */
export function cffStrings(view: DataView, table: Table): readonly string[] {
  const places = indexAt(view, topDict(view, table).end)
  return places.slice(0, -1).map((at, nth) => {
    const length = (places[nth + 1] ?? at) - at
    return String.fromCharCode(...Array.from({ length }, (_, byte) => view.getUint8(at + byte)))
  })
}

/** The numbers of the names of a CFF table's glyphs (TN 5176 §13); empty where they have none, or the standard ones. */
export function charsetOf(view: DataView, table: Table): readonly number[] {
  const { entries } = topDict(view, table)
  const at = table.at + (entries.get(CHARSET) ?? 0)
  const count = (charStringsAt(view, table)?.length ?? 1) - 1
  if (entries.has(NUMBERED) || at < table.at + 3) return []
  const [format, names] = [view.getUint8(at), [0]]
  if (format === 0) for (let nth = 0; nth < count - 1; nth++) names.push(view.getUint16(at + 1 + 2 * nth))
  if (format !== 1 && format !== 2) return names.slice(0, count)
  const step = format === 1 ? 3 : 4
  for (let place = at + 1; names.length < count; place += step) {
    const left = format === 1 ? view.getUint8(place + 2) : view.getUint16(place + 2)
    for (let more = 0; more <= left; more++) names.push(view.getUint16(place) + more)
  }
  return names.slice(0, count)
}

/** Where the glyphs' outlines begin in a `glyf` table, and at last where they end. */
export function glyphsAt(view: DataView, tables: ReadonlyMap<string, Table>): readonly number[] | undefined {
  const [head, loca, glyf, maxp] = ['head', 'loca', 'glyf', 'maxp'].map((tag) => tables.get(tag))
  if (!head || !loca || !glyf || !maxp) return undefined
  const isLong = view.getUint16(head.at + 50) !== 0
  const count = view.getUint16(maxp.at + 4) + 1
  return Array.from(
    { length: count },
    (_, nth) => glyf.at + (isLong ? view.getUint32(loca.at + 4 * nth) : 2 * view.getUint16(loca.at + 2 * nth)),
  )
}

/** What follows a part of a composite glyph, by its flags (OpenType, `glyf`). */
const PART = { wide: 0x01, scale: 0x08, more: 0x20, twoScales: 0x40, matrix: 0x80 } as const

/** The glyphs that a composite glyph is made of; none for any other. */
export function componentsAt(view: DataView, at: number, end: number): readonly number[] {
  const parts: number[] = []
  if (end - at < 10 || view.getInt16(at) >= 0) return parts
  let place = at + 10
  for (let hasMore = true; hasMore && place + 4 <= end;) {
    const flags = view.getUint16(place)
    parts.push(view.getUint16(place + 2))
    const scales = flags & PART.matrix ? 8 : flags & PART.twoScales ? 4 : flags & PART.scale ? 2 : 0
    place += 4 + (flags & PART.wide ? 4 : 2) + scales
    hasMore = (flags & PART.more) !== 0
  }
  return parts
}
