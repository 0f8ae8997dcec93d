import type { Table, TableCell } from './document-model.ts'
import { paragraphsOf } from './paragraphs.ts'
import type { Piece } from './pieces.ts'
import { pieceRows } from './reading-order.ts'
import type { CellShell, TableShell } from './tables/table-shell.ts'

/** A piece's middle, in height that of its small letters. */
const middleOf = ({ left, right, base, size }: Piece): readonly [number, number] => [(left + right) / 2, base - 0.35 * size]

/** Whether a piece stands in a table. */
export function isWithin(piece: Piece, { left, top, right, bottom }: TableShell): boolean {
  const [x, y] = middleOf(piece)
  return x >= left && x <= right && y >= top && y <= bottom
}

/** Between which two lines of a table's grid something stands. */
const placeOf = (places: readonly number[], at: number): number =>
  Math.max(
    0,
    Math.min(
      places.length - 2,
      places.findLastIndex((place) => place <= at),
    ),
  )

/** Letters keep this far from a cell's sides, in points. */
const PADDING = 2

function cellOf(shell: CellShell, pieces: readonly Piece[], { columns }: TableShell): TableCell {
  const sides = { left: (columns[shell.firstColumn] ?? 0) + PADDING, right: (columns[shell.lastColumn + 1] ?? 0) - PADDING }
  return { ...shell, blocks: paragraphsOf(pieceRows(pieces), sides) }
}

/** A table with its text in its cells. */
export function filledTable(shell: TableShell, pieces: readonly Piece[]): Table {
  const byCell = new Map<CellShell, Piece[]>(shell.cells.map((cell) => [cell, []]))
  for (const piece of pieces) {
    const [x, y] = middleOf(piece)
    const row = placeOf(shell.rows, y)
    const column = placeOf(shell.columns, Math.min(x, piece.left + piece.size))
    const cell = shell.cells.find(
      (one) => row >= one.firstRow && row <= one.lastRow && column >= one.firstColumn && column <= one.lastColumn,
    )
    if (cell) byCell.get(cell)?.push(piece)
  }
  return {
    ...shell,
    kind: 'table',
    isContinued: false,
    cells: [...byCell].map(([cell, own]) => cellOf(cell, own, shell)),
  }
}
