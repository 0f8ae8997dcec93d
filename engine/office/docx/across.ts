import { geometryOf, type Geometry } from './section.ts'
import type { Column, PageLayout, Table } from '#engine/document/document-model'

/** A table whose last part was the last thing written. */
export interface OpenTable {
  readonly table: Table
  /** What is below it on its page, in points: at the most so much room for more rows. */
  readonly room: number
}

/** Word sets rows that go on right at the top of the page, and their head as high as it was: so far they may be from it, in points. */
const SAME_TOP = 3
const SAME_PLACE = 2
/** A table begins right at the top of a page; text on the page before begins up to so much lower, its line being higher than its letters. */
const LEADING = 30

const isNear = (a: number, b: number, by: number): boolean => Math.abs(a - b) <= by
const headOf = ({ rows, headRows }: Table): number => (rows[headRows] ?? 0) - (rows[0] ?? 0)

/** The table that a column begins with, where it goes on from the last page. */
export function continuedTable([column]: readonly Column[]): Table | undefined {
  const first = column?.blocks[0]
  return first?.kind === 'table' && first.isContinued ? first : undefined
}

/** The table a page ends with. */
export function openTable({ sections, height }: PageLayout): OpenTable | undefined {
  const last = sections.at(-1)?.columns.at(-1)?.blocks.at(-1)
  return last?.kind === 'table' ? { table: last, room: height - last.bottom } : undefined
}

/**
 * Whether a table's rows stand where they stood if they are written into the table they go on from: right at the top of the page, under the same head,
 * and too many to find room on the page before.
 */
export function fits({ table: last, room }: OpenTable, table: Table, { top }: Geometry): boolean {
  return (
    isNear(table.top, top, SAME_TOP) &&
    table.headRows === last.headRows &&
    isNear(headOf(table), headOf(last), SAME_PLACE) &&
    table.columns.length === last.columns.length &&
    table.columns.every((at, column) => isNear(at, last.columns[column] ?? 0, SAME_PLACE)) &&
    table.bottom - table.top - headOf(table) > room
  )
}

/** Where a page's text stands, its top that of the next page where a table goes on there: so both are of one section. */
export function sharedGeometry(page: PageLayout, next: PageLayout | undefined): Geometry {
  const geometry = geometryOf(page)
  const more = continuedTable(next?.sections[0]?.columns ?? [])
  if (!more || continuedTable(page.sections[0]?.columns ?? []) || geometry.top - more.top > LEADING) return geometry
  return { ...geometry, top: Math.max(0, Math.min(geometry.top, more.top)) }
}

/** A page whose last table has no head that Word would repeat where the next page goes on without it. */
export function withHeads(page: PageLayout, next: PageLayout | undefined): PageLayout {
  const open = openTable(page)
  const more = continuedTable(next?.sections[0]?.columns ?? [])
  if (!open || !more || more.headRows > 0 || open.table.headRows === 0) return page
  const bare = { ...open.table, headRows: 0 }
  const replaced = (column: Column): Column => ({ ...column, blocks: column.blocks.map((block) => (block === open.table ? bare : block)) })
  const sections = page.sections.map((section) => {
    const [first, ...others] = section.columns
    return { ...section, columns: [replaced(first), ...others.map(replaced)] } as const
  })
  return { ...page, sections }
}
