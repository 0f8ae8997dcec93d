import { areaOf } from '#engine/pdf/box'
import type { PageModel } from '#engine/pdf/page-model'
import type { Box } from '../document-model.ts'
import type { Piece } from '../pieces.ts'
import { glyphsByCell, tableShell } from './cell-shells.ts'
import { gridOf } from './grid.ts'
import { extended } from './extended.ts'
import { columnsOfLines, type Reach } from './gutters.ts'
import { isTabular } from './is-tabular.ts'
import { openGrid, placedLines, type Hints } from './open-grid.ts'
import type { Stroke } from './rules.ts'
import type { TableShell } from './table-shell.ts'
import { textLines, type TextLine } from './text-lines.ts'

/** Rules whose ends are no further apart, in points, are of one table. */
const SAME_END = 8
const SAME_HEIGHT = 1.6
/** A rule of several parts may have gaps so wide between them. */
const GAP = 24
const SHORTEST = 60
/** A line alone between two rules is a title within the table where they are no further apart, in sizes. */
const TITLE = 2.6
/** A heading's letters are larger than the text's by this factor. */
const LARGER = 1.1
/** More rules than this are a drawing. */
const MOST_RULES = 2000
/** Double rules are no further apart. */
const DOUBLE = 5

/** Rules of one height. */
interface RuleRow {
  readonly at: number
  readonly from: number
  readonly to: number
  readonly strokes: readonly Stroke[]
  /** Where one part ends and the next begins. */
  readonly joints: readonly number[]
}

/** Rules side by side, by height; those far apart are of different tables. */
function ruleRows(strokes: readonly Stroke[]): RuleRow[] {
  const rows: Stroke[][] = []
  for (const stroke of strokes.toSorted((a, b) => a.at - b.at)) {
    const first = rows.at(-1)?.[0]
    if (first && stroke.at - first.at < SAME_HEIGHT) rows.at(-1)?.push(stroke)
    else rows.push([stroke])
  }
  return rows.flatMap((row) => {
    const parts: Stroke[][] = []
    let end = -Infinity
    for (const stroke of row.toSorted((a, b) => a.from - b.from)) {
      if (stroke.from - end > GAP) parts.push([])
      parts.at(-1)?.push(stroke)
      end = Math.max(end, stroke.to)
    }
    return parts.map((part): RuleRow => {
      // Where dots begin again says nothing.
      const pieces = part.flatMap((stroke) => (stroke.isDashed ? [stroke] : stroke.parts)).toSorted((a, b) => a.from - b.from)
      return {
        at: part[0]?.at ?? 0,
        from: Math.min(...part.map(({ from }) => from)),
        to: Math.max(...part.map(({ to }) => to)),
        strokes: part,
        joints: pieces.slice(1).map(({ from }) => from),
      }
    })
  })
}

/** Rules as wide as one another, one under the other. */
function families(rows: readonly RuleRow[]): RuleRow[][] {
  const out: RuleRow[][] = []
  for (const row of rows.filter(({ from, to }) => to - from >= SHORTEST)) {
    const family = out.find(([first]) => first && Math.abs(first.from - row.from) < SAME_END && Math.abs(first.to - row.to) < SAME_END)
    if (family) family.push(row)
    else out.push([row])
  }
  return out.filter(({ length }) => length > 1)
}

/** Text between two rules that may be of a table: some of its lines have several pieces, and it is no prose. */
function isBand(lines: readonly TextLine[], width: number): boolean {
  const multi = lines.filter(({ pieces }) => pieces.length > 1).length
  const long = lines.filter(({ pieces, left, right }) => pieces.length === 1 && right - left > 0.7 * width).length
  return multi > 0 && multi >= 0.3 * lines.length && long <= 0.2 * lines.length
}

/** Runs of rules with a table's text between them. */
function runs(family: readonly RuleRow[], lines: readonly TextLine[]): RuleRow[][] {
  const out: RuleRow[][] = []
  let open: RuleRow[] = []
  const close = (): void => {
    if (open.length > 1) out.push(open)
    open = []
  }
  for (const [at, rule] of family.entries()) {
    const before = family[at - 1]
    if (before && open.length > 0) {
      const between = lines.filter(({ base }) => base > before.at && base < rule.at)
      const isTitle = between.length === 1 && open.length > 1 && rule.at - before.at < TITLE * (between[0]?.size ?? 0)
      const goesOn = between.length === 0 ? rule.at - before.at < DOUBLE : isTitle || isBand(between, rule.to - rule.from)
      if (!goesOn) close()
    }
    open.push(rule)
  }
  close()
  return out
}

