import { guidedModel, type Model } from './guided.ts'
import { keepSubject } from './islands.ts'
import { coloursOf, enlarged, reduced, type Reduced } from './planes.ts'
import { solidInside } from './solid.ts'
import type { Pixels } from '../image/pixels.ts'
import { average, boxes } from '#shared/effects/math/box'
import type { Matte } from '#shared/matte/matte'
import { edgeStrips } from '#shared/matte/tiles'
import type { Rect } from '#shared/resize'
import type { Subject } from '#shared/tools/define'

/** Alpha up to `LOW` and from `HIGH` on is what the model is sure of; between them its edges lie. */
const LOW = 6
const HIGH = 249
/** Less than this is haze. */
const FAINTEST = 8

/** How far the filter looks: so many times the width of the matte's edges. */
const REACH = 1.5
/** The filter's function is found on a copy in which edges are about this wide, and used on the picture itself. */
const COPIED_WIDTH = 5
/** More pixels than this the copy never has: the filter keeps twenty planes of them. */
const MOST_COPIED = 1.2e6
const LEAST_RADIUS = 4
/** Where edges are unsure over more than this part of the longer side, no filter finds them. */
const WIDEST = 1 / 32
/** The variance of colour below which there is nothing to follow; a tenth of what is usual, since only edges are filtered. */
const EPSILON = 1e-5
/** The filter leaves grounds and subjects a little mixed: so much of either end is taken for pure. */
const MIXED = 0.06
/** The filter counts in full where so much of a mixture is left at most, and less up to the second value … */
const LEFT_MIXED = [0.94, 0.99] as const
/** … and where it says something else than the model: its mean square difference, as a part of how mixed the matte is. */
const MOVED = [0.005, 0.015] as const

/** Strips of a matte in which the model was unsure. */
const stripsOf = (matte: Matte): Rect[] => edgeStrips(matte, { tile: 64, reach: 0, low: LOW, high: HIGH })

/** How wide a matte's edges are: mixed pixels for each one on its outline. A line of any direction crosses 4/π sides of pixels a pixel. */
function edgeWidth({ data, width, height }: Matte, strips: readonly Rect[]): number {
  let mixed = 0
  let crossings = 0
  for (const strip of strips) {
    for (let y = strip.top; y < strip.top + strip.height; y++) {
      const row = y * width
      for (let x = strip.left, at = row + x; x < strip.left + strip.width; x++, at++) {
        const here = data[at] ?? 0
        if (here > LOW && here < HIGH) mixed++
        if (x > 0 && here < 128 !== (data[at - 1] ?? 0) < 128) crossings++
        if (y > 0 && here < 128 !== (data[at - width] ?? 0) < 128) crossings++
      }
    }
  }
  return Math.min(mixed / Math.max(1, (crossings * Math.PI) / 4), WIDEST * Math.max(width, height))
}

/** The alpha of a strip by the smaller copy's function of colour, between 0 and 255. */
function guidedAlpha(pixels: Pixels, small: Reduced, model: Model, area: Rect): Float32Array {
  const [r, g, b] = coloursOf(pixels, area)
  const red = enlarged(model.red, small, area)
  const green = enlarged(model.green, small, area)
  const blue = enlarged(model.blue, small, area)
  const alpha = enlarged(model.rest, small, area)
  for (let at = 0; at < alpha.length; at++) {
    const value = (red[at] ?? 0) * (r[at] ?? 0) + (green[at] ?? 0) * (g[at] ?? 0) + (blue[at] ?? 0) * (b[at] ?? 0) + (alpha[at] ?? 0)
    alpha[at] = value < 0 ? 0 : value > 1 ? 255 : value * 255
  }
  return alpha
}

/** Sums over each square of the smaller copy: how mixed the matte was (alpha × (1 - alpha)), how mixed the filter makes it, and how far it moves it. */
interface Mixing {
  readonly before: Float32Array
  readonly after: Float32Array
  readonly moved: Float32Array
}

