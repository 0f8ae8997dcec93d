import type { Box, Floating, PageLayout, Paragraph, Picture } from './document-model.ts'
import { paragraphsOf } from './paragraphs.ts'
import { textPieces, type TurnedText } from './pieces.ts'
import { pieceRows } from './reading-order.ts'
import { sectionsOf } from './sections.ts'
import { drawnTables } from './tables/drawn-tables.ts'
import { StyleBook } from './text-style.ts'
import type { PageModel } from '../pdf/page-model.ts'

/** Where something stands on the page that stands so in the frame of turned text. */
function onPage({ left, top, right, bottom }: Box, turn: TurnedText['turn'], { width, height }: PageModel): Box {
  if (turn === 1) return { left: width - bottom, top: left, right: width - top, bottom: right }
  if (turn === 2) return { left: width - right, top: height - bottom, right: width - left, bottom: height - top }
  if (turn === 3) return { left: top, top: height - right, right: bottom, bottom: height - left }
  return { left, top, right, bottom }
}

function floatingOf({ pieces, turn, isVertical }: TurnedText, page: PageModel): Floating[] {
  const sides = { left: Math.min(...pieces.map(({ left }) => left)), right: Math.max(...pieces.map(({ right }) => right)) }
  return paragraphsOf(pieceRows(pieces), sides).map((paragraph: Paragraph) => ({
    paragraph,
    box: onPage(paragraph, turn, page),
    turn: isVertical ? 0 : turn,
    isVertical,
  }))
}

const overlaps = (a: Box, b: Box): boolean => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom

/** A page's pictures where they stand. */
function picturesOf({ images }: PageModel, texts: readonly Box[]): Picture[] {
  return images.flatMap(({ picture, left, top, right, bottom }): Picture[] => {
    if (!picture) return []
    const box = { left, top, right, bottom }
    return [{ kind: 'picture', picture, ...box, isBehind: texts.some((text) => overlaps(text, box)) }]
  })
}

/** A page as it reads, by itself. */
export function layoutPage(page: PageModel): PageLayout {
  const texts = textPieces(page, new StyleBook())
  const [first] = texts
  const main = texts.find(({ turn }) => turn === 0) ?? (first?.isVertical ? first : undefined)
  const isVertical = main?.isVertical === true
  const tables = isVertical ? [] : drawnTables(page, main?.pieces ?? [])
  const sections = sectionsOf(main?.pieces ?? [], tables, isVertical ? page.height : page.width)
  const floating = texts.filter((text) => text !== main).flatMap((text) => floatingOf(text, page))
  const boxes = sections.flatMap(({ columns }) => columns.flatMap(({ blocks }) => blocks))
  return {
    number: page.number,
    width: page.width,
    height: page.height,
    header: [],
    footer: [],
    sections,
    floating,
    pictures: picturesOf(page, isVertical ? [] : boxes),
    isVertical,
  }
}
