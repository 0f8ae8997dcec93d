import { founderLetters } from './founder-letters.ts'
import type { Glyph, PdfFont } from './page-model.ts'
import { characterWidth } from '../office/text-width.ts'

/** Codes of letters, digits and signs that are as wide as Chinese characters. */
const FULL_WIDTH = /^[\u3000-\u303f\uff00-\uffef]$/
/** So much of a font's glyphs tells what all of it is. */
const MOST = 0.9
const SOME = 8

const emsOf = ({ advance, size }: Glyph): number => advance / size
const isHalf = (glyph: Glyph): boolean =>
  Math.abs(emsOf(glyph) - 0.5) < 0.06 && (FULL_WIDTH.test(glyph.text) || founderLetters.has(glyph.text))

/** The size in which most glyphs are set that are one em wide, as Chinese characters are. */
function bodySize(glyphs: readonly Glyph[]): number | undefined {
  const counts = new Map<number, number>()
  for (const glyph of glyphs) {
    if (Math.abs(emsOf(glyph) - 1) > 0.1) continue
    const size = Math.round(glyph.size)
    counts.set(size, (counts.get(size) ?? 0) + 1)
  }
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0]
}

/**
 * Fonts that Founder's typesetting programs make of their signs and letters: under full-width codes, drawn in the lower half of an em that is twice as
 * large as the text. They are known by that: all are half an em wide, and half their size is that of the page's Chinese text.
 */
export function halfEmFonts(glyphs: readonly Glyph[], fonts: ReadonlyMap<PdfFont, readonly Glyph[]>): ReadonlySet<PdfFont> {
  const body = bodySize(glyphs)
  if (body === undefined) return new Set()
  const isDouble = ({ size }: Glyph): boolean => Math.abs(size / 2 / body - 1) < 0.2
  const isHalfEm = (own: readonly Glyph[]): boolean => own.filter((one) => isHalf(one) && isDouble(one)).length > own.length * MOST
  return new Set([...fonts].filter(([, own]) => isHalfEm(own)).map(([font]) => font))
}

/** Letters of a font that nearly all stand as far from the next stand in cells of that width, in sizes. */
const CELLS = 0.6
const CELL_VARIES = 0.008

/** The width of the cells that a font's letters stand in, in parts of its em; undefined where they stand as close as each allows. */
function cellOf(own: readonly Glyph[]): number | undefined {
  const distances = own.flatMap(({ x, y, size }, at) => {
    const next = own[at + 1]
    return next && Math.abs(next.y - y) < size * 0.1 && next.x > x && next.x - x < size ? [(next.x - x) / size] : []
  })
  const usual = distances.toSorted((a, b) => a - b)[distances.length >> 1]
  const isCell = (distance: number): boolean => usual !== undefined && Math.abs(distance - usual) < CELL_VARIES
  return distances.filter(isCell).length >= Math.max(SOME, distances.length * CELLS) ? usual : undefined
}

/**
 * Glyphs of such a font as they are seen. Its letters stand closer than their ems, so that the gaps between words begin where letters end.
 */
export function inHalfEm(own: readonly Glyph[]): readonly Glyph[] {
  const cell = cellOf(own)
  return own.map((glyph) => {
    const { text, advance, font } = glyph
    const size = glyph.size / 2
    if (!/^[!-~]$/.test(text)) return { ...glyph, size }
    const face = { latin: 'Times New Roman', isBold: font.isBold, isItalic: font.isItalic }
    const width = cell === undefined ? characterWidth(text, face, false) * size : cell * glyph.size
    return { ...glyph, size, advance: Math.min(advance, width) }
  })
}
