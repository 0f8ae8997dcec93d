import type { Fill, Glyph } from '#engine/pdf/page-model'
import type { Border } from '../document-model.ts'
import type { Grid, Span } from './grid.ts'
import { lowerBound } from './rules.ts'
import type { CellShell, TableShell } from './table-shell.ts'

/** How far letters reach above and below their baseline, in sizes. */
const [ASCENT, DESCENT] = [0.86, 0.22]
/** A fill may end so far within its cell, in points. */
const FILL_MARGIN = 4
/** Text that stands so much nearer to one end of its cell leans on it, as a share of the room there is and in points. */
const LEANS = { share: 0.2, points: 3 }

/** The middle of a glyph's letter. */
export function middleOf({ x, y, advance, size, angle }: Glyph): readonly [number, number] {
  const [along, up] = [advance / 2, 0.35 * size]
  return [x + along * Math.cos(angle) + up * Math.sin(angle), y + along * Math.sin(angle) - up * Math.cos(angle)]
}

/** Between which two lines something stands; -1 outside of them. */
export function placeOf(lines: readonly number[], at: number): number {
  if (at < (lines[0] ?? 0) || at > (lines.at(-1) ?? 0)) return -1
  return Math.min(lines.length - 2, Math.max(0, lowerBound(lines, at) - 1))
}

/** How most of a cell's letters are turned. */
function turnOf(glyphs: readonly Glyph[]): 0 | 1 | 3 {
  const counts = [0, 0, 0, 0]
  for (const { angle, text } of glyphs) {
    const quarter = ((Math.round(angle / (Math.PI / 2)) % 4) + 4) % 4
    if (text.trim() !== '') counts[quarter] = (counts[quarter] ?? 0) + 1
  }
  const [upright = 0, clockwise = 0, , back = 0] = counts
  if (Math.max(clockwise, back) <= upright) return 0
  return clockwise >= back ? 1 : 3
}

/** Where its text leans in a cell that has room for more. */
function verticalOf(glyphs: readonly Glyph[], top: number, bottom: number): 'top' | 'middle' | 'bottom' {
  let [first, last] = [Infinity, -Infinity]
  for (const { y, size, text } of glyphs) {
    if (text.trim() === '') continue
    first = Math.min(first, y - ASCENT * size)
    last = Math.max(last, y + DESCENT * size)
  }
  if (last < first) return 'top'
  const [above, below] = [first - top, bottom - last]
  if (Math.abs(above - below) <= Math.max(LEANS.points, LEANS.share * (above + below))) return 'middle'
  return above < below ? 'top' : 'bottom'
}

/** Whether a side can be seen: a white one shows on a colour only. */
const isSeen = (border: Border | undefined, isOnColour: boolean): border is Border =>
  border !== undefined && (isOnColour || border.colour !== '#ffffff')

function bordersOf(grid: Grid, { firstRow, lastRow, firstColumn, lastColumn }: Span, isOnColour: boolean): CellShell['borders'] {
  const top = grid.above(firstRow, firstColumn)
  const bottom = grid.above(lastRow + 1, firstColumn)
  const left = grid.before(firstRow, firstColumn)
  const right = grid.before(firstRow, lastColumn + 1)
  return {
    ...(isSeen(top, isOnColour) && { top }),
    ...(isSeen(right, isOnColour) && { right }),
    ...(isSeen(bottom, isOnColour) && { bottom }),
    ...(isSeen(left, isOnColour) && { left }),
  }
}

/** The fill behind each place of a grid: what is painted last over its middle, where it reaches over about all of the place. */
function fillsOf({ columns, rows }: Grid, fills: readonly Fill[]): Map<number, Fill> {
  const wide = columns.length - 1
  const behind = new Map<number, Fill>()
  for (const fill of fills) {
    const { left, top, right, bottom } = fill
    if (right <= (columns[0] ?? 0) || left >= (columns.at(-1) ?? 0)) continue
    for (let row = Math.max(0, lowerBound(rows, top - FILL_MARGIN)); row < rows.length - 1; row++) {
      const [above, below] = [rows[row] ?? 0, rows[row + 1] ?? 0]
      if (above > bottom) break
      if (Math.min(bottom, below) - Math.max(top, above) < 0.7 * (below - above)) continue
      for (let column = Math.max(0, lowerBound(columns, left - FILL_MARGIN)); column < wide; column++) {
        const [before, after] = [columns[column] ?? 0, columns[column + 1] ?? 0]
        if (before > right) break
        if (Math.min(right, after) - Math.max(left, before) >= 0.7 * (after - before)) behind.set(row * wide + column, fill)
      }
    }
  }
  return behind
}

