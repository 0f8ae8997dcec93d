import { ruledTables } from './ruled.ts'
import type { FindDrawnTables } from './table-shell.ts'

/** See `FindDrawnTables`. */
export const drawnTables: FindDrawnTables = (page) => ruledTables(page).toSorted((a, b) => a.top - b.top || a.left - b.left)
