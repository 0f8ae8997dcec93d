import { contentOf, type CellContent } from './content.ts'
import type { Sheet, SheetCell } from './sheet.ts'
import { tableCells, type CellOptions } from './table-cells.ts'
import { blocksOf, heightsFor, widthsFor } from './table-sheets.ts'
import { typedValue } from './typed-value.ts'
import { noteParagraphs } from '#engine/document/notes/settled-notes'
import type { Block, Box, Line, PageLayout, Paragraph, Run, Table } from '#engine/document/document-model'

/** A piece of text with its place. */
interface Item extends Box {
  readonly content: CellContent
}

/** Rows of text, and tables, from the top of a page. */
type Part = { readonly table: Table } | { readonly items: Item[] }

/** Columns of a page that has no table begin at least so far from each other, in points. */
const NARROWEST = 24
/** A row between parts that stand apart, where there is more than this between them. */
const GAP = 6

/** A line's pieces between its tabs. */
function lineItems(line: Line, { stops }: Paragraph, whole: CellContent): Item[] {
  const parts: Run[][] = [[]]
  for (const run of line.runs) {
    for (const [at, text] of run.text.split('\t').entries()) {
      if (at > 0) parts.push([])
      if (text.trim() !== '') parts.at(-1)?.push({ ...run, text })
    }
  }
  return parts.flatMap((runs, at) => {
    const left = at === 0 ? line.left : (stops[at - 1]?.at ?? line.left)
    const align = at === 0 ? whole.align : 'left'
    return runs.length === 0 ? [] : [{ ...line, left, content: { runs, align, lines: 1, width: 0 } }]
  })
}

/** A paragraph is one piece, save where gaps part its line. */
function itemsOf(block: Block): Item[] {
  if (block.kind !== 'paragraph') return []
  const content = contentOf([block])
  const [line] = block.lines
  const isParted = block.lines.length === 1 && line.runs.some(({ text }) => text.includes('\t'))
  return isParted ? lineItems(line, block, content) : [{ ...block, content }]
}

/** Whether a piece stands in the row of another: their first lines are at one height. */
const isBeside = (one: Item, other: Item): boolean => {
  const height = Math.min((one.bottom - one.top) / one.content.lines, (other.bottom - other.top) / other.content.lines)
  return Math.abs(one.top - other.top) < 0.5 * height
}

function partsOf(page: PageLayout): readonly Part[] {
  const aside = page.floating.map(({ paragraph }) => paragraph)
  const blocks = [...page.header, ...blocksOf(page), ...aside, ...noteParagraphs(page.notes), ...page.footer]
  const things = blocks.flatMap((block): (Table | Item)[] => (block.kind === 'table' ? [block] : itemsOf(block)))
  const parts: Part[] = []
  for (const thing of things.toSorted((a, b) => a.top - b.top || a.left - b.left)) {
    if ('cells' in thing) {
      parts.push({ table: thing })
      continue
    }
    const last = parts.at(-1)
    const beside = last && 'items' in last && last.items[0] && isBeside(thing, last.items[0]) ? last : undefined
    if (beside) beside.items.push(thing)
    else parts.push({ items: [thing] })
  }
  return parts
}

/** Where a page's columns begin: those of its table with the most of them, or where its text begins again and again. */
function columnsOf(page: PageLayout, parts: readonly Part[]): readonly number[] {
  const tables = parts.flatMap((part) => ('table' in part ? [part.table] : []))
  const widest = tables.toSorted((a, b) => b.columns.length - a.columns.length)[0]
  if (widest) return widest.columns
  const lefts = parts.flatMap((part) => ('items' in part ? part.items.map(({ left }) => left) : [])).toSorted((a, b) => a - b)
  const starts: number[] = []
  for (const left of lefts) if (left - (starts.at(-1) ?? -NARROWEST) >= NARROWEST) starts.push(left)
  return [...starts, Math.max(page.width - (starts[0] ?? 0), (starts.at(-1) ?? 0) + NARROWEST)]
}

const columnAt = (columns: readonly number[], left: number): number =>
  Math.max(
    0,
    columns.slice(0, -1).findLastIndex((start) => start <= left + GAP),
  )

