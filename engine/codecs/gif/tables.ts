import type { Clip } from './clip.ts'
import { bitsFor } from './gif-file.ts'
import { errorWith, quantise, type Histogram } from './quantise.ts'
import { symbolsOf, type Symbols } from './symbols.ts'
import type { Targets } from './targets.ts'

/** How many colours a table may have, the transparent index counted, and the squared error one bit is worth (0: no loss). */
interface Terms {
  readonly colours: number
  readonly lambda: number
}

/** The colours of a table as packed 0x00BBGGRR, its transparent index as black. */
export const tableOf = ({ red, green, blue, size }: Symbols): number[] =>
  Array.from({ length: size }, (_, at) => (red[at] ?? 0) | ((green[at] ?? 0) << 8) | ((blue[at] ?? 0) << 16))

const SAMPLED_PIXELS = 1e6
/** From so many frames the search for what goes together in one table starts. */
const SEEDS = 12

/** The table most frames can do with: with loss of all colours, without loss of the changes of as many frames as fit. */
export function sharedSymbols(clip: Clip, { lambda, colours: most }: Terms): Symbols {
  const hasTransparent = clip.hasAlpha || clip.frames > 1
  const room = most - (hasTransparent ? 1 : 0)
  const colours = lambda === 0 ? largestUnion(changedColours(clip), room) : quantise(sampledColours(clip), room).colours
  return symbolsOf(colours.length > 0 ? colours : [0], hasTransparent)
}

function sampledColours({ width, height, frames, colourAt }: Clip): Histogram {
  const size = width * height
  const histogram = new Map<number, number>()
  const every = Math.max(1, Math.floor((size * frames) / SAMPLED_PIXELS)) | 1
  for (let frame = 0; frame < frames; frame++) {
    for (let place = frame % every; place < size; place += every) {
      const colour = colourAt(frame, place)
      if (colour !== 0) histogram.set(colour, (histogram.get(colour) ?? 0) + 1)
    }
  }
  return histogram
}

/** For every frame the colours of the pixels that differ from the frame before. */
const changedColours = ({ width, height, frames, colourAt }: Clip): ReadonlySet<number>[] =>
  Array.from({ length: frames }, (_, frame) => {
    const changed = new Set<number>()
    for (let place = 0; place < width * height; place++) {
      const colour = colourAt(frame, place)
      if (colour !== 0 && (frame === 0 || colour !== colourAt(frame - 1, place))) changed.add(colour)
    }
    return changed
  })

/** A union of at most `room` colours that holds all colours of as many sets as are found: greedily the set that adds least, from several first ones. */
function largestUnion(sets: readonly ReadonlySet<number>[], room: number): number[] {
  const unionFrom = (first: number): { colours: Set<number>; held: number } => {
    const colours = new Set<number>()
    const waiting = new Set(sets.keys())
    const added = (at: number): number => [...(sets[at] ?? [])].filter((colour) => !colours.has(colour)).length
    for (let next = first; waiting.size > 0 && colours.size + added(next) <= room;) {
      for (const colour of sets[next] ?? []) colours.add(colour)
      waiting.delete(next)
      next = [...waiting].reduce((best, at) => (best < 0 || added(at) < added(best) ? at : best), -1)
    }
    return { colours, held: sets.length - waiting.size }
  }
  // Each start looks at every set for every set it takes in.
  const seeds = sets.length > 100 ? 1 : SEEDS
  const unions = Array.from({ length: Math.min(seeds, sets.length) }, (_, at) => unionFrom(Math.floor((at * sets.length) / seeds)))
  return [...(unions.toSorted((left, right) => right.held - left.held)[0]?.colours ?? [])]
}

/** The colours a frame has to bring, weighted by the frames they are seen for. */
export function neededColours(
  { red, green, blue, isShown, until }: Targets,
  hold: Float32Array,
  bearable: number,
  frame: number,
): Histogram {
  const histogram = new Map<number, number>()
  for (let place = 0; place < hold.length; place++) {
    if ((isShown[place] ?? 0) === 1 && (hold[place] ?? 0) > bearable) {
      const colour = (red[place] ?? 0) | ((green[place] ?? 0) << 8) | ((blue[place] ?? 0) << 16)
      histogram.set(colour, (histogram.get(colour) ?? 0) + ((until[place] ?? 0) - frame))
    }
  }
  return histogram
}

/** The shared table, or one of the frame's own, of as many colours as its bytes are worth. */
export function symbolsFor(histogram: Histogram, shared: Symbols, { colours: most, lambda }: Terms, hasTransparent: boolean): Symbols {
  let best = shared
  let least = errorWith(histogram, shared)
  if (lambda === 0) return least === 0 ? shared : symbolsOf(quantise(histogram, most - (hasTransparent ? 1 : 0)).colours, hasTransparent)
  const tableCost = (entries: number): number => lambda * 8 * (3 << bitsFor(entries))
  for (let size = most; size >= 4; size >>= 1) {
    // Half of it may be saved by a smaller one, hardly more.
    if (tableCost(size) / 2 > least) continue
    const { colours, error } = quantise(histogram, size - (hasTransparent ? 1 : 0))
    const cost = error + tableCost(colours.length + (hasTransparent ? 1 : 0))
    if (cost < least) [best, least] = [symbolsOf(colours, hasTransparent), cost]
    else if (best !== shared) break
  }
  return best
}
