import type { Box } from '../document-model.ts'
import type { Piece } from '../pieces.ts'
import { placeOf } from './cell-shells.ts'
import type { Span } from './grid.ts'
import { lineBetween } from './open-grid.ts'
import { bodyRows, isNumber, type PlacedLine } from './row-groups.ts'
import { textLines } from './text-lines.ts'

/** The lines of a table and its cells. */
export interface Cells {
  readonly columns: readonly number[]
  readonly rows: readonly number[]
  readonly spans: readonly Span[]
}

/** A piece may reach so far over a line and still stand beside it, in sizes. */
const OVER = 0.3
const MIDDLE = 0.35
/** So many cells or rows must be alike before a table is taken to leave out rules. */
const LEAST = { cells: 2, rows: 3 }
/** Rows without rules between them hold numbers beside their labels, in this share. */
const NUMBERS = 0.6

const boxOf = ({ columns, rows }: Cells, { firstRow, lastRow, firstColumn, lastColumn }: Span): Box => ({
  left: columns[firstColumn] ?? 0,
  top: rows[firstRow] ?? 0,
  right: columns[lastColumn + 1] ?? 0,
  bottom: rows[lastRow + 1] ?? 0,
})

const range = (first: number, last: number): number[] => Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at)

const middleOf = ({ left, right, base, size }: Piece): readonly [number, number] => [(left + right) / 2, base - MIDDLE * size]

/** The first and last column a piece stands in. */
const columnsOf = ({ left, right, size }: Piece, columns: readonly number[]): readonly [number, number] => [
  placeOf(columns, Math.min(left + OVER * size, (left + right) / 2)),
  placeOf(columns, Math.max(right - OVER * size, (left + right) / 2)),
]

/** A cell of several columns as one cell a column. */
const singles = (span: Span): Span[] =>
  range(span.firstColumn, span.lastColumn).map((column) => ({ ...span, firstColumn: column, lastColumn: column }))

/** Cells of several columns whose text stands in several of them, none across, are several cells: rules down are left out there. */
export function withColumns(table: Cells, pieces: readonly Piece[]): Cells {
  const { columns, spans } = table
  const wide = spans.filter(({ firstColumn, lastColumn }) => lastColumn > firstColumn)
  if (wide.length < LEAST.cells) return table
  const parted = new Set(
    wide.filter((span) => {
      const { left, top, right, bottom } = boxOf(table, span)
      const inside = pieces.filter((piece) => {
        const [x, y] = middleOf(piece)
        return x > left && x < right && y > top && y < bottom
      })
      const places = inside.map((piece) => columnsOf(piece, columns))
      return places.every(([first, last]) => first === last) && new Set(places.map(([first]) => first)).size > 1
    }),
  )
  if (parted.size < LEAST.cells) return table
  return { ...table, spans: spans.flatMap((span) => (parted.has(span) ? singles(span) : [span])) }
}

/** Where rows without rules between them part, in one row of a table; none where its text is of one row. */
function partsOfRow({ columns, rows }: Cells, row: number, pieces: readonly Piece[]): number[] {
  const [top, bottom] = [rows[row] ?? 0, rows[row + 1] ?? 0]
  const inside = pieces.filter((piece) => {
    const [x, y] = middleOf(piece)
    return x > (columns[0] ?? 0) && x < (columns.at(-1) ?? 0) && y > top && y < bottom
  })
  if (inside.length < LEAST.rows * 2) return []
  const lines = textLines(inside).map((line): PlacedLine => ({
    line,
    placed: line.pieces.map((piece) => {
      const [first, last] = columnsOf(piece, columns)
      return { piece, first, last }
    }),
  }))
  const reaches = columns.slice(1).map((right, at) => ({ left: columns[at] ?? 0, right }))
  const groups = bodyRows(lines, [], reaches)
  const values = lines.flatMap(({ placed }) => placed.filter(({ first }) => first > 0))
  const areNumbers = values.filter(({ piece }) => isNumber(piece.text)).length >= NUMBERS * values.length
  const areRows = groups.filter((group) => group.flatMap(({ placed }) => placed).length > 1).length >= LEAST.rows
  if (!areNumbers || !areRows) return []
  return groups.slice(1).map((group, at) => lineBetween(groups[at] ?? group, group, []))
}

/** Rows of numbers under one another in one row between rules are several rows. */
export function withRows(table: Cells, pieces: readonly Piece[]): Cells {
  const tall = new Set(table.spans.flatMap(({ firstRow, lastRow }) => (lastRow > firstRow ? range(firstRow, lastRow) : [])))
  const parts = range(0, table.rows.length - 2).map((row) => (tall.has(row) ? [] : partsOfRow(table, row, pieces)))
  if (parts.every(({ length }) => length === 0)) return table
  const rows = parts.flatMap((places, row) => [table.rows[row] ?? 0, ...places])
  const starts: number[] = []
  let next = 0
  for (const places of parts) {
    starts.push(next)
    next += places.length + 1
  }
  const spans = table.spans.flatMap((span): Span[] => {
    const [first, last] = [starts[span.firstRow] ?? 0, (starts[span.lastRow + 1] ?? next) - 1]
    if (span.firstRow < span.lastRow) return [{ ...span, firstRow: first, lastRow: last }]
    return range(first, last).map((row) => ({ ...span, firstRow: row, lastRow: row }))
  })
  const inOrder = spans.toSorted((a, b) => a.firstRow - b.firstRow || a.firstColumn - b.firstColumn)
  return { ...table, rows: [...rows, table.rows.at(-1) ?? 0], spans: inOrder }
}
