// Writes the weights of the MobileNetV2 in the npm package nsfwjs (MIT) as plain floats for network.py.
// node backbone.mjs <unpacked package> <stem of the two files written>
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const [folder, stem] = process.argv.slice(2)
/** What a script of the package exports; its own package.json would have it be an ES module, which it is not. */
const read = (name) => {
  const made = { exports: {} }
  new Function('module', 'exports', readFileSync(join(folder, 'dist/models/mobilenet_v2', name), 'utf8'))(made, made.exports)
  return made.exports.default ?? made.exports
}
const bytes = Buffer.from(read('group1-shard1of1.min.js'), 'base64')
const index = {}
const parts = []
let from = 0
let start = 0
for (const { name, shape, quantization } of read('model.min.js').weightsManifest[0].weights) {
  const count = shape.reduce((product, side) => product * side, 1)
  const values = new Float32Array(count)
  const size = quantization === undefined ? 4 : quantization.dtype === 'uint8' ? 1 : 2
  for (let i = 0; i < count; i += 1) {
    const at = from + i * size
    if (quantization === undefined) values[i] = bytes.readFloatLE(at)
    else values[i] = quantization.min + quantization.scale * (size === 1 ? bytes[at] : bytes.readUInt16LE(at))
  }
  from += count * size
  index[name] = { shape, start }
  start += count
  parts.push(Buffer.from(values.buffer))
}
if (from !== bytes.length) throw new Error(`${bytes.length - from} bytes of weights were left over`)
writeFileSync(`${stem}.json`, JSON.stringify(index))
writeFileSync(`${stem}.bin`, Buffer.concat(parts))
