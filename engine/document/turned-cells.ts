import type { Block } from './document-model.ts'
import { paragraphsOf } from './paragraphs.ts'
import type { Piece, TurnedText } from './pieces.ts'
import { pieceRows } from './rows.ts'
import { turnedPiecesByCell } from './tables/cell-pieces.ts'
import type { CellShell, TableShell } from './tables/table-shell.ts'
import type { PageModel } from '../pdf/page-model.ts'

/** What stands turned in tables: a cell's blocks, and the pieces that are taken by it. */
export interface TurnedCells {
  readonly blocks: ReadonlyMap<CellShell, readonly Block[]>
  readonly taken: ReadonlySet<Piece>
}

/** The text of cells whose text is turned. */
export function turnedCells(tables: readonly TableShell[], texts: readonly TurnedText[], page: PageModel): TurnedCells {
  const blocks = new Map<CellShell, readonly Block[]>()
  const taken = new Set<Piece>()
  for (const { turn, pieces } of texts) {
    for (const table of turn === 0 ? [] : tables) {
      const inCell = turnedPiecesByCell(table, pieces, turn, page)
      for (const [at, cell] of table.cells.entries()) {
        const own = inCell[at] ?? []
        if (cell.turn !== turn || own.length === 0) continue
        const sides = { left: Math.min(...own.map(({ left }) => left)), right: Math.max(...own.map(({ right }) => right)), isCell: true }
        blocks.set(cell, paragraphsOf(pieceRows(own), sides))
        for (const piece of own) taken.add(piece)
      }
    }
  }
  return { blocks, taken }
}
