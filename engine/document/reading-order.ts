import { freeOf, narrowed, rowsOf, type Gap, type Item, type Row } from './rows.ts'
import { lowerBound } from './tables/rules.ts'

/** Rows under one another, and columns of them beside one another. */
export type Flow<Whole> = readonly (Row<Whole> | { readonly columns: readonly Flow<Whole>[] })[]

/** Columns of text have at least so many rows, and the shorter one so many; a table or a picture counts by its height in points. */
const LEAST_ROWS = { longer: 4, shorter: 3 }
const ROW_HEIGHT = 14
/** Lines of text fill their column to this share on the mean; a table's cells don't. */
const FILLED = 0.5
/** A table's cells hold no more letters than this on the mean, or mostly digits; most stand beside others: their middles are so near, in points. */
const CELL_LENGTH = 14
/** Where every line has its own beside it, no more than this. */
const PAIRED_LENGTH = 24
const PAIRED = 0.95
const DIGITS = 0.4
const ALIGNED = 0.7
const BESIDE = 2.5
/** A gutter lies in the middle part of the width. */
const MIDDLE = 0.15
/** Rows further apart than this many times their height are not of one column. */
const FAR = 14
/** What stands in one column only goes on with it over so many heights: anything, and what begins where lines of that column do. */
const GOES_ON = { any: 1, aligned: 5 }
/** A line fills a column to this share. */
const FULL = 0.7

/** Looks at items for columns, at most: what is left of a page that takes more is read row by row. The fullest of real pages take a third. */
const MOST_LOOKS = 6_000_000

const sorted = (values: readonly number[]): readonly number[] => values.toSorted((a, b) => a - b)

/** Whether one of some sorted numbers lies nearer to a place than that. */
function isNear(values: readonly number[], place: number, near: number): boolean {
  const at = lowerBound(values, place)
  return (values[at] ?? Infinity) - place < near || place - (values[at - 1] ?? -Infinity) < near
}

const leftOf = (items: readonly Item<unknown>[]): number => items.reduce((least, { left }) => Math.min(least, left), Infinity)
const rightOf = (items: readonly Item<unknown>[]): number => items.reduce((most, { right }) => Math.max(most, right), -Infinity)

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)

/** How well a side's rows fill its width, on the mean. */
function filling<Whole>(rows: readonly Row<Whole>[]): number {
  const items = rows.flatMap((row) => row.items)
  const width = rightOf(items) - leftOf(items)
  return mean(rows.map((row) => Math.min(1, ((row.items.at(-1)?.right ?? 0) - (row.items[0]?.left ?? 0)) / Math.max(1, width))))
}

/** How many rows of text a side's rows are worth. */
const countOf = <Whole>(rows: readonly Row<Whole>[]): number =>
  rows.reduce((sum, { items, top, bottom }) => sum + (items.some(({ piece }) => piece) ? 1 : (bottom - top) / ROW_HEIGHT), 0)

/** Whether rows hold what a table's cells do. */
function isTabular<Whole>(rows: readonly Row<Whole>[], length: number): boolean {
  const texts = rows.flatMap(({ items }) => items.flatMap(({ piece }) => piece?.text ?? []))
  const letters = texts.join('')
  return mean(texts.map((text) => text.length)) <= length || letters.replaceAll(/\D/g, '').length > DIGITS * letters.length
}

/** Whether what stands on both sides are cells of a table: short on one of them, and line beside line. */
function isTable<Whole>(left: readonly Row<Whole>[], right: readonly Row<Whole>[]): boolean {
  const [fewer, more] = left.length < right.length ? [left, right] : [right, left]
  const middles = sorted(more.map(({ top, bottom }) => top + bottom))
  const beside = fewer.filter(({ top, bottom }) => isNear(middles, top + bottom, 2 * BESIDE)).length
  const length = beside >= PAIRED * more.length ? PAIRED_LENGTH : CELL_LENGTH
  return beside > ALIGNED * fewer.length && (isTabular(left, length) || isTabular(right, length))
}

const widthOf = <Whole>({ items }: Row<Whole>): number => (items.at(-1)?.right ?? 0) - (items[0]?.left ?? 0)
const heightOf = <Whole>({ top, bottom }: Row<Whole>): number => Math.max(4, bottom - top)

/** Rows that stand in two columns. */
interface Band<Whole> {
  readonly gap: Gap
  /** The rows' first and the one behind their last. */
  readonly from: number
  readonly to: number
  readonly left: readonly Item<Whole>[]
  readonly right: readonly Item<Whole>[]
}

const isLeftOf = ([from]: Gap, items: readonly { readonly right: number }[]): boolean => items.every(({ right }) => right <= from)
const isRightOf = ([, to]: Gap, items: readonly { readonly left: number }[]): boolean => items.every(({ left }) => left >= to)

