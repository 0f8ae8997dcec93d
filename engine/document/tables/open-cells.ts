import { isWithin } from '../fill-table.ts'
import type { Piece } from '../pieces.ts'
import { columnsOfLines } from './gutters.ts'
import { isTabular } from './is-tabular.ts'
import { openGrid, placedLines } from './open-grid.ts'
import type { CellShell, TableShell } from './table-shell.ts'
import { textLines } from './text-lines.ts'

/*
 * A ruled frame whose middle is a table that nothing draws, as an invoice's items are: what stands in columns there is cells of the frame's own table.
 */

/** Such a cell is as wide as its table, of which it may lack so much, in points; lines and columns in it are at least so many. */
const SIDES = 2
const LEAST = { lines: 3, columns: 4 }
/** Places no further apart are one, in points. */
const SAME = 3

const merged = (own: readonly number[], more: readonly number[]): number[] =>
  [...own, ...more.filter((place) => !own.some((one) => Math.abs(one - place) < SAME))].toSorted((a, b) => a - b)

/** The index of the place that is nearest. */
const indexOf = (places: readonly number[], place: number): number =>
  places.reduce((best, one, at) => (Math.abs(one - place) < Math.abs((places[best] ?? Infinity) - place) ? at : best), 0)

/** A span of one grid in another whose lines are those of the first and more. */
function inGrid<Span extends Pick<CellShell, 'firstRow' | 'lastRow' | 'firstColumn' | 'lastColumn'>>(
  span: Span,
  from: Pick<TableShell, 'rows' | 'columns'>,
  to: Pick<TableShell, 'rows' | 'columns'>,
): Span {
  const row = (at: number): number => indexOf(to.rows, from.rows[at] ?? 0)
  const column = (at: number): number => indexOf(to.columns, from.columns[at] ?? 0)
  return {
    ...span,
    firstRow: row(span.firstRow),
    lastRow: row(span.lastRow + 1) - 1,
    firstColumn: column(span.firstColumn),
    lastColumn: column(span.lastColumn + 1) - 1,
  }
}

/** A cell's text as columns, where it is a table by itself. */
function openIn(cell: CellShell, { rows, columns }: TableShell, pieces: readonly Piece[]) {
  const [left, right] = [columns[cell.firstColumn] ?? 0, columns[cell.lastColumn + 1] ?? 0]
  const [top, bottom] = [rows[cell.firstRow] ?? 0, rows[cell.lastRow + 1] ?? 0]
  const isWhole = left - (columns[0] ?? 0) < SIDES && (columns.at(-1) ?? 0) - right < SIDES
  if (!isWhole || cell.turn !== 0 || cell.tables.length > 0) return undefined
  const box = { left, right, top, bottom }
  const lines = textLines(pieces.filter((piece) => isWithin(piece, box)))
  if (lines.filter((line) => line.pieces.length > 1).length < LEAST.lines) return undefined
  const found = columnsOfLines(lines)
  if (found.length < LEAST.columns || !isTabular(placedLines(lines, found), found)) return undefined
  return openGrid(lines, found, { box, breaks: [], partial: [] })
}

/** A table whose cells over all its columns are told by their text, where that stands in columns. */
export function withOpenCells(shell: TableShell, pieces: readonly Piece[]): TableShell {
  for (const cell of shell.cells) {
    const open = openIn(cell, shell, pieces)
    if (!open) continue
    const grid = { columns: merged(shell.columns, open.columns), rows: merged(shell.rows, open.rows) }
    const whole = inGrid(cell, shell, grid)
    const { left, right, top, bottom } = cell.borders
    const inner = open.spans.map((span): CellShell => {
      const placed = inGrid({ ...cell, ...span, borders: {} }, open, grid)
      return {
        ...placed,
        borders: {
          ...(left && placed.firstColumn === whole.firstColumn && { left }),
          ...(right && placed.lastColumn === whole.lastColumn && { right }),
          ...(top && placed.firstRow === whole.firstRow && { top }),
          ...(bottom && placed.lastRow === whole.lastRow && { bottom }),
        },
      }
    })
    // Columns of the text that fall on one line of the frame are not to be told apart.
    if (inner.some(({ firstRow, lastRow, firstColumn, lastColumn }) => lastRow < firstRow || lastColumn < firstColumn)) continue
    const others = shell.cells.filter((one) => one !== cell).map((one) => inGrid(one, shell, grid))
    const cells = [...others, ...inner].toSorted((a, b) => a.firstRow - b.firstRow || a.firstColumn - b.firstColumn)
    return withOpenCells({ ...shell, ...grid, cells }, pieces)
  }
  return shell
}
