import type { PartContext } from './context.ts'
import { anchoredPicture, anchoredShape } from './drawing.ts'
import { decorationOf, type Draughtsman } from '../pptx/decoration.ts'
import { shapeProperties } from '../pptx/shape.ts'
import { emu } from '../units.ts'
import { element } from '../xml.ts'
import { noteParagraphs } from '#engine/document/notes/settled-notes'
import { boundsOf, boundsOfBox, isWithin } from '#engine/pdf/outline'
import type { Painted } from '#engine/pdf/painted'
import type { Block, Box, PageLayout, Paragraph, Picture, Table } from '#engine/document/document-model'

const blocksOf = ({ header, sections, notes, footer }: PageLayout): Block[] => [
  ...header,
  ...sections.flatMap(({ columns }) => columns.flatMap(({ blocks }) => blocks)),
  ...noteParagraphs(notes),
  ...footer,
]

const picturesOf = (blocks: readonly Block[]): Picture[] =>
  blocks.flatMap((block) => {
    if (block.kind === 'table') return picturesOf(block.cells.flatMap((cell) => cell.blocks))
    return block.kind === 'picture' ? [block] : []
  })

/** No rule above notes is thicker, in points. */
const THICKEST = 3
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

/** A page without the rules above its notes: Word draws its own. */
function withoutRules(page: PageLayout): PageLayout {
  const { painted, notes } = page
  if (!painted || !notes) return page
  const isRule = (one: Painted): boolean => {
    const bounds = one.kind === 'path' ? boundsOf(one.outline) : undefined
    if (!bounds || bounds[3] - bounds[1] > THICKEST) return false
    const [left, top] = bounds
    return notes.rules.some((rule) =>
      isSamePlace({ ...rule, top: (rule.top + rule.bottom) / 2 }, { ...rule, left, top: (top + bounds[3]) / 2 }),
    )
  }
  return { ...page, painted: painted.filter((one) => !isRule(one)) }
}

/** A page without what the drawings show that stand in its text. Those were made of what is painted, and are no painted picture themselves. */
function withoutDrawings(page: PageLayout, inFlow: readonly Picture[]): PageLayout {
  const { painted } = page
  if (!painted) return page
  const isPainted = ({ picture, ...box }: Picture): boolean =>
    painted.some((one) => one.kind === 'picture' && one.image.picture?.path === picture.path && isSamePlace(one.image, box))
  const drawings = inFlow.filter((picture) => !isPainted(picture)).map(boundsOfBox)
  const isDrawn = (one: Painted): boolean => {
    const bounds = one.kind === 'path' ? boundsOf(one.outline) : one.kind === 'picture' ? boundsOfBox(one.image) : undefined
    return bounds !== undefined && drawings.some((drawing) => isWithin(bounds, drawing, 1))
  }
  return drawings.length === 0 ? page : { ...page, painted: painted.filter((one) => !isDrawn(one)) }
}

/** What is painted on a page beside its text and its tables, as runs: it lies behind them. */
export function decorationRuns(given: PageLayout, context: PartContext): string {
  const blocks = blocksOf(given)
  const inFlow = picturesOf(blocks)
  const page = withoutDrawings(withoutRules(given), inFlow)
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
