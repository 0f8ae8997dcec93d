import { contentOf, plainText } from './content.ts'
import type { Sheet, SheetCell } from './sheet.ts'
import { tableCells, type CellOptions } from './table-cells.ts'
import type { Block, PageLayout, Table } from '#engine/document/document-model'

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
  readonly isLandscape: boolean
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

function sheetOf({ table, isLandscape, name, more }: Whole, options: CellOptions): Sheet {
  const whole = more.reduce(joined, table)
  const cells = tableCells(whole, options)
  return {
    name,
    columns: widthsFor(gaps(table.columns), cells),
    rows: heightsFor(gaps(whole.rows), cells),
    cells,
    isLandscape,
  }
}

/** Gathers tables page by page, a sheet each; one that goes on over several pages is one sheet, its head there once. Of the pages nothing else is kept. */
export class TableSheets {
  readonly #options: CellOptions
  readonly #sheets: Sheet[] = []
  /** The last table: the next page may go on with it. */
  #open: Whole | undefined

  constructor(options: CellOptions) {
    this.#options = options
  }

  /** Whether no page had a table yet. */
  get isEmpty(): boolean {
    return this.#open === undefined
  }

  add(page: PageLayout): void {
    const blocks = blocksOf(page)
    const count = blocks.filter(({ kind }) => kind === 'table').length
    let number = 0
    for (const [at, table] of blocks.entries()) {
      if (table.kind !== 'table') continue
      number += 1
      if (table.isContinued && this.#open && widthOf(this.#open.table) === widthOf(table)) this.#open.more.push(table)
      else {
        this.#close()
        const name = titleOf(blocks, at, table) ?? (count > 1 ? `第${page.number}页表${number}` : `第${page.number}页`)
        this.#open = { table, isLandscape: page.width > page.height, name, more: [] }
      }
    }
  }

  /** All sheets, once all pages are added. */
  end(): readonly Sheet[] {
    this.#close()
    return this.#sheets
  }

  #close(): void {
    if (this.#open) this.#sheets.push(sheetOf(this.#open, this.#options))
    this.#open = undefined
  }
}
