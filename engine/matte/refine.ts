import { guidedModel, type Model } from './guided.ts'
import { keepSubject } from './islands.ts'
import { coloursOf, enlarged, grown, reduced, type Reduced } from './planes.ts'
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

/** The first filter's picture, and how far and how finely it looks there. */
const COARSE_SIDE = 1024
const COARSE_RADIUS = 6
const COARSE_EPSILON = 1e-4
const FINE_RADIUS = 4
const FINE_EPSILON = 1e-4

function modelOf({ alpha, colours, width, height }: Reduced): Model {
  return guidedModel(colours, alpha, width, height, COARSE_RADIUS, COARSE_EPSILON)
}

const clamped = (value: number): number => (value < 0 ? 0 : value > 1 ? 1 : value)

function fineAlpha(pixels: Pixels, small: Reduced, model: Model, area: Rect): Float32Array {
  const colours = coloursOf(pixels, area)
  const [r, g, b] = colours
  const [red, green, blue, rest] = [model.red, model.green, model.blue, model.rest].map((plane) => enlarged(plane, small, area))
  const alpha = new Float32Array(area.width * area.height)
  for (let at = 0; at < alpha.length; at++) {
    const value = (red?.[at] ?? 0) * (r[at] ?? 0) + (green?.[at] ?? 0) * (g[at] ?? 0) + (blue?.[at] ?? 0) * (b[at] ?? 0) + (rest?.[at] ?? 0)
    alpha[at] = clamped(value)
  }
  const fine = guidedModel(colours, alpha, area.width, area.height, FINE_RADIUS, FINE_EPSILON)
  for (let at = 0; at < alpha.length; at++) {
    const value =
      (fine.red[at] ?? 0) * (r[at] ?? 0) + (fine.green[at] ?? 0) * (g[at] ?? 0) + (fine.blue[at] ?? 0) * (b[at] ?? 0) + (fine.rest[at] ?? 0)
    alpha[at] = clamped(value)
  }
  return alpha
}

/**
 * A model's matte made exact: what is not the subject goes (by kind; persons are told by their faces, where those are known), small
 * holes are filled, and the edge follows the picture's own.
 */
export function refineMatte(pixels: Pixels, matte: Matte, subject: Subject, faces: readonly Rect[] = []): Matte {
  const kept = keepSubject(matte, subject, faces)
  const small = reduced(pixels, kept, Math.max(1, Math.ceil(Math.max(matte.width, matte.height) / COARSE_SIDE)))
  const model = modelOf(small)
  const data = kept.data.slice()
  for (const strip of edgeStrips(kept, { tile: 64, reach: 1, low: LOW, high: HIGH })) {
    const area = grown(strip, 2 * FINE_RADIUS, matte)
    const alpha = fineAlpha(pixels, small, model, area)
    for (let y = strip.top; y < strip.top + strip.height; y++) {
      let from = (y - area.top) * area.width + strip.left - area.left
      for (let x = 0, at = y * matte.width + strip.left; x < strip.width; x++, at++, from++) {
        const before = data[at] ?? 0
        if (before <= LOW || before >= HIGH) continue
        data[at] = (alpha[from] ?? 0) * 255 + 0.5
      }
    }
  }
  for (let at = 0; at < data.length; at++) if ((data[at] ?? 0) < FAINTEST) data[at] = 0
  return { data, width: matte.width, height: matte.height }
}
