import type { ReadCharacter } from './ctc.ts'

/** A glyph of a line that was read: where it is, as shares of the line's length, and what it is known to be. */
export interface Place {
  readonly from: number
  readonly to: number
  readonly known?: string
}

/** What leaving a glyph or a reading without a partner costs, in sizes of the letters that a pair may be apart at the same price. */
const ALONE = 0.55
/** Further apart nothing is a pair. */
const FARTHEST = 0.95
const SAME = -0.35
const OTHER = 0.25

const middle = ({ from, to }: Place): number => (from + to) / 2

function costOf(place: Place, read: ReadCharacter, ems: number): number {
  const apart = Math.abs(middle(place) - read.at) * ems
  if (apart > FARTHEST) return Infinity
  if (place.known === undefined) return apart
  return apart + (place.known.normalize('NFKC').toLowerCase() === read.text.normalize('NFKC').toLowerCase() ? SAME : OTHER)
}

/**
 * Which reading belongs to which glyph: the cheapest way to go through both in their order. `ems` is how many times longer than its letters are
 * large a line is. Answers with the index of a reading for each glyph, -1 where none belongs to it.
 */
export function aligned(places: readonly Place[], read: readonly ReadCharacter[], ems: number): readonly number[] {
  const wide = read.length + 1
  const costs = new Float64Array((places.length + 1) * wide)
  for (let j = 1; j < wide; j++) costs[j] = j * ALONE
  const costAt = (i: number, j: number): number => costs[i * wide + j] ?? Infinity
  const pairCost = (i: number, j: number): number => {
    const [place, one] = [places[i - 1], read[j - 1]]
    return place && one ? costAt(i - 1, j - 1) + costOf(place, one, ems) : Infinity
  }
  for (let i = 1; i <= places.length; i++) {
    costs[i * wide] = i * ALONE
    for (let j = 1; j < wide; j++) costs[i * wide + j] = Math.min(pairCost(i, j), costAt(i - 1, j) + ALONE, costAt(i, j - 1) + ALONE)
  }
  const partners = places.map(() => -1)
  for (let i = places.length, j = read.length; i > 0 && j > 0;) {
    const cost = costAt(i, j)
    if (cost === pairCost(i, j)) partners[--i] = --j
    else if (cost === costAt(i - 1, j) + ALONE) i--
    else j--
  }
  return partners
}
