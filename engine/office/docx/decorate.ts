import type { PartContext } from './context.ts'
import { anchoredPicture, anchoredShape } from './drawing.ts'
import { decorationOf, type Draughtsman } from '../pptx/decoration.ts'
import { shapeProperties } from '../pptx/shape.ts'
import { emu } from '../units.ts'
import { element } from '../xml.ts'
import type { Block, Box, PageLayout, Paragraph, Picture, Table } from '#engine/document/document-model'

const blocksOf = ({ header, sections, footer }: PageLayout): Block[] => [
  ...header,
  ...sections.flatMap(({ columns }) => columns.flatMap(({ blocks }) => blocks)),
  ...footer,
]

const picturesOf = (blocks: readonly Block[]): Picture[] =>
  blocks.flatMap((block) => {
    if (block.kind === 'table') return picturesOf(block.cells.flatMap((cell) => cell.blocks))
    return block.kind === 'picture' ? [block] : []
  })

const isSamePlace = (a: Box, b: Box): boolean => Math.abs(a.left - b.left) < 1 && Math.abs(a.top - b.top) < 1

const tablesOf = (blocks: readonly Block[]): Table[] => blocks.filter((block) => block.kind === 'table')

const paragraphsOf = (blocks: readonly Block[]): Paragraph[] =>
  blocks.flatMap((block) => {
    if (block.kind === 'table') return paragraphsOf(block.cells.flatMap((cell) => cell.blocks))
    return block.kind === 'paragraph' ? [block] : []
  })

/** Shapes lie where they are; only their size counts. */
const SPACE = {
  length: emu,
  place: ({ left, top, right, bottom }: { left: number; top: number; right: number; bottom: number }) => ({
    off: { x: 0, y: 0 },
    ext: { cx: emu(right - left), cy: emu(bottom - top) },
  }),
}

/** What is painted on a page beside its text and its tables, as runs: it lies behind them. */
export function decorationRuns(page: PageLayout, context: PartContext): string {
  const blocks = blocksOf(page)
  const inFlow = picturesOf(blocks)
  const draw: Draughtsman = {
    shape: (outlines, paint) => {
      const shape = shapeProperties(outlines, paint, SPACE)
      if (!shape) return ''
      const parts = [element('wps:cNvSpPr'), element('wps:spPr', {}, shape.xml), element('wps:bodyPr')]
      return anchoredShape(shape.box, parts, context, { name: '图形', isBehind: true })
    },
    picture: (box, picture) => {
      if (inFlow.some((one) => one.picture.path === picture.path && isSamePlace(one, box))) return ''
      const { left, top, right, bottom } = box
      return anchoredPicture({ kind: 'picture', left, top, right, bottom, picture, isBehind: true }, context)
    },
  }
  const surroundings = { tables: tablesOf(blocks), paragraphs: paragraphsOf(blocks) }
  const { under, over } = decorationOf(page, surroundings, page.pictures, draw)
  return [...under, ...over].join('')
}
