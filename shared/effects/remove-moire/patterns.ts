import type { Peak } from './peaks.ts'

/** How far a pattern's frequency may change from one square to the next, in cycles a square. */
const DRIFT = 3.2

/** Two peaks that may be of one pattern; a wave that runs the other way is the same wave. */
function isNear(a: Peak, b: Peak): boolean {
  if (a.isColour !== b.isColour) return false
  return Math.hypot(a.u - b.u, a.v - b.v) < DRIFT || Math.hypot(a.u + b.u, a.v + b.v) < DRIFT
}

/**
 * Of the peaks of a grid of squares (rows from the top) those that belong to a pattern which goes on over a share of them, from square to
 * square: moiré lies over all that was photographed, a fence or a cloth ends where it ends.
 */
export function patternsOf(squares: readonly (readonly Peak[])[], across: number, leastShare: (peak: Peak) => number): Peak[][] {
  const all = squares.flatMap((peaks, square) => peaks.map((peak) => ({ peak, square })))
  const first: number[] = []
  let seen = 0
  for (const peaks of squares) {
    first.push(seen)
    seen += peaks.length
  }
  const parent = all.map((_, at) => at)
  const rootOf = (at: number): number => {
    let node = at
    while (parent[node] !== undefined && parent[node] !== node) node = parent[node] ?? node
    return node
  }
  for (const [at, { peak, square }] of all.entries()) {
    const neighbours = (square + 1) % across === 0 ? [square + across] : [square + 1, square + across]
    for (const other of neighbours) {
      for (const [place, candidate] of (squares[other] ?? []).entries()) {
        if (isNear(peak, candidate)) parent[rootOf(at)] = rootOf((first[other] ?? 0) + place)
      }
    }
  }
  const covers = new Map<number, Set<number>>()
  for (const [at, { square }] of all.entries()) {
    const root = rootOf(at)
    covers.set(root, (covers.get(root) ?? new Set()).add(square))
  }
  const kept: Peak[][] = squares.map(() => [])
  for (const [at, { peak, square }] of all.entries()) {
    const share = (covers.get(rootOf(at))?.size ?? 0) / squares.length
    if (share >= leastShare(peak)) kept[square]?.push(peak)
  }
  return kept
}
