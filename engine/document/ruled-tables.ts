import type { PageModel, Rule } from '../pdf/page-model.ts'

/** A cell of a ruled table: its first and last row and column, and its sides in points. */
export interface Cell {
  firstRow: number
  lastRow: number
  firstColumn: number
  lastColumn: number
}

/** A table that is drawn by rules: where its rows and columns begin and end, in points, and its cells, merged ones once. */
export interface RuledTable {
  readonly columns: readonly number[]
  readonly rows: readonly number[]
  readonly cells: readonly Cell[]
}

/** Rules no further apart are one, in points. */
const SAME = 1.6
const SAME_EDGE = 2.6
/** A rule that ends this far from another still meets it. */
const MEETS = 2.5
/** What is thicker is no rule of a table. */
const THICKEST = 6
const SHORTEST = 5
const MOST_CELLS = 20_000
const LEAST_HEIGHT = 6
const LEAST_WIDTH = 12
/** A single cell of more than this share of the page is a frame round it. */
const FRAME = 0.6

/** Pieces of one rule put together. */
function merged(rules: readonly Rule[]): Rule[] {
  const out: Rule[] = []
  for (const rule of rules.filter(({ width }) => width <= THICKEST).toSorted((a, b) => a.at - b.at || a.from - b.from)) {
    const index = out.findLastIndex((one) => rule.at - one.at < SAME && rule.from <= one.to + 2 && rule.to >= one.from - 2)
    const one = out[index]
    if (!one) out.push(rule)
    else out[index] = { ...one, from: Math.min(one.from, rule.from), to: Math.max(one.to, rule.to), width: Math.max(one.width, rule.width) }
  }
  return out.filter(({ from, to }) => to - from > SHORTEST)
}

/** Sets of things that belong together (disjoint-set forest). */
function groups(count: number) {
  const parents = Array.from({ length: count }, (_, at) => at)
  const rootOf = (at: number): number => {
    let root = at
    while (parents[root] !== root) root = parents[root] ?? root
    parents[at] = root
    return root
  }
  return { rootOf, join: (a: number, b: number): void => void (parents[rootOf(a)] = rootOf(b)) }
}

const meets = (across: Rule, down: Rule): boolean =>
  down.at >= across.from - MEETS && down.at <= across.to + MEETS && across.at >= down.from - MEETS && across.at <= down.to + MEETS

