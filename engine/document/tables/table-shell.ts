import type { Box, Table, TableCell } from '../document-model.ts'
import type { Piece } from '../pieces.ts'
import type { PageModel } from '#engine/pdf/page-model'

/** A cell before its text is put in order. */
export interface CellShell extends Omit<TableCell, 'blocks'> {
  /** Tables that stand within it. */
  readonly tables: readonly TableShell[]
}

/** A table before its cells are filled. */
export interface TableShell extends Omit<Table, 'kind' | 'cells' | 'isContinued'> {
  readonly cells: readonly CellShell[]
}

/** Finds a page's tables that rules or fills draw, before its columns are looked for. The page's rules hold no underlines any more. */
export type FindDrawnTables = (page: PageModel, pieces: readonly Piece[]) => readonly TableShell[]

/**
 * Finds the tables among the rows of one column, from its top (each row's pieces from the left), that nothing draws. What is found takes whole rows: those from
 * `first` to `last`.
 */
export type FindLooseTables = (
  rows: readonly (readonly Piece[])[],
  column: Pick<Box, 'left' | 'right'>,
) => readonly { readonly first: number; readonly last: number; readonly table: TableShell }[]
