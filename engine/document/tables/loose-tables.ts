import type { Piece } from '../pieces.ts'
import { columnsOfLines, type Reach } from './gutters.ts'
import { isTabular } from './is-tabular.ts'
import { openGrid, placedLines } from './open-grid.ts'
import { isNumber } from './row-groups.ts'
import type { FindLooseTables, TableShell } from './table-shell.ts'
import { textLine, type TextLine } from './text-lines.ts'

/** Lines of a table are no further apart than this, in sizes; those of many pieces may be twice as far. */
const FAR = 1.6
const MANY = 4
/** So many lines of one piece alone may follow one another in a table. */
const ALONE = 2
/** A piece alone that is wider than this share of the column is prose. */
const WIDE = 0.55
/** Two columns are a table only with numbers in the second, and with so many lines; more columns need fewer. */
const LEAST = { two: 4, more: 3 }
const NUMBERS = 0.6
/** Space around the text, in points. */
const AROUND = 2
const CAPTION = /^(表|图|续表|附表|Table|Fig)|^[(（]?(金额)?(单位|币种)/

const isMulti = ({ pieces }: TextLine): boolean => pieces.length > 1

/** Whether two lines are too far apart to be of one table. */
function areFar(above: TextLine, below: TextLine): boolean {
  const isFull = Math.min(above.pieces.length, below.pieces.length) >= MANY
  return below.top - above.bottom > (isFull ? 2 : 1) * FAR * Math.max(above.size, below.size)
}

/** The last of the lines from `first` that may be of one table with it. */
function lastOf(lines: readonly TextLine[], first: number, width: number): number {
  let [last, alone] = [first, 0]
  for (let at = first + 1; at < lines.length; at++) {
    const [line, before] = [lines[at], lines[at - 1]]
    if (!line || !before || areFar(before, line)) break
    if (isMulti(line)) [last, alone] = [at, 0]
    else if (++alone > ALONE || line.right - line.left > WIDE * width) break
  }
  return last
}

/** Whether two columns are names and numbers. */
function areNumbered(lines: readonly TextLine[]): boolean {
  const values = lines.filter(isMulti).flatMap(({ pieces }) => pieces.at(-1)?.text ?? [])
  return values.length >= LEAST.two && values.filter(isNumber).length >= NUMBERS * values.length
}

/** The columns of lines, if they make a table. */
function columnsIn(lines: readonly TextLine[]): readonly Reach[] | undefined {
  if (lines.filter(isMulti).length < LEAST.more) return undefined
  const columns = columnsOfLines(lines)
  if (!isTabular(placedLines(lines, columns), columns)) return undefined
  return columns.length > 2 || areNumbered(lines) ? columns : undefined
}

/** Lines as the table they make. */
function shellOf(lines: readonly TextLine[], columns: readonly Reach[]): TableShell {
  const box = {
    left: Math.min(...lines.map(({ left }) => left)) - AROUND,
    top: (lines[0]?.top ?? 0) - AROUND,
    right: Math.max(...lines.map(({ right }) => right)) + AROUND,
    bottom: (lines.at(-1)?.bottom ?? 0) + AROUND,
  }
  const { spans, ...grid } = openGrid(lines, columns, { box, breaks: [], partial: [] })
  return { ...box, ...grid, cells: spans.map((span) => ({ ...span, borders: {}, vertical: 'top', turn: 0, tables: [] })) }
}

/** See `FindLooseTables`. */
export const looseTables: FindLooseTables = (rows: readonly (readonly Piece[])[], { left, right }) => {
  const lines = rows.map(textLine)
  const found: { first: number; last: number; table: TableShell }[] = []
  for (let at = 0; at < lines.length;) {
    const isCaption = lines[at]?.pieces.some(({ text }) => CAPTION.test(text)) ?? false
    if (!lines[at] || !isMulti(lines[at] ?? textLine([])) || isCaption) {
      at++
      continue
    }
    const last = lastOf(lines, at, right - left)
    const some = lines.slice(at, last + 1)
    const columns = columnsIn(some)
    if (columns) found.push({ first: at, last, table: shellOf(some, columns) })
    at = last + 1
  }
  return found
}
