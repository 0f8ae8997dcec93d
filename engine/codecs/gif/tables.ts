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

/** The table most frames can do with: with loss of all colours, without loss of as many frames' changes as fit. */
export function sharedSymbols({ width, height, frames, hasAlpha, colourAt }: Clip, { lambda, colours: most }: Terms): Symbols {
  const hasTransparent = hasAlpha || frames > 1
  const room = most - (hasTransparent ? 1 : 0)
  const size = width * height
  const histogram = new Map<number, number>()
  const every = lambda === 0 ? 1 : Math.max(1, Math.floor((size * frames) / SAMPLED_PIXELS)) | 1
  for (let frame = 0; frame < frames; frame++) {
    const fresh = new Map<number, number>()
    for (let place = frame % every; place < size; place += every) {
      const colour = colourAt(frame, place)
      if (colour === 0 || (lambda === 0 && frame > 0 && colour === colourAt(frame - 1, place))) continue
      fresh.set(colour, (fresh.get(colour) ?? 0) + 1)
    }
    for (const [colour, count] of fresh) histogram.set(colour, (histogram.get(colour) ?? 0) + count)
    if (lambda === 0 && histogram.size > room) {
      for (const colour of fresh.keys()) if (histogram.get(colour) === fresh.get(colour)) histogram.delete(colour)
      break
    }
  }
  return symbolsOf(quantise(histogram, room).colours, hasTransparent)
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
export function symbolsFor(
  histogram: Histogram,
  shared: Symbols,
  most: number,
  lambda: number,
  hasAlpha: boolean,
  isLater: boolean,
): Symbols {
  let best = shared
  let least = errorWith(histogram, shared)
  // Without loss, 256 colours leave no room for transparency: then every pixel is written in its colour.
  const hasTransparent = hasAlpha || (isLater && (lambda > 1 || histogram.size < most))
  for (let size = most; size >= 4; size >>= 1) {
    const tableCost = lambda * 8 * 3 * size
    if (tableCost / 2 > least) continue
    const { colours, error } = quantise(histogram, size - (hasTransparent ? 1 : 0))
    const cost = error + lambda * 8 * 3 * (1 << bitsFor(colours.length + (hasTransparent ? 1 : 0)))
    if (cost < least) [best, least] = [symbolsOf(colours, hasTransparent), cost]
    else if (best !== shared) break
    if (lambda < 1) break
  }
  return best
}
