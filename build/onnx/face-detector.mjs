import { Graph } from './graph.mjs'
import { Layers } from './layers.mjs'

/** @typedef {import('./weights.mjs').Weight} Weight */

/** What TensorFlow's object detection adds to a variance before it divides. */
const EPSILON = 0.001
const SIDE = 512
const ANCHORS = 5118

function separable(/** @type {Layers} */ layers, /** @type {string} */ input, /** @type {number} */ index, /** @type {number} */ stride) {
  const prefix = `MobilenetV1/Conv2d_${index}`
  const [gamma, beta, mean, variance] = ['gamma', 'beta', 'moving_mean', 'moving_variance'].map(
    (name) => layers.weight(`${prefix}_depthwise/BatchNorm/${name}`).values,
  )
  if (!gamma || !beta || !mean || !variance) throw new Error(`no batch normalisation of ${prefix}`)
  // Batch normalisation is a factor and an offset a channel: both go into the convolution before it.
  const scale = gamma.map((value, at) => value / Math.sqrt((variance[at] ?? 0) + EPSILON))
  const bias = beta.map((value, at) => value - (mean[at] ?? 0) * (scale[at] ?? 0))
  const filtered = layers.relu6(layers.depthwise(input, `${prefix}_depthwise/depthwise_weights`, stride, scale, bias))
  return pointwise(layers, filtered, `${prefix}_pointwise`)
}

const pointwise = (/** @type {Layers} */ layers, /** @type {string} */ input, /** @type {string} */ name, stride = 1) =>
  layers.relu6(layers.convolution(input, `${name}/weights`, `${name}/convolution_bn_offset`, stride))

/** The features that faces are looked for in, from small ones to large ones. */
function features(/** @type {Layers} */ layers, /** @type {string} */ image) {
  let out = pointwise(layers, image, 'MobilenetV1/Conv2d_0_pointwise', 2)
  /** @type {string[]} */
  const found = []
  for (let index = 1; index <= 13; index++) {
    out = separable(layers, out, index, [2, 4, 6, 12].includes(index) ? 2 : 1)
    if (index === 11 || index === 13) found.push(out)
  }
  for (let index = 0; index < 8; index += 2) {
    out = pointwise(layers, out, `Prediction/Conv2d_${index}_pointwise`)
    out = pointwise(layers, out, `Prediction/Conv2d_${index + 1}_pointwise`, 2)
    found.push(out)
  }
  return found
}

/** What a head says of each anchor of its features: rows of `width` numbers. */
function predictions(
  /** @type {Layers} */ layers,
  /** @type {readonly string[]} */ found,
  /** @type {string} */ head,
  /** @type {number} */ width,
) {
  const { graph } = layers
  const rows = found.map((input, index) => {
    const name = `Prediction/BoxPredictor_${index}/${head}`
    const out = layers.convolution(input, `${name}/weights`, `${name}/biases`)
    return graph.node('Reshape', [graph.node('Transpose', [out], { perm: [0, 2, 3, 1] }), graph.list([-1, width])])
  })
  return graph.node('Concat', rows, { axis: 0 })
}

/** Two neighbouring columns of rows. */
const pair = (/** @type {Graph} */ graph, /** @type {string} */ rows, /** @type {number} */ from) =>
  graph.node('Slice', [rows, graph.list([from]), graph.list([from + 2]), graph.list([1])])

/** Boxes (top, left, bottom, right; 1 is the input's side) from what is predicted of anchors: offsets in tenths, logarithms of sides in fifths. */
function boxes(/** @type {Layers} */ layers, /** @type {string} */ encoded) {
  const { graph } = layers
  const anchors = graph.constant(layers.weight('Output/extra_dim').values, [ANCHORS, 4])
  const size = graph.node('Sub', [pair(graph, anchors, 2), pair(graph, anchors, 0)])
  const centre = graph.node('Div', [graph.node('Add', [pair(graph, anchors, 0), pair(graph, anchors, 2)]), graph.scalar(2)])
  const shift = graph.node('Mul', [graph.node('Div', [pair(graph, encoded, 0), graph.scalar(10)]), size])
  const middle = graph.node('Add', [shift, centre])
  const growth = graph.node('Exp', [graph.node('Div', [pair(graph, encoded, 2), graph.scalar(5)])])
  const half = graph.node('Div', [graph.node('Mul', [growth, size]), graph.scalar(2)])
  return graph.node('Concat', [graph.node('Sub', [middle, half]), graph.node('Add', [middle, half])], { axis: 1 }, 'boxes')
}

/**
 * The face detector of face-api.js (SSD on MobileNet V1) as ONNX: `image` (1, 512, 512, 3; 8-bit RGB) to `boxes` (5118, 4) and
 * `scores` (5118, 1), not yet rid of doubles.
 */
export function faceDetector(/** @type {ReadonlyMap<string, Weight>} */ weights) {
  const graph = new Graph()
  const layers = new Layers(graph, weights)
  const found = features(layers, layers.planes('image', [127.5, 127.5, 127.5], 127.5))
  boxes(layers, predictions(layers, found, 'BoxEncodingPredictor', 4))
  const classes = predictions(layers, found, 'ClassPredictor', 3)
  const face = graph.node('Slice', [classes, graph.list([1]), graph.list([2]), graph.list([1])])
  graph.node('Sigmoid', [face], {}, 'scores')
  return graph.model(
    [['image', 'uint8', [1, SIDE, SIDE, 3]]],
    [
      ['boxes', 'float32', [ANCHORS, 4]],
      ['scores', 'float32', [ANCHORS, 1]],
    ],
  )
}
