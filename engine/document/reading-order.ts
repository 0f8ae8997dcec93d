import { bottomOf, topOf } from './lines.ts'
import type { PieceRow } from './paragraphs.ts'
import type { Piece } from './pieces.ts'

/** Something that stands on a page in one place: a piece of text, or a whole that is not taken apart, a table for one. */
export interface Item<Whole> {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
  readonly piece?: Piece
  readonly whole?: Whole
}

/** Items side by side, from the left. */
export interface Row<Whole> {
  readonly top: number
  bottom: number
  readonly items: Item<Whole>[]
}

/** Rows under one another, and columns of them beside one another. */
export type Flow<Whole> = readonly (Row<Whole> | { readonly columns: readonly Flow<Whole>[] })[]

/** A gap between columns is at least so wide, in points. */
const GUTTER = 7
/** Columns of text have at least so many rows, and the shorter one so many. */
const LEAST_ROWS = { longer: 4, shorter: 3 }
/** Lines of text fill their column to this share on the mean; a table's cells don't. */
const FILLED = 0.5
/** A table's cells hold no more letters than this on the mean, and so many of them stand beside one another; twice the distance in points. */
const CELL_LENGTH = 14
const ALIGNED = 0.6
const BESIDE = 5
/** A gutter lies in the middle part of the width. */
const MIDDLE = 0.15
/** Rows further apart than this many times their height are not of one column. */
const FAR = 14

/** Items by rows: one begins a new row where it overlaps no more than half of the last one's height. */
export function rowsOf<Whole>(items: readonly Item<Whole>[]): Row<Whole>[] {
  const rows: Row<Whole>[] = []
  for (const item of items.toSorted((a, b) => a.top - b.top)) {
    const row = rows.at(-1)
    const shared = row ? Math.min(row.bottom, item.bottom) - item.top : -1
    if (row && shared > 0.5 * Math.min(item.bottom - item.top, row.bottom - row.top)) {
      row.items.push(item)
      row.bottom = Math.max(row.bottom, item.whole === undefined ? item.bottom : row.bottom)
    } else rows.push({ top: item.top, bottom: item.bottom, items: [item] })
  }
  for (const row of rows) row.items.sort((a, b) => a.left - b.left)
  return rows
}

/** Pieces by rows, each from the left. */
export const pieceRows = (pieces: readonly Piece[]): PieceRow[] =>
  rowsOf(pieces.map((piece) => ({ left: piece.left, right: piece.right, top: topOf(piece), bottom: bottomOf(piece), piece }))).flatMap(
    ({ items }) => {
      const [first, ...others] = items.flatMap(({ piece }) => piece ?? [])
      return first ? [[first, ...others] as const] : []
    },
  )

type Gap = readonly [from: number, to: number]

/** The gaps between a row's items that may be gutters. */
function gapsOf<Whole>({ items }: Row<Whole>): Gap[] {
  const gaps: Gap[] = []
  let end = -Infinity
  for (const { left, right } of items) {
    if (left - end >= GUTTER && end > -Infinity) gaps.push([end, left])
    end = Math.max(end, right)
  }
  return gaps
}

/** What is left of a gap when a row's items stand around it; undefined where one stands across. */
function narrowed<Whole>([from, to]: Gap, { items }: Row<Whole>): Gap | undefined {
  const middle = (from + to) / 2
  let [start, end] = [from, to]
  for (const { left, right } of items) {
    if (right <= middle) start = Math.max(start, right)
    else if (left >= middle) end = Math.min(end, left)
    else return undefined
  }
  return end - start >= GUTTER ? [start, end] : undefined
}

/** How well a side's rows fill its width, on the mean. */
function filling<Whole>(rows: readonly Row<Whole>[]): number {
  const items = rows.flatMap((row) => row.items)
  const width = Math.max(...items.map(({ right }) => right)) - Math.min(...items.map(({ left }) => left))
  const share = (row: Row<Whole>): number => {
    const last = row.items.at(-1)
    return last ? Math.min(1, (last.right - (row.items[0]?.left ?? 0)) / Math.max(1, width)) : 0
  }
  return rows.reduce((sum, row) => sum + share(row), 0) / Math.max(1, rows.length)
}

