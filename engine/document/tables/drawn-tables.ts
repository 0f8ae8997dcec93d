import { isWithin } from '../fill-table.ts'
import { isChart } from './is-chart.ts'
import { linedTables } from './lined-tables.ts'
import { withOpenCells } from './open-cells.ts'
import { ruledTables } from './ruled.ts'
import { strokesOf, type Stroke } from './rules.ts'
import type { FindDrawnTables, TableShell } from './table-shell.ts'
import type { PageModel } from '#engine/pdf/page-model'

/** How far a table's rules may reach beyond it, in points. */
const MARGIN = 4

const holdsStroke = ({ left, top, right, bottom }: TableShell, { at, from, to }: Stroke): boolean =>
  at > top - MARGIN && at < bottom + MARGIN && from > left - MARGIN && to < right + MARGIN

/** Bands of colour behind rows are so high, and at least so wide, in points. */
const BAND = { least: 6, most: 60, width: 60 }

/** Fills of one colour whose edges are no further apart, in points, are one band: browsers fill each cell of a row. */
const SAME_BAND = 1.6

/** Fills side by side as one. */
function bandsOf(fills: PageModel['fills']): PageModel['fills'] {
  const bands: { -readonly [key in keyof PageModel['fills'][number]]: PageModel['fills'][number][key] }[] = []
  for (const fill of fills.toSorted((a, b) => Math.round(a.top) - Math.round(b.top) || a.left - b.left)) {
    const last = bands.at(-1)
    const isBeside =
      last?.colour === fill.colour &&
      Math.abs(last.top - fill.top) < SAME_BAND &&
      Math.abs(last.bottom - fill.bottom) < SAME_BAND &&
      Math.abs(last.right - fill.left) < SAME_BAND
    if (last && isBeside) last.right = fill.right
    else bands.push({ ...fill })
  }
  return bands
}

/** The edges of bands of colour, which part rows as rules do. */
const edgesOf = ({ fills }: PageModel): Stroke[] =>
  bandsOf(fills).flatMap(({ left, top, right, bottom, colour }) => {
    const isBand = bottom - top >= BAND.least && bottom - top <= BAND.most && right - left >= BAND.width && colour !== '#ffffff'
    const edge = { isHorizontal: true, from: left, to: right, width: 0, colour, isDashed: false, parts: [] }
    return isBand
      ? [
          { ...edge, at: top },
          { ...edge, at: bottom },
        ]
      : []
  })

/** See `FindDrawnTables`. */
export const drawnTables: FindDrawnTables = (page, pieces) => {
  const ruled = ruledTables(page, pieces).map((table) => withOpenCells(table, pieces))
  const across = strokesOf(page.rules.filter(({ isHorizontal }) => isHorizontal))
  const strokes = [...across, ...edgesOf(page)].filter((stroke) => !ruled.some((table) => holdsStroke(table, stroke)))
  const free = pieces.filter((piece) => !ruled.some((table) => isWithin(piece, table)))
  const found = [...ruled, ...linedTables(strokes, free, page)].filter((table) => !isChart(table, page))
  return found.toSorted((a, b) => a.top - b.top || a.left - b.left)
}
