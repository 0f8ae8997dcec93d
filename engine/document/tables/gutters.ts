import type { Piece } from '../pieces.ts'
import { partOf, wordsOf } from './cell-pieces.ts'
import type { TextLine } from './text-lines.ts'

/** Where the text of a column stands. */
export interface Reach {
  readonly left: number
  readonly right: number
}

/** Lines count for columns that have at least this share of the pieces that most have. */
const FULL = 0.6
/** This share of such lines may stand across a gutter, as heads over several columns do. */
const ACROSS = 0.15
/** A gutter is at least so wide, in points and in sizes of letters. */
const GUTTER = { points: 2.5, sizes: 0.3 }

/** A gap between columns is wider than those between words, by this factor. */
const WIDER = 1.5

/** The number of pieces that at least two lines have. */
function usualCount(lines: readonly TextLine[]): number {
  const counts = lines.map(({ pieces }) => pieces.length).toSorted((a, b) => b - a)
  return counts[1] ?? counts[0] ?? 0
}

/** Where at most so many of some reaches lie over one another is a gap; what lies between gaps. */
function hills(reaches: readonly Reach[], allowed: number, gutter: number): Reach[] {
  const ends = reaches.flatMap(({ left, right }) => [
    { at: left, by: 1 },
    { at: right, by: -1 },
  ])
  const out: { left: number; right: number }[] = []
  let depth = 0
  for (const { at, by } of ends.toSorted((a, b) => a.at - b.at || b.by - a.by)) {
    depth += by
    if (by > 0 && depth === allowed + 1) {
      const last = out.at(-1)
      if (last && at - last.right < gutter) last.right = Infinity
      else out.push({ left: at, right: Infinity })
    }
    const open = out.at(-1)
    if (by < 0 && depth === allowed && open) open.right = at
  }
  return out
}

/** Columns that only few lines have: pieces that stand between the others, at least two over one another. */
function sparse(known: readonly Reach[], pieces: readonly Reach[], gutter: number): Reach[] {
  const between = pieces.filter(({ left, right }) => known.every((hill) => right < hill.left - gutter || left > hill.right + gutter))
  return hills(between, 1, gutter).filter(({ left, right }) => known.every((hill) => right < hill.left || left > hill.right))
}

/** Neighbours that no line has both of are one column: a head in the middle over what begins at the left, for one. */
function joined(columns: readonly Reach[], lines: readonly TextLine[]): Reach[] {
  const out: Reach[] = []
  const stands = ({ pieces }: TextLine, { left, right }: Reach): boolean => pieces.some((piece) => piece.left < right && piece.right > left)
  for (const column of columns) {
    const before = out.at(-1)
    const isApart = !before || lines.some((line) => stands(line, before) && stands(line, column))
    if (isApart) out.push(column)
    else out[out.length - 1] = { left: before.left, right: column.right }
  }
  return out
}

/** The columns that lines of text stand in, from the left. */
export function columnsOfLines(lines: readonly TextLine[]): Reach[] {
  const usual = usualCount(lines)
  const full = lines.filter(({ pieces }) => pieces.length >= Math.max(2, FULL * usual))
  const size = full.map((line) => line.size).toSorted((a, b) => a - b)[full.length >> 1] ?? 0
  const gutter = Math.max(GUTTER.points, GUTTER.sizes * size)
  const reaches = full.flatMap(({ pieces }) => pieces)
  const found = hills(reaches, Math.floor(ACROSS * full.length), gutter)
  const all = [...found, ...sparse(found, reaches, gutter)].toSorted((a, b) => a.left - b.left)
  return joined(all, lines)
}

/** The columns a piece stands in: their first and last index. */
export function columnsUnder({ left, right, size }: Piece, columns: readonly Reach[]): readonly [number, number] {
  const over = columns.flatMap((column, at) => {
    const shared = Math.min(right, column.right) - Math.max(left, column.left)
    return shared > Math.min(0.3 * (column.right - column.left), 0.3 * (right - left), 0.6 * size) ? [at] : []
  })
  const [first, last] = [over[0], over.at(-1)]
  if (first !== undefined && last !== undefined) return [first, last]
  const middle = (left + right) / 2
  const after = columns.findIndex((column) => column.left + column.right > 2 * middle)
  if (after < 0) return [columns.length - 1, columns.length - 1]
  const before = columns[after - 1]
  const isNearer = before && middle - before.right < (columns[after]?.left ?? 0) - middle
  return isNearer ? [after - 1, after - 1] : [after, after]
}

/** Whether a gap between words is that between two columns, one of which ends there and the other begins. */
function isIn(from: number, to: number, before: Reach, after: Reach, size: number): boolean {
  return Math.min(to, after.left + size) > Math.max(from, before.right - size) && from <= after.left && to >= before.right
}

/** A piece parted where the gap between two of its words lies in a gutter, and is wider than those between its other words. */
export function partedAtGutters(piece: Piece, columns: readonly Reach[]): Piece[] {
  const [first, last] = columnsUnder(piece, columns)
  if (first === last) return [piece]
  const words = wordsOf(piece)
  const gaps = words.slice(1).map((word, at) => (word[0]?.left ?? 0) - (words[at]?.at(-1)?.right ?? 0))
  const usual = gaps.toSorted((a, b) => a - b)[(gaps.length - 1) >> 1] ?? 0
  const isWide = (gap: number): boolean => gap >= GUTTER.sizes * piece.size && (gaps.length === 1 || gap > WIDER * usual)
  const parts: (typeof words)[] = []
  for (const [at, word] of words.entries()) {
    const [from, to] = [words[at - 1]?.at(-1)?.right ?? 0, word[0]?.left ?? 0]
    const isGutter = columns.some((after, index) => {
      const before = columns[index - 1]
      return before !== undefined && isIn(from, to, before, after, piece.size)
    })
    if (at === 0 || (isWide(to - from) && isGutter)) parts.push([word])
    else parts.at(-1)?.push(word)
  }
  return parts.flatMap((part) => {
    const [begin, end] = [part[0]?.[0], part.at(-1)?.at(-1)]
    return begin && end ? [partOf(piece, begin, end)] : []
  })
}
