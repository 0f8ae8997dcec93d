import { contentOf, plainText, type CellContent } from './content.ts'
import type { SheetCell } from './sheet.ts'
import { typedValue, type TypedValue } from './typed-value.ts'
import type { Table, TableCell } from '#engine/document/document-model'

/** What cells are turned into. */
export interface CellOptions {
  /** Whether numbers and dates are written as such. */
  readonly isTyped: boolean
}

const TEXT: TypedValue = { kind: 'text' }
/** A number with leading zeros names something, and so do the numbers around it. */
const CODE = /^0\d+$/
const NAMES =
  /(编号|编码|代码|代号|号码|电话|手机|传真|身份证|证件号|证号|账号|帐号|账户|卡号|学号|工号|订单号|单号|税号|邮编|邮政编码|条码|ID)$/i

function valueOf({ runs, lines }: CellContent): TypedValue {
  // A raised figure is the mark of a note: 1,234¹ is no 12,341.
  return lines > 1 || runs.some(({ style }) => style.script !== undefined) ? TEXT : typedValue(plainText(runs))
}

/** The columns whose whole numbers name things: by their heads, or by one that begins with a zero. */
function namingColumns(cells: readonly (TableCell & { readonly content: CellContent })[]): ReadonlySet<number> {
  const found = new Set<number>()
  for (const { firstColumn, lastColumn, content } of cells) {
    const text = plainText(content.runs)
    if (firstColumn === lastColumn && (CODE.test(text) || (text.length < 20 && NAMES.test(text)))) found.add(firstColumn)
  }
  return found
}

/** A table's cells as a sheet has them, from its left top corner on. */
export function tableCells(table: Table, { isTyped }: CellOptions): SheetCell[] {
  const cells = table.cells.map((cell) => ({ ...cell, content: contentOf(cell.blocks) }))
  const naming = namingColumns(cells)
  return cells.map((cell) => {
    const value = isTyped ? valueOf(cell.content) : TEXT
    const isName = value.kind === 'number' && value.isPlain && naming.has(cell.firstColumn)
    return { ...cell, value: isName ? TEXT : value, isWrapped: cell.content.lines > 1 }
  })
}
