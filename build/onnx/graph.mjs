/** An ONNX model put together node by node and written as protobuf (the fields of onnx.proto, IR version 8). */

const TYPES = /** @type {const} */ ({ float32: 1, uint8: 2, int64: 7 })
const OPSET = 17

/** @typedef {keyof typeof TYPES} TensorType */
/** @typedef {number | string | readonly number[] | { readonly float: number }} Attribute */
/** @typedef {readonly [name: string, type: TensorType, dims: readonly (number | string)[]]} Port */

function varint(/** @type {number} */ number) {
  /** @type {number[]} */
  const bytes = []
  let rest = BigInt.asUintN(64, BigInt(number))
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128)
  bytes.push(Number(rest))
  return Buffer.from(bytes)
}

const whole = (/** @type {number} */ field, /** @type {number} */ number) => Buffer.concat([varint(field << 3), varint(number)])

const bytes = (/** @type {number} */ field, /** @type {Buffer | string} */ content) => {
  const data = Buffer.from(content)
  return Buffer.concat([varint((field << 3) | 2), varint(data.length), data])
}

function float(/** @type {number} */ field, /** @type {number} */ number) {
  const data = Buffer.alloc(4)
  data.writeFloatLE(number)
  return Buffer.concat([varint((field << 3) | 5), data])
}

function attribute(/** @type {string} */ name, /** @type {Attribute} */ value) {
  if (typeof value === 'string') return Buffer.concat([bytes(1, name), bytes(4, value), whole(20, 3)])
  if (typeof value === 'number') return Buffer.concat([bytes(1, name), whole(3, value), whole(20, 2)])
  if ('float' in value) return Buffer.concat([bytes(1, name), float(2, value.float), whole(20, 1)])
  return Buffer.concat([bytes(1, name), ...value.map((number) => whole(8, number)), whole(20, 7)])
}

function port(/** @type {Port} */ [name, type, dims]) {
  // A side of any length goes by a name.
  const shape = Buffer.concat(dims.map((dim) => bytes(1, typeof dim === 'string' ? bytes(2, dim) : whole(1, dim))))
  return Buffer.concat([bytes(1, name), bytes(2, bytes(1, Buffer.concat([whole(1, TYPES[type]), bytes(2, shape)])))])
}

/** A graph under construction: `node` and the constants give back the names that later nodes take. */
export class Graph {
  /** @type {Buffer[]} */
  #nodes = []
  /** @type {Buffer[]} */
  #constants = []
  #named = 0

  /** Adds a node; the names of its outputs are made up here, those of the graph's own outputs are given. */
  node(
    /** @type {string} */ operator,
    /** @type {readonly string[]} */ inputs,
    /** @type {Readonly<Record<string, Attribute>>} */ attributes = {},
    output = this.#name(),
  ) {
    const parts = [
      ...inputs.map((name) => bytes(1, name)),
      bytes(2, output),
      bytes(4, operator),
      ...Object.entries(attributes).map(([name, value]) => bytes(5, attribute(name, value))),
    ]
    this.#nodes.push(bytes(1, Buffer.concat(parts)))
    return output
  }

  /** A constant's name. */
  constant(
    /** @type {Float32Array | Uint8Array | BigInt64Array} */ data,
    /** @type {readonly number[]} */ dims,
    /** @type {TensorType} */ type = 'float32',
  ) {
    const name = this.#name()
    const raw = Buffer.from(data.buffer, data.byteOffset, data.byteLength)
    this.#constants.push(
      bytes(5, Buffer.concat([...dims.map((dim) => whole(1, dim)), whole(2, TYPES[type]), bytes(8, name), bytes(9, raw)])),
    )
    return name
  }

  /** Whole numbers as the list that Reshape, Slice and the like take. */
  list(/** @type {readonly number[]} */ numbers) {
    return this.constant(BigInt64Array.from(numbers, BigInt), [numbers.length], 'int64')
  }

  scalar(/** @type {number} */ number) {
    return this.constant(Float32Array.of(number), [])
  }

  /** The model as a file's bytes. */
  model(/** @type {readonly Port[]} */ inputs, /** @type {readonly Port[]} */ outputs) {
    const graph = Buffer.concat([
      ...this.#nodes,
      bytes(2, 'graph'),
      ...this.#constants,
      ...inputs.map((input) => bytes(11, port(input))),
      ...outputs.map((output) => bytes(12, port(output))),
    ])
    const operators = Buffer.concat([bytes(1, ''), whole(2, OPSET)])
    return Buffer.concat([whole(1, 8), bytes(2, 'qingtu'), bytes(7, graph), bytes(8, operators)])
  }

  #name() {
    this.#named += 1
    return `t${this.#named}`
  }
}
