import type { Block, Box, Table, TableCell } from './document-model.ts'
import { paragraphsOf } from './paragraphs.ts'
import type { Piece } from './pieces.ts'
import { pieceRows } from './rows.ts'
import { piecesByCell } from './tables/cell-pieces.ts'
import type { TurnedCells } from './turned-cells.ts'
import type { CellShell, TableShell } from './tables/table-shell.ts'

/** Whether a piece stands in a table, by its middle: in height that of its small letters. */
export function isWithin({ left: start, right: end, base, size }: Piece, { left, top, right, bottom }: Box): boolean {
  const [x, y] = [(start + end) / 2, base - 0.35 * size]
  return x >= left && x <= right && y >= top && y <= bottom
}

/** Letters keep this far from a cell's sides, in points. */
const PADDING = 2

function cellOf(shell: CellShell, pieces: readonly Piece[], { columns }: TableShell, turned: TurnedCells['blocks']): TableCell {
  const { tables, ...cell } = shell
  const sides = { left: (columns[cell.firstColumn] ?? 0) + PADDING, right: (columns[cell.lastColumn + 1] ?? 0) - PADDING, isCell: true }
  let own = pieces
  const within: Table[] = []
  for (const table of tables) {
    within.push(filledTable(table, own, turned))
    own = own.filter((piece) => !isWithin(piece, table))
  }
  const blocks: Block[] = [...paragraphsOf(pieceRows(own), sides), ...within, ...(turned.get(shell) ?? [])]
  return { ...cell, blocks: blocks.toSorted((a, b) => a.top - b.top) }
}

/** A table with its text, and the tables within it, in its cells. */
export function filledTable(shell: TableShell, pieces: readonly Piece[], turned: TurnedCells['blocks'] = new Map()): Table {
  const inCell = piecesByCell(shell, pieces)
  return {
    ...shell,
    kind: 'table',
    isContinued: false,
    cells: shell.cells.map((cell, at) => cellOf(cell, inCell[at] ?? [], shell, turned)),
  }
}
