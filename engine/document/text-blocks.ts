import type { Sides } from './align.ts'
import type { Block } from './document-model.ts'
import { filledTable } from './fill-table.ts'
import { paragraphsOf, type PieceRow } from './paragraphs.ts'
import { looseTables } from './tables/loose-tables.ts'

/** Rows of a column as paragraphs, and as tables where they stand in columns that nothing draws. */
export function textBlocks(rows: readonly PieceRow[], sides: Sides): Block[] {
  const blocks: Block[] = []
  let at = 0
  const addText = (end: number): void => {
    if (end > at) blocks.push(...paragraphsOf(rows.slice(at, end), sides))
  }
  for (const { first, last, table } of looseTables(rows, sides)) {
    addText(first)
    blocks.push(filledTable(table, rows.slice(first, last + 1).flat()))
    at = last + 1
  }
  addText(rows.length)
  return blocks
}
