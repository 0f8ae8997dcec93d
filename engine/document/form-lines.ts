import type { Letter, Piece } from './pieces.ts'
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
/** Parts of one line are no further from one another, in points. */
const SAME = 1.5
/** What is written on it stands together: gaps as wide as this, in sizes, are those of a table's columns. */
const APART = 2
/** So much of it is empty at least, in sizes, before, between or behind what is written. */
const LEAST_BLANK = 0.6
/** How wide an underscore is, in sizes. */
const UNDERSCORE = 0.5

interface Span {
  readonly from: number
  readonly to: number
  readonly at: number
  readonly width: number
  readonly rules: readonly Rule[]
}

/** Rules across that may be such lines, their parts put together. */
function spansOf({ rules, width }: PageModel): Span[] {
  const upright = rules.filter(({ isHorizontal }) => !isHorizontal)
  const meetsUpright = ({ at, from, to }: Span): boolean =>
    upright.some(
      (rule) => at >= rule.from - SAME && at <= rule.to + SAME && (Math.abs(rule.at - from) < SAME || Math.abs(rule.at - to) < SAME),
    )
  const spans: Span[] = []
  for (const rule of rules.filter(({ isHorizontal }) => isHorizontal).toSorted((a, b) => a.from - b.from)) {
    const at = spans.findIndex((span) => Math.abs(span.at - rule.at) < SAME / 2 && Math.abs(rule.from - span.to) < SAME)
    const before = spans[at]
    if (before) spans[at] = { ...before, to: Math.max(before.to, rule.to), rules: [...before.rules, rule] }
    else spans.push({ from: rule.from, to: rule.to, at: rule.at, width: rule.width, rules: [rule] })
  }
  return spans.filter((span) => span.to - span.from < LONGEST * width && !meetsUpright(span))
}

/** Letters of a line, or an empty place of it. */
type Part = Letter | { readonly left: number; readonly right: number }

/** Underscores for an empty place, in the look of the letter beside it. */
function underscores({ left, right }: Part, { style }: Letter): Letter[] {
  const count = Math.max(1, Math.round((right - left) / (UNDERSCORE * style.size)))
  const step = (right - left) / count
  return Array.from({ length: count }, (_, at) => ({ text: '_', left: left + at * step, right: left + (at + 1) * step, style }))
}

/** A row's letters as one piece, with underscores for what is empty of a line under them; undefined where nothing of it is. */
function written(span: Span, row: readonly Piece[], styles: StyleBook): Piece | undefined {
  const [first] = row
  if (!first) return undefined
  const { size } = first
  const letters = row.flatMap((piece) => piece.letters)
  const before = letters.filter(({ left, right }) => (left + right) / 2 < span.from)
  const after = letters.filter(({ left, right }) => (left + right) / 2 > span.to)
  const on = letters.filter(
    (letter) =>
      !before.includes(letter) && !after.includes(letter) && (letter.text.trim() !== '' || letter.right - letter.left < LEAST_BLANK * size),
  )
  const [start, end] = [on[0], on.at(-1)]
  if (
    !start ||
    !end ||
    on.every(({ text }) => text.trim() === '') ||
    start.left < span.from - ABUTS * size ||
    end.right > span.to + ABUTS * size
  )
    return undefined
  if (on.some(({ left }, at) => left - (on[at - 1]?.right ?? left) > APART * size)) return undefined
  const parts: Part[] = []
  let reached = span.from
  for (const letter of on) {
    if (letter.left - reached > LEAST_BLANK * size) parts.push({ left: reached, right: letter.left })
    parts.push({ ...letter, style: styles.with(letter.style, { isUnderlined: true }) })
    reached = letter.right
  }
  if (span.to - reached > LEAST_BLANK * size) parts.push({ left: reached, right: span.to })
  if (parts.length === on.length) return undefined
  const line = parts.flatMap((part) => ('text' in part ? [part] : underscores(part, start)))
  const all = [...before, ...line, ...after]
  return { ...first, right: all.at(-1)?.right ?? first.right, text: all.map(({ text }) => text).join(''), letters: all }
}

/** Pieces in which partly written lines are text, and the page without those lines. */
export function withFormLines(page: PageModel, pieces: readonly Piece[], styles: StyleBook): { page: PageModel; pieces: readonly Piece[] } {
  let all = pieces
  const gone = new Set<Rule>()
  for (const span of spansOf(page)) {
    const row = all
      .filter(({ base, size, left, right }) => {
        const place = (span.at - base) / size
        const isUnder = place > UNDER.from && place < UNDER.to && span.width <= Math.max(THICKEST.points, THICKEST.sizes * size)
        return isUnder && right > span.from - ABUTS * size && left < span.to + ABUTS * size
      })
      .toSorted((a, b) => a.left - b.left)
    const isAbutting = row.some(({ size, letters }) =>
      letters.some(
        ({ left, right, text }) =>
          !LEADER.test(text) &&
          ((Math.abs(right - span.from) < ABUTS * size && left < span.from) || Math.abs(left - span.to) < ABUTS * size),
      ),
    )
    const line = isAbutting ? written(span, row, styles) : undefined
    if (!line) continue
    all = all.flatMap((piece) => (piece === row[0] ? [line] : row.includes(piece) ? [] : [piece]))
    for (const rule of span.rules) gone.add(rule)
  }
  return gone.size === 0 ? { page, pieces } : { page: { ...page, rules: page.rules.filter((rule) => !gone.has(rule)) }, pieces: all }
}
