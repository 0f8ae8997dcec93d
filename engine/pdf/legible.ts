import { founderLetters } from './founder-letters.ts'
import { halfEmFonts, inHalfEm } from './half-em.ts'
import type { Glyph, PdfFont } from './page-model.ts'
import { withoutRadicals } from './radicals.ts'

/** A page's glyphs with what they truly say, and the share of those of which that is not known. */
export interface Legible {
  readonly glyphs: readonly Glyph[]
  /** From 0 to 1. */
  readonly garbled: number
}

/** The 3,755 characters of GB 2312's first level: what nearly all Chinese text consists of. */
const common = new Set(
  Array.from({ length: 40 * 94 }, (_, at) => Uint8Array.of(0xb0 + Math.floor(at / 94), 0xa1 + (at % 94))).map((bytes) =>
    new TextDecoder('gbk').decode(bytes),
  ),
)

/** Marks of Symbol and Wingdings, which lists begin with; programs leave them where those fonts keep them. */
const MARKS: Readonly<Record<string, string>> = {
  '\uf0b7': '•',
  '\uf06c': '●',
  '\uf06e': '■',
  '\uf0a7': '▪',
  '\uf0a8': '□',
  '\uf06f': '□',
  '\uf071': '❑',
  '\uf072': '❒',
  '\uf075': '◆',
  '\uf076': '❖',
  '\uf0d8': '➢',
  '\uf0e0': '→',
  '\uf0e8': '➔',
  '\uf0f0': '⇨',
  '\uf0fc': '✓',
  '\uf0fb': '✗',
  '\uf0fe': '☑',
  '\uf0fd': '☒',
  '\uf0a1': '○',
  '\uf0b2': '☆',
  '\uf0ab': '★',
}

/** Marks of Wingdings 2, where forms have their boxes (☑是 □否): other signs than Wingdings has at the same places. */
const MARKS_2: Readonly<Record<string, string>> = {
  '\uf04f': '✗',
  '\uf050': '✓',
  '\uf051': '☒',
  '\uf052': '☑',
  '\uf053': '☒',
  '\uf054': '☒',
  '\uf097': '●',
  '\uf0a2': '■',
  '\uf0a3': '□',
}

/** The sign that a font of signs shows for a code of its own; undefined for all other text. */
export const markOf = (text: string, { name }: Pick<PdfFont, 'name'>): string | undefined =>
  (/wingdings[- ]?2/i.test(name) ? MARKS_2 : MARKS)[text]

const LIGATURE = /[\ufb00-\ufb06]/g
/** Letters and digits as wide as Chinese characters, which typesetting programs name where they paint narrow ones. */
const WIDE_LETTER = /[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\uff0e]/g
const NARROW = 0.72
/** The dots of a formula where maps of Chinese fonts name an ellipsis so, which is as wide as a character. */
const [DOTS, WIDE] = ['\u22ef', 0.9]
const UNKNOWN = /[\p{Co}\p{Cn}\ufffd]/u
const LATIN = /^[\u0021-\u00ff]+$/
/** So much of a font's text tells what all of it is. */
const MOST = 0.9
const SOME_LETTERS = 6
const SOME_GLYPHS = 20

const shareOf = (glyphs: readonly Glyph[], is: (glyph: Glyph) => boolean): number => glyphs.filter(is).length / Math.max(1, glyphs.length)

function mended(text: string, isNarrow: boolean, { name }: PdfFont): string {
  // Letters of ASCII, which most are, say what they show.
  if (text.length === 1 && text < '\u007f') return text
  const plain = withoutRadicals(text, name).replace(LIGATURE, (sign) => sign.normalize('NFKC'))
  return isNarrow ? plain.replace(WIDE_LETTER, (letter) => letter.normalize('NFKC')) : plain
}

/** Latin signs that are all as wide as they are high are Chinese characters under other codes. */
export const isWideLatin = (glyphs: readonly Glyph[]): boolean =>
  new Set(glyphs.map(({ text }) => text)).size >= SOME_LETTERS &&
  shareOf(glyphs, ({ text, advance, size }) => LATIN.test(text) && Math.abs(advance / size - 1) < 0.08) >= MOST

const isLikely = ({ text }: Glyph): boolean => common.has(text) || /^[\u0020-\u007e\u3000-\u30ff\uff00-\uff5e\u2010-\u2044]+$/.test(text)

/** Whether glyph numbers stand for text: signs of all kinds, or codes that no text has. */
function isNumbers(font: PdfFont, glyphs: readonly Glyph[], silent: number): boolean {
  if (!font.isUnmapped || glyphs.length + silent < SOME_GLYPHS) return false
  return silent > (glyphs.length + silent) * 0.02 || shareOf(glyphs, isLikely) < 0.5
}

function mendedFont(font: PdfFont, glyphs: readonly Glyph[], silent: number): readonly Glyph[] {
  const seen = glyphs.filter(({ text }) => text.trim() !== '')
  if (seen.length > 1 && shareOf(seen, ({ text }) => founderLetters.has(text)) >= 0.75)
    return glyphs.map((glyph) => {
      const text = founderLetters.get(glyph.text) ?? glyph.text
      return UNKNOWN.test(text) ? { ...glyph, isGarbled: true } : { ...glyph, text }
    })
  if (isWideLatin(seen) || isNumbers(font, seen, silent)) return glyphs.map((glyph) => ({ ...glyph, isGarbled: true }))
  return glyphs.map((glyph) => {
    const mark = glyph.text === DOTS && glyph.advance > WIDE * glyph.size ? '…' : markOf(glyph.text, font)
    if (mark !== undefined) return { ...glyph, text: mark, isGarbled: false }
    const text = mended(glyph.text, glyph.advance < glyph.size * NARROW, font)
    if (UNKNOWN.test(text)) return { ...glyph, isGarbled: true }
    return text === glyph.text ? glyph : { ...glyph, text }
  })
}

/** The share of glyphs of which it is not known what they stand for, from 0 to 1. */
export function garbledShare(glyphs: readonly Glyph[]): number {
  const seen = glyphs.filter(({ text }) => text === '' || text.trim() !== '')
  return shareOf(seen, ({ isGarbled }) => isGarbled === true)
}

/** What glyphs truly say, as far as their codes, fonts and widths tell it; what stays unknown is marked. Those without text stay as they are. */
export function legible(glyphs: readonly Glyph[]): Legible {
  const fonts = new Map<PdfFont, Glyph[]>()
  const silent = new Map<PdfFont, number>()
  for (const { font, text } of glyphs) {
    fonts.set(font, [])
    if (text === '') silent.set(font, 1 + (silent.get(font) ?? 0))
  }
  for (const glyph of glyphs) if (glyph.text !== '') fonts.get(glyph.font)?.push(glyph)
  const mendedGlyphs = new Map<Glyph, Glyph>()
  for (const [font, own] of fonts) {
    const better = mendedFont(font, own, silent.get(font) ?? 0)
    for (const [at, glyph] of own.entries()) mendedGlyphs.set(glyph, better[at] ?? glyph)
  }
  const halfEm = halfEmFonts(glyphs, fonts)
  for (const font of halfEm) {
    const own = fonts.get(font) ?? []
    const better = inHalfEm(own.map((glyph) => mendedGlyphs.get(glyph) ?? glyph))
    for (const [at, glyph] of own.entries()) mendedGlyphs.set(glyph, better[at] ?? glyph)
  }
  const all = glyphs.map((glyph) => mendedGlyphs.get(glyph) ?? glyph)
  return { glyphs: all, garbled: garbledShare(all) }
}
