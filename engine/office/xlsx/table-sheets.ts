import { contentOf, plainText } from './content.ts'
import type { Sheet, SheetCell } from './sheet.ts'
import { tableCells, type CellOptions } from './table-cells.ts'
import type { Block, DocumentModel, PageLayout, Table } from '#engine/document/document-model'

/** Room on both sides of a cell's text, in points; Excel shows a number that does not fit as ####. */
const PADDING = 9
/** A line needs so many of its letters' sizes. */
const LINE = 1.3

/** The blocks of a page in their order, those of columns one column after the other. */
export const blocksOf = ({ sections }: PageLayout): readonly Block[] =>
  sections.flatMap(({ columns }) => columns.flatMap(({ blocks }) => blocks))

const gaps = (places: readonly number[]): number[] => places.slice(1).map((place, at) => place - (places[at] ?? place))

/** Widths that leave no number without its room. */
export function widthsFor(widths: readonly number[], cells: readonly SheetCell[]): number[] {
  const out = [...widths]
  for (const { firstColumn, lastColumn, content, value } of cells) {
    if (firstColumn === lastColumn && value.kind === 'number')
      out[firstColumn] = Math.max(out[firstColumn] ?? 0, content.width * 1.05 + PADDING)
  }
  return out
}

/** Heights that leave no line without its room. */
export function heightsFor(heights: readonly number[], cells: readonly SheetCell[]): number[] {
  const out = [...heights]
  for (const { firstRow, lastRow, content, turn } of cells) {
    const size = Math.max(0, ...content.runs.map(({ style }) => style.size))
    if (firstRow === lastRow && turn === 0) out[firstRow] = Math.max(out[firstRow] ?? 0, content.lines * size * LINE)
  }
  return out
}

/** A table with those of the next pages it goes on in. */
interface Whole {
  readonly table: Table
  readonly page: PageLayout
  readonly name: string
  readonly more: Table[]
}

/** A table's title stands right above it. */
const TITLE = /^(附?表|Table|TABLE)\s*[\d一二三四五六七八九十A-Z]/
const TITLE_REACH = 40

function titleOf(blocks: readonly Block[], at: number, table: Table): string | undefined {
  const near = blocks.slice(Math.max(0, at - 2), at).toReversed()
  return near
    .filter((block) => block.kind === 'paragraph' && table.top - block.bottom < TITLE_REACH)
    .map((block) => plainText(contentOf([block]).runs).replaceAll('\n', ' '))
    .find((text) => TITLE.test(text) && text.length < 80)
}

const widthOf = ({ columns }: Table): number => columns.length - 1

function wholeTables({ pages }: DocumentModel): readonly Whole[] {
  const found: Whole[] = []
  for (const page of pages) {
    const blocks = blocksOf(page)
    const count = blocks.filter(({ kind }) => kind === 'table').length
    let number = 0
    for (const [at, table] of blocks.entries()) {
      if (table.kind !== 'table') continue
      number += 1
      const last = found.at(-1)
      if (table.isContinued && last && widthOf(last.table) === widthOf(table)) last.more.push(table)
      else {
        const name = titleOf(blocks, at, table) ?? (count > 1 ? `第${page.number}页表${number}` : `第${page.number}页`)
        found.push({ table, page, name, more: [] })
      }
    }
  }
  return found
}

/** A table with the rows of one that goes on from it, its head there once. */
function joined(table: Table, next: Table): Table {
  const by = table.rows.length - 1 - next.headRows
  const down = (table.rows.at(-1) ?? 0) - (next.rows[next.headRows] ?? 0)
  const cells = next.cells.filter(({ firstRow }) => firstRow >= next.headRows)
  return {
    ...table,
    rows: [...table.rows, ...next.rows.slice(next.headRows + 1).map((at) => at + down)],
    cells: [...table.cells, ...cells.map((cell) => ({ ...cell, firstRow: cell.firstRow + by, lastRow: cell.lastRow + by }))],
  }
}

function sheetOf({ table, page, name, more }: Whole, options: CellOptions): Sheet {
  const whole = more.reduce(joined, table)
  const cells = tableCells(whole, options)
  return {
    name,
    columns: widthsFor(gaps(table.columns), cells),
    rows: heightsFor(gaps(whole.rows), cells),
    cells,
    isLandscape: page.width > page.height,
  }
}

/** A sheet for each table; one that goes on over several pages is one sheet, its head there once. */
export const tableSheets = (document: DocumentModel, options: CellOptions): readonly Sheet[] =>
  wholeTables(document).map((whole) => sheetOf(whole, options))
