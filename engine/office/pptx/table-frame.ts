import type { SlideSpace } from './slide-space.ts'
import { DESCENT, flowOf, leftEnd, lineHeight, paragraphXml, sizeOfRuns } from './text-body.ts'
import { officeColour } from '../units.ts'
import { element } from '../xml.ts'
import type { Block, Border, Paragraph, Table, TableCell } from '#engine/document/document-model'
import { withSpaces } from '#engine/document/lines'

/** All paragraphs of a cell, those of tables within it included. */
const paragraphsOf = (blocks: readonly Block[]): Paragraph[] =>
  blocks.flatMap((block) =>
    block.kind === 'paragraph' ? [block] : block.kind === 'table' ? block.cells.flatMap((cell) => paragraphsOf(cell.blocks)) : [],
  )

function sideXml(name: string, border: Border | undefined, space: SlideSpace): string {
  if (!border) return element(name, { w: 0 }, element('a:noFill'))
  return element(
    name,
    { w: Math.max(3175, space.length(border.width)), cap: 'flat', cmpd: 'sng', algn: 'ctr' },
    element('a:solidFill', {}, element('a:srgbClr', { val: officeColour(border.colour) })),
    element('a:prstDash', { val: border.isDashed ? 'dash' : 'solid' }),
  )
}

const DOWN = { top: 't', middle: 'ctr', bottom: 'b' } as const
const TURNED = { 0: undefined, 1: 'vert', 3: 'vert270' } as const

/** A merged cell's borders belong to the places along its sides. */
function bordersAt({ borders, ...cell }: TableCell, row: number, column: number): TableCell['borders'] {
  const { left, right, top, bottom } = borders
  return {
    ...(left && column === cell.firstColumn && { left }),
    ...(right && column === cell.lastColumn && { right }),
    ...(top && row === cell.firstRow && { top }),
    ...(bottom && row === cell.lastRow && { bottom }),
  }
}

/** What is free between each of a cell's paragraphs and the one before it, in points. */
const gapsOf = (paragraphs: readonly Paragraph[]): number[] =>
  paragraphs.map((paragraph, at) => {
    const before = paragraphs[at - 1]
    const [first, last] = [paragraph.lines[0], before?.lines.at(-1)]
    if (!last) return 0
    const descent = DESCENT * (sizeOfRuns(first.runs) - sizeOfRuns(last.runs))
    return Math.max(0, first.base - last.base + descent - lineHeight(paragraph))
  })

/** Room above and below a cell's text, in points. */
interface Margins {
  readonly above: number
  readonly below: number
}

/** Margins that put a cell's text where it stood: it stands at the top, in the middle or at the bottom of what they leave. No row grows for them. */
function marginsOf({ turn, vertical, firstRow, lastRow, blocks }: TableCell, { rows }: Table): Margins {
  const paragraphs = paragraphsOf(blocks)
  const [first] = paragraphs
  const [top, bottom] = [rows[firstRow] ?? 0, rows[lastRow + 1] ?? 0]
  const gaps = gapsOf(paragraphs)
  const height = paragraphs.reduce((sum, one, at) => sum + one.lines.length * lineHeight(one) + (gaps[at] ?? 0), 0)
  const free = bottom - top - height
  // Programs differ in what they make of a text's height where it spans rows.
  if (!first || turn !== 0 || firstRow !== lastRow || free <= 0) return { above: 0, below: 0 }
  const lines = first.lines[0]
  const above = lines.base + DESCENT * sizeOfRuns(lines.runs) - lineHeight(first) - top
  const within = Math.max(0, Math.min(free, above))
  if (vertical === 'top') return { above: within, below: 0 }
  if (vertical === 'bottom') return { above: 0, below: free - within }
  return { above: Math.max(0, 2 * within - free), below: Math.max(0, free - 2 * within) }
}

function propertiesXml(cell: TableCell, borders: TableCell['borders'], { above, below }: Margins, space: SlideSpace): string {
  return element(
    'a:tcPr',
    {
      marL: 0,
      marR: 0,
      marT: space.length(above),
      marB: space.length(below),
      vert: TURNED[cell.turn],
      anchor: DOWN[cell.vertical],
      anchorCtr: 0,
      horzOverflow: 'overflow',
    },
    sideXml('a:lnL', borders.left, space),
    sideXml('a:lnR', borders.right, space),
    sideXml('a:lnT', borders.top, space),
    sideXml('a:lnB', borders.bottom, space),
    cell.fill === undefined ? element('a:noFill') : element('a:solidFill', {}, element('a:srgbClr', { val: officeColour(cell.fill) })),
  )
}

