import type { Line, Run, TabStop } from './document-model.ts'
import { isHan, type Letter, type Piece } from './pieces.ts'

/** How far letters reach above and below their baseline, in sizes. */
const [ASCENT, DESCENT] = [0.86, 0.22]

/** The top of a piece's letters. */
export const topOf = ({ base, size }: Piece): number => base - ASCENT * size
/** The bottom of a piece's letters. */
export const bottomOf = ({ base, size }: Piece): number => base + DESCENT * size

/** Letters that look alike as one run; a tab is one by itself. */
function runsOf(letters: readonly Letter[]): Run[] {
  const runs: { -readonly [key in keyof Run]: Run[key] }[] = []
  for (const { text, left, right, style, target, note } of letters) {
    const last = runs.at(-1)
    const isAlike = last?.target === target && last?.note === note && (last?.style === style || note !== undefined)
    if (last !== undefined && isAlike && text !== '\t' && last.text !== '\t') {
      last.text += text
      last.width += right - left
    } else runs.push({ text, style, width: right - left, ...(target && { target }), ...(note !== undefined && { note }) })
  }
  return runs
}

/** So many letters of one kind in a row fill the way to what follows. */
const LEAST_LEADERS = 4
/** An ellipsis of a sentence (……) is two such letters, and fills no way. */
const ELLIPSIS = 1.5
const LEADERS: Readonly<Record<string, TabStop['leader']>> = { '.': '.', '·': '.', '…': '.', '．': '.', '-': '-' }
/** The last piece of a line ends at its column's side where it is no further from it, in points, and so far from the one before, in sizes. */
const AT_SIDE = { near: 2, gap: 2 }

/** Letters that a tab parts from those before them, and what fills the way to them. */
interface Part {
  readonly letters: Letter[]
  readonly size: number
  readonly filled: Pick<TabStop, 'leader' | 'fill'>
}

/** How many letters from one on fill the way to something: to more letters, or to another piece. */
function leadersFrom(letters: readonly Letter[], from: number, isLast: boolean): number {
  const kind = LEADERS[letters[from]?.text[0] ?? '']
  if (!kind) return 0
  let [count, end] = [0, from]
  for (let at = from; at < letters.length; at++) {
    const text = letters[at]?.text ?? ''
    if (text.trim() === '') continue
    if (LEADERS[text[0] ?? ''] !== kind) break
    count += text.startsWith('…') ? ELLIPSIS : text.length
    end = at + 1
  }
  return count >= LEAST_LEADERS && (end < letters.length || !isLast) ? end - from : 0
}

/** Pieces parted where leaders fill the way too. */
function partsOf(pieces: readonly Piece[]): Part[] {
  const parts: Part[] = []
  let filled: Part['filled'] = {}
  for (const [index, { letters, size }] of pieces.entries()) {
    let isOpen = false
    for (let at = 0; at < letters.length; at++) {
      const letter = letters[at]
      const count = parts.length > 0 ? leadersFrom(letters, at, index === pieces.length - 1) : 0
      const leader = count > 0 ? LEADERS[letter?.text[0] ?? ''] : undefined
      if (leader) {
        const said = letters.slice(at, at + count).map(({ text }) => text)
        filled = { leader, fill: said.join('').replaceAll(' ', '') }
        at += count - 1
        isOpen = false
      } else if (letter && isOpen) parts.at(-1)?.letters.push(letter)
      else if (letter && letter.text.trim() !== '') {
        parts.push({ letters: [letter], size, filled })
        filled = {}
        isOpen = true
      }
    }
  }
  return parts
}

/** A line's letters with a tab between each two parts, and where text goes on after each. */
function tabbed(pieces: readonly Piece[], side: number | undefined): { letters: Letter[]; stops: TabStop[] } {
  const parts = partsOf(pieces)
  const letters: Letter[] = []
  const stops: TabStop[] = []
  for (const [index, { letters: own, size, filled }] of parts.entries()) {
    while (letters.at(-1)?.text.trim() === '') letters.pop()
    const before = letters.at(-1)
    const [left, right] = [own[0]?.left ?? 0, own.at(-1)?.right ?? 0]
    if (before) {
      letters.push({ text: '\t', left: before.right, right: left, style: before.style })
      const isAtSide = index === parts.length - 1 && side !== undefined && Math.abs(right - side) < AT_SIDE.near
      const isRight = filled.leader !== undefined || (isAtSide && left - before.right > AT_SIDE.gap * size)
      stops.push({ at: isRight ? right : left, align: isRight ? 'right' : 'left', ...filled })
    }
    letters.push(...own)
  }
  return { letters, stops }
}

/** Pieces beside one another as a line, a tab between each two, and where text goes on after its tabs. `right` is their column's side. */
export function lineOf(pieces: readonly Piece[], right?: number): { readonly line: Line; readonly stops: readonly TabStop[] } {
  const { letters, stops } = tabbed(pieces, right)
  const largest = pieces.reduce((a, b) => (b.size > a.size ? b : a))
  const line = {
    left: Math.min(...pieces.map((piece) => piece.left)),
    right: Math.max(...pieces.map((piece) => piece.right)),
    top: Math.min(...pieces.map(topOf)),
    bottom: Math.max(...pieces.map(bottomOf)),
    base: largest.base,
    runs: runsOf(letters),
  }
  return { line, stops }
}

/** How wide a space is, in sizes, that stands for a part of a gap. */
const SPACE = 0.25

/** A line with spaces for its tabs: what ends at a side, or stands in the middle, goes by no stops. */
export const withSpaces = ({ runs, ...line }: Line): Line => ({
  ...line,
  runs: runs.map((run, at) => {
    if (run.text !== '\t') return run
    const isBetweenHan = isHan(runs[at - 1]?.text.slice(-1) ?? '') && isHan(runs[at + 1]?.text.slice(0, 1) ?? '')
    const [space, wide] = isBetweenHan ? ['\u3000', 1] : [' ', SPACE]
    return { ...run, text: space.repeat(Math.max(1, Math.round(run.width / (wide * run.style.size)))) }
  }),
})

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
  const isAlike = end.style === first.style && end.target === first.target && end.note === first.note
  const middle = isAlike ? [{ ...end, text: end.text + first.text, width: end.width + first.width }] : [end, first]
  return [...before.slice(0, -1), ...middle, ...after.slice(1)]
}

/** The runs of lines that read as one. */
export const joinedRuns = (lines: readonly (readonly Run[])[]): readonly Run[] =>
  lines.reduce<readonly Run[]>((before, after) => joined(before, after), [])
