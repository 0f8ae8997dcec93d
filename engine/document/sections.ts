import type { Sides } from './align.ts'
import type { Block, Box, Column, Section } from './document-model.ts'
import { filledTable, isWithin } from './fill-table.ts'
import { bottomOf, topOf } from './lines.ts'
import type { PieceRow } from './paragraphs.ts'
import type { Piece } from './pieces.ts'
import { readingOrder, type Flow, type Item, type Row } from './reading-order.ts'
import type { TableShell } from './tables/table-shell.ts'
import { textBlocks } from './text-blocks.ts'

type TableFlow = Flow<TableShell>
type InTable = ReadonlyMap<TableShell, readonly Piece[]>

const itemOf = (piece: Piece): Item<TableShell> => ({
  left: piece.left,
  right: piece.right,
  top: topOf(piece),
  bottom: bottomOf(piece),
  piece,
})
const itemOfTable = (table: TableShell): Item<TableShell> => ({
  left: table.left,
  right: table.right,
  top: table.top,
  bottom: table.bottom,
  whole: table,
})

/** The items of a flow, in its order. */
const itemsOf = (flow: TableFlow): Item<TableShell>[] =>
  flow.flatMap((part) => ('columns' in part ? part.columns.flatMap(itemsOf) : part.items))

const boxOf = (boxes: readonly Box[]): Box => ({
  left: Math.min(...boxes.map(({ left }) => left)),
  top: Math.min(...boxes.map(({ top }) => top)),
  right: Math.max(...boxes.map(({ right }) => right)),
  bottom: Math.max(...boxes.map(({ bottom }) => bottom)),
})

/** Columns that are nothing but columns are columns of their parent. */
const flattened = (columns: readonly TableFlow[]): TableFlow[] =>
  columns.flatMap((flow) => {
    const [only, ...others] = flow
    return only && others.length === 0 && 'columns' in only ? flattened(only.columns) : [flow]
  })

/** The blocks of rows one under the other; columns within are read one after the other. */
function blocksOf(flow: TableFlow, sides: Sides, inTable: InTable): Block[] {
  const blocks: Block[] = []
  let rows: PieceRow[] = []
  const flush = (): void => {
    if (rows.length > 0) blocks.push(...textBlocks(rows, sides))
    rows = []
  }
  const take = ({ items }: Row<TableShell>): void => {
    const [first, ...others] = items.flatMap(({ piece }) => piece ?? [])
    if (first) rows.push([first, ...others])
    for (const { whole } of items) {
      if (!whole) continue
      flush()
      blocks.push(filledTable(whole, inTable.get(whole) ?? []))
    }
  }
  for (const part of flow) {
    if ('columns' in part) {
      flush()
      for (const column of part.columns) blocks.push(...blocksOf(column, boxOf(itemsOf(column)), inTable))
    } else take(part)
  }
  flush()
  return blocks
}

function columnOf(flow: TableFlow, inTable: InTable, sides: Sides = boxOf(itemsOf(flow))): Column {
  return { left: sides.left, right: sides.right, blocks: blocksOf(flow, sides, inTable) }
}

/** So many lines that end, or begin, at one place, tell a side of the text; places no further apart are one, in points. */
const TELL = { lines: 2, near: 1.6 }

/** The sides of a page's text: where its lines don't tell them, its margins are alike. */
function textSides(pieces: readonly Piece[], { left, right }: Box, pageWidth: number): Sides {
  const isLeftTold = pieces.filter((piece) => Math.abs(piece.left - left) < TELL.near).length >= TELL.lines
  const isRightTold = pieces.filter((piece) => Math.abs(piece.right - right) < TELL.near).length >= TELL.lines
  return { left: isLeftTold ? left : Math.min(left, pageWidth - right), right: isRightTold ? right : Math.max(right, pageWidth - left) }
}

/** A page's text and tables from its top down, in sections of one or more columns. */
export function sectionsOf(pieces: readonly Piece[], tables: readonly TableShell[], pageWidth: number): Section[] {
  const inTable = new Map<TableShell, Piece[]>(tables.map((table) => [table, []]))
  const free = pieces.filter((piece) => {
    const table = tables.find((one) => isWithin(piece, one))
    if (table) inTable.get(table)?.push(piece)
    return !table
  })
  const filled = tables.filter((table) => (inTable.get(table)?.length ?? 0) > 0)
  const items = [...free.map(itemOf), ...filled.map(itemOfTable)]
  if (items.length === 0) return []
  const page = textSides(free, boxOf(items), pageWidth)
  const sections: Section[] = []
  let rows: Row<TableShell>[] = []
  const add = (flows: readonly TableFlow[], sides?: Sides): void => {
    const [first, ...others] = flattened(flows)
    if (!first || first.length === 0) return
    const { top, bottom } = boxOf(flows.flatMap(itemsOf))
    sections.push({ top, bottom, columns: [columnOf(first, inTable, sides), ...others.map((flow) => columnOf(flow, inTable))] })
  }
  for (const part of readingOrder(items)) {
    if ('columns' in part) {
      add([rows], page)
      rows = []
      add(part.columns)
    } else rows.push(part)
  }
  add([rows], page)
  return sections
}
