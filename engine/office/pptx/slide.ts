import { decorationOf } from './decoration.ts'
import { pictureXml } from './picture.ts'
import { shapeXml } from './shape.ts'
import type { SlideSpace } from './slide-space.ts'
import { tableFrame } from './table-frame.ts'
import { textBox } from './text-box.ts'
import { element } from '../xml.ts'
import type { Direction } from '#engine/document/directions'
import type { Block, PageLayout, Paragraph, Table, TableCell } from '#engine/document/document-model'
import { noteParagraphs } from '#engine/document/notes/settled-notes'
import type { PageModel } from '#engine/pdf/page-model'

const blocksOf = ({ header, sections, notes, footer }: PageLayout): readonly Block[] => [
  ...header,
  ...sections.flatMap(({ columns }) => columns.flatMap(({ blocks }) => blocks)),
  ...noteParagraphs(notes),
  ...footer,
]

const cellParagraphs = (table: Table): Paragraph[] =>
  table.cells.flatMap(({ blocks }) =>
    blocks.flatMap((block) => (block.kind === 'paragraph' ? [block] : block.kind === 'table' ? cellParagraphs(block) : [])),
  )

const EMPTY_GROUP = element(
  'p:grpSpPr',
  {},
  element(
    'a:xfrm',
    {},
    element('a:off', { x: 0, y: 0 }),
    element('a:ext', { cx: 0, cy: 0 }),
    element('a:chOff', { x: 0, y: 0 }),
    element('a:chExt', { cx: 0, cy: 0 }),
  ),
)

/** A table without the fills of cells whose grounds are painted under it. */
const withBareCells = (table: Table, bare: ReadonlySet<TableCell>): Table => ({
  ...table,
  cells: table.cells.map((cell) => {
    const { fill: _, ...rest } = cell
    return bare.has(cell) ? rest : cell
  }),
})

/** What stands on a slide (`p:cSld`): a page's decoration and pictures as they are painted, its tables, and its paragraphs, each a box of its own. */
export function slideXml(layout: PageLayout, page: PageModel, space: SlideSpace): string {
  const blocks = blocksOf(layout)
  const tables = blocks.filter((block) => block.kind === 'table')
  const paragraphs = blocks.filter((block) => block.kind === 'paragraph')
  const all = [...paragraphs, ...tables.flatMap(cellParagraphs)]
  const { under, over, bare } = decorationOf(page, { tables, paragraphs: all }, layout.pictures, {
    shape: (outlines, paint) => shapeXml(outlines, paint, space),
    picture: (box, picture) => pictureXml(box, picture, space),
  })
  // Text that runs downwards all over a page is told in the frame it runs in: a quarter clockwise.
  const flowing: Direction = layout.isVertical ? { turn: 1, isVertical: true } : { turn: 0, isVertical: false }
  const shapes = [
    ...under,
    ...tables.map((table) => tableFrame(withBareCells(table, bare), space)),
    ...over,
    ...paragraphs.map((paragraph) => textBox(paragraph, flowing, layout, space)),
    ...layout.floating.map(({ paragraph, ...way }) => textBox(paragraph, way.isVertical ? { ...way, turn: 1 } : way, layout, space)),
  ]
  const root = element('p:nvGrpSpPr', {}, element('p:cNvPr', { id: 1, name: '' }), element('p:cNvGrpSpPr'), element('p:nvPr'))
  return element('p:cSld', {}, element('p:spTree', {}, root, EMPTY_GROUP, ...shapes))
}
