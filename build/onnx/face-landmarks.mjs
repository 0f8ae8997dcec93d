import { Graph } from './graph.mjs'
import { Layers } from './layers.mjs'

/** @typedef {import('./weights.mjs').Weight} Weight */

const SIDE = 112
/** The means of VGG Face, which the network was trained with. */
const MEAN = /** @type {const} */ ([122.782, 117.001, 104.298])

function separable(/** @type {Layers} */ layers, /** @type {string} */ input, /** @type {string} */ name, stride = 1) {
  const filtered = layers.depthwise(input, `${name}/depthwise_filter`, stride)
  return layers.convolution(filtered, `${name}/pointwise_filter`, `${name}/bias`)
}

/** Four convolutions, each of which sees the sum of those before it. */
function denseBlock(/** @type {Layers} */ layers, /** @type {string} */ input, /** @type {string} */ name, isFirst = false) {
  const { graph } = layers
  const relu = (/** @type {string} */ value) => graph.node('Relu', [value])
  const entered = isFirst
    ? layers.convolution(input, `${name}/conv0/filters`, `${name}/conv0/bias`, 2)
    : separable(layers, input, `${name}/conv0`, 2)
  const first = relu(entered)
  let sum = graph.node('Add', [first, separable(layers, first, `${name}/conv1`)])
  for (const index of [2, 3]) sum = graph.node('Add', [sum, separable(layers, relu(sum), `${name}/conv${index}`)])
  return relu(sum)
}

/** The 68 landmarks of face-api.js as ONNX: `face` (1, 112, 112, 3; 8-bit RGB) to `points` (68, 2), where 1 is the input's side. */
export function faceLandmarks(/** @type {ReadonlyMap<string, Weight>} */ weights) {
  const graph = new Graph()
  const layers = new Layers(graph, weights)
  let out = layers.planes('face', MEAN, 255)
  for (const index of [0, 1, 2, 3]) out = denseBlock(layers, out, `dense${index}`, index === 0)
  out = graph.node('Reshape', [graph.node('GlobalAveragePool', [out]), graph.list([1, 256])])
  out = graph.node('Gemm', [out, layers.values('fc/weights'), layers.values('fc/bias')])
  graph.node('Reshape', [out, graph.list([68, 2])], {}, 'points')
  return graph.model([['face', 'uint8', [1, SIDE, SIDE, 3]]], [['points', 'float32', [68, 2]]])
}
