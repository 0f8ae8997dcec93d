import { join } from 'node:path'
import { enlarger } from './onnx/enlarger.mjs'
import { readWeights } from './onnx/weights.mjs'
import { root } from './setup.mjs'

const folder = join(root, 'node_modules', '@upscalerjs', 'esrgan-slim', 'models', 'x2')

/** The net that doubles pictures as an ONNX file's bytes, the same ones every time. */
export const makeEnlarger = () => enlarger(readWeights(join(folder, 'model.json'), join(folder, 'group1-shard1of1.bin')))
