/**
 * What TensorFlow Lite's files (FlatBuffers, schema version 3) hold of a net of convolutions.
 * @typedef {{ dims: readonly number[], type: number, data: Buffer | undefined }} Tensor
 * @typedef {{ code: number, inputs: readonly number[], outputs: readonly number[], option: (index: number) => number }} Step
 * @typedef {{ tensors: readonly Tensor[], steps: readonly Step[], inputs: readonly number[], outputs: readonly number[] }} Net
 */

/** Reads tables of a FlatBuffer: places of their fields, vectors and bytes. */
function tablesOf(/** @type {Buffer} */ file) {
  const follow = (/** @type {number} */ at) => at + file.readUInt32LE(at)
  /** A field's place in its table; 0 where it is left out. */
  const field = (/** @type {number} */ table, /** @type {number} */ index) => {
    const fields = table - file.readInt32LE(table)
    const at = 4 + 2 * index
    const offset = at < file.readUInt16LE(fields) ? file.readUInt16LE(fields + at) : 0
    return offset === 0 ? 0 : table + offset
  }
  /** @template T @param {number} table @param {number} index @param {(at: number) => T} read @returns {T[]} */
  const vector = (table, index, read) => {
    const at = field(table, index)
    if (at === 0) return []
    const from = follow(at)
    return Array.from({ length: file.readUInt32LE(from) }, (_, n) => read(from + 4 + 4 * n))
  }
  const bytes = (/** @type {number} */ table, /** @type {number} */ index) => {
    const at = field(table, index)
    if (at === 0) return undefined
    const from = follow(at)
    return file.subarray(from + 4, from + 4 + file.readUInt32LE(from))
  }
  return { follow, field, vector, bytes }
}

/**
 * Reads a net whose weights are stored in half precision. Shapes are [count, height, width, channels], as TensorFlow has them.
 * @returns {Net}
 */
export function readTflite(/** @type {Buffer} */ file) {
  const { follow, field, vector, bytes } = tablesOf(file)
  const whole = (/** @type {number} */ at) => file.readInt32LE(at)
  const small = (/** @type {number} */ table, /** @type {number} */ index) => {
    const at = field(table, index)
    return at === 0 ? 0 : file.readInt8(at)
  }
  const root = follow(0)
  const codes = vector(root, 1, follow).map((code) => {
    const newer = field(code, 3)
    return Math.max(small(code, 0), newer === 0 ? 0 : whole(newer))
  })
  const buffers = vector(root, 4, follow)
  const [graph = 0] = vector(root, 2, follow)
  const tensors = vector(graph, 0, follow).map((tensor) => {
    const buffer = field(tensor, 2)
    const stored = buffer === 0 ? undefined : buffers[file.readUInt32LE(buffer)]
    return { dims: vector(tensor, 0, whole), type: small(tensor, 1), data: stored === undefined ? undefined : bytes(stored, 0) }
  })
  const steps = vector(graph, 3, follow).map((step) => {
    const [code, options] = [field(step, 0), field(step, 4)]
    return {
      code: codes[code === 0 ? 0 : file.readUInt32LE(code)] ?? -1,
      inputs: vector(step, 1, whole),
      outputs: vector(step, 2, whole),
      option: (/** @type {number} */ index) => (options === 0 ? 0 : small(follow(options), index)),
    }
  })
  return { tensors, steps, inputs: vector(graph, 1, whole), outputs: vector(graph, 2, whole) }
}
