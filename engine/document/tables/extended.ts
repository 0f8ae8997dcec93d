import type { Box } from '../document-model.ts'
import { columnsUnder, partedAtGutters, type Reach } from './gutters.ts'
import type { TextLine } from './text-lines.ts'

/** Lines of a table are no further apart than this, in sizes; a head above a rule is no further from it. */
const FAR = 2.6
const HEAD_FAR = 1.6
const MANY = 4
/** So many lines of one piece alone may stand between others: titles within a table. */
const ALONE = 2
/** A piece wider than this share of the table is prose. */
const WIDE = 0.6
/** A table goes on below its last rule with at least so many lines of several pieces. */
const LEAST = 2

/** Whether a line's pieces stand in columns of a table, in at least half of them. */
function fits({ pieces }: TextLine, columns: readonly Reach[]): boolean {
  const places = pieces.flatMap((piece) => partedAtGutters(piece, columns)).map((piece) => columnsUnder(piece, columns))
  const isApart = places.every(([first], at) => at === 0 || first > (places[at - 1]?.[1] ?? 0))
  return isApart && places.length >= Math.max(2, columns.length / 2) && places.every(([first, last]) => first === last)
}

/** An amount, with its currency. */
const AMOUNT = /^[¥￥$€£]?\s?[-−]?[\d,]+(?:\.\d+)?\s?[%元]?$/

/** Whether a line is one of the sums under a table: what it is, and amounts below those of the table, one of them in its last column if it is alone. */
function isSum({ pieces: [label, ...amounts] }: TextLine, columns: readonly Reach[]): boolean {
  if (!label || amounts.length === 0 || AMOUNT.test(label.text) || !amounts.every(({ text }) => AMOUNT.test(text))) return false
  const places = [label, ...amounts].map((piece) => columnsUnder(piece, columns))
  const isApart = places.every(([first, last], at) => first === last && (at === 0 || first > (places[at - 1]?.[1] ?? 0)))
  return isApart && (amounts.length > 1 || places.at(-1)?.[1] === columns.length - 1)
}

/** Whether a line is too far below another; one that fills many columns may be further. */
function isFar(above: number, line: TextLine, columns: readonly Reach[]): boolean {
  const isFull = columns.length >= MANY && line.pieces.length >= 0.8 * columns.length
  return line.top - above > (isFull ? 2 : 1) * (FAR - 1) * line.size
}

/** A table's box with the lines below it, and the head above it, that no rules hold but that stand in its columns. */
export function extended(box: Box, lines: readonly TextLine[], columns: readonly Reach[]): Box {
  const width = box.right - box.left
  let [bottom, end, alone, count] = [box.bottom, box.bottom, 0, 0]
  for (const line of lines.filter(({ base }) => base > box.bottom)) {
    if (isFar(end, line, columns) || (line.pieces.length === 1 && line.right - line.left > WIDE * width)) break
    const isOfSums = isSum(line, columns)
    if (isOfSums || fits(line, columns)) {
      bottom = line.bottom
      alone = 0
      // One sum is enough.
      count += isOfSums ? LEAST : 1
    } else if (line.pieces.length > 1 || ++alone > ALONE) break
    end = line.bottom
  }
  let top = box.top
  for (const line of lines.filter(({ base }) => base < box.top).toReversed()) {
    if (top - line.bottom > (HEAD_FAR - 1) * line.size || !fits(line, columns)) break
    top = line.top
  }
  return { ...box, top, bottom: count >= LEAST ? bottom : box.bottom }
}
