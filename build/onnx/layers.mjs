import { filtersFirst } from './weights.mjs'

/** @typedef {import('./graph.mjs').Graph} Graph */
/** @typedef {import('./weights.mjs').Weight} Weight */

/** The layers both face models are made of, on a graph and the weights it takes. */
export class Layers {
  /** @type {Graph} */
  graph
  /** @type {ReadonlyMap<string, Weight>} */
  #weights

  constructor(/** @type {Graph} */ graph, /** @type {ReadonlyMap<string, Weight>} */ weights) {
    this.graph = graph
    this.#weights = weights
  }

  weight(/** @type {string} */ name) {
    const found = this.#weights.get(name)
    if (!found) throw new Error(`the weights hold no ${name}`)
    return found
  }

  values(/** @type {string} */ name) {
    const { values, dims } = this.weight(name)
    return this.graph.constant(values, dims)
  }

  /** Filters in 8 bits, as they come; a runtime makes floating point of them once, when it loads the model. */
  #filters(/** @type {string} */ name) {
    const { steps, dims } = this.weight(name)
    if (!steps) throw new Error(`${name} is not in 8 bits`)
    const [height = 1, width = 1, depth = 1, count = 1] = dims
    const stored = this.graph.constant(filtersFirst(steps.data, dims), [count, depth, height, width], 'uint8')
    const scaled = this.graph.node('Mul', [this.graph.node('Cast', [stored], { to: 1 }), this.graph.scalar(steps.scale)])
    return this.graph.node('Add', [scaled, this.graph.scalar(steps.min)])
  }

  /** A convolution padded as TensorFlow's `same`. */
  convolution(/** @type {string} */ input, /** @type {string} */ filters, /** @type {string} */ bias, stride = 1) {
    return this.graph.node('Conv', [input, this.#filters(filters), this.values(bias)], {
      auto_pad: 'SAME_UPPER',
      strides: [stride, stride],
    })
  }

  /** One filter a channel; `scale` and `bias` are of each channel. */
  depthwise(/** @type {string} */ input, /** @type {string} */ filters, stride = 1, scale = Float32Array.of(), bias = Float32Array.of()) {
    const { values, dims } = this.weight(filters)
    const [height = 1, width = 1, depth = 1] = dims
    const turned = filtersFirst(values, [height, width, 1, depth]).map(
      (value, at) => value * (scale[Math.floor(at / (height * width))] ?? 1),
    )
    const inputs = [input, this.graph.constant(turned, [depth, 1, height, width])]
    if (bias.length > 0) inputs.push(this.graph.constant(bias, [depth]))
    return this.graph.node('Conv', inputs, { auto_pad: 'SAME_UPPER', strides: [stride, stride], group: depth })
  }

  /** Rectified and cut at 6. */
  relu6(/** @type {string} */ input) {
    return this.graph.node('Clip', [input, this.graph.scalar(0), this.graph.scalar(6)])
  }

  /** Rows of RGB samples (0 to 255) as planes of floating point, each channel less its mean and divided. */
  planes(/** @type {string} */ input, /** @type {readonly [number, number, number]} */ mean, /** @type {number} */ divisor) {
    const planes = this.graph.node('Transpose', [this.graph.node('Cast', [input], { to: 1 })], { perm: [0, 3, 1, 2] })
    const centred = this.graph.node('Sub', [planes, this.graph.constant(Float32Array.from(mean), [1, 3, 1, 1])])
    return this.graph.node('Div', [centred, this.graph.scalar(divisor)])
  }
}
