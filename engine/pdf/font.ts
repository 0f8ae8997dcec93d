import { programOf } from './font-program.ts'
import type { PdfFont } from './page-model.ts'

const BOLD = /bold|black|heavy|semibold|demi|[-,]bd|粗|-Medi$|-MediItal|CMBX|\bXBd/i
const ITALIC = /ital|obliq/i
const SUBSET_TAG = /^[A-Z]{6}\+/

/** A name as it was meant whose bytes were UTF-8 or GBK and were read as Latin-1 (å®ä½ for 宋体). */
export function inUnicode(name: string): string {
  if (!/[\u0080-\u00ff]/.test(name) || /[\u0100-\uffff]/.test(name)) return name
  const bytes = Buffer.from(name, 'latin1')
  for (const encoding of ['utf-8', 'gb18030']) {
    try {
      return new TextDecoder(encoding, { fatal: true }).decode(bytes)
    } catch {
      // Not in this one.
    }
  }
  return name
}

const property = (value: object, key: string): unknown => Reflect.get(value, key)

/** The id of a font whose glyphs the file holds, as outlines or as drawings. */
function idOf(font: object): string | undefined {
  const id = property(font, 'loadedName')
  const isHeld = property(font, 'data') instanceof Uint8Array || property(font, 'isType3Font') === true
  return typeof id === 'string' && isHeld ? id : undefined
}

/** The number that a code's glyph has in a font's program. */
function glyphOf(font: object, code: number): number | undefined {
  const codes = property(font, 'toFontChar')
  const letter: unknown = typeof codes === 'object' && codes !== null ? Reflect.get(codes, code) : undefined
  return programOf(font)?.glyphs.get(typeof letter === 'number' ? letter : code)
}

/** The codes of a font of which its file says what they stand for; undefined where it says nothing of single ones. */
export function saidCodes(font: unknown): object | undefined {
  const map: unknown = typeof font === 'object' && font !== null ? property(font, 'toUnicode') : undefined
  const said: unknown = typeof map === 'object' && map !== null ? property(map, '_map') : undefined
  return typeof said === 'object' && said !== null ? said : undefined
}

/**
 * What a code of a simple font shows by the name of its glyph, where what the font says of it differs in case only: some programs map capitals to the
 * small letters they were typed as.
 */
export function capitalOf(font: unknown, code: number, told: string): string {
  if (!/^[a-z]$/.test(told) || typeof font !== 'object' || font === null || property(font, 'composite') === true) return told
  const named = [property(font, 'differences'), property(font, 'defaultEncoding')].map((names): unknown =>
    typeof names === 'object' && names !== null ? Reflect.get(names, code) : undefined,
  )
  const name = named.find((one) => typeof one === 'string' && one !== '')
  return name === told.toUpperCase() ? name : told
}

/** What a page needs to know of a font as pdf.js hands it over. */
export function fontOf(raw: unknown): PdfFont {
  const font = typeof raw === 'object' && raw !== null ? raw : {}
  const given = property(font, 'name')
  const name = inUnicode(typeof given === 'string' ? given : '').replace(SUBSET_TAG, '')
  const matrix = property(font, 'fontMatrix')
  // pdf.js's map from codes to themselves has bounds in place of entries.
  const map = property(font, 'toUnicode')
  const isUnmapped = property(font, 'composite') === true && typeof map === 'object' && map !== null && 'firstChar' in map
  const id = idOf(font)
  const unit = Array.isArray(matrix) && typeof matrix[0] === 'number' && matrix[0] !== 0 ? Math.abs(matrix[0]) : 0.001
  return {
    name,
    isBold: property(font, 'bold') === true || property(font, 'black') === true || BOLD.test(name),
    isItalic: property(font, 'italic') === true || ITALIC.test(name),
    isSerif: property(font, 'isSerifFont') === true,
    isMonospace: property(font, 'isMonospace') === true,
    isVertical: property(font, 'vertical') === true,
    unit,
    ...(isUnmapped && { isUnmapped }),
    ...(id !== undefined && { id, fullName: typeof given === 'string' ? given : '', glyphOf: (code: number) => glyphOf(font, code) }),
  }
}
