import type { TextStyle } from './document-model.ts'
import type { Letter, Piece } from './pieces.ts'
import type { StyleBook } from './text-style.ts'
import type { Fill, Link, PageModel, Rule } from '../pdf/page-model.ts'

/** Where a line under letters lies, and one through them, from their baseline in sizes; and how thick it is at most. */
const UNDER = { from: -0.04, to: 0.32 }
const THROUGH = { from: -0.48, to: -0.16 }
const THICKEST = 0.14
/** A line belongs to letters where it begins and ends with them, in sizes; rules of tables reach further. */
const ENDS = 0.6
/** A line may be drawn in parts no further from one another, in points. */
const SAME = 1.5
/** A fill is behind letters alone that is no higher than this, in sizes, and covers so much of their height. */
const HIGHEST = 1.75
const COVERS = 0.55
/** Behind letters white is no colour. */
const WHITE = '#ffffff'

/** Something drawn along a line of letters. */
interface Stroke {
  readonly from: number
  readonly to: number
  readonly change: Partial<TextStyle>
}

/** A page's text with its marks, and the page without what marks it. */
export interface Marked {
  readonly pieces: readonly Piece[]
  readonly page: PageModel
}

/** Whether something from one place to another takes whole letters of a piece: it begins and ends where letters do. */
function fits({ letters, size }: Piece, from: number, to: number): boolean {
  const slack = ENDS * size
  const first = letters.find(({ right }) => right > from + SAME)
  const last = letters.findLast(({ left }) => left < to - SAME)
  return first !== undefined && last !== undefined && Math.abs(first.left - from) < slack && Math.abs(last.right - to) < slack
}

/** Whether a line across begins or ends at one that runs down: a grid's does. */
export const meetsUpright = (rule: Pick<Rule, 'at' | 'from' | 'to'>, upright: readonly Rule[]): boolean =>
  upright.some(
    ({ at, from, to }) =>
      rule.at >= from - SAME && rule.at <= to + SAME && (Math.abs(at - rule.from) < SAME || Math.abs(at - rule.to) < SAME),
  )

/** What is drawn under or through a piece by a rule. */
function strokeOf(rule: Rule, piece: Piece): Stroke | undefined {
  const { base, size, left, right } = piece
  if (rule.to < left || rule.from > right || rule.width > Math.max(1, THICKEST * size)) return undefined
  const place = (rule.at - base) / size
  const isUnder = place > UNDER.from && place < UNDER.to
  const isThrough = place > THROUGH.from && place < THROUGH.to
  if (!isUnder && !isThrough) return undefined
  return { from: rule.from, to: rule.to, change: isUnder ? { isUnderlined: true } : { isStruck: true } }
}

/** What is laid behind a piece by a fill. */
function highlightOf({ left, top, right, bottom, colour }: Fill, { base, size, left: start, right: end }: Piece): Stroke | undefined {
  if (right < start || left > end || bottom - top > HIGHEST * size || colour === WHITE) return undefined
  const shared = Math.min(bottom, base + 0.2 * size) - Math.max(top, base - 0.8 * size)
  return shared > COVERS * size ? { from: left, to: right, change: { highlight: colour } } : undefined
}

/** A letter with what is drawn along its middle. */
function drawnOn(letter: Letter, strokes: readonly Stroke[], links: readonly Link[], base: number, styles: StyleBook): Letter {
  const middle = (letter.left + letter.right) / 2
  const style = strokes
    .filter(({ from, to }) => middle > from && middle < to)
    .reduce((before, { change }) => styles.with(before, change), letter.style)
  const link = links.find(({ left, top, right, bottom }) => middle > left && middle < right && base > top && base - 1 < bottom)
  return { ...letter, style, ...(link && { target: link.target }) }
}

/** Pieces by where their baselines are, so that what is drawn finds those near by. */
export function byBase(pieces: readonly Piece[]): (from: number, to: number) => readonly Piece[] {
  const sorted = pieces.toSorted((a, b) => a.base - b.base)
  return (from, to) => {
    let [low, high] = [0, sorted.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((sorted[middle]?.base ?? 0) < from) low = middle + 1
      else high = middle
    }
    let end = low
    while (end < sorted.length && (sorted[end]?.base ?? 0) <= to) end++
    return sorted.slice(low, end)
  }
}

/** How far above its baseline a line's letters may reach, in points, and where something is drawn along them, in sizes. */
const REACH = 60
const REACHES = { through: 0.48, behind: 0.8 }

/** Lines under and through letters, colours behind them, and where they lead; what is drawn so is taken off the page's rules and fills. */
export function withMarks(page: PageModel, pieces: readonly Piece[], styles: StyleBook): Marked {
  const near = byBase(pieces)
  const largest = pieces.reduce((most, { size }) => Math.max(most, size), 0)
  const [through, behind] = [Math.min(REACH, REACHES.through * largest), Math.min(REACH, REACHES.behind * largest)]
  const upright = page.rules.filter(({ isHorizontal }) => !isHorizontal)
  const strokes = new Map<Piece, Stroke[]>()
  const add = (found: readonly (readonly [Piece, Stroke | undefined])[]): boolean => {
    const fitting = found.flatMap(([piece, stroke]) => (stroke && fits(piece, stroke.from, stroke.to) ? [[piece, stroke] as const] : []))
    for (const [piece, stroke] of fitting) strokes.set(piece, [...(strokes.get(piece) ?? []), stroke])
    return fitting.length > 0
  }
  const rules = page.rules.filter((rule) => {
    if (!rule.isHorizontal || meetsUpright(rule, upright)) return true
    return !add(near(rule.at - through, rule.at + through).map((piece) => [piece, strokeOf(rule, piece)] as const))
  })
  const fills = page.fills.filter(
    (fill) => !add(near(fill.top, fill.bottom + behind).map((piece) => [piece, highlightOf(fill, piece)] as const)),
  )
  const links = page.links ?? []
  const marked = pieces.map((piece): Piece => {
    const own = strokes.get(piece) ?? []
    const over = links.filter(
      ({ left, right, top, bottom }) => left < piece.right && right > piece.left && piece.base > top && piece.base - 1 < bottom,
    )
    if (own.length === 0 && over.length === 0) return piece
    return { ...piece, letters: piece.letters.map((letter) => drawnOn(letter, own, over, piece.base, styles)) }
  })
  return { pieces: marked, page: { ...page, rules, fills } }
}
