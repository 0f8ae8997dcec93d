import { average, boxes } from '#shared/effects/math/box'
import type { Colours } from './planes.ts'

/** Alpha as a linear function of colour at each pixel: `red * r + green * g + blue * b + rest`. */
export interface Model {
  readonly red: Float32Array
  readonly green: Float32Array
  readonly blue: Float32Array
  readonly rest: Float32Array
}

const product = (a: Float32Array, b: Float32Array): Float32Array => {
  const out = new Float32Array(a.length)
  for (let at = 0; at < a.length; at++) out[at] = (a[at] ?? 0) * (b[at] ?? 0)
  return out
}

/** Means and products of means that the filter's normal equations are made of. */
interface Moments {
  readonly means: Colours
  readonly squares: readonly [Float32Array, Float32Array, Float32Array, Float32Array, Float32Array, Float32Array]
  readonly mean: Float32Array
  readonly mixed: Colours
}

/** Solves for the linear function at each pixel by Cramer's rule; the results take the place of `mixed` and `mean`. */
function solve({ means, squares, mean, mixed }: Moments, epsilon: number): Model {
  const [mr, mg, mb] = means
  const [rr, rg, rb, gg, gb, bb] = squares
  const [xr, xg, xb] = mixed
  for (let at = 0; at < mean.length; at++) {
    const r = mr[at] ?? 0
    const g = mg[at] ?? 0
    const b = mb[at] ?? 0
    const m = mean[at] ?? 0
    const s00 = (rr[at] ?? 0) - r * r + epsilon
    const s01 = (rg[at] ?? 0) - r * g
    const s02 = (rb[at] ?? 0) - r * b
    const s11 = (gg[at] ?? 0) - g * g + epsilon
    const s12 = (gb[at] ?? 0) - g * b
    const s22 = (bb[at] ?? 0) - b * b + epsilon
    const c0 = (xr[at] ?? 0) - r * m
    const c1 = (xg[at] ?? 0) - g * m
    const c2 = (xb[at] ?? 0) - b * m
    const i00 = s11 * s22 - s12 * s12
    const i01 = s02 * s12 - s01 * s22
    const i02 = s01 * s12 - s02 * s11
    const scale = 1 / (s00 * i00 + s01 * i01 + s02 * i02)
    const red = (c0 * i00 + c1 * i01 + c2 * i02) * scale
    const green = (c0 * i01 + c1 * (s00 * s22 - s02 * s02) + c2 * (s01 * s02 - s00 * s12)) * scale
    const blue = (c0 * i02 + c1 * (s01 * s02 - s00 * s12) + c2 * (s00 * s11 - s01 * s01)) * scale
    xr[at] = red
    xg[at] = green
    xb[at] = blue
    mean[at] = m - red * r - green * g - blue * b
  }
  return { red: xr, green: xg, blue: xb, rest: mean }
}

/**
 * The guided filter (He, Sun, Tang, "Guided image filtering", 2013) with a guide in colour: what linear function of the colours around a pixel
 * fits the alpha there best. `epsilon` is the variance of colour (0..1) below which the guide counts as flat.
 */
export function guidedModel(guide: Colours, alpha: Float32Array, width: number, height: number, radius: number, epsilon: number): Model {
  const [r, g, b] = guide
  const filter = boxes(width, height, radius)
  const averaged = (plane: Float32Array): Float32Array => {
    average(plane, filter)
    return plane
  }
  const mixed: Colours = [averaged(product(r, alpha)), averaged(product(g, alpha)), averaged(product(b, alpha))]
  const squares: Moments['squares'] = [
    averaged(product(r, r)),
    averaged(product(r, g)),
    averaged(product(r, b)),
    averaged(product(g, g)),
    averaged(product(g, b)),
    averaged(product(b, b)),
  ]
  const means: Colours = [averaged(r.slice()), averaged(g.slice()), averaged(b.slice())]
  const model = solve({ means, squares, mean: averaged(alpha.slice()), mixed }, epsilon)
  for (const plane of [model.red, model.green, model.blue, model.rest]) average(plane, filter)
  return model
}
