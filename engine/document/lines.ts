import type { Line, Run } from './document-model.ts'
import { isHan, type Letter, type Piece } from './pieces.ts'

/** How far letters reach above and below their baseline, in sizes. */
const [ASCENT, DESCENT] = [0.86, 0.22]

/** The top of a piece's letters. */
export const topOf = ({ base, size }: Piece): number => base - ASCENT * size
/** The bottom of a piece's letters. */
export const bottomOf = ({ base, size }: Piece): number => base + DESCENT * size

/** Letters that look alike as one run. */
function runsOf(letters: readonly Letter[]): Run[] {
  const runs: Run[] = []
  for (const { text, left, right, style } of letters) {
    const last = runs.at(-1)
    if (last?.style === style) runs[runs.length - 1] = { ...last, text: last.text + text, width: last.width + right - left }
    else runs.push({ text, style, width: right - left })
  }
  return runs
}

/** Pieces beside one another as a line, a tab between each two. */
export function lineOf(pieces: readonly Piece[]): Line {
  const letters: Letter[] = []
  for (const piece of pieces) {
    const before = letters.at(-1)
    if (before) letters.push({ text: '\t', left: before.right, right: piece.left, style: before.style })
    letters.push(...piece.letters)
  }
  const largest = pieces.reduce((a, b) => (b.size > a.size ? b : a))
  return {
    left: Math.min(...pieces.map(({ left }) => left)),
    right: Math.max(...pieces.map(({ right }) => right)),
    top: Math.min(...pieces.map(topOf)),
    bottom: Math.max(...pieces.map(bottomOf)),
    base: largest.base,
    runs: runsOf(letters),
  }
}

/** What runs say. */
export const textOf = (runs: readonly Run[]): string => runs.map(({ text }) => text).join('')

const HYPHENATED = /[A-Za-z][-\u2010]$/

/** Two lines as one: without the hyphen of a word's end, with a space between words. */
function joined(before: readonly Run[], after: readonly Run[]): Run[] {
  const [last, first] = [before.at(-1), after[0]]
  if (!last || !first) return [...before, ...after]
  const isParted = HYPHENATED.test(last.text) && /^[a-z]/.test(first.text)
  const space = isParted || isHan(last.text.slice(-1)) || isHan(first.text.slice(0, 1)) ? '' : ' '
  const end = { ...last, text: (isParted ? last.text.slice(0, -1) : last.text) + space }
  const isAlike = end.style === first.style && end.target === first.target
  const middle = isAlike ? [{ ...end, text: end.text + first.text, width: end.width + first.width }] : [end, first]
  return [...before.slice(0, -1), ...middle, ...after.slice(1)]
}

/** The runs of lines that read as one. */
export const joinedRuns = (lines: readonly (readonly Run[])[]): readonly Run[] =>
  lines.reduce<readonly Run[]>((before, after) => joined(before, after), [])
