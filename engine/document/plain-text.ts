import { isHan, textPieces, type Piece, type Turn } from './pieces.ts'
import { readingOrder, type Flow, type Item, type Row } from './reading-order.ts'
import { ruledTables, type RuledTable } from './ruled-tables.ts'
import type { PageModel } from '../pdf/page-model.ts'

/** How lines come out: joined into paragraphs, or as they stand on the page. */
export type Breaks = 'paragraph' | 'line'

/** How far letters reach above and below their baseline, in sizes. */
const [ASCENT, DESCENT] = [0.86, 0.22]

const itemOf = (piece: Piece): Item<RuledTable> => ({
  left: piece.left,
  right: piece.right,
  top: piece.base - ASCENT * piece.size,
  bottom: piece.base + DESCENT * piece.size,
  piece,
})

const itemOfTable = (table: RuledTable): Item<RuledTable> => ({
  left: table.columns[0] ?? 0,
  right: table.columns.at(-1) ?? 0,
  top: table.rows[0] ?? 0,
  bottom: table.rows.at(-1) ?? 0,
  whole: table,
})

const isWithin = ({ left, right, base, size }: Piece, table: RuledTable): boolean => {
  const [x, y] = [(left + right) / 2, base - 0.35 * size]
  return x >= (table.columns[0] ?? 0) && x <= (table.columns.at(-1) ?? 0) && y >= (table.rows[0] ?? 0) && y <= (table.rows.at(-1) ?? 0)
}

/** Where a paragraph's next line would fit no more: its marks of a list or a heading begin anew. */
const BEGINS =
  /^([\u2022\u25cf\u25a0\u25c6\uf06c\u2460-\u2473]|[（(]?\d{1,3}[.)、）]\s?\D|[（(]?[一二三四五六七八九十]{1,3}[、）)]|第.{1,4}[条章节编部])/
const HYPHENATED = /[A-Za-z][-\u2010]$/

/** Two lines of one paragraph as one. */
function joinedText(before: string, after: string): string {
  if (HYPHENATED.test(before) && /^[a-z]/.test(after)) return before.slice(0, -1) + after
  return isHan(before.slice(-1)) || isHan(after.slice(0, 1)) ? before + after : `${before} ${after}`
}

interface Paragraph {
  text: string
  last: Piece
  pitch: number | undefined
}

/** Whether a line goes on where a paragraph's last one ended, which must have come near the end of its column. */
function continues({ last, pitch }: Paragraph, piece: Piece, columnRight: number): boolean {
  const step = piece.base - last.base
  const isSameSize = Math.abs(piece.size - last.size) < 0.12 * piece.size + 0.2
  const isNext =
    step > 0.5 * piece.size && step < 2.2 * piece.size && (pitch === undefined || Math.abs(step - pitch) < 0.18 * piece.size + 0.6)
  const firstWord = isHan(piece.text.slice(0, 1)) ? piece.size : (/^\S+/.exec(piece.text)?.[0].length ?? 1) * 0.5 * piece.size
  const isFull = last.right + firstWord > columnRight - 0.5 * piece.size
  const isAligned = piece.left <= last.left + 0.7 * piece.size && piece.left >= last.left - 4.6 * piece.size
  return isSameSize && isNext && isFull && isAligned && !BEGINS.test(piece.text)
}

const cellText = (pieces: readonly Piece[]): string =>
  pieces
    .toSorted((a, b) => a.base - b.base || a.left - b.left)
    .map(({ text }) => text)
    .reduce((before, after) => (before === '' ? after : joinedText(before, after)), '')

/** Between which two lines of a table's grid something stands. */
const placeOf = (places: readonly number[], at: number): number =>
  Math.max(
    0,
    places.findLastIndex((place) => place <= at),
  )

