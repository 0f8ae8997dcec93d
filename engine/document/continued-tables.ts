import type { Block, Column, PageLayout, Paragraph, Table, TableCell } from './document-model.ts'
import { inPairs } from './in-pairs.ts'
import { textOf } from './lines.ts'

/** The columns of both parts stand so near to one another, in points: those of the same rules, and those that are found by their text. */
const SAME_RULES = 3
const SAME_TEXTS = 24
/** A table that goes on begins in this share of its page, and what it goes on from ends no higher than its next row and this share of the page's foot. */
const HEAD = 0.22
const FOOT = { told: 0.35, untold: 0.18 }
/** No head has more rows that nothing marks as one. */
const MOST_HEAD = 4
/** Stands above a table that goes on: 续表, 表 3（续）. */
const CONTINUED = /^(续表|(附?表[\d.-]*.{0,30}[（(]?续表?[)）]?$))/
/** What a table's last row begins with. */
const TOTAL = /^(合计|总计|共计|total)/i
const NUMBER = /^[-+(（¥￥$]*\d[\d,.，%％)）]*[-–—~]?$/

const saysOf = ({ list, runs }: Paragraph): string => ((list?.text ?? '') + textOf(runs)).replaceAll(/\s/g, '')
const cellText = ({ blocks }: TableCell): string => blocks.map((block) => (block.kind === 'paragraph' ? saysOf(block) : '')).join('')

const rowOf = ({ cells }: Table, row: number): TableCell[] =>
  cells.filter(({ firstRow }) => firstRow === row).toSorted((a, b) => a.firstColumn - b.firstColumn)
const rowText = (table: Table, row: number): string => rowOf(table, row).map(cellText).join('\t')

/** How many rows at the head of a part say again what the part before begins with. */
function repeatedRows(last: Table, next: Table): number {
  if (last.isContinued && last.headRows === 0) return 0
  let row = 0
  for (let most = Math.max(1, last.headRows); row < most && row < next.rows.length - 1; row++) {
    const cells = rowOf(next, row)
    if (rowText(last, row) !== rowText(next, row) || cells.every((cell) => cellText(cell) === '')) return 0
    most = Math.max(most, ...cells.map(({ lastRow }) => lastRow + 1))
  }
  const most = last.isContinued ? row : Math.min(MOST_HEAD, next.rows.length - 2, last.rows.length - 2)
  const isHead = (at: number): boolean =>
    rowText(last, at) === rowText(next, at) && rowOf(next, at).every((cell) => cellText(cell) !== '' && !NUMBER.test(cellText(cell)))
  while (row < most && isHead(row)) row++
  return next.cells.some(({ firstRow, lastRow }) => firstRow < row && lastRow >= row) ? 0 : row
}

/** Whether the columns of two parts are the same; pages bound at their sides stand beside one another. */
function hasSameColumns(last: Table, next: Table, near: number): boolean {
  const by = next.left - last.left
  return (
    last.columns.length > 2 &&
    last.columns.length === next.columns.length &&
    last.columns.every((at, column) => Math.abs((next.columns[column] ?? 0) - by - at) <= near)
  )
}

/** Whether a part's first row says what its columns hold, by what stands there: names over numbers, where the part before ends with numbers. */
function namesNumbers(last: Table, next: Table): boolean {
  const numbers = rowOf(last, last.rows.length - 2).filter((cell) => NUMBER.test(cellText(cell)))
  const over = rowOf(next, 0).filter(({ firstColumn }) => numbers.some((cell) => cell.firstColumn === firstColumn))
  return over.some((cell) => /\p{L}/u.test(cellText(cell))) && over.every((cell) => !/\d/.test(cellText(cell)))
}

const only = (columns: readonly Column[]): readonly Block[] | undefined => (columns.length === 1 ? columns[0]?.blocks : undefined)
const isFull = ({ columns }: PageLayout['sections'][number]): boolean => columns.some(({ blocks }) => blocks.length > 0)

/** The table a page ends with. */
function lastTable({ sections, isVertical }: PageLayout): Table | undefined {
  const block = only(sections.findLast(isFull)?.columns ?? [])?.at(-1)
  return block?.kind === 'table' && !isVertical ? block : undefined
}

/** The table a page begins with; a line that says that it goes on may stand above it. */
function firstTable({ sections, isVertical }: PageLayout): { readonly table: Table; readonly isSaid: boolean } | undefined {
  const [first, second] = only(sections.find(isFull)?.columns ?? []) ?? []
  if (isVertical || !first) return undefined
  if (first.kind === 'table') return { table: first, isSaid: false }
  const isSaid = first.kind === 'paragraph' && CONTINUED.test(saysOf(first))
  return isSaid && second?.kind === 'table' ? { table: second, isSaid } : undefined
}

/** Whether one table ends where its page does and the other begins where its page does. */
function areAtBreak(last: Table, next: Table, [page, after]: readonly [PageLayout, PageLayout], head: number, foot: number): boolean {
  const row = (next.rows[head + 1] ?? next.bottom) - (next.rows[head] ?? next.top)
  return next.top < HEAD * after.height && page.height - last.bottom < row + foot * page.height
}

/** How many head rows are said again where a page's first table goes on from the last page's last, or undefined where it does not. */
function continuedHead(page: PageLayout, after: PageLayout): number | undefined {
  const [last, first] = [lastTable(page), firstTable(after)]
  if (!last || !first || after.number !== page.number + 1) return undefined
  const { table: next, isSaid } = first
  const head = repeatedRows(last, next)
  if (head > 0 || isSaid)
    return hasSameColumns(last, next, SAME_TEXTS) && areAtBreak(last, next, [page, after], head, FOOT.told) ? head : undefined
  const isOther = next.headRows > 0 || namesNumbers(last, next) || TOTAL.test(rowText(last, last.rows.length - 2))
  return !isOther && hasSameColumns(last, next, SAME_RULES) && areAtBreak(last, next, [page, after], 0, FOOT.untold) ? 0 : undefined
}

/** A page with another table in a table's place. */
function withTable(page: PageLayout, old: Table, table: Table): PageLayout {
  const replaced = (column: Column): Column => ({ ...column, blocks: column.blocks.map((block) => (block === old ? table : block)) })
  const sections = page.sections.map((section) => {
    const [first, ...others] = section.columns
    return { ...section, columns: [replaced(first), ...others.map(replaced)] } as const
  })
  return { ...page, sections }
}

/** Two pages that follow one another, the second's first table told to go on from the first's last where it does. */
function toldPages(page: PageLayout, after: PageLayout): readonly [PageLayout, PageLayout] {
  const head = continuedHead(page, after)
  const [last, next] = [lastTable(page), firstTable(after)?.table]
  if (head === undefined || !last || !next) return [page, after]
  const isHeadKnown = head === 0 || last.headRows === head
  return [
    isHeadKnown ? page : withTable(page, last, { ...last, headRows: head }),
    withTable(after, next, { ...next, headRows: head, isContinued: true }),
  ]
}

/** Pages with the tables told that go on from the page before. */
export const withContinuedTables = (pages: AsyncIterable<PageLayout>): AsyncGenerator<PageLayout> => inPairs(pages, toldPages)
