import type { Box } from '../document-model.ts'
import { isWithin } from '../fill-table.ts'
import { bottomOf, topOf } from '../lines.ts'
import type { PieceRow } from '../paragraphs.ts'
import type { Piece } from '../pieces.ts'
import { pieceRows } from '../rows.ts'
import { headOf, numberOf, type NoteMark } from './note-marks.ts'
import type { Rule } from '#engine/pdf/page-model'

/** What a page's notes are looked for in. */
export interface Ground {
  /** The page's text without what runs through all pages. */
  readonly pieces: readonly Piece[]
  /** The marks that may call notes, by the pieces they stand in. */
  readonly calls: ReadonlyMap<Piece, readonly NoteMark[]>
  readonly tables: readonly Box[]
  readonly images: readonly Box[]
  readonly rules: readonly Rule[]
  /** The size of most letters, in points. */
  readonly size: number
}

/** A note's lines, before they are put together. */
export interface NoteRows {
  readonly mark: NoteMark
  readonly rows: PieceRow[]
}

/** What stands at the foot of a column: the end of a note of the page before, and the page's own. */
export interface NoteBlock {
  readonly left: number
  readonly right: number
  readonly notes: readonly NoteRows[]
  readonly carried: readonly PieceRow[]
  readonly rule: Box | undefined
}

/** Notes' letters are smaller than the text's by this factor; under a rule of their own they need not be. */
const SMALLER = 0.95
const AS_LARGE = 1.03
/** Lines of notes are of one size, but for so much, and no further apart, in sizes. */
const SAME_SIZE = 0.09
const FARTHEST = 3.2
/** By so many lines above it a column's sides are told. */
const TELLING = 12
/** The rule above notes: its shortest length in points, how near it begins to the column's side, how far above the first note it may lie, in sizes. */
const RULE = { shortest: 24, side: 8, above: 3.5 }
/** What stands nearer below a table or a picture, in sizes, is its own note. */
const OWN = 2.4
/** A heading above what is no note of the page. */
const LIST_HEAD = /^(参考文献|主要参考文献|注释|尾注|注|资料来源|references|bibliography|notes|endnotes)[:：]?$/i

interface Column {
  readonly left: number
  readonly right: number
}

/** How much of a piece lies between a column's sides. */
const share = (piece: Piece, { left, right }: Column): number =>
  (Math.min(piece.right, right) - Math.max(piece.left, left)) / Math.max(1, piece.right - piece.left)

/** The column that a line at the foot belongs to: as wide as the lines of text above it. */
function columnOf([first, ...others]: PieceRow, { pieces, size }: Ground): Column | undefined {
  const right = others.at(-1)?.right ?? first.right
  const above = pieces
    .filter(
      (piece) =>
        piece.base < first.base - 0.5 * first.size && piece.size > SMALLER * size && piece.left < right && piece.right > first.left,
    )
    .toSorted((a, b) => b.base - a.base)
    .slice(0, TELLING)
  if (above.length === 0) return undefined
  return { left: Math.min(first.left, ...above.map((piece) => piece.left)), right: Math.max(right, ...above.map((piece) => piece.right)) }
}

const saysOf = (row: PieceRow): string => row.map(({ text }) => text).join('')
/** The size of a row's text: a raised mark that stands by itself is smaller. */
const sizeOf = (row: PieceRow): number => Math.max(...row.map(({ size }) => size))
const isSameSize = (row: PieceRow, size: number): boolean => Math.abs(sizeOf(row) - size) < SAME_SIZE * size + 0.1

/** The rule that parts a column's notes, whose first line begins at `top`, from its text. */
function ruleAbove(top: number, size: number, column: Column, { rules, tables }: Ground): Box | undefined {
  const found = rules.find(
    ({ isHorizontal, at, from, to }) =>
      isHorizontal &&
      at < top + 1 &&
      top - at < RULE.above * size &&
      to - from >= RULE.shortest &&
      to - from <= column.right - column.left + 2 * RULE.side &&
      Math.abs(from - column.left) < RULE.side &&
      !tables.some((table) => at >= table.top - 2 && at <= table.bottom + 2 && from < table.right && to > table.left),
  )
  return found && { left: found.from, top: found.at - found.width / 2, right: found.to, bottom: found.at + found.width / 2 }
}

/** Rows that go on as notes do from the first one; undefined where a column's text stands below. */
function footRows(rows: readonly PieceRow[], size: number): readonly PieceRow[] | undefined {
  const end = rows.findIndex((row, at) => {
    const before = rows[at - 1]
    return !isSameSize(row, size) || (before !== undefined && row[0].base - before[0].base > FARTHEST * size)
  })
  const rest = end < 0 ? [] : rows.slice(end)
  return rest.every((row) => sizeOf(row) < (1 + SAME_SIZE) * size) ? rows.slice(0, end < 0 ? rows.length : end) : undefined
}

