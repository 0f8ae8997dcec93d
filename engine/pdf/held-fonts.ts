import { characterMap } from './font-program.ts'
import { namedCharacters } from './glyph-names.ts'
import { memoryOf, type Pdfium } from './pdfium.ts'

/** A font file that a page's PDF holds, as it holds it: pdf.js hands over what it made of it. */
export interface HeldFont {
  /** As the PDF names it, its subset tag included. */
  readonly name: string
  readonly bytes: Uint8Array
}

const TEXT_OBJECT = 1
const FORM_OBJECT = 5
const MAX_DEPTH = 12
/** A page has no more fonts than this whose files are looked at. */
const MAX_FONTS = 64

/** The fonts of an object, and of those that a form holds. */
function addFonts(pdfium: Pdfium, object: number, fonts: Set<number>, depth: number): void {
  const type = pdfium.FPDFPageObj_GetType(object)
  if (type === TEXT_OBJECT && fonts.size < MAX_FONTS) fonts.add(pdfium.FPDFTextObj_GetFont(object))
  if (type !== FORM_OBJECT || depth >= MAX_DEPTH) return
  const inner = pdfium.FPDFFormObj_CountObjects(object)
  for (let at = 0; at < inner; at++) addFonts(pdfium, pdfium.FPDFFormObj_GetObject(object, at), fonts, depth + 1)
}

/** What a function of PDFium writes that is first asked how much that is. */
function written(pdfium: Pdfium, bytes: number, write: (to: number, room: number) => void): Uint8Array {
  const address = pdfium.malloc(Math.max(1, bytes))
  if (address === 0) return new Uint8Array()
  write(address, bytes)
  const copy = memoryOf(pdfium).slice(address, address + bytes)
  pdfium.free(address)
  return copy
}

function fileOf(pdfium: Pdfium, font: number): HeldFont | undefined {
  if (font === 0 || pdfium.FPDFFont_GetIsEmbedded(font) !== 1) return undefined
  const nameBytes = pdfium.FPDFFont_GetBaseFontName(font, 0, 0)
  const name = written(pdfium, nameBytes, (to, room) => pdfium.FPDFFont_GetBaseFontName(font, to, room))
  const count = written(pdfium, 4, (to) => pdfium.FPDFFont_GetFontData(font, 0, 0, to))
  const length = count.length === 4 ? new DataView(count.buffer).getUint32(0, true) : 0
  const told = pdfium.malloc(4)
  const bytes = written(pdfium, length, (to, room) => pdfium.FPDFFont_GetFontData(font, to, room, told))
  pdfium.free(told)
  return { name: Buffer.from(name).toString('utf8').replace(/\0.*$/, ''), bytes }
}

/** The font files that an open page's text is painted with. */
export function heldFonts(pdfium: Pdfium, page: number): readonly HeldFont[] {
  const fonts = new Set<number>()
  const objects = pdfium.FPDFPage_CountObjects(page)
  for (let at = 0; at < objects; at++) addFonts(pdfium, pdfium.FPDFPage_GetObject(page, at), fonts, 0)
  return [...fonts].flatMap((font) => fileOf(pdfium, font) ?? [])
}

/** Radicals, parts of characters and forms for compatibility: a glyph that is also a character is that. */
const LESSER = /[\u2e80-\u2fdf\u31c0-\u31ef\uf900-\ufaff\ufe30-\ufe4f]/
const NOTHING = /^[\p{Cc}\p{Co}\p{Cn}\p{Cf}]$/u

/** What the glyphs of a font file stand for by its own map of characters, else by their names; by their numbers. */
export function charactersOf({ bytes }: HeldFont): ReadonlyMap<number, string> {
  const mapped = mappedCharacters(bytes)
  return mapped.size > 0 ? mapped : namedCharacters(bytes)
}

function mappedCharacters(bytes: Uint8Array): ReadonlyMap<number, string> {
  const characters = new Map<number, string>()
  for (const [code, glyph] of characterMap(bytes)) {
    const character = String.fromCodePoint(code)
    const known = characters.get(glyph)
    if (!NOTHING.test(character) && (known === undefined || (LESSER.test(known) && !LESSER.test(character))))
      characters.set(glyph, character)
  }
  return characters
}
