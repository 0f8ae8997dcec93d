import { bottomOf, topOf } from './lines.ts'
import type { PieceRow } from './paragraphs.ts'
import type { Piece } from './pieces.ts'

/** A gap between columns is at least so wide, in points. */
const GUTTER = 7

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

/** What is free from one place to another across the page, in points. */
export type Gap = readonly [from: number, to: number]

/** What is free between a row's items, and beside them. */
export function freeOf<Whole>({ items }: Row<Whole>): Gap[] {
  const gaps: Gap[] = []
  let end = -Infinity
  for (const { left, right } of items) {
    if (left - end >= GUTTER) gaps.push([end, left])
    end = Math.max(end, right)
  }
  return [...gaps, [end, Infinity]]
}

/** What is left of a gap when a row's items stand around it, the widest part; undefined where none is. */
export function narrowed<Whole>([from, to]: Gap, row: Row<Whole>): Gap | undefined {
  let widest: Gap | undefined
  for (const [start, end] of freeOf(row)) {
    const part: Gap = [Math.max(from, start), Math.min(to, end)]
    if (part[1] - part[0] >= GUTTER && (!widest || part[1] - part[0] > widest[1] - widest[0])) widest = part
  }
  return widest
}
