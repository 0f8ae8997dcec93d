import { doubtful } from './doubt.ts'
import { garbledShare } from './legible.ts'
import type { Glyph, PageModel, PdfFont } from './page-model.ts'
import type { Drawn } from './raster.ts'

/** A page some of whose glyphs are to be read from how they look. */
export interface UnreadPage {
  /** All of its glyphs: those beside one tell what it may be. */
  readonly glyphs: readonly Glyph[]
  /** Those of which nobody knows what they stand for; … */
  readonly isUnknown: (glyph: Glyph) => boolean
  /** … and fonts that may say something else than what they show. */
  readonly doubtful: ReadonlySet<PdfFont>
  /** Draws the page at so many dots an inch. */
  readonly draw: (dpi: number) => Promise<Drawn>
}

/** Reads glyphs by how they look, all over a document: what it learnt of one on a page it knows on the next. */
export interface GlyphReader {
  /** What glyphs stand for, where that was seen beyond doubt. */
  readonly read: (page: UnreadPage) => Promise<ReadonlyMap<Glyph, string>>
}

/** Fonts of signs and pictures, which nobody reads. */
const SIGNS = /wing ?dings|web ?dings|dingbat|symbol|awesome|icon|emoji|math|mtextra|^(cm(sy|ex|mi)|ms[ab]m)/i

const isReadable = ({ font, isHidden, text, advance }: Glyph): boolean =>
  font.id !== undefined && !font.isVertical && !isHidden && advance > 0 && (text === '' || text.trim() !== '') && !SIGNS.test(font.name)

/** A page without its glyphs that say nothing. */
export const withoutMute = <Page extends PageModel>(page: Page): Page => ({
  ...page,
  glyphs: page.glyphs.filter(({ text }) => text !== ''),
})

/** A page whose glyphs say what they show, as far as a reader finds that out, where their fonts don't say it. */
export async function readGlyphs(page: PageModel, reader: GlyphReader | undefined, draw: UnreadPage['draw']): Promise<PageModel> {
  if (!reader) return withoutMute(page)
  const isUnknown = (glyph: Glyph): boolean => glyph.isGarbled === true && isReadable(glyph)
  const doubts = doubtful(page.glyphs.filter(isReadable))
  if (doubts.size === 0 && !page.glyphs.some(isUnknown)) return withoutMute(page)
  const seen = await reader.read({ glyphs: page.glyphs, isUnknown, doubtful: doubts, draw })
  const glyphs = page.glyphs.map((glyph) => {
    const text = seen.get(glyph)
    return text === undefined ? glyph : { ...glyph, text, isGarbled: false }
  })
  return withoutMute({ ...page, glyphs, garbled: garbledShare(glyphs) })
}
