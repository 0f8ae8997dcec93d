import type { Line, Paragraph } from './document-model.ts'

/** The sides of a column, or of a cell within its padding. */
export interface Sides {
  readonly left: number
  readonly right: number
  readonly isCell?: boolean
  /** A footnote's: the mark it begins with is no list's. */
  readonly isNote?: boolean
}

/** Edges no further apart are one, in points. */
const SAME_EDGE = 1.6
/** What is centred stands this far inside of its column on both sides, in sizes; in a cell, in points. */
const INSIDE = { column: 1.5, cell: 2 }
/** How far from the middle it may stand: in points, and as a share of the width. */
const OFF_MIDDLE = { points: 3, share: 0.012 }
/** A single line at the right begins behind this share of its column; in a cell it stands this much nearer to that side, in points. */
const RIGHT = { share: 0.45, nearer: 6 }

const spread = (values: readonly number[]): number => Math.max(...values) - Math.min(...values)

/** How lines stand between their column's sides, by their edges. */
export function alignOf(lines: readonly Line[], { left, right, isCell = false }: Sides, size: number): Paragraph['align'] {
  const [lefts, rights] = [lines.map((line) => line.left), lines.map((line) => line.right)]
  const [before, after] = [Math.min(...lefts) - left, right - Math.max(...rights)]
  const centres = lines.map((line) => (line.left + line.right) / 2)
  const nearMiddle = Math.max(OFF_MIDDLE.points, OFF_MIDDLE.share * (right - left))
  const isInMiddle = centres.every((centre) => Math.abs(centre - (left + right) / 2) < nearMiddle)
  const inside = isCell ? INSIDE.cell : INSIDE.column * size
  const isInside = before > inside && after > inside
  if (lines.length === 1) {
    if (isInMiddle && isInside) return 'centre'
    if (isCell) return after < before - RIGHT.nearer && after < RIGHT.nearer ? 'right' : 'left'
    return after < 2 && before > RIGHT.share * (right - left) ? 'right' : 'left'
  }
  const areLeftOne = spread(lefts.slice(1)) < SAME_EDGE
  if (isInMiddle && (isInside || spread(lefts) > SAME_EDGE) && spread(centres) < 2 * SAME_EDGE && spread(lefts) > SAME_EDGE) return 'centre'
  if (isInMiddle && isInside && spread(lefts) <= SAME_EDGE && isCell) return 'left'
  if (spread(rights) < SAME_EDGE && spread(lefts) > 2 * size && !(areLeftOne && lines.length > 2)) return 'right'
  const full = rights.slice(0, -1)
  return spread(full) < SAME_EDGE && right - Math.max(...full) < size ? 'justify' : 'left'
}
