import type { Block, Border, Table, TableCell } from '#engine/document/document-model'
import { officeColour, twips } from '../units.ts'
import { element } from '../xml.ts'
import type { PartContext } from './context.ts'
import { Flow } from './flow.ts'
import type { Sides } from './fit.ts'
import { placed } from './place.ts'
import { emptyParagraph, type ParagraphChange } from './paragraph.ts'

/** Eighths of a point: the unit of Word's borders, within what it draws. */
const eighths = (width: number): number => Math.max(2, Math.min(96, Math.round(width * 8)))

const borderXml = (side: string, border: Border | undefined): string =>
  border === undefined
    ? element(`w:${side}`, { 'w:val': 'nil' })
    : element(`w:${side}`, {
        'w:val': border.isDashed === true ? 'dashed' : 'single',
        'w:sz': eighths(border.width),
        'w:space': 0,
        'w:color': officeColour(border.colour),
      })

const bordersXml = ({ top, left, bottom, right }: TableCell['borders']): string =>
  element('w:tcBorders', {}, borderXml('top', top), borderXml('left', left), borderXml('bottom', bottom), borderXml('right', right))

const VERTICAL = { top: 'top', middle: 'center', bottom: 'bottom' } as const

/** A cell's properties in the schema's order (CT_TcPr). */
function propertiesXml(cell: TableCell, width: number, row: number): string {
  const span = cell.lastColumn - cell.firstColumn + 1
  const isFirst = row === cell.firstRow
  const direction = cell.turn === 1 ? 'tbRl' : cell.turn === 3 ? 'btLr' : undefined
  return element(
    'w:tcPr',
    {},
    element('w:tcW', { 'w:w': width, 'w:type': 'dxa' }),
    span > 1 ? element('w:gridSpan', { 'w:val': span }) : undefined,
    cell.lastRow > cell.firstRow ? element('w:vMerge', { 'w:val': isFirst ? 'restart' : 'continue' }) : undefined,
    bordersXml(cell.borders),
    cell.fill === undefined ? undefined : element('w:shd', { 'w:val': 'clear', 'w:color': 'auto', 'w:fill': officeColour(cell.fill) }),
    direction === undefined ? undefined : element('w:textDirection', { 'w:val': direction }),
    element('w:vAlign', { 'w:val': VERTICAL[cell.vertical] }),
  )
}

/** How high blocks are one under the other where the first begins at the top. */
function heightOf(blocks: readonly Block[]): number {
  let y: number | undefined
  for (const block of blocks) {
    if (block.kind === 'paragraph') y = placed(block, y ?? twips(block.top)).end
    else y = Math.max(y ?? 0, twips(block.bottom))
  }
  return (y ?? 0) - twips(blocks[0]?.top ?? 0)
}

/** What the paragraphs that a row begins with are besides. */
type RowChange = Pick<ParagraphChange, 'head' | 'isKept'>

/** A cell's blocks as they stand in it, or undefined where it is empty. */
function contentXml(cell: TableCell, sides: Sides, top: number, room: number, context: PartContext, change: RowChange): string | undefined {
  const [first] = cell.blocks
  if (!first) return undefined
  let xml = ''
  const flow = new Flow((piece) => (xml += piece), context, tableXml)
  if (change.head !== undefined || change.isKept === true) flow.lead(change)
  const isTurned = cell.turn !== 0
  const free = Math.max(0, room - heightOf(cell.blocks))
  const startsAt = twips(first.top)
  // Where Word moves the text itself, nothing stands above it.
  flow.y = cell.vertical === 'top' && !isTurned ? Math.max(twips(top), startsAt - free) : startsAt
  for (const block of cell.blocks) flow.block(block, sides, sides)
  flow.end()
  return xml
}

