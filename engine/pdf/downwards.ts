import type { Glyph, PdfFont } from './page-model.ts'

/** Letters of text, and how many of them show that a page is written downwards: as a number, and as a share of those that are drawn. */
const LEAST = { letters: 12, share: 0.6 }
/** A letter below another stands under it, in sizes, and so far from it. */
const UNDER = { aside: 0.25, from: 0.7, to: 1.6 }

const isUnder = (before: Glyph, { x, y, size, angle, advance }: Glyph): boolean =>
  before.angle === 0 &&
  angle === 0 &&
  Math.abs(before.size - size) < 0.1 * size &&
  Math.abs(advance - size) < 0.1 * size &&
  Math.abs(before.x - x) < UNDER.aside * size &&
  y - before.y > UNDER.from * size &&
  y - before.y < UNDER.to * size

/**
 * A page's glyphs where its text is written downwards by a program that says so nowhere, and puts each letter of an ordinary font below the one before (as
 * LibreOffice does): the same as if their fonts were for vertical writing.
 */
export function writtenDownwards(glyphs: readonly Glyph[]): readonly Glyph[] {
  const drawn = glyphs.filter(({ text, font }) => text.trim() !== '' && !font.isVertical)
  const under = drawn.filter((glyph, at) => at > 0 && isUnder(drawn[at - 1] ?? glyph, glyph)).length
  if (under < LEAST.letters || under < LEAST.share * drawn.length) return glyphs
  const fonts = new Map<PdfFont, PdfFont>()
  const vertical = (font: PdfFont): PdfFont => {
    const known = fonts.get(font) ?? { ...font, isVertical: true }
    fonts.set(font, known)
    return known
  }
  return glyphs.map((glyph) => (glyph.angle === 0 ? { ...glyph, font: vertical(glyph.font) } : glyph))
}
