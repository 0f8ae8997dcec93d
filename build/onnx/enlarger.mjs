import { Graph } from './graph.mjs'
import { after, identity, linear, nothing, ofInputs, put, sum } from './linear.mjs'
import { filtersFirst } from './weights.mjs'

/** @typedef {import('./linear.mjs').Linear} Linear */
/** @typedef {import('./weights.mjs').Weight} Weight */

const FEATURES = 64
/** Planes of each of the net's two dense layers. */
const GROWTH = 4
const COLOURS = 3

/** A convolution without padding: whoever calls gives what lies around. */
function convolution(/** @type {Graph} */ graph, /** @type {string} */ input, /** @type {Linear} */ { side, ins, outs, taps, bias }) {
  const filters = filtersFirst(Float32Array.from(taps), [side, side, ins, outs])
  return graph.node('Conv', [input, graph.constant(filters, [outs, ins, side, side]), graph.constant(Float32Array.from(bias), [outs])])
}

/** @returns {Linear} */
const unbiased = (/** @type {Linear} */ map) => ({ ...map, bias: new Float64Array(map.outs) })

/**
 * The net between its four rectifications. Between them it is linear though it was trained as twelve layers of up to 64 planes, so that most of
 * its work multiplies out beforehand: a third of the time, the same answer to a rounding.
 */
function stages(/** @type {ReadonlyMap<string, Weight>} */ weights) {
  const layer = (/** @type {string} */ name) => {
    const [filters, bias] = [weights.get(`${name}/kernel`), weights.get(`${name}/bias`)]
    if (!filters || !bias) throw new Error(`the weights hold no ${name}`)
    return linear(filters, bias)
  }
  const shallow = layer('F_m1')
  const entered = after(layer('F_0'), shallow)
  const [fuse1, fuse2, fuseAll, last] = [layer('LFF_1'), layer('LFF_2'), layer('GFF_1'), layer('GFF_2')]
  const [seen1, seen2] = [ofInputs(fuse1, 0, FEATURES), ofInputs(fuse2, 0, FEATURES)]
  const [left, right] = [ofInputs(fuseAll, 0, FEATURES), ofInputs(fuseAll, FEATURES, 2 * FEATURES)]
  // What is seen of the picture and of the first dense layer, after one block (1) and after both (2); of the second, after both.
  const picture1 = sum([after(seen1, entered), entered])
  const picture2 = sum([after(seen2, picture1), picture1])
  const first1 = ofInputs(fuse1, FEATURES, FEATURES + GROWTH)
  const first2 = sum([after(unbiased(seen2), first1), first1])
  const second2 = ofInputs(fuse2, FEATURES, FEATURES + GROWTH)
  const fused = (/** @type {Linear} */ map) => after(unbiased(last), map)
  const picture = sum([after(last, sum([after(left, picture1), after(right, picture2)])), shallow])
  const dense = nothing(3, 2 * GROWTH, FEATURES)
  put(dense, fused(sum([after(unbiased(left), first1), after(right, first2)])), 0, 0)
  put(dense, fused(after(right, second2)), GROWTH, 0)
  return {
    first: after(layer('F_1_1'), entered),
    second: after(layer('F_2_1'), picture1),
    secondOfFirst: after(unbiased(layer('F_2_1')), first1),
    ofPicture: after(layer('UPN1'), picture),
    ofDense: after(unbiased(layer('UPN1')), dense),
    narrow: layer('UPN2'),
    narrower: layer('UPN3'),
    colours: layer('SR'),
  }
}

/**
 * Two rectified layers, of which the second sees the first, as two convolutions: what is not to be rectified goes through the first one as two
 * halves, above and below nought.
 */
function denseLayers(/** @type {Graph} */ graph, /** @type {string} */ input, /** @type {ReturnType<typeof stages>} */ net) {
  const wide = nothing(net.first.side, COLOURS, 4 * GROWTH)
  put(put(put(wide, net.first, 0, 0), net.second, 0, GROWTH), net.second, 0, 2 * GROWTH, -1)
  const both = nothing(net.secondOfFirst.side, 4 * GROWTH, 2 * GROWTH)
  put(put(both, identity(GROWTH), 0, 0), net.secondOfFirst, 0, GROWTH)
  put(put(both, identity(GROWTH), GROWTH, GROWTH), identity(GROWTH), 2 * GROWTH, GROWTH, -1)
  const entered = graph.node('Relu', [convolution(graph, input, wide)])
  return graph.node('Relu', [convolution(graph, entered, both)])
}

/** A convolution of each pixel repeated twice each way, as one of the pixels themselves: planes for each of the four places they become. */
function repeated(/** @type {Linear} */ map, /** @type {number} */ scale) {
  const whole = nothing(3, map.ins, scale * scale * map.outs)
  for (let place = 0; place < scale * scale; place++) {
    const [bottom, right] = [Math.floor(place / scale), place % scale]
    for (let tap = 0; tap < 9; tap++) {
      const row = Math.floor((bottom + Math.floor(tap / 3) - 1) / scale) + 1
      const column = Math.floor((right + (tap % 3) - 1) / scale) + 1
      for (let input = 0; input < map.ins; input++) {
        for (let out = 0; out < map.outs; out++) {
          const at = ((row * 3 + column) * map.ins + input) * whole.outs + place * map.outs + out
          whole.taps[at] = (whole.taps[at] ?? 0) + (map.taps[(tap * map.ins + input) * map.outs + out] ?? 0)
        }
      }
    }
    whole.bias.set(map.bias, place * map.outs)
  }
  return whole
}

/** Pixels on each side of what is given that the answer does not cover. */
export const MARGIN = 10

/**
 * ESRGAN-slim of UpscalerJS (a residual dense network, ×2) as ONNX: `image` (1, 3, height, width; 0 to 255) to `enlarged` (1, 3, …), twice as
 * large as what is `MARGIN` pixels within the image.
 */
export function enlarger(/** @type {ReadonlyMap<string, Weight>} */ weights, scale = 2) {
  const graph = new Graph()
  const net = stages(weights)
  const dense = denseLayers(graph, 'image', net)
  const ofDense = convolution(graph, dense, net.ofDense)
  // The dense layers see 4 pixels on each side, and what sees them 3: two more than what sees the picture itself.
  const inner = graph.node('Slice', ['image', graph.list([2, 2]), graph.list([-2, -2]), graph.list([2, 3])])
  const wide = graph.node('Relu', [graph.node('Add', [convolution(graph, inner, net.ofPicture), ofDense])])
  const narrow = graph.node('Relu', [convolution(graph, wide, net.narrow)])
  const planes = convolution(graph, convolution(graph, narrow, net.narrower), repeated(net.colours, scale))
  graph.node('DepthToSpace', [planes], { blocksize: scale, mode: 'DCR' }, 'enlarged')
  return graph.model([['image', 'float32', [1, COLOURS, 'height', 'width']]], [['enlarged', 'float32', [1, COLOURS, 'tall', 'wide']]])
}
