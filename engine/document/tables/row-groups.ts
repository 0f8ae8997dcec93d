import { isHan, type Piece } from '../pieces.ts'
import type { Reach } from './gutters.ts'
import type { TextLine } from './text-lines.ts'

/** A piece with the first and last column it stands in. */
export interface Placed {
  readonly piece: Piece
  readonly first: number
  readonly last: number
}

/** A line of a table. */
export interface PlacedLine {
  readonly line: TextLine
  readonly placed: readonly Placed[]
}

/** Lines nearer than this, in sizes, overlap: they are one row, its cells of several lines or of one in the middle. */
const OVERLAP = 0.75
/** Lines further apart than this, in sizes, are not of one cell. */
const FAR = 2
/** Lines of one cell are nearer than rows are, by this factor. */
const NEARER = 0.88

/** Lines of one cell are no further apart than this, in sizes, and rows further than those by this factor. */
const CLOSE = 1.5
const APART = 1.15

const NUMBER =
  /^[([<≤≥~±+\-–—−△▲$¥￥€£]*\s?(\d[\d.,:/%‰\s]*)?(n\.?a\.?|nd|无|--?|[–—−…*%)\]]|万|亿|元|天|年|月|日|个|人|次|件|台|套|kg|pts)*[*†‡a-z]?$/i
/** Whether a text is a number or stands for one, as a dash does. */
export const isNumber = (text: string): boolean => NUMBER.test(text.trim())

/** How far the rows of a table lie apart: half of its full lines are further from the one before. */
function rowPitch(lines: readonly PlacedLine[]): number {
  const most = Math.max(...lines.map(({ placed }) => placed.length))
  const full = lines.filter(({ placed }) => placed.length > most / 2)
  const pitches = full.slice(1).map(({ line }, at) => line.base - (full[at]?.line.base ?? 0))
  return pitches.toSorted((a, b) => a - b)[pitches.length >> 1] ?? Infinity
}

/** Whether a line's text would have gone on if there had been room for its next word. */
function fills(before: Placed, after: Placed, columns: readonly Reach[]): boolean {
  const { text, size } = after.piece
  const word = isHan(text.slice(0, 1)) ? size : (/^\S+/.exec(text)?.[0].length ?? 1) * 0.45 * size
  return before.piece.right + word > (columns[before.last]?.right ?? 0) - 0.3 * size
}

const goesOn = ({ piece: { text } }: Placed): boolean => /^[a-z(（)）,，、;；的和与及或]/.test(text)

/** What a line has in its first column, and in others. */
const firstOf = ({ placed }: PlacedLine): Placed | undefined => placed.find(({ first }) => first === 0)
const othersOf = ({ placed }: PlacedLine): readonly Placed[] => placed.filter(({ first }) => first > 0)
const sameColumn = ({ placed }: PlacedLine, { first, last }: Placed): Placed | undefined =>
  placed.find((one) => one.first <= last && one.last >= first)

/** Whether a line goes on with the row above it. */
function continuesRow(row: readonly PlacedLine[], line: PlacedLine, pitch: number, columns: readonly Reach[]): boolean {
  const above = row.at(-1)
  if (!above) return false
  const gap = line.line.base - above.line.base
  const size = Math.max(line.line.size, above.line.size)
  if (gap < OVERLAP * size) return true
  if (gap > FAR * size) return false
  const isNear = gap < NEARER * pitch
  const others = othersOf(line)
  const first = firstOf(line)
  const label = firstOf(above)
  if (others.some(({ piece }) => isNumber(piece.text))) {
    // A label of two lines has its numbers beside the last one.
    const isLabel = label !== undefined && first !== undefined && row.every((one) => othersOf(one).length === 0)
    return isLabel && goesOn(first) && fills(label, first, columns)
  }
  const all: PlacedLine = { line: above.line, placed: row.flatMap(({ placed }) => placed) }
  if (!first) {
    const isBelow = others.every((one) => sameColumn(all, one) !== undefined)
    const isFull = others.some((one) => {
      const over = sameColumn(above, one)
      return over !== undefined && (fills(over, one, columns) || goesOn(one))
    })
    return isBelow && (isNear || isFull)
  }
  if (!label) return false
  const isWrapped = goesOn(first) || fills(label, first, columns)
  if (others.length === 0) return othersOf(all).length > 0 ? isNear || (isWrapped && goesOn(first)) : isWrapped && goesOn(first)
  return isNear && line.placed.length < above.placed.length && isWrapped
}

/** The rows of a table's body: lines put together where a cell takes several. `breaks` are rules, which no row goes across. */
export function bodyRows(lines: readonly PlacedLine[], breaks: readonly number[], columns: readonly Reach[]): PlacedLine[][] {
  const pitch = rowPitch(lines)
  const rows: PlacedLine[][] = []
  for (const line of lines) {
    const row = rows.at(-1)
    const above = row?.at(-1)
    const isParted = above !== undefined && breaks.some((at) => at > above.line.base && at < line.line.base)
    if (row && !isParted && (continuesRow(row, line, pitch, columns) || isLabelled(rows.at(-2), row, line))) row.push(line)
    else rows.push([line])
  }
  return rows
}

/** Whether a row that has no label yet has one in the middle of its lines: it is nearer than the row before. */
function isLabelled(before: readonly PlacedLine[] | undefined, row: readonly PlacedLine[], line: PlacedLine): boolean {
  const [first, last, end] = [row[0], row.at(-1), before?.at(-1)]
  if (!first || !last || !end || !firstOf(line) || row.some((one) => firstOf(one) !== undefined)) return false
  const gap = line.line.base - last.line.base
  return gap < CLOSE * line.line.size && first.line.base - end.line.base > APART * gap
}

/** The rows of a table's head: lines are parted below cells that span columns, which have others under them. */
export function headRows(lines: readonly PlacedLine[]): PlacedLine[][] {
  const rows: PlacedLine[][] = []
  for (const line of lines) {
    const row = rows.at(-1)
    const spans = row?.flatMap(({ placed }) => placed).filter(({ first, last }) => last > first) ?? []
    const isUnder = spans.some((span) =>
      line.placed.some(({ first, last }) => first >= span.first && last <= span.last && last - first < span.last - span.first),
    )
    if (row && !isUnder) row.push(line)
    else rows.push([line])
  }
  return rows
}
