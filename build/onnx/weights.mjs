import { readFileSync } from 'node:fs'

/**
 * A tensor of a TensorFlow.js model: 8-bit steps from `min`, `scale` apart, or its values as they are.
 * @typedef {{ readonly dims: readonly number[], readonly steps?: { readonly data: Uint8Array, readonly min: number, readonly scale: number }, readonly values: Float32Array }} Weight
 */

/** @typedef {{ name: string, shape: number[], dtype: string, quantization?: { min: number, scale: number, dtype: string } }} Entry */

/** The tensors of a TensorFlow.js weights manifest, by itself or in a model's file, and its one data file, by name. Whole numbers steer its graph and are left out. */
export function readWeights(/** @type {string} */ manifestPath, /** @type {string} */ dataPath) {
  /** @type {[{ weights: Entry[] }] | { weightsManifest: [{ weights: Entry[] }] }} */
  const file = JSON.parse(readFileSync(manifestPath, 'utf8'))
  const [{ weights }] = 'weightsManifest' in file ? file.weightsManifest : file
  const data = readFileSync(dataPath)
  /** @type {Map<string, Weight>} */
  const found = new Map()
  let at = 0
  for (const { name, shape, dtype, quantization } of weights) {
    const count = shape.reduce((product, side) => product * side, 1)
    const width = quantization ? 1 : 4
    const part = data.subarray(at, at + count * width)
    at += count * width
    if (dtype !== 'float32') continue
    if (!quantization) {
      found.set(name, { dims: shape, values: Float32Array.from({ length: count }, (_, index) => part.readFloatLE(index * 4)) })
      continue
    }
    const { min, scale } = quantization
    found.set(name, {
      dims: shape,
      steps: { data: Uint8Array.from(part), min, scale },
      values: Float32Array.from(part, (step) => step * scale + min),
    })
  }
  return found
}

/**
 * Filters as TensorFlow lays them out (height, width, in, out) in ONNX's order (out, in, height, width).
 * @template {Float32Array | Uint8Array} Data
 */
export function filtersFirst(/** @type {Data} */ data, /** @type {readonly number[]} */ [height = 1, width = 1, depth = 1, count = 1]) {
  const turned = data.slice()
  for (let at = 0; at < data.length; at++) {
    const filter = at % count
    const channel = Math.floor(at / count) % depth
    const place = Math.floor(at / (count * depth))
    turned[(filter * depth + channel) * height * width + place] = data[at] ?? 0
  }
  return /** @type {Data} */ (turned) // slice() of one is of the same kind
}
