import { paste, plain } from './arrange.ts'
import type { Pixels } from './pixels.ts'
import type { SheetLayout } from '#shared/print-sheet'

const WHITE = '#ffffff'
const MARK = '#606060'
/** Marks are 2 mm long, 0.17 mm thick, and end 0.5 mm before the pictures (at 300 dpi). */
const MARK_LENGTH_PX = 24
const MARK_THICKNESS_PX = 2
const MARK_DISTANCE_PX = 6

/** A sheet of copies (three channels) as it is laid out, white, with cut marks around them in the margins. */
export function printSheet(copy: Pixels, layout: SheetLayout): Pixels {
  const sheet = plain(layout, WHITE, 3)
  for (const place of layout.places) paste(sheet, copy, place)
  const { cutsAcross, cutsDown } = layout
  for (const x of cutsAcross)
    for (const y of ends(cutsDown)) mark(sheet, { left: x - 1, top: y, width: MARK_THICKNESS_PX, height: MARK_LENGTH_PX })
  for (const y of cutsDown)
    for (const x of ends(cutsAcross)) mark(sheet, { left: x, top: y - 1, width: MARK_LENGTH_PX, height: MARK_THICKNESS_PX })
  return sheet
}

/** Where marks begin, before the first cut and behind the last. */
const ends = (cuts: readonly number[]): number[] => [
  Math.min(...cuts) - MARK_DISTANCE_PX - MARK_LENGTH_PX,
  Math.max(...cuts) + MARK_DISTANCE_PX,
]

/** One mark; without the room for it, on a sheet as large as its photo, none. */
function mark(sheet: Pixels, { left, top, width, height }: { left: number; top: number; width: number; height: number }): void {
  if (left < 0 || top < 0 || left + width > sheet.width || top + height > sheet.height) return
  paste(sheet, plain({ width, height }, MARK, 3), { left, top })
}
