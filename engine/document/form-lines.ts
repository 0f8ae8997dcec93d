import type { Letter, Piece } from './pieces.ts'
import { strokesOf, type Stroke } from './tables/rules.ts'
import { byBase, meetsUpright } from './text-marks.ts'
import type { StyleBook } from './text-style.ts'
import type { PageModel, Rule } from '../pdf/page-model.ts'

/*
 * Lines of forms that are partly written on (甲方：__张建国______): what is written is underlined, and the rest is underscores as on an empty line. So
 * the line is text, and moves with it.
 */

/** Where such a line lies below the baseline, in sizes (forms of browsers have it at the foot of a whole line), and how thick it is at most, in points or sizes. */
const UNDER = { from: -0.04, to: 0.62 }
const THICKEST = { points: 1, sizes: 0.14 }
/** It begins where text ends, or ends where text begins, within this, in sizes; and is no longer than this share of the page. */
const ABUTS = 0.6
const LONGEST = 0.75
/** What leads to a number in a table's row is no text that a line goes on from. */
const LEADER = /^[.…·．\s]+$/
/** Lines are at one height that are no further apart, in points. */
const SAME = 1.5
/** How far a line may be from the baselines that are looked at, in points, however large the letters. */
const REACH = 60
/** What is written on it and beside it stands together: gaps as wide as this, in sizes, are those of a table's columns. */
const APART = 2
/** So much of it is empty at least, in sizes, before or behind what is written: a space of a justified line is narrower. */
const LEAST_BLANK = 0.9
/** How wide an underscore is, in sizes. */
const UNDERSCORE = 0.5

/** Rules across that may be such lines, their parts put together. */
function spansOf({ rules, width }: PageModel): Stroke[] {
  const upright = rules.filter(({ isHorizontal }) => !isHorizontal)
  const strokes = strokesOf(rules.filter(({ isHorizontal }) => isHorizontal))
  return strokes.filter((stroke) => stroke.to - stroke.from < LONGEST * width && !meetsUpright(stroke, upright))
}

/** Underscores from one place to another in the look of a letter; none where there is hardly room. */
function underscores(from: number, to: number, { style }: Letter): Letter[] {
  if (to - from <= LEAST_BLANK * style.size) return []
  const count = Math.max(1, Math.round((to - from) / (UNDERSCORE * style.size)))
  const step = (to - from) / count
  return Array.from({ length: count }, (_, at) => ({ text: '_', left: from + at * step, right: from + (at + 1) * step, style }))
}

const middle = ({ left, right }: Letter): number => (left + right) / 2

const isSpace = ({ text }: Letter): boolean => text.trim() === ''

/** Letters without the spaces they begin and end with. */
const trimmed = (letters: readonly Letter[]): readonly Letter[] =>
  letters.slice(
    letters.findIndex((letter) => !isSpace(letter)),
    letters.findLastIndex((letter) => !isSpace(letter)) + 1,
  )

/** A row's letters as one piece, with underscores for what is empty of a line under them; undefined where nothing of it is. */
function written(span: Stroke, row: readonly Piece[], styles: StyleBook): Piece | undefined {
  const [first] = row
  if (!first) return undefined
  const { size } = first
  const letters = row.flatMap((piece) => piece.letters)
  const on = trimmed(letters.filter((letter) => middle(letter) >= span.from && middle(letter) <= span.to))
  const [start, end] = [on[0], on.at(-1)]
  if (!start || !end || start.left < span.from - ABUTS * size || end.right > span.to + ABUTS * size) return undefined
  const blanks = [underscores(span.from, start.left, start), underscores(end.right, span.to, start)] as const
  if (blanks.every(({ length }) => length === 0)) return undefined
  const all = [
    ...letters.filter((letter) => middle(letter) < span.from),
    ...blanks[0],
    ...on.map((letter) => ({ ...letter, style: styles.with(letter.style, { isUnderlined: true }) })),
    ...blanks[1],
    ...letters.filter((letter) => middle(letter) > span.to),
  ]
  if (all.some(({ left }, at) => left - (all[at - 1]?.right ?? left) > APART * size)) return undefined
  return { ...first, right: all.at(-1)?.right ?? first.right, text: all.map(({ text }) => text).join(''), letters: all }
}

/** Whether a line begins or ends beside a letter that stands on no such line itself. */
function isBeside(span: Stroke, { letters, size }: Piece, spans: readonly Stroke[]): boolean {
  const others = spans.filter((one) => one !== span && Math.abs(one.at - span.at) < SAME)
  return letters.some((letter) => {
    const isNear =
      (Math.abs(letter.right - span.from) < ABUTS * size && letter.left < span.from) || Math.abs(letter.left - span.to) < ABUTS * size
    return isNear && !LEADER.test(letter.text) && !others.some(({ from, to }) => middle(letter) > from && middle(letter) < to)
  })
}

/** Pieces in which partly written lines are text, and the page without those lines. */
export function withFormLines(page: PageModel, pieces: readonly Piece[], styles: StyleBook): { page: PageModel; pieces: readonly Piece[] } {
  const near = byBase(pieces)
  const reach = Math.min(REACH, UNDER.to * pieces.reduce((most, { size }) => Math.max(most, size), 0))
  const gone = new Set<Rule>()
  /** The line that a piece has become a part of. */
  const lines = new Map<Piece, Piece>()
  const now = (piece: Piece): Piece => {
    const line = lines.get(piece)
    return line ? now(line) : piece
  }
  const spans = spansOf(page)
  for (const span of spans) {
    const row = [...new Set(near(span.at - reach, span.at + reach).map(now))]
      .filter(({ base, size, left, right }) => {
        const place = (span.at - base) / size
        const isUnder = place > UNDER.from && place < UNDER.to && span.width <= Math.max(THICKEST.points, THICKEST.sizes * size)
        return isUnder && right > span.from - ABUTS * size && left < span.to + ABUTS * size
      })
      .toSorted((a, b) => a.left - b.left)
    const line = row.some((piece) => isBeside(span, piece, spans)) ? written(span, row, styles) : undefined
    if (!line) continue
    for (const piece of row) lines.set(piece, line)
    for (const rule of span.parts) gone.add(rule)
  }
  if (gone.size === 0) return { page, pieces }
  return { page: { ...page, rules: page.rules.filter((rule) => !gone.has(rule)) }, pieces: [...new Set(pieces.map(now))] }
}
