import type { Rule } from '#engine/pdf/page-model'

/** Rules no further apart are one, in points. */
const SAME = 1.6
/** What is thicker is no rule of a table. */
const THICKEST = 6
const SHORTEST = 5
/** Pieces of one rule may be this far apart, as dashes are. */
const GAP = 2.5
/** A longer piece is no dash but a cell's own border, in points. */
const LONGEST_DASH = 9
/** A rule is dotted of which so much is. */
const MOSTLY = 0.8
/** A rule that ends this far from another still meets it. */
const MEETS = 2.5

/** Pieces of a rule put together, with what they were put together from. */
export interface Stroke extends Rule {
  /** A rule of several pieces with gaps between them. */
  readonly isDashed: boolean
  readonly parts: readonly Rule[]
}

const isLike = (a: Rule, b: Rule): boolean => a.colour === b.colour && Math.abs(a.width - b.width) < 0.3

/** Pieces of one rule put together where they look alike. */
export function strokesOf(rules: readonly Rule[]): Stroke[] {
  const strokes: Stroke[] = []
  const sorted = rules.filter(({ width }) => width <= THICKEST).toSorted((a, b) => a.at - b.at)
  for (let start = 0; start < sorted.length;) {
    const at = sorted[start]?.at ?? 0
    let end = start + 1
    while (end < sorted.length && (sorted[end]?.at ?? 0) - at < SAME) end++
    strokes.push(...joinedAlong(sorted.slice(start, end)))
    start = end
  }
  return strokes.filter(({ from, to }) => to - from > SHORTEST)
}

/** Rules of one line, those that follow one another put together. */
function joinedAlong(rules: readonly Rule[]): Stroke[] {
  const open: { rule: Rule; to: number; parts: Rule[]; gaps: number }[] = []
  const done: typeof open = []
  for (const rule of rules.toSorted((a, b) => a.from - b.from)) {
    for (let at = open.length - 1; at >= 0; at--) if ((open[at]?.to ?? 0) < rule.from - GAP) done.push(...open.splice(at, 1))
    const before = open.find((one) => isLike(one.rule, rule))
    if (before) {
      if (rule.from > before.to + 0.3) before.gaps++
      before.to = Math.max(before.to, rule.to)
      before.parts.push(rule)
    } else open.push({ rule, to: rule.to, parts: [rule], gaps: 0 })
  }
  return [...done, ...open].map(({ rule, to, parts, gaps }) => {
    const isDashed = gaps > 2 && gaps > parts.length / 2 && (to - rule.from) / parts.length < LONGEST_DASH
    const dotted = parts.reduce((sum, part) => sum + (part.isDashed === true ? part.to - part.from : 0), 0)
    return { ...rule, to, parts, isDashed: isDashed || dotted > MOSTLY * (to - rule.from) }
  })
}

/** Sets of things that belong together (disjoint-set forest). */
export function groups(count: number) {
  const parents = Array.from({ length: count }, (_, at) => at)
  const rootOf = (at: number): number => {
    let root = at
    while (parents[root] !== root) root = parents[root] ?? root
    for (let next = at; next !== root;) {
      const above = parents[next] ?? root
      parents[next] = root
      next = above
    }
    return root
  }
  return { rootOf, join: (a: number, b: number): void => void (parents[rootOf(a)] = rootOf(b)) }
}

/** The first of some sorted numbers that is not below a value. */
export function lowerBound(values: readonly number[], value: number): number {
  let [low, high] = [0, values.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((values[middle] ?? 0) < value) low = middle + 1
    else high = middle
  }
  return low
}

/** Strokes that meet, by what they meet. */
export function meetingStrokes(across: readonly Stroke[], down: readonly Stroke[]): Stroke[][] {
  const sorted = down.toSorted((a, b) => a.at - b.at)
  const places = sorted.map(({ at }) => at)
  const all = [...across, ...sorted]
  const { rootOf, join } = groups(all.length)
  for (const [index, { from, to, at }] of across.entries()) {
    for (let d = lowerBound(places, from - MEETS); d < places.length && (places[d] ?? 0) <= to + MEETS; d++) {
      const other = sorted[d]
      if (other && at >= other.from - MEETS && at <= other.to + MEETS) join(index, across.length + d)
    }
  }
  const together = new Map<number, Stroke[]>()
  for (const [index, stroke] of all.entries()) {
    const list = together.get(rootOf(index))
    if (list) list.push(stroke)
    else together.set(rootOf(index), [stroke])
  }
  return [...together.values()]
}