/** A table line by line, its cells parted by tabs; a merged cell's text stands in its first place. */
function tableLines(table: RuledTable, pieces: readonly Piece[]): string[] {
  const lines = Array.from({ length: table.rows.length - 1 }, () => Array.from({ length: table.columns.length - 1 }, () => ''))
  const inCell = new Map<string, Piece[]>()
  for (const piece of pieces) {
    const row = placeOf(table.rows, piece.base - 0.35 * piece.size)
    const column = placeOf(table.columns, Math.min((piece.left + piece.right) / 2, piece.left + piece.size))
    const cell = table.cells.find(
      (one) => row >= one.firstRow && row <= one.lastRow && column >= one.firstColumn && column <= one.lastColumn,
    )
    const key = `${cell?.firstRow ?? row} ${cell?.firstColumn ?? column}`
    inCell.set(key, [...(inCell.get(key) ?? []), piece])
  }
  for (const [key, list] of inCell) {
    const [row = 0, column = 0] = key.split(' ').map(Number)
    const line = lines[row]
    if (line) line[column] = cellText(list)
  }
  return lines.map((line) => line.join('\t').trimEnd()).filter((line) => line !== '')
}

/** How far lines reach is told by so many above and below: a page's head and foot may reach further than its text. */
const AROUND = 4

/** Where the longest of some lines ends that stand by themselves. */
const rightEnd = (flow: Flow<RuledTable>): number =>
  Math.max(
    ...flow.flatMap((part) => ('columns' in part || part.items.length > 1 ? [] : part.items.flatMap(({ piece }) => piece?.right ?? []))),
  )

/** Writes a flow's lines. */
class TextWriter {
  readonly lines: string[] = []
  readonly #breaks: Breaks
  readonly #inTable: ReadonlyMap<RuledTable, readonly Piece[]>
  #open: Paragraph | undefined

  constructor(breaks: Breaks, inTable: ReadonlyMap<RuledTable, readonly Piece[]>) {
    this.#breaks = breaks
    this.#inTable = inTable
  }

  write(flow: Flow<RuledTable>): void {
    for (const [at, part] of flow.entries()) {
      if ('columns' in part) {
        this.end()
        for (const column of part.columns) this.write(column)
      } else this.#row(part, rightEnd(flow.slice(Math.max(0, at - AROUND), at + AROUND + 1)))
    }
    this.end()
  }

  end(): void {
    if (this.#open) this.lines.push(this.#open.text)
    this.#open = undefined
  }

  #row({ items }: Row<RuledTable>, right: number): void {
    const [first] = items
    const piece = first?.piece
    if (items.length === 1 && piece) {
      const open = this.#open
      if (this.#breaks === 'paragraph' && open && continues(open, piece, right)) {
        const pitch = piece.base - open.last.base
        this.#open = { text: joinedText(open.text, piece.text), last: piece, pitch }
        return
      }
      this.end()
      this.#open = { text: piece.text, last: piece, pitch: undefined }
      return
    }
    this.end()
    const text: string[] = []
    for (const item of items) {
      if (item.piece) text.push(item.piece.text)
      if (item.whole) this.lines.push(...tableLines(item.whole, this.#inTable.get(item.whole) ?? []))
    }
    if (text.length > 0) this.lines.push(text.join('\t'))
  }
}

function linesOf(page: PageModel, turn: Turn, pieces: readonly Piece[], breaks: Breaks): string[] {
  const tables = turn === 0 ? ruledTables(page) : []
  const inTable = new Map<RuledTable, Piece[]>(tables.map((table) => [table, []]))
  const free = pieces.filter((piece) => {
    const table = tables.find((one) => isWithin(piece, one))
    if (table) inTable.get(table)?.push(piece)
    return !table
  })
  const filled = tables.filter((table) => (inTable.get(table)?.length ?? 0) > 0)
  const writer = new TextWriter(breaks, inTable)
  const items = [...free.map(itemOf), ...filled.map(itemOfTable)]
  if (items.length > 0) writer.write(readingOrder(items))
  return writer.lines
}

/** A page's text in the order it is read in, line by line; what stands turned follows what stands upright. */
export const pageText = (page: PageModel, breaks: Breaks): readonly string[] =>
  textPieces(page).flatMap(({ turn, pieces }) => linesOf(page, turn, pieces, breaks))
