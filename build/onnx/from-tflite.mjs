import { Graph } from './graph.mjs'
import { filtersFirst } from './weights.mjs'

/** @typedef {import('./tflite.mjs').Net} Net */
/** @typedef {import('./tflite.mjs').Step} Step */

/** TensorFlow Lite's step that makes single-precision weights of stored ones. */
const DEQUANTIZE = 6

/** The graph of a net as it grows, its planes first. Only the operators of nets of convolutions are here; any other is an error. */
class Converted {
  graph = new Graph()
  #tensors
  /** What the graph calls the net's tensors. @type {Map<number, string>} */
  #names
  /** @type {Map<number, Float32Array>} */
  #weights = new Map()

  constructor(/** @type {Net} */ { tensors, inputs }, /** @type {string} */ input) {
    this.#tensors = tensors
    this.#names = new Map([[inputs[0] ?? -1, input]])
  }

  name(/** @type {number | undefined} */ tensor = -1) {
    return this.#names.get(tensor) ?? fail(`tensor ${tensor} is not known yet`)
  }

  shape(/** @type {number | undefined} */ tensor = -1) {
    return this.#tensors[tensor]?.dims ?? []
  }

  #values(/** @type {number | undefined} */ tensor = -1) {
    return this.#weights.get(tensor) ?? fail(`tensor ${tensor} holds no weights`)
  }

  #bias(/** @type {number | undefined} */ tensor) {
    return this.graph.constant(this.#values(tensor), this.shape(tensor))
  }

  /** Adds a step. */
  add(/** @type {Step} */ step) {
    const [to = -1] = step.outputs
    const [from = -1] = step.inputs
    const stored = step.code === DEQUANTIZE ? this.#tensors[from]?.data : undefined
    if (stored) this.#weights.set(to, singles(stored))
    else this.#names.set(to, this.#node(step))
  }

  /** The name of what a step makes; codes are those of TensorFlow Lite's schema. */
  #node(/** @type {Step} */ step) {
    const plain = plainOperators[step.code]
    const inputs = () => step.inputs.map((tensor) => this.name(tensor))
    if (plain !== undefined) return this.graph.node(plain, inputs())
    switch (step.code) {
      case 3:
        return this.#convolution(step)
      case 4:
        return this.#depthwise(step)
      case 23:
        return this.#enlarged(step)
      case 32:
        return this.#spread(step)
      default:
        return fail(`operator ${step.code} has no meaning here`)
    }
  }

  #convolution(/** @type {Step} */ step) {
    const [, filters] = step.inputs
    const [count = 1, height = 1, width = 1, depth = 1] = this.shape(filters)
    const kernel = this.graph.constant(channelsFirst(this.#values(filters), [count, height, width, depth]), [count, depth, height, width])
    return this.#convolved(step, kernel, 1)
  }

  /** One filter a channel: they lie with the channels last, and no count. */
  #depthwise(/** @type {Step} */ step) {
    const [, filters] = step.inputs
    const [, height = 1, width = 1, depth = 1] = this.shape(filters)
    const kernel = this.graph.constant(filtersFirst(this.#values(filters), [height, width, 1, depth]), [depth, 1, height, width])
    return this.#convolved(step, kernel, depth)
  }

  #convolved(/** @type {Step} */ step, /** @type {string} */ kernel, /** @type {number} */ group) {
    return this.graph.node('Conv', [this.name(step.inputs[0]), kernel, this.#bias(step.inputs[2])], {
      auto_pad: step.option(0) === 0 ? 'SAME_UPPER' : 'VALID',
      strides: [step.option(2) || 1, step.option(1) || 1],
      group,
    })
  }

  #enlarged(/** @type {Step} */ step) {
    const [, height = 1, width = 1, depth = 1] = this.shape(step.outputs[0])
    const size = this.graph.list([1, depth, height, width])
    const attributes = { mode: 'linear', coordinate_transformation_mode: step.option(3) ? 'half_pixel' : 'asymmetric' }
    return this.graph.node('Resize', [this.name(step.inputs[0]), '', '', size], attributes)
  }

  /** MediaPipe's own operator: a transposed convolution by as much as its filter measures, and a bias. */
  #spread(/** @type {Step} */ step) {
    const [from, filters, shift] = step.inputs
    const [count = 1, height = 1, width = 1, depth = 1] = this.shape(filters)
    if (count !== 1) fail('several transposed filters')
    const kernel = this.graph.constant(channelsFirst(this.#values(filters), [1, height, width, depth]), [depth, 1, height, width])
    return this.graph.node('ConvTranspose', [this.name(from), kernel, this.#bias(shift)], { strides: [height, width] })
  }
}

/** Operators of the same meaning in both, by TensorFlow Lite's code. @type {Readonly<Record<number, string>>} */
const plainOperators = { 0: 'Add', 1: 'GlobalAveragePool', 14: 'Sigmoid', 18: 'Mul', 19: 'Relu', 117: 'HardSwish' }

/**
 * A net of TensorFlow Lite as an ONNX file's bytes: from `input` [1, 3, side, side] to `output` [1, 1, side, side], both in 32-bit floats. The net must take
 * a square of three channels and answer with one.
 */
export function tfliteToOnnx(/** @type {Net} */ net, /** @type {string} */ input, /** @type {string} */ output) {
  const converted = new Converted(net, input)
  for (const step of net.steps) converted.add(step)
  const { graph } = converted
  const side = converted.shape(net.inputs[0])[1] ?? 0
  graph.node('Identity', [converted.name(net.outputs[0])], {}, output)
  return graph.model([[input, 'float32', [1, 3, side, side]]], [[output, 'float32', [1, 1, side, side]]])
}

/** Filters whose channels come last, [count, height, width, channels], as ONNX has them, [count, channels, height, width]. */
function channelsFirst(/** @type {Float32Array} */ data, /** @type {readonly number[]} */ [, height = 1, width = 1, depth = 1]) {
  const area = height * width
  return data.map((_, at) => {
    const channel = Math.floor(at / area) % depth
    const filter = Math.floor(at / (area * depth))
    return data[(filter * area + (at % area)) * depth + channel] ?? 0
  })
}

/** Half-precision floats (IEEE 754) as single ones. */
function singles(/** @type {Buffer} */ halves) {
  return Float32Array.from({ length: halves.length / 2 }, (_, n) => {
    const bits = halves.readUInt16LE(2 * n)
    const [exponent, fraction] = [(bits >> 10) & 31, bits & 1023]
    const size = exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15)
    return bits & 0x8000 ? -size : size
  })
}

/** @returns {never} */
function fail(/** @type {string} */ why) {
  throw new Error(`the net can't be written as ONNX: ${why}`)
}