const lengthOf = <Whole>(rows: readonly Row<Whole>[]): number =>
  rows.reduce((sum, { items }) => sum + items.reduce((inner, { piece }) => inner + (piece?.text.length ?? 0), 0), 0) /
  Math.max(1, rows.length)

/** Whether what stands on both sides are cells of a table: short, and line beside line. */
function isTable<Whole>(left: readonly Row<Whole>[], right: readonly Row<Whole>[]): boolean {
  if (Math.min(lengthOf(left), lengthOf(right)) > CELL_LENGTH) return false
  const isBeside = (row: Row<Whole>): boolean => left.some(({ top, bottom }) => Math.abs(top + bottom - row.top - row.bottom) < BESIDE)
  return right.filter(isBeside).length > ALIGNED * right.length
}

interface Columns<Whole> {
  readonly left: readonly Item<Whole>[]
  readonly right: readonly Item<Whole>[]
  /** How many rows they take. */
  readonly count: number
}

/** Two columns that begin with the first of these rows, if they do. */
function columnsFrom<Whole>(rows: readonly Row<Whole>[], gap: Gap): Columns<Whole> | undefined {
  let open = gap
  let count = 0
  let lastBoth = 0
  for (const [at, row] of rows.entries()) {
    const rest = narrowed(open, row)
    const before = rows[at - 1]
    const isFar = before !== undefined && row.top - before.bottom > FAR * Math.max(4, before.bottom - before.top)
    if (!rest || isFar) break
    open = rest
    count = at + 1
    const isOnLeft = row.items.some(({ right }) => right <= open[0])
    const isOnRight = row.items.some(({ left }) => left >= open[1])
    if (isOnLeft && isOnRight) lastBoth = at + 1
  }
  // What follows on one side only belongs to the columns while it goes on without a break.
  for (count = lastBoth; count < rows.length; count++) {
    const [row, before] = [rows[count], rows[count - 1]]
    if (!row || !before || !narrowed(open, row) || row.top - before.bottom > before.bottom - before.top) break
  }
  const items = rows.slice(0, count).flatMap((row) => row.items)
  const left = items.filter(({ right }) => right <= open[0])
  const right = items.filter((item) => item.left >= open[1])
  const [leftRows, rightRows] = [rowsOf(left), rowsOf(right)]
  const [shorter, longer] = [Math.min(leftRows.length, rightRows.length), Math.max(leftRows.length, rightRows.length)]
  const isText = shorter >= LEAST_ROWS.shorter && longer >= LEAST_ROWS.longer && filling(leftRows) > FILLED && filling(rightRows) > FILLED
  return isText && !isTable(leftRows, rightRows) && left.length + right.length === items.length ? { left, right, count } : undefined
}

/**
 * The order in which a page is read: row by row, and where text stands in columns, column by column (an XY cut, Nagy and Seth 1984, that takes
 * for columns only what lines of text fill, so that a table without rules stays a table).
 */
export function readingOrder<Whole>(items: readonly Item<Whole>[]): Flow<Whole> {
  const rows = rowsOf(items)
  const from = Math.min(...items.map(({ left }) => left))
  const width = Math.max(...items.map(({ right }) => right)) - from
  const isInMiddle = ([start, end]: Gap): boolean => {
    const place = ((start + end) / 2 - from) / Math.max(1, width)
    return place > MIDDLE && place < 1 - MIDDLE
  }
  const flow: Flow<Whole>[number][] = []
  for (let at = 0; at < rows.length;) {
    const row = rows[at]
    if (!row) break
    const rest = rows.slice(at)
    const columns = gapsOf(row)
      .filter(isInMiddle)
      .map((gap) => columnsFrom(rest, gap))
      .find((found) => found !== undefined)
    if (columns) flow.push({ columns: [readingOrder(columns.left), readingOrder(columns.right)] })
    else flow.push(row)
    at += columns?.count ?? 1
  }
  return flow
}
