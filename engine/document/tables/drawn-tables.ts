import { isChart } from './is-chart.ts'
import { linedTables } from './lined-tables.ts'
import { ruledTables } from './ruled.ts'
import { strokesOf, type Stroke } from './rules.ts'
import type { FindDrawnTables, TableShell } from './table-shell.ts'
import type { Piece } from '../pieces.ts'

/** How far a table's rules may reach beyond it, in points. */
const MARGIN = 4

const holdsPiece = ({ left, top, right, bottom }: TableShell, piece: Piece): boolean => {
  const [x, y] = [(piece.left + piece.right) / 2, piece.base - 0.35 * piece.size]
  return x > left && x < right && y > top && y < bottom
}
const holdsStroke = ({ left, top, right, bottom }: TableShell, { at, from, to }: Stroke): boolean =>
  at > top - MARGIN && at < bottom + MARGIN && from > left - MARGIN && to < right + MARGIN

/** See `FindDrawnTables`. */
export const drawnTables: FindDrawnTables = (page, pieces) => {
  const ruled = ruledTables(page, pieces)
  const across = strokesOf(page.rules.filter(({ isHorizontal }) => isHorizontal))
  const strokes = across.filter((stroke) => !ruled.some((table) => holdsStroke(table, stroke)))
  const free = pieces.filter((piece) => !ruled.some((table) => holdsPiece(table, piece)))
  const found = [...ruled, ...linedTables(strokes, free, page)].filter((table) => !isChart(table, page))
  return found.toSorted((a, b) => a.top - b.top || a.left - b.left)
}
