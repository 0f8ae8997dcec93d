import type { Box } from '../document-model.ts'
import type { Span } from './grid.ts'
import { columnsUnder, partedAtGutters, type Reach } from './gutters.ts'
import { widened, type PartialRule } from './wide-heads.ts'
import { bodyRows, headRows, isNumber, type Placed, type PlacedLine } from './row-groups.ts'
import { textLine, type TextLine } from './text-lines.ts'

/** A table without rules between all of its cells: its lines, and the cells that take more than one place or hold text. */
export interface OpenGrid {
  readonly columns: readonly number[]
  readonly rows: readonly number[]
  readonly spans: readonly Span[]
  readonly headRows: number
}

/** A head cell that stands lower than its row's others by this, in sizes, is in the middle of two rows. */
const LOWER = 0.3

/** What is known of a table besides its text. */
export interface Hints {
  readonly box: Box
  /** Rules across all of it, from the top. */
  readonly breaks: readonly number[]
  /** Rules across a part of it: under heads of several columns. */
  readonly partial: readonly PartialRule[]
}

/** Lines of a table by what stands in which column. */
export function placedLines(lines: readonly TextLine[], columns: readonly Reach[]): PlacedLine[] {
  return lines.map(({ pieces }) => {
    const parted = pieces.flatMap((piece) => partedAtGutters(piece, columns))
    const placed = parted.map((piece) => {
      const [first, last] = columnsUnder(piece, columns)
      return { piece, first, last }
    })
    return { line: textLine(parted), placed }
  })
}

/** Whether a line has a label and mostly numbers beside it. */
const isBody = ({ placed }: PlacedLine): boolean => {
  const values = placed.filter((one) => one.first > 0)
  if (values.length === placed.length) return false
  return values.length > 0 && values.filter(({ piece }) => isNumber(piece.text)).length >= values.length / 2
}

/** How many of a table's first lines are its head: those above the first rule within, else those before the first numbers. */
function headCount(lines: readonly PlacedLine[], breaks: readonly number[]): number {
  const first = breaks.find((at) => lines.some(({ line }) => line.base < at) && lines.some(({ line }) => line.base > at))
  if (first !== undefined) {
    const above = lines.filter(({ line }) => line.base < first).length
    if (above <= lines.length / 2) return above
  }
  const body = lines.findIndex(isBody)
  return body > 0 && body <= lines.length / 2 && lines.filter(isBody).length >= (lines.length - body) / 2 ? body : 0
}

/** Where a row ends and the next begins: at the rule between them, else half way. */
export function lineBetween(above: readonly PlacedLine[], below: readonly PlacedLine[], breaks: readonly number[]): number {
  const [bottom, top] = [Math.max(...above.map(({ line }) => line.bottom)), Math.min(...below.map(({ line }) => line.top))]
  const [last, first] = [Math.max(...above.map(({ line }) => line.base)), Math.min(...below.map(({ line }) => line.base))]
  return breaks.find((at) => at > last && at < first) ?? (bottom + top) / 2
}

/** Whether a head cell stands lower than the others of its row, over nothing: then it takes the next row too. */
function isTall({ first, last, piece }: Placed, row: readonly PlacedLine[], next: readonly PlacedLine[] | undefined): boolean {
  const isFree = next?.flatMap(({ placed }) => placed).every((one) => one.first > last || one.last < first) ?? false
  return isFree && row.some(({ placed }) => placed.some((one) => one.last > one.first && piece.base - one.piece.base > LOWER * piece.size))
}

/** The cells of rows: what shares a column in a row is one cell. */
function spansOf(rows: readonly (readonly PlacedLine[])[], head: number, count: number): Span[] {
  const spans: Span[] = []
  const taken = rows.map(() => new Set<number>())
  for (const [row, lines] of rows.entries()) {
    for (const placed of lines.flatMap((one) => one.placed).toSorted((a, b) => b.last - b.first - a.last + a.first)) {
      const { first, last } = placed
      const columns = Array.from({ length: last - first + 1 }, (_, at) => first + at)
      if (columns.some((column) => taken[row]?.has(column))) continue
      const lastRow = row + 1 < head && isTall(placed, lines, rows[row + 1]) ? row + 1 : row
      for (const column of columns) for (let at = row; at <= lastRow; at++) taken[at]?.add(column)
      spans.push({ firstRow: row, lastRow, firstColumn: first, lastColumn: last })
    }
    for (let column = 0; column < count; column++)
      if (!taken[row]?.has(column)) spans.push({ firstRow: row, lastRow: row, firstColumn: column, lastColumn: column })
  }
  return spans.toSorted((a, b) => a.firstRow - b.firstRow || a.firstColumn - b.firstColumn)
}

/** The lines between columns: in the middle of what their texts leave free, or of their gutters where none is free. */
function columnLines(columns: readonly Reach[], lines: readonly PlacedLine[], { left, right }: Box): number[] {
  const reaches = columns.map((column) => ({ ...column }))
  for (const { first, last, piece } of lines.flatMap(({ placed }) => placed)) {
    const [begin, end] = [reaches[first], reaches[last]]
    if (begin) begin.left = Math.min(begin.left, piece.left)
    if (end) end.right = Math.max(end.right, piece.right)
  }
  const between = columns.slice(1).map((column, at) => {
    const [end, begin] = [reaches[at]?.right ?? 0, reaches[at + 1]?.left ?? 0]
    return end <= begin ? (end + begin) / 2 : ((columns[at]?.right ?? 0) + column.left) / 2
  })
  return [Math.min(left, columns[0]?.left ?? left), ...between, Math.max(right, columns.at(-1)?.right ?? right)]
}

/** A table's grid by its lines of text and what is known besides. */
export function openGrid(lines: readonly TextLine[], columns: readonly Reach[], hints: Hints): OpenGrid {
  const placed = placedLines(lines, columns)
  const count = headCount(placed, hints.breaks)
  const head = headRows(widened(placed.slice(0, count), columns, hints.partial))
  const rows = [...head, ...bodyRows(placed.slice(count), hints.breaks, columns)]
  const places = [hints.box.top, ...rows.slice(1).map((row, at) => lineBetween(rows[at] ?? row, row, hints.breaks)), hints.box.bottom]
  return {
    columns: columnLines(columns, rows.flat(), hints.box),
    rows: places,
    spans: spansOf(rows, head.length, columns.length),
    headRows: head.length,
  }
}
