import { expect, test } from 'vitest'
import { chineseTablePages } from '../fixtures/chinese-table-pages.ts'
import type { Label } from '../fixtures/chinese-tables.ts'
import { pageOf } from '../fixtures/page-of.ts'
import type { Block, Table } from '#engine/document/document-model'
import { layoutPage } from '#engine/document/layout-page'

const textOf = (block: Block): string => (block.kind === 'paragraph' ? block.runs.map(({ text }) => text).join('') : '')
const labelOf = ({ blocks, ...span }: Table['cells'][number]): Label => ({
  ...span,
  text: blocks.map(textOf).join('').replaceAll(/\s/g, ''),
})
const textKey = ({ text }: Label): string => text
const spanKey = ({ text, firstRow, lastRow, firstColumn, lastColumn }: Label): string =>
  `${text} ${firstRow}-${lastRow} ${firstColumn}-${lastColumn}`

/** F1 of two bags of keys. */
function f1(expected: readonly string[], found: readonly string[]): number {
  const left = [...found]
  const shared = expected.filter((key) => {
    const at = left.indexOf(key)
    if (at >= 0) left.splice(at, 1)
    return at >= 0
  })
  return (2 * shared.length) / Math.max(1, expected.length + found.length)
}

/** Which cells stand next to one another, to the right and below, empty ones passed over (ICDAR 2013). */
function neighbours(table: readonly Label[]): string[] {
  const filled = table.filter(({ text }) => text !== '')
  const at = (row: number, column: number): Label | undefined =>
    filled.find((one) => row >= one.firstRow && row <= one.lastRow && column >= one.firstColumn && column <= one.lastColumn)
  const [rows, columns] = [Math.max(0, ...filled.map(({ lastRow }) => lastRow)), Math.max(0, ...filled.map(({ lastColumn }) => lastColumn))]
  const out = new Set<string>()
  for (const cell of filled) {
    for (let row = cell.firstRow; row <= cell.lastRow; row++) {
      let column = cell.lastColumn + 1
      while (column <= columns && !at(row, column)) column++
      const next = at(row, column)
      if (next) out.add(`${spanKey(cell).replace(/ .*/, '')} > ${textKey(next)} ${filled.indexOf(cell)} ${filled.indexOf(next)}`)
    }
    for (let column = cell.firstColumn; column <= cell.lastColumn; column++) {
      let row = cell.lastRow + 1
      while (row <= rows && !at(row, column)) row++
      const next = at(row, column)
      if (next) out.add(`${textKey(cell)} v ${textKey(next)} ${filled.indexOf(cell)} ${filled.indexOf(next)}`)
    }
  }
  return [...out].map((key) => key.replace(/ \d+ \d+$/, ''))
}

const isFilled = ({ text }: Label): boolean => text !== ''

test.each(chineseTablePages.map((one) => [one.title, one] as const))(
  'every labelled cell is found with its span: %s',
  async (_title, { content, tables }) => {
    const { sections } = layoutPage(await pageOf(content))
    const blocks = sections.flatMap(({ columns }) => columns.flatMap((column) => column.blocks))
    const found = blocks.flatMap((block) => (block.kind === 'table' ? [block.cells.map(labelOf)] : []))
    expect(found).toHaveLength(tables.length)
    const cells = (some: readonly (readonly Label[])[]): string[] => some.flatMap((table) => table.filter(isFilled).map(spanKey))
    expect(cells(found).toSorted()).toEqual(cells(tables).toSorted())
    expect(f1(tables.flatMap(neighbours), found.flatMap(neighbours))).toBe(1)
  },
)
