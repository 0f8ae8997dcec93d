import type { PageModel } from '#engine/pdf/page-model'
import type { Turn } from '../directions.ts'
import type { Letter, Piece } from '../pieces.ts'
import { placeOf } from './cell-shells.ts'
import type { TableShell } from './table-shell.ts'

/** A gap that parts words, in sizes. */
const WORDS = 0.22
/** A letter may reach so far over a column's line that it still stands beside it, in sizes. */
const OVER = 0.2
/** The middle of letters above their baseline, in sizes. */
const MIDDLE = 0.35

/** A piece's letters by words. */
export function wordsOf({ letters, size }: Piece): Letter[][] {
  const words: Letter[][] = []
  let isNew = true
  for (const letter of letters) {
    const last = words.at(-1)?.at(-1)
    if (letter.text.trim() === '') isNew = true
    else {
      if (isNew || !last || letter.left - last.right > WORDS * size) words.push([letter])
      else words.at(-1)?.push(letter)
      isNew = false
    }
  }
  return words
}

/** Parts of a word by the columns they stand in. A line through a letter parts nothing: the word is too long for its cell. */
function partsOf(word: readonly Letter[], columns: readonly number[], size: number): { column: number; letters: Letter[] }[] {
  const parts: { column: number; letters: Letter[] }[] = []
  for (const letter of word) {
    const column = placeOf(columns, (letter.left + letter.right) / 2)
    const part = parts.at(-1)
    const last = part?.letters.at(-1)
    if (!part || !last) parts.push({ column, letters: [letter] })
    else {
      const line = columns[Math.max(part.column, column)] ?? Infinity
      const isBetween = column !== part.column && line > last.right - OVER * size && line < letter.left + OVER * size
      if (isBetween) parts.push({ column, letters: [letter] })
      else part.letters.push(letter)
    }
  }
  for (const part of parts) {
    const [first, last] = [part.letters[0], part.letters.at(-1)]
    if (first && last) part.column = placeOf(columns, (first.left + last.right) / 2)
  }
  return parts
}

/** The letters between two of a piece as a piece of their own. */
export function partOf(piece: Piece, first: Letter, last: Letter): Piece {
  const letters = piece.letters.slice(piece.letters.indexOf(first), piece.letters.indexOf(last) + 1)
  return { ...piece, left: first.left, right: last.right, letters, text: letters.map(({ text }) => text).join('') }
}

/** A piece parted where a column ends: at first between all its words. */
function parted(piece: Piece, columns: readonly number[], cellAt: (column: number) => number): { cell: number; piece: Piece }[] {
  const out: { cell: number; first: Letter; last: Letter }[] = []
  for (const { column, letters } of wordsOf(piece).flatMap((word) => partsOf(word, columns, piece.size))) {
    const [first, last] = [letters[0], letters.at(-1)]
    if (!first || !last) continue
    const before = out.at(-1)
    if (before?.cell === cellAt(column)) before.last = last
    else out.push({ cell: cellAt(column), first, last })
  }
  return out.map(({ cell, first, last }) => ({ cell, piece: partOf(piece, first, last) }))
}

/** The index of the cell at each place of a table's grid. */
function cellsByPlace({ columns, cells }: TableShell): (row: number, column: number) => number {
  const wide = columns.length - 1
  const byPlace = new Map<number, number>()
  for (const [index, { firstRow, lastRow, firstColumn, lastColumn }] of cells.entries())
    for (let row = firstRow; row <= lastRow; row++)
      for (let column = firstColumn; column <= lastColumn; column++) byPlace.set(row * wide + column, index)
  return (row, column) => (row < 0 || column < 0 ? -1 : (byPlace.get(row * wide + column) ?? -1))
}

/** The pieces in each cell of a table (those of tables within it too), parted where they reach over several. */
export function piecesByCell(table: TableShell, pieces: readonly Piece[]): readonly (readonly Piece[])[] {
  const cellAt = cellsByPlace(table)
  const inCell = table.cells.map((): Piece[] => [])
  for (const piece of pieces) {
    const row = placeOf(table.rows, piece.base - MIDDLE * piece.size)
    for (const part of parted(piece, table.columns, (column) => cellAt(row, column))) inCell[part.cell]?.push(part.piece)
  }
  return inCell
}

/** The same for turned pieces, by their middles. */
export function turnedPiecesByCell(
  table: TableShell,
  pieces: readonly Piece[],
  turn: Turn,
  page: PageModel,
): readonly (readonly Piece[])[] {
  const cellAt = cellsByPlace(table)
  const inCell = table.cells.map((): Piece[] => [])
  for (const piece of pieces) {
    const [x, y] = middleOf(piece, turn, page)
    inCell[cellAt(placeOf(table.rows, y), placeOf(table.columns, x))]?.push(piece)
  }
  return inCell
}

/** Where the middle of a turned piece lies on its page. */
function middleOf({ left, right, base, size }: Piece, turn: Turn, { width, height }: PageModel): readonly [number, number] {
  const [u, v] = [(left + right) / 2, base - MIDDLE * size]
  return turn === 0 ? [u, v] : turn === 1 ? [width - v, u] : turn === 2 ? [width - u, height - v] : [v, height - u]
}