/** Lays a strip's alphas over what the model was unsure of, and counts how mixed it was before and is now. */
function layStrip(data: Uint8Array, kept: Matte, guided: Float32Array, strip: Rect, { step, width }: Reduced, mixing: Mixing): void {
  for (let y = 0, from = 0; y < strip.height; y++) {
    let at = (strip.top + y) * kept.width + strip.left
    const row = Math.floor((strip.top + y) / step) * width
    for (let x = strip.left; x < strip.left + strip.width; x++, at++, from++) {
      const alpha = kept.data[at] ?? 0
      if (alpha <= LOW || alpha >= HIGH) continue
      const found = guided[from] ?? 0
      const pure = (found - 255 * MIXED) / (1 - 2 * MIXED)
      data[at] = pure < 0 ? 0 : pure > 255 ? 255 : pure + 0.5
      const cell = row + ((x / step) | 0)
      mixing.before[cell] = (mixing.before[cell] ?? 0) + alpha * (255 - alpha)
      mixing.after[cell] = (mixing.after[cell] ?? 0) + found * (255 - found)
      mixing.moved[cell] = (mixing.moved[cell] ?? 0) + (found - alpha) ** 2
    }
  }
}

const between = (value: number, [from, to]: readonly [number, number]): number => (value - from) / (to - from)

/**
 * How much the filter counts in each square, 0..1. Where it leaves edges as mixed as they were, and all but where they were, they are soft in the
 * picture itself: out of focus, or a shadow's. There it would only harden them and print the picture's texture on them.
 */
function gains({ before, after, moved }: Mixing, { width, height }: Reduced, radius: number): Float32Array {
  const filter = boxes(width, height, radius)
  for (const sums of [before, after, moved]) average(sums, filter)
  for (let at = 0; at < before.length; at++) {
    const mixed = before[at] ?? 0
    if (mixed === 0) continue
    const gain = Math.max(1 - between((after[at] ?? 0) / mixed, LEFT_MIXED), between((moved[at] ?? 0) / mixed, MOVED))
    before[at] = Math.min(1, Math.max(0, gain))
  }
  return before
}

/** Takes a strip's alphas back towards the model's as far as the filter does not count there. */
function holdBack(data: Uint8Array, kept: Matte, gain: Float32Array, strip: Rect): void {
  for (let y = 0, from = 0; y < strip.height; y++) {
    let at = (strip.top + y) * kept.width + strip.left
    for (let x = 0; x < strip.width; x++, at++, from++) {
      const alpha = kept.data[at] ?? 0
      if (alpha <= LOW || alpha >= HIGH) continue
      const found = alpha + ((data[at] ?? 0) - alpha) * (gain[from] ?? 0)
      data[at] = found < FAINTEST ? 0 : found + 0.5
    }
  }
}

/**
 * A model's matte made exact: what is not the subject goes (by kind; persons are told by their faces, where those are known), small
 * holes are filled, and edges follow the picture's own: by a fast guided filter (He, Sun, "Fast guided filter", 2015) wherever the model was unsure
 * and the picture knows better.
 */
export function refineMatte(pixels: Pixels, matte: Matte, subject: Subject, faces: readonly Rect[] = []): Matte {
  const subjects = keepSubject(matte, subject, faces)
  const strips = stripsOf(subjects)
  const kept = solidInside(subjects, edgeWidth(subjects, strips))
  const width = edgeWidth(kept, strips)
  const step = Math.max(1, Math.floor(width / COPIED_WIDTH), Math.ceil(Math.sqrt(kept.data.length / MOST_COPIED)))
  const small = reduced(pixels, kept, step)
  const radius = Math.max(LEAST_RADIUS, Math.round((REACH * width) / step))
  const model = guidedModel(small.colours, small.alpha, small.width, small.height, radius, EPSILON)
  const data = kept.data.slice()
  for (let at = 0; at < data.length; at++) if ((data[at] ?? 0) < FAINTEST) data[at] = 0
  const sums = (): Float32Array => new Float32Array(small.alpha.length)
  const mixing = { before: sums(), after: sums(), moved: sums() }
  for (const strip of strips) layStrip(data, kept, guidedAlpha(pixels, small, model, strip), strip, small, mixing)
  const gain = gains(mixing, small, radius)
  for (const strip of strips) holdBack(data, kept, enlarged(gain, small, strip), strip)
  return { data, width: matte.width, height: matte.height }
}
