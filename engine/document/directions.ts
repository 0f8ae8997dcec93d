import type { Box } from './document-model.ts'
import type { Glyph, PageModel } from '../pdf/page-model.ts'

/** Which way lines run: as usual, or turned by so many quarters clockwise. Vertical writing runs like text that is turned by one. */
export type Turn = 0 | 1 | 2 | 3

/** The way lines run, and whether their letters stand upright one below the other. */
export interface Direction {
  readonly turn: Turn
  readonly isVertical: boolean
  /** Where they run aslant, as a watermark does: the angle clockwise, in radians; `turn` is then 0. */
  readonly slant?: number
}

const QUARTER = Math.PI / 2
/** Lines that far from a quarter run aslant, in radians; what was scanned a little askew does not. */
const ASKEW = 0.07
/** Lines whose angles differ by less run one way, in radians. */
const STEP = 0.02

const quarters = ({ angle }: Glyph): number => Math.round(angle / QUARTER)

/** Which way a glyph's line runs, by quarters. */
const turnOf = (glyph: Glyph): Turn => ((((quarters(glyph) + (glyph.font.isVertical ? 1 : 0)) % 4) + 4) % 4) as Turn // a remainder of 4 is one of them

const isAslant = (glyph: Glyph): boolean => !glyph.font.isVertical && Math.abs(glyph.angle - quarters(glyph) * QUARTER) > ASKEW

/** Glyphs by the way their lines run, most glyphs first. Where most stand askew, the page does, and they are read as if it did not. */
export function byDirection(glyphs: readonly Glyph[]): readonly { readonly direction: Direction; readonly glyphs: readonly Glyph[] }[] {
  const byKey = new Map<string, { direction: Direction; glyphs: Glyph[] }>()
  const isAskew = glyphs.filter(isAslant).length > glyphs.length / 2
  for (const glyph of glyphs) {
    const { isVertical } = glyph.font
    const slant = !isAskew && isAslant(glyph) ? glyph.angle : undefined
    const turn = slant === undefined ? turnOf(glyph) : 0
    const key = `${turn} ${isVertical} ${slant === undefined ? '' : Math.round(slant / STEP)}`
    const list = byKey.get(key) ?? { direction: { turn, isVertical, ...(slant !== undefined && { slant }) }, glyphs: [] }
    byKey.set(key, list)
    list.glyphs.push(glyph)
  }
  return [...byKey.values()].toSorted((a, b) => b.glyphs.length - a.glyphs.length)
}

/** Where a place on a page is along lines that run some way, and across them. */
export function inFrame(x: number, y: number, { turn, slant }: Direction, { width, height }: PageModel): readonly [u: number, v: number] {
  if (slant !== undefined) return [x * Math.cos(slant) + y * Math.sin(slant), y * Math.cos(slant) - x * Math.sin(slant)]
  return turn === 0 ? [x, y] : turn === 1 ? [y, width - x] : turn === 2 ? [width - x, height - y] : [height - y, x]
}

/** Where on its page a box comes to lie, about its middle, before it is turned by the slant of the lines it was counted by. */
export function beforeSlant({ left, top, right, bottom }: Box, slant: number): Box {
  const [u, v] = [(left + right) / 2, (top + bottom) / 2]
  const [x, y] = [u * Math.cos(slant) - v * Math.sin(slant) - u, u * Math.sin(slant) + v * Math.cos(slant) - v]
  return { left: left + x, top: top + y, right: right + x, bottom: bottom + y }
}

/** A slant as DrawingML tells it (ST_Angle): sixty-thousandths of a degree, clockwise, less than a whole turn. */
export const slantAngle = (slant: number): number => Math.round((((slant * 180) / Math.PI + 360) % 360) * 60_000)
