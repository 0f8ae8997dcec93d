import { areaOf } from '#engine/pdf/box'
import type { Glyph, PageModel } from '#engine/pdf/page-model'
import type { Box } from '../document-model.ts'
import type { Piece } from '../pieces.ts'
import { glyphsByCell, tableShell } from './cell-shells.ts'
import { distinct, gridOf, spansOf } from './grid.ts'
import { withColumns, withRows } from './refined.ts'
import { meetingStrokes, strokesOf, type Stroke } from './rules.ts'
import type { CellShell, TableShell } from './table-shell.ts'

const MOST_PLACES = 40_000
const LEAST_HEIGHT = 6
const LEAST_WIDTH = 12
/** How far rules go on beyond the last one across them before the table is open there, in points. */
const OPEN = 6

/** Where the second of some rules ends: one alone may stray. */
const second = (ends: readonly number[]): number => ends[1] ?? ends[0] ?? 0

/** The lines across strokes, and the ends of the strokes where the table is open at its sides. */
function linesOf(own: readonly Stroke[], crossing: readonly Stroke[]): number[] {
  const lines = distinct(own.map(({ at }) => at))
  if (crossing.length < 2) return lines
  const from = second(crossing.map((one) => one.from).toSorted((a, b) => a - b))
  const to = second(crossing.map((one) => one.to).toSorted((a, b) => b - a))
  const [first = from, last = to] = [lines[0], lines.at(-1)]
  return [...(from < first - OPEN ? [from] : []), ...lines, ...(to > last + OPEN ? [to] : [])]
}

const isInk = ({ text }: Glyph): boolean => text.trim() !== ''

/** The table that strokes which meet make, if they make one. */
function tableOf(strokes: readonly Stroke[], page: PageModel, pieces: readonly Piece[]): TableShell | undefined {
  const across = strokes.filter(({ isHorizontal }) => isHorizontal)
  const down = strokes.filter(({ isHorizontal }) => !isHorizontal)
  if (across.length < 1 || down.length < 1 || across.length + down.length < 3) return undefined
  const [rows, columns] = [linesOf(across, down), linesOf(down, across)]
  const places = (rows.length - 1) * (columns.length - 1)
  const [width, height] = [(columns.at(-1) ?? 0) - (columns[0] ?? 0), (rows.at(-1) ?? 0) - (rows[0] ?? 0)]
  if (places < 2 || places > MOST_PLACES || height < LEAST_HEIGHT || width < LEAST_WIDTH) return undefined
  const spans = spansOf(gridOf(columns, rows, strokes))
  const cells = withRows(withColumns({ columns, rows, spans }, pieces), pieces)
  const grid = gridOf(cells.columns, cells.rows, strokes)
  const inCell = glyphsByCell(grid, cells.spans, page.glyphs)
  if (inCell.filter((glyphs) => glyphs.some(isInk)).length < 2) return undefined
  return tableShell(grid, cells.spans, inCell, page.fills)
}

const isInside = (inner: Box, outer: Box): boolean =>
  inner.left >= outer.left - 1 && inner.top >= outer.top - 1 && inner.right <= outer.right + 1 && inner.bottom <= outer.bottom + 1

/** Where a cell stands. */
export const boxOfCell = ({ columns, rows }: TableShell, { firstRow, lastRow, firstColumn, lastColumn }: CellShell): Box => ({
  left: columns[firstColumn] ?? 0,
  top: rows[firstRow] ?? 0,
  right: columns[lastColumn + 1] ?? 0,
  bottom: rows[lastRow + 1] ?? 0,
})

/** A table with those that stand within one of its cells. */
function withInner(table: TableShell, inner: readonly TableShell[]): TableShell {
  if (inner.length === 0) return table
  return { ...table, cells: table.cells.map((cell) => ({ ...cell, tables: inner.filter((one) => isInside(one, boxOfCell(table, cell))) })) }
}

/** The tables of a page that are drawn by rules which meet, those within others in their cells. */
export function ruledTables(page: PageModel, pieces: readonly Piece[]): TableShell[] {
  const across = strokesOf(page.rules.filter(({ isHorizontal }) => isHorizontal))
  const down = strokesOf(page.rules.filter(({ isHorizontal }) => !isHorizontal))
  const found = meetingStrokes(across, down).flatMap((strokes) => tableOf(strokes, page, pieces) ?? [])
  const smallestFirst = found.toSorted((a, b) => areaOf(a) - areaOf(b))
  const inner = new Map<TableShell, TableShell[]>()
  const outer: TableShell[] = []
  for (const [at, table] of smallestFirst.entries()) {
    const whole = withInner(table, inner.get(table) ?? [])
    const around = smallestFirst.slice(at + 1).find((one) => isInside(whole, one))
    if (around) inner.set(around, [...(inner.get(around) ?? []), whole])
    else outer.push(whole)
  }
  return outer
}
