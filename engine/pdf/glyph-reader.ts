import { doubtful } from './doubt.ts'
import { charactersOf, type HeldFont } from './held-fonts.ts'
import { garbledShare, isWideLatin } from './legible.ts'
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
const SIGNS = /wing ?dings|web ?dings|dingbat|symbol|awesome|icon|moon|emoji|math|mtextra|^(cm(sy|ex|mi)|ms[ab]m)/i

const isReadable = ({ font, isHidden, text, advance }: Glyph): boolean =>
  font.id !== undefined && !font.isVertical && !isHidden && advance > 0 && (text === '' || text.trim() !== '') && !SIGNS.test(font.name)

/** A page without its glyphs that say nothing. */
export const withoutMute = <Page extends PageModel>(page: Page): Page => ({
  ...page,
  glyphs: page.glyphs.filter(({ text }) => text !== ''),
})

/** What unread glyphs are told by. */
export interface ReadingHelp {
  readonly reader: GlyphReader | undefined
  readonly draw: UnreadPage['draw']
  /** The font files of the page. */
  readonly fonts: () => Promise<readonly HeldFont[]>
  /** What their own maps say of their glyphs, by the ids of fonts: kept for the pages to come. */
  readonly characters: Map<string, ReadonlyMap<number, string>>
}

/** The characters of a font's glyphs by its own file; none where two fonts of the page have the same name. */
function ownCharacters({ fullName }: PdfFont, files: readonly HeldFont[]): ReadonlyMap<number, string> {
  const [file, other] = files.filter(({ name }) => name === fullName)
  return file && !other ? charactersOf(file) : new Map()
}

/** Glyphs with what their font files say of them, where the document does not. */
async function namedGlyphs(
  glyphs: readonly Glyph[],
  isUnknown: (glyph: Glyph) => boolean,
  { fonts, characters }: ReadingHelp,
): Promise<readonly Glyph[]> {
  const unknown = new Set(glyphs.filter((glyph) => isUnknown(glyph)).map(({ font }) => font))
  const asked = [...unknown].filter(({ id = '' }) => !characters.has(id))
  const files = asked.length > 0 ? await fonts() : []
  for (const font of asked) characters.set(font.id ?? '', ownCharacters(font, files))
  const named = glyphs.map((glyph) => {
    if (!isUnknown(glyph)) return glyph
    const text = characters.get(glyph.font.id ?? '')?.get(glyph.font.glyphOf?.(glyph.code ?? 0) ?? 0)
    return text === undefined ? glyph : { ...glyph, text, isGarbled: false }
  })
  // A map of codes that were given one after the other says nothing either.
  const isFalse = (font: PdfFont): boolean => isWideLatin(named.filter((glyph) => glyph.font === font && glyph.text.trim() !== ''))
  const wrong = new Set([...unknown].filter((font) => isFalse(font)))
  return named.map((glyph, at) => (wrong.has(glyph.font) ? (glyphs[at] ?? glyph) : glyph))
}

/** A page whose glyphs say what they show, as far as their font files or how they look tell it, where the document doesn't. */
export async function readGlyphs(unread: PageModel, help: ReadingHelp): Promise<PageModel> {
  const { reader, draw } = help
  if (!reader) return withoutMute(unread)
  const isUnknown = (glyph: Glyph): boolean => glyph.isGarbled === true && isReadable(glyph)
  // Numbers of glyphs were taken for characters where a font says nothing: its file knows better, if anything.
  const isUntold = (glyph: Glyph): boolean => (glyph.isGarbled === true || glyph.font.isUnmapped === true) && isReadable(glyph)
  const isAsked = unread.glyphs.some(isUntold)
  const named = isAsked ? await namedGlyphs(unread.glyphs, isUntold, help) : unread.glyphs
  const page = isAsked ? { ...unread, glyphs: named, garbled: garbledShare(named) } : unread
  const doubts = doubtful(named.filter(isReadable))
  if (doubts.size === 0 && !named.some(isUnknown)) return withoutMute(page)
  const seen = await reader.read({ glyphs: page.glyphs, isUnknown, doubtful: doubts, draw })
  const glyphs = page.glyphs.map((glyph) => {
    const text = seen.get(glyph)
    return text === undefined ? glyph : { ...glyph, text, isGarbled: false }
  })
  return withoutMute({ ...page, glyphs, garbled: garbledShare(glyphs) })
}