/** Places along an axis, those that are all but the same once. */
function distinct(places: readonly number[]): number[] {
  const out: number[] = []
  for (const place of places.toSorted((a, b) => a - b)) if (out.length === 0 || place - (out.at(-1) ?? 0) > MEETS) out.push(place)
  return out
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

/** Whether a rule runs along a side between two lines of the grid. */
const isDrawn = (rules: readonly Rule[], at: number, from: number, to: number): boolean =>
  rules.some((rule) => Math.abs(rule.at - at) <= SAME_EDGE && rule.from <= (from + to) / 2 && rule.to >= (from + to) / 2)

/** The cells between rules: places of the grid with no rule between them are one, where they make a rectangle. */
function cellsOf(columns: readonly number[], rows: readonly number[], across: readonly Rule[], down: readonly Rule[]): Cell[] {
  const [wide, high] = [columns.length - 1, rows.length - 1]
  const { rootOf, join } = groups(wide * high)
  const [x, y] = [(at: number) => columns[at] ?? 0, (at: number) => rows[at] ?? 0]
  for (let row = 0; row < high; row++) {
    for (let column = 0; column < wide; column++) {
      const at = row * wide + column
      if (column + 1 < wide && !isDrawn(down, x(column + 1), y(row), y(row + 1))) join(at, at + 1)
      if (row + 1 < high && !isDrawn(across, y(row + 1), x(column), x(column + 1))) join(at, at + wide)
    }
  }
  const byRoot = new Map<number, Cell & { count: number }>()
  for (let at = 0; at < wide * high; at++) {
    const [row, column] = [Math.floor(at / wide), at % wide]
    const cell = byRoot.get(rootOf(at)) ?? { firstRow: row, lastRow: row, firstColumn: column, lastColumn: column, count: 0 }
    cell.lastRow = Math.max(cell.lastRow, row)
    cell.firstColumn = Math.min(cell.firstColumn, column)
    cell.lastColumn = Math.max(cell.lastColumn, column)
    cell.count += 1
    byRoot.set(rootOf(at), cell)
  }
  const isWhole = ({ firstRow, lastRow, firstColumn, lastColumn, count }: Cell & { count: number }): boolean =>
    count === (lastRow - firstRow + 1) * (lastColumn - firstColumn + 1)
  const single = (at: number): Cell => {
    const [row, column] = [Math.floor(at / wide), at % wide]
    return { firstRow: row, lastRow: row, firstColumn: column, lastColumn: column }
  }
  return [...byRoot].flatMap(([root, cell]) =>
    isWhole(cell)
      ? [cell]
      : Array.from({ length: wide * high }, (_, at) => at)
          .filter((at) => rootOf(at) === root)
          .map(single),
  )
}

/** The table that rules which meet make, if they make one. */
function tableOf(rules: readonly Rule[], page: PageModel): RuledTable | undefined {
  const across = rules.filter(({ isHorizontal }) => isHorizontal)
  const down = rules.filter(({ isHorizontal }) => !isHorizontal)
  if (across.length < 2 || down.length < 1) return undefined
  const rows = distinct(across.map(({ at }) => at))
  const inner = distinct(down.map(({ at }) => at))
  // A table may be open at its sides: its rules then say how far it goes.
  const [left, right] = [median(across.map(({ from }) => from)), median(across.map(({ to }) => to))]
  const columns = [...(left < (inner[0] ?? 0) - 6 ? [left] : []), ...inner, ...(right > (inner.at(-1) ?? 0) + 6 ? [right] : [])]
  const count = (rows.length - 1) * (columns.length - 1)
  const [width, height] = [(columns.at(-1) ?? 0) - (columns[0] ?? 0), (rows.at(-1) ?? 0) - (rows[0] ?? 0)]
  if (count < 1 || count > MOST_CELLS || height < LEAST_HEIGHT || width < LEAST_WIDTH) return undefined
  if (count === 1 && width * height > FRAME * page.width * page.height) return undefined
  return { columns, rows, cells: cellsOf(columns, rows, across, down) }
}

const sides = ({ columns, rows }: RuledTable) => [columns[0] ?? 0, rows[0] ?? 0, columns.at(-1) ?? 0, rows.at(-1) ?? 0] as const
const areaOf = (table: RuledTable): number => {
  const [left, top, right, bottom] = sides(table)
  return (right - left) * (bottom - top)
}
function isInside(inner: RuledTable, outer: RuledTable): boolean {
  const [left, top, right, bottom] = sides(inner)
  const [outerLeft, outerTop, outerRight, outerBottom] = sides(outer)
  return left >= outerLeft - 1 && top >= outerTop - 1 && right <= outerRight + 1 && bottom <= outerBottom + 1
}

/** The tables of a page that are drawn by rules, those inside another left out. */
export function ruledTables(page: PageModel): readonly RuledTable[] {
  const rules = [
    ...merged(page.rules.filter(({ isHorizontal }) => isHorizontal)),
    ...merged(page.rules.filter(({ isHorizontal }) => !isHorizontal)),
  ]
  const { rootOf, join } = groups(rules.length)
  for (const [a, across] of rules.entries()) {
    if (!across.isHorizontal) continue
    for (const [d, down] of rules.entries()) if (!down.isHorizontal && meets(across, down)) join(a, d)
  }
  const together = new Map<number, Rule[]>()
  for (const [at, rule] of rules.entries()) together.set(rootOf(at), [...(together.get(rootOf(at)) ?? []), rule])
  const found = [...together.values()].flatMap((meeting) => tableOf(meeting, page) ?? [])
  const largestFirst = found.toSorted((a, b) => areaOf(b) - areaOf(a))
  return largestFirst.filter((table, at) => !largestFirst.slice(0, at).some((other) => isInside(table, other)))
}
