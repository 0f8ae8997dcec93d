import type { Fill, PageModel, Rule } from './page-model.ts'

/*
 * Dotted lines that are painted dot by dot, as browsers paint a dotted border: each dot is a square of its own, and thousands of them are one table's lines.
 */

/** A dot is no larger, in points, and its sides differ by no more than this share. */
const DOT = { most: 3, unequal: 0.35 }
/** So many dots make a line, no further apart than this many times their size. */
const LEAST_DOTS = 6
const APART = 3.2
/** Rows are told apart by a quarter of a point. */
const ROWS_A_POINT = 4

const isDot = ({ left, top, right, bottom }: Fill): boolean => {
  const [wide, high] = [right - left, bottom - top]
  return Math.max(wide, high) <= DOT.most && Math.abs(wide - high) <= DOT.unequal * Math.max(wide, high)
}

/** Dots that follow one another along an axis, by the lines they make. */
function linesAlong(dots: readonly Fill[], isHorizontal: boolean): Fill[][] {
  const startOf = ({ left, top }: Fill): number => (isHorizontal ? left : top)
  const endOf = ({ right, bottom }: Fill): number => (isHorizontal ? right : bottom)
  const rows = new Map<string, Fill[]>()
  for (const dot of dots) {
    const key = `${Math.round((isHorizontal ? dot.top : dot.left) * ROWS_A_POINT)} ${dot.colour}`
    const row = rows.get(key)
    if (row) row.push(dot)
    else rows.set(key, [dot])
  }
  return [...rows.values()].flatMap((row) => {
    const lines: Fill[][] = []
    for (const dot of row.toSorted((a, b) => startOf(a) - startOf(b))) {
      const line = lines.at(-1)
      const last = line?.at(-1)
      const isNext = last && startOf(dot) - endOf(last) < APART * Math.max(0.5, endOf(dot) - startOf(dot))
      if (isNext) line?.push(dot)
      else lines.push([dot])
    }
    return lines.filter(({ length }) => length >= LEAST_DOTS)
  })
}

function ruleOf(dots: readonly Fill[], isHorizontal: boolean): Rule {
  const [first, last] = [dots[0], dots.at(-1)]
  const [left, top, right, bottom] = [first?.left ?? 0, first?.top ?? 0, last?.right ?? 0, last?.bottom ?? 0]
  const common = { colour: first?.colour ?? '#000000', isDashed: true }
  return isHorizontal
    ? { isHorizontal, from: left, to: right, at: (top + bottom) / 2, width: bottom - top, ...common }
    : { isHorizontal, from: top, to: bottom, at: (left + right) / 2, width: right - left, ...common }
}

/** A page whose lines of dots are rules. */
export function withDottedRules<Page extends Pick<PageModel, 'fills' | 'rules'>>(page: Page): Page {
  const dots = page.fills.filter(isDot)
  if (dots.length < LEAST_DOTS) return page
  const across = linesAlong(dots, true)
  const taken = new Set(across.flat())
  const down = linesAlong(
    dots.filter((dot) => !taken.has(dot)),
    false,
  )
  for (const dot of down.flat()) taken.add(dot)
  if (taken.size === 0) return page
  return {
    ...page,
    fills: page.fills.filter((fill) => !taken.has(fill)),
    rules: [...page.rules, ...across.map((line) => ruleOf(line, true)), ...down.map((line) => ruleOf(line, false))],
  }
}
