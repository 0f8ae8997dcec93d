/**
 * A linear map between planes: a convolution of odd side and its bias. Filters are laid out (height, width, in, out), in double precision
 * until they are written.
 * @typedef {{ readonly side: number, readonly ins: number, readonly outs: number, readonly taps: Float64Array, readonly bias: Float64Array }} Linear
 */

/** @returns {Linear} */
const blank = (/** @type {number} */ side, /** @type {number} */ ins, /** @type {number} */ outs) => ({
  side,
  ins,
  outs,
  taps: new Float64Array(side * side * ins * outs),
  bias: new Float64Array(outs),
})

/** The map of a layer's filters and bias. @param {import('./weights.mjs').Weight} filters @param {import('./weights.mjs').Weight} bias @returns {Linear} */
export function linear({ values, dims }, { values: bias }) {
  const [side = 1, , ins = 1, outs = 1] = dims
  return { side, ins, outs, taps: Float64Array.from(values), bias: Float64Array.from(bias) }
}

/** What a map makes of some of its inputs; its bias goes with the first of them only. */
export function ofInputs(/** @type {Linear} */ map, /** @type {number} */ from, /** @type {number} */ to) {
  const part = blank(map.side, to - from, map.outs)
  for (let place = 0; place < map.side ** 2; place++) {
    for (let input = from; input < to; input++) {
      const at = (place * map.ins + input) * map.outs
      part.taps.set(map.taps.subarray(at, at + map.outs), (place * part.ins + input - from) * map.outs)
    }
  }
  if (from === 0) part.bias.set(map.bias)
  return part
}

/** The rows and columns of a map's taps. */
const places = (/** @type {Linear} */ { side }) => Array.from({ length: side ** 2 }, (_, at) => [Math.floor(at / side), at % side])

/** One map after another, as one. */
export function after(/** @type {Linear} */ second, /** @type {Linear} */ first) {
  const map = blank(first.side + second.side - 1, first.ins, second.outs)
  for (const [y2 = 0, x2 = 0] of places(second)) {
    const late = (y2 * second.side + x2) * second.ins * second.outs
    for (const [y1 = 0, x1 = 0] of places(first)) {
      const early = (y1 * first.side + x1) * first.ins * first.outs
      const to = ((y1 + y2) * map.side + x1 + x2) * map.ins * map.outs
      addProduct(
        map,
        to,
        first.taps.subarray(early, early + first.ins * first.outs),
        second.taps.subarray(late, late + second.ins * second.outs),
      )
    }
    addProduct({ ...map, ins: 1, taps: map.bias }, 0, first.bias, second.taps.subarray(late, late + second.ins * second.outs))
  }
  map.bias.forEach((value, at) => (map.bias[at] = value + (second.bias[at] ?? 0)))
  return map
}

/** Adds a product of matrices, (ins, middle) by (middle, outs), to a map's taps at a place. */
function addProduct(
  /** @type {Linear} */ { taps, ins, outs },
  /** @type {number} */ to,
  /** @type {Float64Array} */ left,
  /** @type {Float64Array} */ right,
) {
  const middle = right.length / outs
  for (let row = 0; row < ins; row++) {
    for (let at = 0; at < middle; at++) {
      const factor = left[row * middle + at] ?? 0
      for (let column = 0; column < outs; column++) {
        const index = to + row * outs + column
        taps[index] = (taps[index] ?? 0) + factor * (right[at * outs + column] ?? 0)
      }
    }
  }
}

/** The sum of maps of the same planes, as wide as the widest. */
export function sum(/** @type {readonly [Linear, ...Linear[]]} */ maps) {
  const [{ ins, outs }] = maps
  const whole = blank(Math.max(...maps.map(({ side }) => side)), ins, outs)
  for (const map of maps) put(whole, map, 0, 0)
  return whole
}

/** Adds a smaller map to some of a larger one's inputs and outputs, times a factor. */
export function put(
  /** @type {Linear} */ whole,
  /** @type {Linear} */ part,
  /** @type {number} */ input,
  /** @type {number} */ output,
  factor = 1,
) {
  const margin = (whole.side - part.side) / 2
  for (let place = 0; place < part.side ** 2; place++) {
    const row = margin + Math.floor(place / part.side)
    const to = (row * whole.side + margin + (place % part.side)) * whole.ins
    for (let from = 0; from < part.ins; from++) {
      for (let out = 0; out < part.outs; out++) {
        const at = (to + input + from) * whole.outs + output + out
        whole.taps[at] = (whole.taps[at] ?? 0) + factor * (part.taps[(place * part.ins + from) * part.outs + out] ?? 0)
      }
    }
  }
  part.bias.forEach((value, at) => (whole.bias[output + at] = (whole.bias[output + at] ?? 0) + factor * value))
  return whole
}

/** Every plane as it is. */
export function identity(/** @type {number} */ planes) {
  const map = blank(1, planes, planes)
  for (let at = 0; at < planes; at++) map.taps[at * planes + at] = 1
  return map
}

/** A map that leaves nothing, to be put together of others. */
export const nothing = blank
