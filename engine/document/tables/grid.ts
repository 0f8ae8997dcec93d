import { groups, lowerBound, type Stroke } from './rules.ts'
import type { Border } from '../document-model.ts'

/** Places no further apart are one line of a grid, in points. */
const SAME_LINE = 2.5

/** Which rows and columns a cell takes. */
export interface Span {
  firstRow: number
  lastRow: number
  firstColumn: number
  lastColumn: number
}

/** Lines of a table with what is drawn along them: a side is the part of a line between two lines of the other axis. */
export interface Grid {
  readonly columns: readonly number[]
  readonly rows: readonly number[]
  /** What is drawn above a place of the grid (`row` may be the last line), and left of it. */
  readonly above: (row: number, column: number) => Border | undefined
  readonly before: (row: number, column: number) => Border | undefined
}

/** Places along an axis, those that are all but the same once. */
export function distinct(places: readonly number[]): number[] {
  const out: number[] = []
  for (const place of places.toSorted((a, b) => a - b)) if (out.length === 0 || place - (out.at(-1) ?? 0) > SAME_LINE) out.push(place)
  return out
}

/** The line nearest to a place. */
function nearest(lines: readonly number[], place: number): number {
  const at = lowerBound(lines, place)
  const [before, after] = [lines[at - 1] ?? -Infinity, lines[at] ?? Infinity]
  return place - before <= after - place ? at - 1 : at
}

/** What is drawn along lines, by line and by part. */
function sidesOf(strokes: readonly Stroke[], lines: readonly number[], others: readonly number[]): (Border | undefined)[][] {
  const sides = lines.map((): (Border | undefined)[] => [])
  const middles = others.slice(1).map((place, at) => (place + (others[at] ?? place)) / 2)
  for (const { at, from, to, width, colour, isDashed } of strokes) {
    const line = sides[nearest(lines, at)]
    if (!line) continue
    for (let part = lowerBound(middles, from); part < middles.length && (middles[part] ?? 0) <= to; part++) {
      const known = line[part]
      if (!known || known.width <= width) line[part] = { width, colour, ...(isDashed && { isDashed }) }
    }
  }
  return sides
}

/** The grid that strokes draw between given lines. */
export function gridOf(columns: readonly number[], rows: readonly number[], strokes: readonly Stroke[]): Grid {
  const across = sidesOf(
    strokes.filter(({ isHorizontal }) => isHorizontal),
    rows,
    columns,
  )
  const down = sidesOf(
    strokes.filter(({ isHorizontal }) => !isHorizontal),
    columns,
    rows,
  )
  return { columns, rows, above: (row, column) => across[row]?.[column], before: (row, column) => down[column]?.[row] }
}

/** The cells of a grid: places with nothing drawn between them are one, where they make a rectangle. */
export function spansOf({ columns, rows, above, before }: Grid): Span[] {
  const [wide, high] = [columns.length - 1, rows.length - 1]
  const { rootOf, join } = groups(wide * high)
  const single = (at: number): Span => {
    const [row, column] = [Math.floor(at / wide), at % wide]
    return { firstRow: row, lastRow: row, firstColumn: column, lastColumn: column }
  }
  for (let at = 0; at < wide * high; at++) {
    const { firstRow: row, firstColumn: column } = single(at)
    if (column + 1 < wide && !before(row, column + 1)) join(at, at + 1)
    if (row + 1 < high && !above(row + 1, column)) join(at, at + wide)
  }
  const byRoot = new Map<number, { span: Span; places: number[] }>()
  for (let at = 0; at < wide * high; at++) {
    const one = single(at)
    const { span, places } = byRoot.get(rootOf(at)) ?? { span: one, places: [] }
    span.lastRow = Math.max(span.lastRow, one.lastRow)
    span.firstColumn = Math.min(span.firstColumn, one.firstColumn)
    span.lastColumn = Math.max(span.lastColumn, one.lastColumn)
    places.push(at)
    byRoot.set(rootOf(at), { span, places })
  }
  return [...byRoot.values()].flatMap(({ span, places }) => {
    const { firstRow, lastRow, firstColumn, lastColumn } = span
    const isWhole = places.length === (lastRow - firstRow + 1) * (lastColumn - firstColumn + 1)
    return isWhole ? [span] : places.map(single)
  })
}
