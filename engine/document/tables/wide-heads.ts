import type { Reach } from './gutters.ts'
import type { Placed, PlacedLine } from './row-groups.ts'

/** A rule across some of a table's columns. */
export interface PartialRule {
  readonly at: number
  readonly from: number
  readonly to: number
}

const middleOf = ({ left, right }: Reach): number => (left + right) / 2

/** The columns over a rule that lies right under a head cell. */
function columnsOver({ piece }: Placed, columns: readonly Reach[], rules: readonly PartialRule[]): readonly [number, number] | undefined {
  const { base, size } = piece
  const middle = middleOf(piece)
  const rule = rules.find(({ at, from, to }) => at > base - 1 && at < base + 1.2 * size && from < middle && to > middle)
  if (!rule) return undefined
  const over = columns.flatMap((column, at) => (middleOf(column) > rule.from && middleOf(column) < rule.to ? [at] : []))
  const [first, last] = [over[0], over.at(-1)]
  return first !== undefined && last !== undefined ? [first, last] : undefined
}

/** Whether each of some columns has a head cell of its own. */
const haveHeads = (below: readonly Placed[], from: number, to: number): boolean =>
  below.filter(({ first, last }) => first >= from && last <= to).length === to - from + 1

/** The columns a head cell is in the middle of, among those beside which nothing stands in its line. */
function columnsAround(cell: Placed, free: readonly [number, number], below: readonly Placed[], columns: readonly Reach[]): Placed {
  const middle = middleOf(cell.piece)
  const isOverOne = columns.some(
    ({ left, right }) => middle >= left && middle <= right && cell.piece.right >= left && cell.piece.left <= right,
  )
  if (cell.first === cell.last && isOverOne) return cell
  const distance = ({ first, last }: Placed): number => Math.abs(((columns[first]?.left ?? 0) + (columns[last]?.right ?? 0)) / 2 - middle)
  let best = cell
  for (let first = free[0]; first <= cell.first; first++) {
    for (let last = cell.last; last <= free[1]; last++) {
      const wider = { ...cell, first, last }
      if (distance(wider) < distance(best) && haveHeads(below, first, last)) best = wider
    }
  }
  return best
}

/** Heads that stand over several columns reach over them all: by the rule under them, else by their middle. */
export function widened(lines: readonly PlacedLine[], columns: readonly Reach[], rules: readonly PartialRule[]): PlacedLine[] {
  return lines.map(({ line, placed }, at) => {
    const below = lines.slice(at + 1).flatMap((under) => under.placed)
    const wide = placed.map((cell, index) => {
      const over = columnsOver(cell, columns, rules)
      if (over) return { ...cell, first: over[0], last: over[1] }
      // The first column holds labels: no head reaches over it from beside.
      const free = [(placed[index - 1]?.last ?? 0) + 1, (placed[index + 1]?.first ?? columns.length) - 1] as const
      return columnsAround(cell, free, below, columns)
    })
    return { line, placed: wide }
  })
}
