import type { Box } from '../document-model.ts'
import type { Piece } from '../pieces.ts'

/** How far letters reach above and below their baseline, in sizes. */
export const [ASCENT, DESCENT] = [0.86, 0.22]
/** A piece whose letters' middle is no further from a line's, in sizes, stands in that line. */
const SAME_LINE = 0.4

/** Pieces side by side, from the left. */
export interface TextLine extends Box {
  readonly base: number
  readonly size: number
  readonly pieces: readonly Piece[]
}

/** A line of some pieces. */
export function textLine(pieces: readonly Piece[]): TextLine {
  const sorted = pieces.toSorted((a, b) => a.left - b.left)
  const size = Math.max(...sorted.map((piece) => piece.size))
  return {
    left: sorted[0]?.left ?? 0,
    right: Math.max(...sorted.map(({ right }) => right)),
    top: Math.min(...sorted.map((piece) => piece.base - ASCENT * piece.size)),
    bottom: Math.max(...sorted.map((piece) => piece.base + DESCENT * piece.size)),
    base: sorted.find((piece) => piece.size === size)?.base ?? 0,
    size,
    pieces: sorted,
  }
}

/** Pieces by lines, from the top. */
export function textLines(pieces: readonly Piece[]): TextLine[] {
  const lines: Piece[][] = []
  for (const piece of pieces.toSorted((a, b) => a.base - b.base)) {
    const last = lines.at(-1)?.[0]
    if (last && piece.base - last.base < SAME_LINE * Math.min(piece.size, last.size)) lines.at(-1)?.push(piece)
    else lines.push([piece])
  }
  return lines.map(textLine)
}
