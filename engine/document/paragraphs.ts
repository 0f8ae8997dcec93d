import type { Line, Paragraph, TabStop } from './document-model.ts'
import { joinedRuns, lineOf } from './lines.ts'
import { isHan, type Piece } from './pieces.ts'

/** Pieces beside one another, from the left. */
export type PieceRow = readonly [Piece, ...Piece[]]

/** The sides of a column or a cell. */
export interface Sides {
  readonly left: number
  readonly right: number
}

/** Where a paragraph's next line would fit no more: its marks of a list or a heading begin anew. */
const BEGINS =
  /^([\u2022\u25cf\u25a0\u25c6\uf06c\u2460-\u2473]|[（(]?\d{1,3}[.)、）]\s?\D|[（(]?[一二三四五六七八九十]{1,3}[、）)]|第.{1,4}[条章节编部])/
/** How far lines reach is told by so many above and below: a page's head and foot may reach further than its text. */
const AROUND = 4
/** What a line of letters needs, in sizes, where nothing tells it. */
const SINGLE_PITCH = 1.3
/** Edges no further apart are one, in points. */
const SAME_EDGE = 1.6

interface Open {
  readonly rows: PieceRow[]
  readonly right: number
  pitch: number | undefined
}

/** Whether a line goes on where a paragraph's last one ended, which must have come near the end of its column. */
function continues({ rows, right, pitch }: Open, [piece, ...others]: PieceRow): boolean {
  const row = rows.at(-1)
  const last = row?.[0]
  if (!row || !last || row.length > 1 || others.length > 0) return false
  const step = piece.base - last.base
  const isSameSize = Math.abs(piece.size - last.size) < 0.12 * piece.size + 0.2
  const isNext =
    step > 0.5 * piece.size && step < 2.2 * piece.size && (pitch === undefined || Math.abs(step - pitch) < 0.18 * piece.size + 0.6)
  const firstWord = isHan(piece.text.slice(0, 1)) ? piece.size : (/^\S+/.exec(piece.text)?.[0].length ?? 1) * 0.5 * piece.size
  const isFull = last.right + firstWord > right - 0.5 * piece.size
  const isAligned = piece.left <= last.left + 0.7 * piece.size && piece.left >= last.left - 4.6 * piece.size
  return isSameSize && isNext && isFull && isAligned && !BEGINS.test(piece.text)
}

const spread = (values: readonly number[]): number => Math.max(...values) - Math.min(...values)

/** How lines stand between their column's sides. */
function alignOf(lines: readonly Line[], { left, right }: Sides, size: number): Paragraph['align'] {
  const [first, ...rest] = lines
  if (!first) return 'left'
  const centres = lines.map((line) => (line.left + line.right) / 2)
  const isInside =
    Math.min(...lines.map((line) => line.left)) - left > 1.5 * size && right - Math.max(...lines.map((l) => l.right)) > 1.5 * size
  const middle = (left + right) / 2
  const nearMiddle = Math.max(3, 0.012 * (right - left))
  if (isInside && centres.every((centre) => Math.abs(centre - middle) < nearMiddle)) return 'centre'
  if (rest.length === 0) return right - first.right < 2 && first.left - left > 0.45 * (right - left) ? 'right' : 'left'
  const full = lines.slice(0, -1).map((line) => line.right)
  return spread(full) < SAME_EDGE && right - Math.max(...full) < size ? 'justify' : 'left'
}

/** Where the pieces of a line begin, save its first. */
const stopsOf = (rows: readonly PieceRow[]): TabStop[] =>
  rows.flatMap(([, ...others]) => others.map(({ left }) => ({ at: left, align: 'left' as const })))

function paragraphOf({ rows, pitch }: Open, sides: Sides): Paragraph {
  const [first = lineOf([]), ...rest] = rows.map((row) => lineOf(row))
  const lines = [first, ...rest] as const
  const size = Math.max(...rows.flatMap((row) => row.map((piece) => piece.size)))
  return {
    kind: 'paragraph',
    runs: joinedRuns(lines.map(({ runs }) => runs)),
    lines,
    align: alignOf(lines, sides, size),
    firstLeft: first.left,
    left: rest.length > 0 ? Math.min(...rest.map(({ left }) => left)) : first.left,
    right: Math.max(...lines.map(({ right }) => right)),
    top: first.top,
    bottom: Math.max(...lines.map(({ bottom }) => bottom)),
    pitch: pitch ?? SINGLE_PITCH * size,
    stops: stopsOf(rows),
  }
}

/** Where the longest of the lines round one ends that stand by themselves. */
function rightEnd(rows: readonly PieceRow[], at: number): number {
  const around = rows.slice(Math.max(0, at - AROUND), at + AROUND + 1)
  return Math.max(...around.flatMap(([piece, ...others]) => (others.length > 0 ? [] : [piece.right])))
}

/** The paragraphs that a column's lines make, from its top. */
export function paragraphsOf(rows: readonly PieceRow[], sides: Sides): Paragraph[] {
  const opened: Open[] = []
  for (const [at, row] of rows.entries()) {
    const open = opened.at(-1)
    const right = rightEnd(rows, at)
    const before = open?.rows.at(-1)
    if (open && before && continues({ ...open, right }, row)) {
      open.pitch = row[0].base - before[0].base
      open.rows.push(row)
    } else opened.push({ rows: [row], right, pitch: undefined })
  }
  return opened.map((open) => paragraphOf(open, sides))
}
