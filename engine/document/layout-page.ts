import { beforeSlant } from './directions.ts'
import type { Box, Floating, PageLayout, Paragraph, Section } from './document-model.ts'
import { isWithin } from './fill-table.ts'
import { withFormLines } from './form-lines.ts'
import { noteHeads, withoutNotes } from './notes/footnotes.ts'
import { paragraphsOf, type PieceRow } from './paragraphs.ts'
import { textPieces, type Piece, type TurnedText } from './pieces.ts'
import { pictureOf, placedPictures } from './place-pictures.ts'
import { pieceRows } from './rows.ts'
import { edgesOf, runningHeads, type Edges } from './running-heads.ts'
import { isScanned } from './scan-layer.ts'
import { sectionsOf } from './sections.ts'
import { drawnTables } from './tables/drawn-tables.ts'
import { withMarks } from './text-marks.ts'
import { turnedCells } from './turned-cells.ts'
import { StyleBook } from './text-style.ts'
import type { PageModel } from '../pdf/page-model.ts'

/** Where something stands on the page that stands so in the frame of turned text. */
function onPage({ left, top, right, bottom }: Box, turn: TurnedText['turn'], { width, height }: PageModel): Box {
  if (turn === 1) return { left: width - bottom, top: left, right: width - top, bottom: right }
  if (turn === 2) return { left: width - right, top: height - bottom, right: width - left, bottom: height - top }
  if (turn === 3) return { left: top, top: height - right, right: bottom, bottom: height - left }
  return { left, top, right, bottom }
}

function floatingOf({ pieces, turn, isVertical, slant }: TurnedText, page: PageModel): Floating[] {
  const sides = { left: Math.min(...pieces.map(({ left }) => left)), right: Math.max(...pieces.map(({ right }) => right)) }
  return paragraphsOf(pieceRows(pieces), sides).map((paragraph: Paragraph) => ({
    paragraph,
    box: slant === undefined ? onPage(paragraph, turn, page) : beforeSlant(paragraph, slant),
    turn: isVertical ? 0 : turn,
    isVertical,
    ...(slant !== undefined && { slant }),
  }))
}

/** A page's text in pieces, before it is put in order. */
export interface PreparedPage {
  readonly model: PageModel
  readonly texts: readonly TurnedText[]
  /** The text that the page is read by: what stands upright, or what is written downwards. */
  readonly main: TurnedText | undefined
}

/** What of a page is read: a scan's text layer, else only what is seen, where anything is. */
function readable(model: PageModel): PageModel {
  const seen = model.glyphs.filter(({ isHidden }) => !isHidden)
  return seen.length === 0 || seen.length === model.glyphs.length || isScanned(model) ? model : { ...model, glyphs: seen }
}

/** The pieces of a page's text. */
export function preparedPage(given: PageModel): PreparedPage {
  const model = readable(given)
  const styles = new StyleBook()
  const texts = textPieces(model, styles)
  const [most] = texts
  if (most?.isVertical) return { model, texts, main: most }
  const upright = texts.find(({ turn, isVertical, slant }) => turn === 0 && !isVertical && slant === undefined)
  if (!upright) return { model, texts, main: undefined }
  const lined = withFormLines(model, upright.pieces, styles)
  const { page, pieces } = withMarks(lined.page, lined.pieces, styles)
  const main = { ...upright, pieces }
  return { model: page, texts: texts.map((text) => (text === upright ? main : text)), main }
}

/** Which rows of a page are its header and its footer. */
export interface RunningHeads {
  readonly header: readonly PieceRow[]
  readonly footer: readonly PieceRow[]
}

/** What stands at a page's edges, by which running heads are known. */
export function pageEdges({ model: { number, width, height }, main }: PreparedPage): Edges {
  const pieces = main?.pieces ?? []
  return main?.isVertical ? edgesOf(number, pieces, width) : edgesOf(number, pieces, height, noteHeads(pieces))
}

const boxesOf = (sections: readonly Section[]): Box[] => sections.flatMap(({ columns }) => columns.flatMap(({ blocks }) => blocks))

/** The page's text without its header and footer, the tables in it, and those two without what repeats because a table says its head on every page. */
function withoutHeads({ model, main }: PreparedPage, { header, footer }: RunningHeads) {
  const running = new Set([...header, ...footer].flat())
  const pieces = (main?.pieces ?? []).filter((piece) => !running.has(piece))
  const found = main?.isVertical === true ? [] : drawnTables(model, pieces)
  const tables = found.filter((table) => table.columns.length > 2 && pieces.some((piece) => isWithin(piece, table)))
  const isRunning = (row: PieceRow): boolean => !tables.some((table) => row.every((piece) => isWithin(piece, table)))
  const heads = { header: header.filter(isRunning), footer: footer.filter(isRunning) }
  if (heads.header.length === header.length && heads.footer.length === footer.length) return { ...heads, pieces, tables: found }
  const still = new Set([...heads.header, ...heads.footer].flat())
  const all = (main?.pieces ?? []).filter((piece) => !still.has(piece))
  return { ...heads, pieces: all, tables: drawnTables(model, all) }
}

/** A page as it reads. */
export function arrangedPage(page: PreparedPage, heads: RunningHeads): PageLayout {
  const { model, texts, main } = page
  const { number, width, height } = model
  const isVertical = main?.isVertical === true
  const { header, footer, pieces: all, tables } = withoutHeads(page, heads)
  const { pieces, notes } = isVertical ? { pieces: all } : withoutNotes(all, model, tables)
  const others = texts.filter((text) => text !== main)
  const turned = turnedCells(tables, others, model)
  const { inFlow, aside, labels } = isVertical
    ? { inFlow: [], aside: model.images, labels: new Set<Piece>() }
    : placedPictures(model, pieces, tables)
  const contents = { pieces: pieces.filter((piece) => !labels.has(piece)), tables, turned: turned.blocks, images: inFlow }
  const { sections, beside } = sectionsOf({ ...contents, pageWidth: isVertical ? height : width })
  const apart = others.map((text) => ({ ...text, pieces: text.pieces.filter((piece) => !turned.taken.has(piece)) }))
  const sides = {
    left: Math.min(...boxesOf(sections).map(({ left }) => left), width),
    right: Math.max(...boxesOf(sections).map(({ right }) => right), 0),
  }
  const floating = [...apart, { turn: 0, isVertical: false, pieces: [...labels] } as const].flatMap((text) => floatingOf(text, model))
  return {
    number,
    width,
    height,
    header: paragraphsOf(header, sides),
    footer: paragraphsOf(footer, sides),
    sections,
    ...(notes && { notes }),
    floating,
    // A scan covers its text layer: what is on the page is seen once.
    pictures: [...aside, ...beside].flatMap((image) => pictureOf(image, isVertical || isScanned(model) ? [] : boxesOf(sections))),
    isVertical,
    ...(model.painted && { painted: model.painted }),
  }
}

/** A page as it reads, by itself. */
export function layoutPage(model: PageModel): PageLayout {
  const page = preparedPage(model)
  return arrangedPage(page, runningHeads(pageEdges(page), []))
}