/** Nothing stands there; its size keeps the row from growing. */
const EMPTY = element('a:p', {}, element('a:endParaRPr', { lang: 'zh-CN', sz: 100 }))

/** A cell's paragraph with spaces for its tabs: LibreOffice knows no places of tabs in cells, and wraps what is behind one. */
function withoutTabs(paragraph: Paragraph): Paragraph {
  if (paragraph.stops.some(({ leader }) => leader !== undefined)) return paragraph
  const [first, ...others] = paragraph.lines
  return { ...paragraph, lines: [withSpaces(first), ...others.map(withSpaces)], stops: [] }
}

function textXml(cell: TableCell, { columns }: Table, space: SlideSpace): string {
  const paragraphs = paragraphsOf(cell.blocks).map(withoutTabs)
  const [left, right] = [columns[cell.firstColumn] ?? 0, columns[cell.lastColumn + 1] ?? 0]
  const room = cell.turn === 0 ? right - left : Infinity
  const from = (paragraph: Paragraph): number => (cell.turn === 0 ? Math.min(left, leftEnd(paragraph)) : leftEnd(paragraph))
  const gaps = gapsOf(paragraphs)
  const content = paragraphs.map((paragraph, at) => paragraphXml(paragraph, flowOf(paragraph, room), from(paragraph), space, gaps[at]))
  return element('a:txBody', {}, element('a:bodyPr'), element('a:lstStyle'), ...(content.length > 0 ? content : [EMPTY]))
}

function cellXml(cell: TableCell, row: number, column: number, table: Table, space: SlideSpace): string {
  const properties = propertiesXml(cell, bordersAt(cell, row, column), marginsOf(cell, table), space)
  if (row === cell.firstRow && column === cell.firstColumn) {
    const [columns, rows] = [cell.lastColumn - cell.firstColumn + 1, cell.lastRow - cell.firstRow + 1]
    const spans = { rowSpan: rows > 1 ? rows : undefined, gridSpan: columns > 1 ? columns : undefined }
    return element('a:tc', spans, textXml(cell, table, space), properties)
  }
  const merged = { hMerge: column > cell.firstColumn ? 1 : undefined, vMerge: row > cell.firstRow ? 1 : undefined }
  return element('a:tc', merged, element('a:txBody', {}, element('a:bodyPr'), element('a:lstStyle'), EMPTY), properties)
}

const emptyCell = (row: number, column: number): TableCell => ({
  firstRow: row,
  lastRow: row,
  firstColumn: column,
  lastColumn: column,
  blocks: [],
  borders: {},
  vertical: 'top',
  turn: 0,
})

/** The cell at each place of a table's grid. */
function gridOf({ cells, rows, columns }: Table): TableCell[][] {
  const grid = rows.slice(1).map((_, row) => columns.slice(1).map((__, column) => emptyCell(row, column)))
  for (const cell of cells)
    for (let row = cell.firstRow; row <= cell.lastRow; row++)
      for (let column = cell.firstColumn; column <= cell.lastColumn; column++) {
        const places = grid[row]
        if (places && column < places.length) places[column] = cell
      }
  return grid
}

/** A table as a table (`a:tbl`), in its place. */
export function tableFrame(table: Table, space: SlideSpace): string {
  const id = space.nextId()
  const { off, ext } = space.place(table)
  const columns = table.columns.slice(1).map((at, column) => element('a:gridCol', { w: space.length(at - (table.columns[column] ?? at)) }))
  const rows = gridOf(table).map((cells, row) =>
    element(
      'a:tr',
      { h: space.length((table.rows[row + 1] ?? 0) - (table.rows[row] ?? 0)) },
      ...cells.map((cell, column) => cellXml(cell, row, column, table, space)),
    ),
  )
  return element(
    'p:graphicFrame',
    {},
    element(
      'p:nvGraphicFramePr',
      {},
      element('p:cNvPr', { id, name: `表格 ${id}` }),
      element('p:cNvGraphicFramePr', {}, element('a:graphicFrameLocks', { noGrp: 1 })),
      element('p:nvPr'),
    ),
    element('p:xfrm', {}, element('a:off', off), element('a:ext', ext)),
    element(
      'a:graphic',
      {},
      element(
        'a:graphicData',
        { uri: 'http://schemas.openxmlformats.org/drawingml/2006/table' },
        element('a:tbl', {}, element('a:tblPr'), element('a:tblGrid', {}, ...columns), ...rows),
      ),
    ),
  )
}
