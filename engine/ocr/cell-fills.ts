import type { MeasuredLine } from './measure-line.ts'
import type { Ruling } from './rulings.ts'
import { levelsOf } from '../pdf/colour.ts'
import type { Fill } from '../pdf/page-model.ts'
import { medianOf } from '#shared/effects/math/median'

/** A ground this much darker than most of its page's is a fill, in levels. */
const DARKER = 12
/** A line's box may reach over the rules around it so far, in pixels. */
const OVER_PX = 6

/** The cell of a table that a line stands in, in pixels; undefined where it is in none. */
function cellOf({ line: { box } }: MeasuredLine, rulings: readonly Ruling[]) {
  const { x, y, width, height } = box
  const around = (isHorizontal: boolean, along: number) =>
    rulings.filter((ruling) => ruling.isHorizontal === isHorizontal && ruling.from < along && ruling.to > along).map(({ at }) => at)
  const [rows, columns] = [around(true, x), around(false, y)]
  const left = Math.max(...columns.filter((at) => at < x - width / 2 + OVER_PX))
  const right = Math.min(...columns.filter((at) => at > x + width / 2 - OVER_PX))
  const top = Math.max(...rows.filter((at) => at < y - height / 2 + OVER_PX))
  const bottom = Math.min(...rows.filter((at) => at > y + height / 2 - OVER_PX))
  return [left, right, top, bottom].every(Number.isFinite) ? { left, right, top, bottom } : undefined
}

/** The cells of tables that are shaded behind their text, on a page whose pixels are so many points. */
export function cellFills(lines: readonly MeasuredLine[], rulings: readonly Ruling[], points: number): readonly Fill[] {
  const paper = medianOf(lines.map(({ ground }) => Math.min(...levelsOf(ground)))) ?? 255
  const fills = new Map<string, Fill>()
  for (const line of lines) {
    if (Math.min(...levelsOf(line.ground)) > paper - DARKER) continue
    const cell = cellOf(line, rulings)
    if (!cell) continue
    const { left, right, top, bottom } = cell
    const fill = { left: left * points, right: right * points, top: top * points, bottom: bottom * points, colour: line.ground }
    fills.set(`${left} ${top}`, fill)
  }
  return [...fills.values()]
}
