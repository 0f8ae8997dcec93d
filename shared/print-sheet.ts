import type { Sides } from '#shared/id-photo-crop'

/** Photo papers at 300 dpi, in pixels, upright: 3.5 × 5 inches, 4 × 6 inches, 210 × 297 mm. */
export const papers = {
  'five-inch': { label: '5寸相纸', width: 1050, height: 1500 },
  'six-inch': { label: '6寸相纸', width: 1200, height: 1800 },
  a4: { label: 'A4 纸', width: 2480, height: 3508 },
} as const

/** A paper by its name. */
export type PaperId = keyof typeof papers

/** The resolution sheets are laid out in. */
export const SHEET_DPI = 300

/** Room for the blade between copies: 1.7 mm. */
const GAP_PX = 20
/** Room for cut marks, and for what a printer can't reach: 3 mm. */
const MARGIN_PX = 36

/** Where copies of a photo lie on a sheet; `places` are their upper left corners, row by row. */
export interface SheetLayout extends Sides {
  readonly places: readonly { readonly left: number; readonly top: number }[]
  /** Vertical cuts by their distance from the left, horizontal ones from the top: the copies' edges, each once. */
  readonly cutsAcross: readonly number[]
  readonly cutsDown: readonly number[]
}

const placesOn = ({ width, height }: Sides, copy: Sides, margin: number): SheetLayout => {
  const starts = (side: number, one: number): number[] => {
    const count = Math.max(0, Math.floor((side - 2 * margin + GAP_PX) / (one + GAP_PX)))
    const first = Math.floor((side - count * one - (count - 1) * GAP_PX) / 2)
    return Array.from({ length: count }, (_, index) => first + index * (one + GAP_PX))
  }
  const [columns, rows] = [starts(width, copy.width), starts(height, copy.height)]
  return {
    width,
    height,
    places: rows.flatMap((top) => columns.map((left) => ({ left, top }))),
    cutsAcross: columns.flatMap((left) => [left, left + copy.width]),
    cutsDown: rows.flatMap((top) => [top, top + copy.height]),
  }
}

/**
 * As many copies of a photo (sides at `SHEET_DPI`) as a paper holds, in the middle of it. The paper is turned rather than the
 * copies, whichever way holds more. A photo as large as the paper is laid without margins; undefined when even that is too small.
 */
export function sheetLayout(paper: PaperId, copy: Sides): SheetLayout | undefined {
  const { width, height } = papers[paper]
  const ways = [MARGIN_PX, 0].flatMap((margin) => [
    placesOn({ width, height }, copy, margin),
    placesOn({ width: height, height: width }, copy, margin),
  ])
  const withMargin = ways.slice(0, 2).toSorted((one, other) => other.places.length - one.places.length)
  return [...withMargin, ...ways.slice(2)].find(({ places }) => places.length > 0)
}
