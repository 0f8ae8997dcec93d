import type { Box } from '../pdf/box.ts'
import type { Glyph, PageModel, PdfFont } from '../pdf/page-model.ts'

/** A picture of this share of its page that letters without ink stand on is a scan, and they its text layer. */
const SCAN = 0.5
/** Fonts of programs that recognise text: they have no letters at all, all of one width. */
const GLYPHLESS = /glyph-?less|hidden|invisible/i
/** Letters without ink have no colour that anybody saw. */
const INK = '#000000'

const isWhole = ({ left, top, right, bottom }: Box, { width, height }: PageModel): boolean =>
  (right - left) * (bottom - top) > SCAN * width * height

/** Whether a page's text is a scan's text layer: most of its letters are not seen, and a picture shows them. */
export function isScanned(page: PageModel): boolean {
  const hidden = page.glyphs.filter(({ isHidden }) => isHidden).length
  return page.images.some((image) => isWhole(image, page)) && hidden > 0.5 * page.glyphs.length
}

const seenFont = (font: PdfFont): PdfFont => (GLYPHLESS.test(font.name) ? { ...font, isMonospace: false, isSerif: true } : font)

/** A scanned page as its text layer tells it: letters are seen, pictures of the page are gone with what they showed, others stay. */
export function textLayerOf(page: PageModel): PageModel {
  const fonts = new Map<PdfFont, PdfFont>()
  const seen = (glyph: Glyph): Glyph => {
    if (!glyph.isHidden) return glyph
    const font = fonts.get(glyph.font) ?? seenFont(glyph.font)
    fonts.set(glyph.font, font)
    return { ...glyph, font, colour: INK, isHidden: false }
  }
  return {
    ...page,
    glyphs: page.glyphs.map(seen),
    images: page.images.filter((image) => !isWhole(image, page)),
    ...(page.painted && { painted: page.painted.filter((one) => one.kind !== 'picture' || !isWhole(one.image, page)) }),
  }
}
