import type { PageModel } from '#engine/pdf/page-model'
import type { Box } from '../document-model.ts'
import { lowerBound } from './rules.ts'

/** How far a path reaches over a line before it crosses it, in points. */
const OVER = 1
/** So many paths across lines make a chart; one or two may part a head cell. */
const LEAST = 3

const crosses = (lines: readonly number[], from: number, to: number): boolean => {
  const line = lines[lowerBound(lines, from + OVER)]
  return line !== undefined && line < to - OVER
}

/** Whether a grid is that of a chart or a map: what runs aslant or curved in it crosses its lines. */
export function isChart(
  { columns, rows }: { readonly columns: readonly number[]; readonly rows: readonly number[] },
  { slants = [] }: PageModel,
): boolean {
  const box: Box = { left: columns[0] ?? 0, top: rows[0] ?? 0, right: columns.at(-1) ?? 0, bottom: rows.at(-1) ?? 0 }
  const across = slants.filter(({ left, top, right, bottom }) => {
    const isWithin = left > box.left - OVER && right < box.right + OVER && top > box.top - OVER && bottom < box.bottom + OVER
    const isSmaller = right - left < 0.95 * (box.right - box.left) || bottom - top < 0.95 * (box.bottom - box.top)
    return isWithin && isSmaller && (crosses(columns, left, right) || crosses(rows, top, bottom))
  })
  return across.length >= LEAST
}