/** Where a cell's text stands; turned text is counted in its own frame, from where it begins there, and has the cell's height to run along. */
function sidesOf(cell: TableCell, { columns, rows }: Table): Sides {
  if (cell.turn === 0) return { left: columns[cell.firstColumn] ?? 0, right: columns[cell.lastColumn + 1] ?? 0 }
  const left = Math.min(...cell.blocks.map((block) => block.left))
  return { left, right: left + (rows[cell.lastRow + 1] ?? 0) - (rows[cell.firstRow] ?? 0) }
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

/** A table's cells by their first columns, for each of the rows they stand in. */
type CellsByRow = readonly ReadonlyMap<number, TableCell>[]

function cellsByRow({ cells, rows }: Table): CellsByRow {
  const found = rows.slice(1).map(() => new Map<number, TableCell>())
  for (const cell of cells) for (const row of found.slice(cell.firstRow, cell.lastRow + 1)) row.set(cell.firstColumn, cell)
  return found
}

function rowXml(table: Table, byRow: CellsByRow, row: number, context: PartContext, { head, ...change }: RowChange = {}): string {
  const { columns, rows, headRows } = table
  const edge = columns.map((at) => twips(at))
  const [top = 0, bottom = 0] = [rows[row], rows[row + 1]]
  const cells: string[] = []
  for (let column = 0; column < columns.length - 1;) {
    const at = column
    const cell = byRow[row]?.get(at) ?? emptyCell(row, column)
    const width = (edge[cell.lastColumn + 1] ?? 0) - (edge[column] ?? 0)
    const room = twips((rows[cell.lastRow + 1] ?? bottom) - top)
    const own = { ...change, ...(at === 0 && head !== undefined && { head }) }
    const content = row === cell.firstRow ? contentXml(cell, sidesOf(cell, table), top, room, context, own) : undefined
    cells.push(element('w:tc', {}, propertiesXml(cell, width, row), content ?? emptyParagraph({ before: 0, line: 20 }, own)))
    column = cell.lastColumn + 1
  }
  const properties = element(
    'w:trPr',
    {},
    element('w:cantSplit'),
    element('w:trHeight', { 'w:val': Math.max(1, twips(bottom) - twips(top)), 'w:hRule': 'atLeast' }),
    row < headRows ? element('w:tblHeader') : undefined,
  )
  return element('w:tr', {}, properties, ...cells)
}

/**
 * The rows of a table that goes on, without its head. They stand on a page of their own though there may be room for some of them on the page before,
 * `room` points at the most: the first of them are kept together. The first begins with `head`.
 */
export function moreRowsXml(table: Table, head: string, room: number, context: PartContext): string {
  const { rows, headRows } = table
  const from = rows[headRows] ?? table.top
  const count = rows.length - 1 - headRows
  const byRow = cellsByRow(table)
  const xml = Array.from({ length: count }, (_, at) => {
    const isKept = (rows[headRows + at] ?? from) - from <= room && at < count - 1
    return rowXml(table, byRow, headRows + at, context, { isKept, ...(at === 0 && { head }) })
  })
  return xml.join('')
}

/** A table's XML. */
export function tableXml(table: Table, column: Sides, context: PartContext): string {
  const edge = table.columns.map((at) => twips(at))
  const [from = 0, to = 0] = [edge[0], edge.at(-1)]
  const none = { 'w:w': 0, 'w:type': 'dxa' }
  const properties = element(
    'w:tblPr',
    {},
    element('w:tblW', { 'w:w': to - from, 'w:type': 'dxa' }),
    element('w:tblInd', { 'w:w': from - twips(column.left), 'w:type': 'dxa' }),
    element('w:tblLayout', { 'w:type': 'fixed' }),
    element('w:tblCellMar', {}, element('w:top', none), element('w:left', none), element('w:bottom', none), element('w:right', none)),
  )
  const grid = element('w:tblGrid', {}, ...edge.slice(1).map((at, n) => element('w:gridCol', { 'w:w': at - (edge[n] ?? 0) })))
  const byRow = cellsByRow(table)
  const body = byRow.map((_, row) => rowXml(table, byRow, row, context))
  return element('w:tbl', {}, properties, grid, ...body)
}