/** Glyphs by the cell they stand in, as its index; what stands in none is left out. */
export function glyphsByCell(grid: Grid, spans: readonly Span[], glyphs: readonly Glyph[]): Glyph[][] {
  const wide = grid.columns.length - 1
  const cellAt = new Map<number, number>()
  for (const [index, { firstRow, lastRow, firstColumn, lastColumn }] of spans.entries())
    for (let row = firstRow; row <= lastRow; row++)
      for (let column = firstColumn; column <= lastColumn; column++) cellAt.set(row * wide + column, index)
  const inCell = spans.map((): Glyph[] => [])
  for (const glyph of glyphs) {
    const [x, y] = middleOf(glyph)
    const [row, column] = [placeOf(grid.rows, y), placeOf(grid.columns, x)]
    if (row >= 0 && column >= 0) inCell[cellAt.get(row * wide + column) ?? -1]?.push(glyph)
  }
  return inCell
}

/** A cell with the glyphs in it. */
interface Filled {
  readonly cell: CellShell
  readonly glyphs: readonly Glyph[]
}

/** How many rows at the top look like a head: filled or bold unlike the row that follows them. */
function headRowsOf(cells: readonly Filled[], rows: number): number {
  const looks = Array.from({ length: rows }, () => ({ fills: new Set<string>(), letters: 0, bold: 0, last: 0 }))
  for (const { cell, glyphs } of cells) {
    const look = looks[cell.firstRow]
    if (!look || glyphs.length === 0) continue
    look.fills.add(cell.fill ?? '#ffffff')
    look.letters += glyphs.length
    look.bold += glyphs.filter(({ font, isOutlined }) => font.isBold || isOutlined).length
    look.last = Math.max(look.last, cell.lastRow)
  }
  const [first] = looks
  if (!first || first.letters === 0) return 0
  const keyOf = ({ fills, letters, bold }: typeof first): string => `${[...fills].toSorted().join()} ${String(bold > 0.6 * letters)}`
  const isMarked = first.bold > 0.6 * first.letters || [...first.fills].some((fill) => fill !== '#ffffff')
  let count = 0
  while (count < rows && (looks[count]?.letters === 0 || keyOf(looks[count] ?? first) === keyOf(first))) count++
  for (let row = 0; row < count; row++) count = Math.max(count, (looks[row]?.last ?? 0) + 1)
  return isMarked && count < rows ? count : 0
}

/** A table of cells that have their looks, by the glyphs in each of them and the fills of the page. */
export function tableShell(grid: Grid, spans: readonly Span[], inCell: readonly (readonly Glyph[])[], fills: readonly Fill[]): TableShell {
  const { columns, rows } = grid
  const behind = fillsOf(grid, fills)
  const cells = spans.map((span, index): Filled => {
    const ground = behind.get(span.firstRow * (columns.length - 1) + span.firstColumn)
    const glyphs = inCell[index] ?? []
    const isFilled = ground !== undefined && ground.colour !== '#ffffff'
    const cell = {
      ...span,
      borders: bordersOf(grid, span, isFilled),
      ...(isFilled && { fill: ground.colour, ...(ground.isPatterned && { isPatterned: true as const }) }),
      vertical: verticalOf(glyphs, rows[span.firstRow] ?? 0, rows[span.lastRow + 1] ?? 0),
      turn: turnOf(glyphs),
      tables: [],
    }
    return { cell, glyphs }
  })
  return {
    left: columns[0] ?? 0,
    top: rows[0] ?? 0,
    right: columns.at(-1) ?? 0,
    bottom: rows.at(-1) ?? 0,
    columns,
    rows,
    cells: cells.map(({ cell }) => cell),
    headRows: headRowsOf(cells, rows.length - 1),
  }
}
