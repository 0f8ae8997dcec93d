import { readFileSync } from 'node:fs'
import { characterMap } from './font-program.ts'
import { pdfjsFolder } from './pdfjs-folder.ts'
import { charsetOf, cffStrings, tablesOf, type Table } from './sfnt.ts'

/*
 * What glyphs stand for by their names: those of the Adobe Glyph List, as far as a font that pdf.js comes with knows them, and those that tell a
 * character's code themselves. Names of single fonts (g123) tell nothing.
 */

const LATIN = 'LiberationSans-Regular.ttf'
/** The first names of a `post` table are known by number (OpenType, post): three without a character, Mac OS Roman, and these. */
const MAC = { first: 3, codes: 0x20, high: 98, more: 226, count: 258 }
const MORE = 'ŁłŠšŽž¦ÐðÝýÞþ−×¹²³½¼¾₣ĞğİŞşĆćČčđ'
/** What the first standard strings of CFF name, from the second on (TN 5176, appendix A). */
const STANDARD =
  ' !"#$%&’()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_‘abcdefghijklmnopqrstuvwxyz{|}~¡¢£⁄¥ƒ§¤\'“«‹›ﬁﬂ–†‡·¶•‚„”»…‰¿`´ˆ˜¯˘˙¨˚¸˝˛ˇ—ÆªŁØŒºæıłøœß¹¬µ™Ð½±Þ¼÷¦°þ¾²®−ð×³©ÁÂÄÀÅÃÇÉÊËÈÍÎÏÌÑÓÔÖÒÕŠÚÛÜÙÝŸŽáâäàåãçéêëèíîïìñóôöòõšúûüùýÿž'
const STANDARD_STRINGS = 391

function ofMac(place: number): string | undefined {
  if (place < MAC.first) return undefined
  if (place >= MAC.more) return [...MORE][place - MAC.more]
  const code = place < MAC.high ? MAC.codes + place - MAC.first : 0x80 + place - MAC.high
  return new TextDecoder('macintosh').decode(Uint8Array.of(code))
}

type Named = ReadonlyMap<number, { readonly name?: string; readonly character?: string | undefined }>

/** Glyphs' names by a `post` table with names of its own (format 2). */
function postNames(view: DataView, { at, length }: Table): Named {
  const named = new Map<number, { name?: string; character?: string | undefined }>()
  if (view.getUint32(at) !== 0x20000) return named
  const count = view.getUint16(at + 32)
  const own: string[] = []
  for (let place = at + 34 + 2 * count; place < at + length;) {
    const size = view.getUint8(place)
    own.push(Buffer.from(view.buffer, view.byteOffset + place + 1, size).toString('latin1'))
    place += 1 + size
  }
  for (let glyph = 0; glyph < count; glyph++) {
    const place = view.getUint16(at + 34 + 2 * glyph)
    const name = own[place - MAC.count]
    named.set(glyph, place < MAC.count ? { character: ofMac(place) } : name === undefined ? {} : { name })
  }
  return named
}

/** Glyphs' names by the charset of a CFF table; none where its glyphs have numbers in place of names. */
function cffNames(view: DataView, table: Table): Named {
  const strings = cffStrings(view, table)
  const standard = [...STANDARD]
  const entries = charsetOf(view, table).map((sid, glyph) => {
    const name = strings[sid - STANDARD_STRINGS]
    return [glyph, sid < STANDARD_STRINGS ? { character: standard[sid - 1] } : name === undefined ? {} : { name }] as const
  })
  return new Map(entries)
}

let list: ReadonlyMap<string, string> | undefined

/** Names with their characters, of all glyphs that a common font has. */
function commonNames(): ReadonlyMap<string, string> {
  const bytes = readFileSync(pdfjsFolder('standard_fonts') + LATIN)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const post = tablesOf(view).get('post')
  const named: Named = post ? postNames(view, post) : new Map()
  const names = new Map<string, string>()
  for (const [code, glyph] of characterMap(bytes)) {
    const name = named.get(glyph)?.name
    if (name !== undefined && !names.has(name)) names.set(name, String.fromCodePoint(code))
  }
  return names
}

/** Signs that nobody sees, or that stand for another: what the glyphs of these names show. */
const SHOWN: Readonly<Record<string, string>> = { '\u00ad': '-', '\u00a0': ' ', '\u2126': 'Ω' }

const CODED = /^(?:uni((?:[0-9A-F]{4})+)|u([0-9A-F]{4,6}))$/

/** What a glyph's name says, by the rules of the Adobe Glyph List; undefined where it says nothing. */
function meaningOf(name: string, names: ReadonlyMap<string, string>): string | undefined {
  const parts = name.replace(/\..*$/s, '').split('_')
  const texts = parts.map((part) => {
    const [, codes, code] = CODED.exec(part) ?? []
    const points = codes ? (codes.match(/.{4}/g) ?? []) : code ? [code] : undefined
    if (!points) return names.get(part) ?? (/^[A-Za-z]$/.test(part) ? part : undefined)
    return points.map((point) => String.fromCodePoint(Math.min(0x10ffff, Number.parseInt(point, 16)))).join('')
  })
  return texts.some((text) => text === undefined) || name === '' ? undefined : texts.join('')
}

/** What the glyphs of a font file stand for by their names; empty where they have none that tell. */
export function namedCharacters(bytes: Uint8Array): ReadonlyMap<number, string> {
  const characters = new Map<number, string>()
  try {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const isBare = view.getUint8(0) === 1 && view.getUint8(1) === 0 && view.getUint8(2) < 16
    const tables = isBare ? new Map([['CFF ', { at: 0, length: bytes.length }]]) : tablesOf(view)
    const [cff, post] = [tables.get('CFF '), tables.get('post')]
    const named: Named = cff ? cffNames(view, cff) : post ? postNames(view, post) : new Map()
    list ??= commonNames()
    for (const [glyph, { name, character }] of named) {
      const text = character ?? (name === undefined ? undefined : meaningOf(name, list))
      if (text !== undefined && glyph > 0) characters.set(glyph, SHOWN[text] ?? text)
    }
  } catch {
    // No font of these kinds, or a broken one.
  }
  return characters
}