/** Whether rules are those under headings, of sections with text in several columns. */
function areUnderHeadings(rules: readonly RuleRow[], lines: readonly TextLine[]): boolean {
  const size = lines.map((line) => line.size).toSorted((a, b) => a - b)[lines.length >> 1] ?? 0
  const under = rules.slice(1).filter(({ at }) => {
    const above = lines.findLast(({ base }) => base < at)
    return above?.pieces.length === 1 && above.size > LARGER * size
  })
  return under.length >= (rules.length - 1) / 2
}

/** Columns where most of a table's rules are made of parts that meet there; of dotted ones it cannot be said. */
function jointColumns(all: readonly RuleRow[]): Reach[] {
  const [from, to] = [Math.min(...all.map((rule) => rule.from)), Math.max(...all.map((rule) => rule.to))]
  const rules = all.filter(({ strokes }) => !strokes.every(({ isDashed }) => isDashed))
  const places = rules.flatMap(({ joints }) => joints).toSorted((a, b) => a - b)
  const lines: number[] = []
  for (let at = 0; at < places.length;) {
    const near = places.filter((place) => place >= (places[at] ?? 0) && place - (places[at] ?? 0) < 2.5)
    if (near.length >= 0.6 * rules.length && near.length > 1) lines.push(near[near.length >> 1] ?? 0)
    at += near.length
  }
  const edges = [from, ...lines.filter((line) => line > from + 4 && line < to - 4), to]
  return edges.slice(1).map((right, at) => ({ left: edges[at] ?? 0, right }))
}

/** The table that rules with text between them make, if it is one. */
function tableOf(rules: readonly RuleRow[], rows: readonly RuleRow[], pieces: readonly Piece[], page: PageModel): TableShell | undefined {
  const [left, right] = [Math.min(...rules.map(({ from }) => from)), Math.max(...rules.map(({ to }) => to))]
  const ruled: Box = { left, right, top: rules[0]?.at ?? 0, bottom: rules.at(-1)?.at ?? 0 }
  const beside = textLines(pieces.filter((piece) => isWithin(piece, { ...ruled, top: 0, bottom: page.height })))
  const between = beside.filter(({ base, size }) => base - 0.35 * size > ruled.top && base - 0.35 * size < ruled.bottom)
  const joints = jointColumns(rules)
  const columns = joints.length > 2 ? joints : columnsOfLines(between)
  if (between.length < 1 || columns.length < 2 || areUnderHeadings(rules, between)) return undefined
  const box = extended(ruled, beside, columns)
  const lines = beside.filter(({ base, size }) => base - 0.35 * size > box.top && base - 0.35 * size < box.bottom)
  if (lines.length < 2 || !isTabular(placedLines(lines, columns), columns)) return undefined
  const inside = rows.filter(
    (row) => row.at >= box.top - 1 && row.at <= box.bottom + 1 && row.from >= left - SAME_END && row.to <= right + SAME_END,
  )
  const isAcross = ({ strokes }: RuleRow): boolean => strokes.reduce((sum, { from, to }) => sum + to - from, 0) > 0.9 * (right - left)
  const strokes = inside.flatMap((row) => row.strokes).filter(({ width }) => width > 0)
  const hints: Hints = {
    box,
    breaks: inside.filter(isAcross).map(({ at }) => at),
    partial: inside.filter((row) => !isAcross(row)).flatMap((row) => row.strokes),
  }
  const open = openGrid(lines, columns, hints)
  const grid = gridOf(open.columns, open.rows, strokes)
  return { ...tableShell(grid, open.spans, glyphsByCell(grid, open.spans, page.glyphs), page.fills), headRows: open.headRows }
}

const isWithin = ({ left: start, right: end, base, size }: Piece, { left, top, right, bottom }: Box): boolean =>
  start > left - size && end < right + size && base - 0.35 * size > top && base - 0.35 * size < bottom

const overlaps = (a: Box, b: Box): boolean => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom

/** Tables that are drawn by rules across only (三线表 for one), among pieces that stand in no other table. */
export function linedTables(strokes: readonly Stroke[], pieces: readonly Piece[], page: PageModel): TableShell[] {
  if (strokes.length > MOST_RULES) return []
  const rows = ruleRows(strokes)
  const found = families(rows).flatMap((family) => {
    const [first] = family
    if (!first) return []
    const lines = textLines(pieces.filter(({ left, right, size }) => left > first.from - size && right < first.to + size))
    return runs(family, lines).flatMap((rules) => tableOf(rules, rows, pieces, page) ?? [])
  })
  const largestFirst = found.toSorted((a, b) => areaOf(b) - areaOf(a))
  return largestFirst.filter((table, at) => !largestFirst.slice(0, at).some((other) => overlaps(table, other)))
}
