import { join } from 'node:path'
import { faceDetector } from './onnx/face-detector.mjs'
import { faceLandmarks } from './onnx/face-landmarks.mjs'
import { readWeights } from './onnx/weights.mjs'
import { root } from './setup.mjs'

const folder = join(root, 'node_modules', '@vladmandic', 'face-api', 'model')

const read = (/** @type {string} */ name) => readWeights(join(folder, `${name}-weights_manifest.json`), join(folder, `${name}.bin`))

/** The detector as an ONNX file's bytes, the same ones every time. */
export const makeFaceDetector = () => faceDetector(read('ssd_mobilenetv1_model'))

/** The landmarks' net as an ONNX file's bytes, the same ones every time. */
export const makeFaceLandmarks = () => faceLandmarks(read('face_landmark_68_model'))