const LOOK = { borders: {}, vertical: 'middle', turn: 0 } as const

/** Pieces of text in one row of a sheet, each as wide as it was on the page, or up to the next. */
function textRow(items: readonly Item[], row: number, columns: readonly number[], { isTyped }: CellOptions): SheetCell[] {
  const cells: SheetCell[] = []
  const last = columns.length - 2
  for (const item of items.toSorted((a, b) => a.left - b.left)) {
    const previous = cells.at(-1)
    const { align } = item.content
    // What is centred by itself is so on the page, not in the column that it happens to begin in.
    const isAlone = items.length === 1 && align !== 'left'
    const starts = isAlone && align === 'centre' ? 0 : columnAt(columns, item.left)
    const firstColumn = Math.max(starts, previous ? previous.firstColumn + 1 : 0)
    if (previous && previous.lastColumn >= firstColumn) cells[cells.length - 1] = { ...previous, lastColumn: firstColumn - 1 }
    // A line may run on over empty cells; a paragraph has to break within its own, and what is centred would run out on both sides.
    const isWrapped = item.content.lines > 1
    const own = columns.slice(0, -1).findLastIndex((start) => start < item.right - GAP)
    const reach = isAlone ? last : isWrapped || align !== 'left' ? own : firstColumn
    const lastColumn = Math.max(firstColumn, Math.min(last, reach))
    const text = item.content.runs.map((run) => run.text).join('')
    const value = isTyped && item.content.lines === 1 ? typedValue(text) : ({ kind: 'text' } as const)
    cells.push({ ...LOOK, firstRow: row, lastRow: row, firstColumn, lastColumn, content: item.content, value, isWrapped })
  }
  return cells
}

/** Puts a page's parts into rows, one after the other. */
class PageRows {
  readonly cells: SheetCell[] = []
  readonly heights: number[] = []
  readonly #columns: readonly number[]
  readonly #options: CellOptions
  #bottom = 0

  constructor(columns: readonly number[], options: CellOptions) {
    this.#columns = columns
    this.#options = options
  }

  add(part: Part): void {
    if ('table' in part) return this.#table(part.table)
    this.#gap(Math.min(...part.items.map(({ top }) => top)))
    this.cells.push(...textRow(part.items, this.heights.length, this.#columns, this.#options))
    const bottom = Math.max(...part.items.map((item) => item.bottom))
    this.heights.push(bottom - Math.min(...part.items.map(({ top }) => top)))
    this.#bottom = bottom
  }

  /** Stands for what is empty between two parts. */
  #gap(top: number): void {
    if (this.heights.length > 0 && top - this.#bottom > GAP) this.heights.push(top - this.#bottom)
  }

  #table(table: Table): void {
    this.#gap(table.top)
    const first = columnAt(this.#columns, table.left)
    const [rows, columns] = [this.heights.length, Math.min(first, Math.max(0, this.#columns.length - table.columns.length))]
    for (const cell of tableCells(table, this.#options)) {
      const [firstRow, lastRow] = [cell.firstRow + rows, cell.lastRow + rows]
      this.cells.push({ ...cell, firstRow, lastRow, firstColumn: cell.firstColumn + columns, lastColumn: cell.lastColumn + columns })
    }
    this.heights.push(...table.rows.slice(1).map((at, row) => at - (table.rows[row] ?? at)))
    this.#bottom = table.bottom
  }
}

/** A page as a sheet: its tables, and its text in rows between them. */
export function pageSheet(page: PageLayout, options: CellOptions): Sheet {
  const parts = partsOf(page)
  const columns = columnsOf(page, parts)
  const rows = new PageRows(columns, options)
  for (const part of parts) rows.add(part)
  const widths = columns.slice(1).map((at, column) => at - (columns[column] ?? at))
  return {
    name: `第${page.number}页`,
    columns: widthsFor(widths, rows.cells),
    rows: heightsFor(rows.heights, rows.cells),
    cells: rows.cells,
    isLandscape: page.width > page.height,
  }
}