/** How a mark is written, `#` for its number. */
const kindOf = (key: string): string => (numberOf(key) === undefined ? '*' : key.replace(/\d+/, '#').replace(/[^#[\]()]/, 'o'))

/** Whether a mark comes after another: the next number written alike, or another sign. */
function follows(key: string, before: string): boolean {
  const [number, last] = [numberOf(key), numberOf(before)]
  if (number === undefined || last === undefined) return key !== before
  return number === last + 1 && kindOf(key) === kindOf(before)
}

/** Rows as notes, each from its mark on; several may stand in one row. Undefined where most marks are called by nothing: another list. */
function notesOf(rows: readonly PieceRow[], calls: ReadonlySet<string>): readonly NoteRows[] | undefined {
  const notes: NoteRows[] = []
  let others = 0
  for (const row of rows) {
    let open: [Piece, ...Piece[]] | undefined
    for (const [at, piece] of row.entries()) {
      const mark = headOf(piece, row[at + 1])
      const last = notes.at(-1)?.mark.key
      const isNext = mark !== undefined && calls.has(mark.key) && (last === undefined || follows(mark.key, last))
      if (mark && !isNext && at === 0 && last !== undefined && kindOf(mark.key) === kindOf(last)) others++
      if (isNext) notes.push({ mark, rows: [(open = [piece])] })
      else if (open) open.push(piece)
      else notes.at(-1)?.rows.push((open = [piece]))
    }
  }
  return notes.length > others ? notes : undefined
}

/** Whether what stands above a block makes it part of a list, or a table's or a picture's own. */
function belongsAbove(top: number, size: number, column: Column, above: PieceRow | undefined, { tables, images }: Ground): boolean {
  const isNear = ({ bottom, left, right }: Box): boolean =>
    bottom < top + size && top - bottom < OWN * size && left < column.right && right > column.left
  if (above && LIST_HEAD.test(saysOf(above).replaceAll(/\s/g, ''))) return true
  const isGoingOn = above !== undefined && isSameSize(above, size) && top - bottomOf(above[0]) < size
  return isGoingOn || tables.some(isNear) || images.some(isNear)
}

/** The marks that call what stands in these rows. Without a rule above them only those in the text count, and sure ones. */
function callsFor(foot: readonly PieceRow[], { calls, tables }: Ground, hasRule: boolean): ReadonlySet<string> {
  const own = new Set(foot.flat())
  const counted = [...calls].filter(([piece]) => !own.has(piece) && (hasRule || !tables.some((table) => isWithin(piece, table))))
  return new Set(counted.flatMap(([, marks]) => marks.flatMap(({ key, isSure }) => (hasRule || isSure ? [key] : []))))
}

/** A column's small rows at its foot from a row on, and the rows above it; undefined where it is no foot. */
function footFrom(row: PieceRow, ground: Ground) {
  const [first] = row
  const column = columnOf(row, ground)
  if (!column || ground.tables.some((table) => isWithin(first, table))) return undefined
  const below = [...ground.tables, ...ground.images].some(
    ({ left, right, bottom }) => bottom > first.base && left < column.right && right > column.left,
  )
  const rows = pieceRows(ground.pieces.filter((piece) => share(piece, column) > 0.5))
  const at = rows.findIndex(([piece]) => piece === first)
  const foot = at < 0 || below ? undefined : footRows(rows.slice(at), sizeOf(row))
  return foot && { column, foot, above: rows.slice(0, at) }
}

/** Small rows right above others, up to the rule that parts them from the text. */
function carriedRows(above: readonly PieceRow[], size: number, column: Column, ground: Ground) {
  const at = above.findLastIndex((row, n) => {
    const after = above[n + 1]
    return !isSameSize(row, size) || (after !== undefined && after[0].base - row[0].base > FARTHEST * size)
  })
  const rows = above.slice(at + 1)
  const rule = rows[0] && ruleAbove(topOf(rows[0][0]), size, column, ground)
  return rule && { carried: rows, rule }
}

/** The notes that begin with a row, or undefined where it begins none. */
export function blockAt(row: PieceRow, ground: Ground): NoteBlock | undefined {
  const found = footFrom(row, ground)
  if (!found) return undefined
  const { column, foot, above } = found
  const [size, top] = [sizeOf(row), topOf(row[0])]
  const rule = ruleAbove(top, size, column, ground)
  const parted = rule ? { carried: above.filter(([{ base }]) => base > rule.bottom), rule } : carriedRows(above, size, column, ground)
  const isSmall = size < (parted ? AS_LARGE : SMALLER) * ground.size
  const notes = isSmall ? notesOf(foot, callsFor(foot, ground, parted !== undefined)) : undefined
  if (!notes?.[0] || (!parted && belongsAbove(top, size, column, above.at(-1), ground))) return undefined
  return { ...column, notes, carried: parted?.carried ?? [], rule: parted?.rule }
}

/** What a column has at its foot that begins no note, under a rule (Word's is as wide as the column there): the end of one of the page before. */
export function carriedAt(row: PieceRow, ground: Ground): NoteBlock | undefined {
  const found = footFrom(row, ground)
  const size = sizeOf(row)
  if (!found || size > SMALLER * ground.size || headOf(row[0], row[1])) return undefined
  const { column, foot } = found
  const rule = ruleAbove(topOf(row[0]), size, column, ground)
  return rule && { ...column, notes: [], carried: foot, rule }
}
