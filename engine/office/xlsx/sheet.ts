import type { CellContent } from './content.ts'
import type { TypedValue } from './typed-value.ts'
import type { TableCell } from '#engine/document/document-model'

/** A cell of a sheet, merged ones once; rows and columns from 0. */
export interface SheetCell extends Pick<
  TableCell,
  'firstRow' | 'lastRow' | 'firstColumn' | 'lastColumn' | 'borders' | 'fill' | 'vertical' | 'turn'
> {
  readonly content: CellContent
  readonly value: TypedValue
  /** Its text goes on in a next line where its column ends. */
  readonly isWrapped: boolean
}

/** A sheet of a workbook. */
export interface Sheet {
  /** What it would be called; `sheetNames` makes it fit. */
  readonly name: string
  /** Widths of columns and heights of rows, in points. */
  readonly columns: readonly number[]
  readonly rows: readonly number[]
  readonly cells: readonly SheetCell[]
  /** The page it comes from lies on its side. */
  readonly isLandscape: boolean
}
