import type { CellContent } from './content.ts'
import type { TypedValue } from './typed-value.ts'
import type { TableCell, TextStyle } from '#engine/document/document-model'
import { levelsOf } from '#engine/pdf/colour'
import { luma601 } from '#shared/effects/math/luma'

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

/** From so much brightness on, 0..255 (ITU-R BT.601), letters cannot be read on an empty cell's white. */
const TOO_BRIGHT = 215
const isTooBright = (colour: string): boolean => luma601(...levelsOf(colour)) > TOO_BRIGHT

/** Styles are told apart by what they are, not by what they say. */
const darker = new WeakMap<TextStyle, TextStyle>()

function onWhite(style: TextStyle): TextStyle {
  if (!isTooBright(style.colour)) return style
  const dark = darker.get(style) ?? { ...style, colour: '#000000' }
  darker.set(style, dark)
  return dark
}

/** A cell whose letters can be read: what stood white on a picture, which no sheet has, is black. */
export function legible(cell: SheetCell): SheetCell {
  const { content, fill } = cell
  if (fill !== undefined || !content.runs.some(({ style }) => isTooBright(style.colour))) return cell
  return { ...cell, content: { ...content, runs: content.runs.map((run) => ({ ...run, style: onWhite(run.style) })) } }
}