/** How far rows stand round a gap that begins in one of them: where the last row ends that has both sides, and what is left of the gap. */
function reachOf<Whole>(rows: readonly Row<Whole>[], from: number, gap: Gap): { readonly gap: Gap; readonly to: number } {
  let open = gap
  let to = from
  let kept = gap
  for (let at = from; at < rows.length; at++) {
    const [row, before] = [rows[at], rows[at - 1]]
    const rest = row && narrowed(open, row)
    if (!rest || (at > from && before && row.top - before.bottom > FAR * heightOf(before))) break
    open = rest
    const { items } = row
    if (items.some(({ right }) => right <= open[0]) && items.some(({ left }) => left >= open[1])) [to, kept] = [at + 1, open]
  }
  return { gap: kept, to }
}

/** Rows below that go on in one column, and rows above that begin in one. */
function extended<Whole>(rows: readonly Row<Whole>[], first: number, { gap, to }: { gap: Gap; to: number }, least: number): Band<Whole> {
  const taken = rows.slice(first, to).flatMap(({ items }) => items)
  const sideOf = (isOfSide: (item: Item<Whole>) => boolean) => sorted(taken.filter(isOfSide).map(({ left }) => left))
  const [lefts, rights] = [sideOf((item) => isLeftOf(gap, [item])), sideOf((item) => isRightOf(gap, [item]))]
  const isAligned = ({ items }: Row<Whole>, isRight: boolean): boolean => isNear(isRight ? rights : lefts, items[0]?.left ?? 0, 2)
  const leftEdge = lefts[0] ?? Infinity
  const isFull = (row: Row<Whole>, [end]: Gap): boolean => widthOf(row) > FULL * (end - leftEdge)
  let end = to
  let open = gap
  for (; end < rows.length; end++) {
    const [row, before] = [rows[end], rows[end - 1]]
    const rest = row && narrowed(open, row)
    if (!rest || !before) break
    const isRight = isRightOf(rest, row.items)
    const isOneSided = isRight || isLeftOf(rest, row.items)
    const isOfColumn = isAligned(row, isRight) && (isRight || isFull(row, rest))
    const reach = (isOfColumn ? GOES_ON.aligned : GOES_ON.any) * heightOf(before)
    if (!isOneSided || row.top - before.bottom > reach) break
    open = rest
  }
  let from = first
  for (; from > least; from--) {
    const [row, after] = [rows[from - 1], rows[from]]
    const rest = row && narrowed(open, row)
    if (!rest || !after || after.top - row.bottom > GOES_ON.any * heightOf(row)) break
    const [isRight, isLeft] = [isRightOf(rest, row.items), isLeftOf(rest, row.items)]
    if (!((isRight && isAligned(row, true)) || (isLeft && isFull(row, rest)))) break
    open = rest
  }
  const items = rows.slice(from, end).flatMap((row) => row.items)
  return {
    gap: open,
    from,
    to: end,
    left: items.filter((one) => isLeftOf(open, [one])),
    right: items.filter((one) => isRightOf(open, [one])),
  }
}

/** How many more items may be looked at. */
export interface Looks {
  left: number
}

/** Two columns that a row has a gap for, if they are columns of text; rows from `least` on may belong to them. */
function bandAt<Whole>(rows: readonly Row<Whole>[], at: number, gap: Gap, least: number, looks: Looks): Band<Whole> | undefined {
  if (looks.left <= 0) return undefined
  const band = extended(rows, at, reachOf(rows, at, gap), least)
  looks.left -= band.left.length + band.right.length + 1
  const [left, right] = [rowsOf(band.left), rowsOf(band.right)]
  const counts = [countOf(left), countOf(right)]
  const isLong = Math.min(...counts) >= LEAST_ROWS.shorter && Math.max(...counts) >= LEAST_ROWS.longer
  return isLong && filling(left) > FILLED && filling(right) > FILLED && !isTable(left, right) ? band : undefined
}

/**
 * The order in which a page is read: row by row, and where text stands in columns, column by column (an XY cut, Nagy and Seth 1984, that takes
 * for columns only what lines of text fill, so that a table without rules stays a table).
 */
export function readingOrder<Whole>(items: readonly Item<Whole>[], looks: Looks = { left: MOST_LOOKS }): Flow<Whole> {
  const rows = rowsOf(items)
  const from = leftOf(items)
  const width = rightOf(items) - from
  const isInMiddle = ([start, end]: Gap): boolean => {
    const place = ((start + end) / 2 - from) / Math.max(1, width)
    return place > MIDDLE && place < 1 - MIDDLE
  }
  const flow: Flow<Whole>[number][] = []
  let done = 0
  for (let at = 0; at < rows.length;) {
    const row = rows[at]
    if (!row) break
    // Of the gaps of one row the gutter is the one that most rows stand around.
    const band = freeOf(row)
      .filter(isInMiddle)
      .flatMap((gap) => bandAt(rows, at, gap, done, looks) ?? [])
      .reduce<Band<Whole> | undefined>((best, found) => (best && best.to - best.from >= found.to - found.from ? best : found), undefined)
    if (band) {
      flow.splice(flow.length - (at - band.from), at - band.from, {
        columns: [readingOrder(band.left, looks), readingOrder(band.right, looks)],
      })
      done = band.to
    } else flow.push(row)
    at = band?.to ?? at + 1
  }
  return flow
}
