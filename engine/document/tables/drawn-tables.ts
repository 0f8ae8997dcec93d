import type { FindDrawnTables, TableShell } from './table-shell.ts'
import { ruledTables, type Cell, type RuledTable } from '../ruled-tables.ts'
import type { PageModel, Rule } from '#engine/pdf/page-model'
import type { Border, TableCell } from '../document-model.ts'

/** A rule no further from a side is drawn on it, in points. */
const NEAR = 2.6
/** A fill may end so far inside of its cell. */
const INSIDE = 4

const drawnAt = (rules: readonly Rule[], isHorizontal: boolean, at: number, middle: number): Border | undefined => {
  const rule = rules.find(
    (one) => one.isHorizontal === isHorizontal && Math.abs(one.at - at) <= NEAR && one.from <= middle && one.to >= middle,
  )
  return rule && { width: rule.width, colour: rule.colour }
}

function shellOf(cell: Cell, { columns, rows }: RuledTable, { rules, fills }: PageModel): Omit<TableCell, 'blocks'> {
  const [left = 0, right = 0] = [columns[cell.firstColumn], columns[cell.lastColumn + 1]]
  const [top = 0, bottom = 0] = [rows[cell.firstRow], rows[cell.lastRow + 1]]
  const [x, y] = [(left + right) / 2, (top + bottom) / 2]
  const borders = {
    top: drawnAt(rules, true, top, x),
    right: drawnAt(rules, false, right, y),
    bottom: drawnAt(rules, true, bottom, x),
    left: drawnAt(rules, false, left, y),
  }
  const drawn = Object.fromEntries(Object.entries(borders).filter(([, border]) => border !== undefined))
  const fill = fills.findLast(
    (one) => one.left <= left + INSIDE && one.right >= right - INSIDE && one.top <= top + INSIDE && one.bottom >= bottom - INSIDE,
  )
  return { ...cell, borders: drawn, ...(fill && { fill: fill.colour }), vertical: 'middle', turn: 0 }
}

const tableShell = (table: RuledTable, page: PageModel): TableShell => ({
  left: table.columns[0] ?? 0,
  right: table.columns.at(-1) ?? 0,
  top: table.rows[0] ?? 0,
  bottom: table.rows.at(-1) ?? 0,
  columns: table.columns,
  rows: table.rows,
  headRows: 0,
  cells: table.cells.map((cell) => shellOf(cell, table, page)),
})

/** The tables whose rules meet. */
export const drawnTables: FindDrawnTables = (page) => ruledTables(page).map((table) => tableShell(table, page))
