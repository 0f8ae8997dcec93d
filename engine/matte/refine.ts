import { guidedModel, type Model } from './guided.ts'
import { keepSubject } from './islands.ts'
import { coloursOf, enlarged, reduced, type Reduced } from './planes.ts'
import { solidInside } from './solid.ts'
import type { Pixels } from '../image/pixels.ts'
import type { Matte } from '#shared/matte/matte'
import { edgeStrips } from '#shared/matte/tiles'
import type { Rect } from '#shared/resize'
import type { Subject } from '#shared/tools/define'

/** Alpha up to `LOW` and from `HIGH` on is what the model is sure of; between them its edges lie. */
const LOW = 12
const HIGH = 243
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

/** How wide a matte's edges are: mixed pixels for each one on its outline. A line of any direction crosses 4/π sides of pixels a pixel. */
function edgeWidth({ data, width, height }: Matte): number {
  let mixed = 0
  let crossings = 0
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at++) {
      const here = data[at] ?? 0
      if (here > LOW && here < HIGH) mixed++
      if (x > 0 && here < 128 !== (data[at - 1] ?? 0) < 128) crossings++
      if (y > 0 && here < 128 !== (data[at - width] ?? 0) < 128) crossings++
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
    const pure = (value - MIXED) / (1 - 2 * MIXED)
    alpha[at] = pure < 0 ? 0 : pure > 1 ? 255 : pure * 255
  }
  return alpha
}

/** Alpha where the model was unsure, else what it was; haze becomes ground and what is all but subject subject. */
function settled(before: number, guided: number): number {
  if (before <= LOW || before >= HIGH) return before < FAINTEST ? 0 : before
  const alpha = Math.round(guided)
  return alpha < FAINTEST ? 0 : alpha
}

/**
 * A model's matte made exact: what is not the subject goes (by kind; persons are told by their faces, where those are known), small
 * holes are filled, and edges follow the picture's own: by a fast guided filter (He, Sun, "Fast guided filter", 2015) wherever the model was unsure.
 */
export function refineMatte(pixels: Pixels, matte: Matte, subject: Subject, faces: readonly Rect[] = []): Matte {
  const kept = solidInside(keepSubject(matte, subject, faces))
  const width = edgeWidth(kept)
  const step = Math.max(1, Math.floor(width / COPIED_WIDTH), Math.ceil(Math.sqrt(kept.data.length / MOST_COPIED)))
  const small = reduced(pixels, kept, step)
  const radius = Math.max(LEAST_RADIUS, Math.round((REACH * width) / step))
  const model = guidedModel(small.colours, small.alpha, small.width, small.height, radius, EPSILON)
  const data = kept.data.map((alpha) => (alpha < FAINTEST ? 0 : alpha))
  for (const strip of edgeStrips(kept, { tile: 64, reach: 0, low: LOW, high: HIGH })) {
    const guided = guidedAlpha(pixels, small, model, strip)
    for (let y = 0, from = 0; y < strip.height; y++) {
      let at = (strip.top + y) * matte.width + strip.left
      for (let x = 0; x < strip.width; x++, at++, from++) data[at] = settled(kept.data[at] ?? 0, guided[from] ?? 0)
    }
  }
  return { data, width: matte.width, height: matte.height }
}
