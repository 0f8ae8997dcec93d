import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Tensor, type InferenceSession } from 'onnxruntime-node'
import { shippedFolder, stateOf } from '../ai/installed.ts'
import { ocrSets, type OcrModel, type OcrSet } from '../ai/ocr-models.ts'
import { openSession } from '../ai/session.ts'
import type { Bitmap } from './bitmap.ts'
import type { TextMap } from './boxes.ts'
import { decodeCtc, type ReadCharacter } from './ctc.ts'
import { AppError } from '#shared/errors/app-error'

/** The networks that find lines and read them. */
export interface Networks {
  /** Where text is on a picture whose sides are multiples of 32. */
  readonly detect: (bitmap: Bitmap) => Promise<TextMap>
  /** What a line says; it is `LINE_PX` high. */
  readonly read: (line: Bitmap) => Promise<readonly ReadCharacter[]>
}

/** The height of a line as the recogniser takes it. */
export const LINE_PX = 48
/** Shorter lines are padded to this: the recogniser was trained with lines of 320. */
const LEAST_LINE_PX = 160

/** Planes of blue, green and red as PaddleOCR trained with them, at least so wide. */
function planes({ data, width, height }: Bitmap, mean: readonly number[], deviation: readonly number[], least = 0): Tensor {
  const wide = Math.max(width, least)
  const values = new Float32Array(3 * wide * height)
  for (let channel = 0; channel < 3; channel++) {
    const scale = 1 / (255 * (deviation[channel] ?? 1))
    const shift = (mean[channel] ?? 0) / (deviation[channel] ?? 1)
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++)
        values[(channel * height + y) * wide + x] = (data[(y * width + x) * 4 + 2 - channel] ?? 0) * scale - shift
  }
  return new Tensor('float32', values, [1, 3, height, wide])
}

async function answer(session: InferenceSession, input: Tensor): Promise<{ data: Float32Array; dims: readonly number[] }> {
  const [inputName = ''] = session.inputNames
  const [outputName = ''] = session.outputNames
  const { [outputName]: output } = await session.run({ [inputName]: input }, [outputName])
  if (!(output?.data instanceof Float32Array)) throw new Error('a network that does not answer in 32-bit floats')
  return { data: output.data, dims: output.dims }
}

/** Finds lines by a detector. Throws for a network that is none. */
export async function detectBy(session: InferenceSession, bitmap: Bitmap): Promise<TextMap> {
  const { data, dims } = await answer(session, planes(bitmap, [0.485, 0.456, 0.406], [0.229, 0.224, 0.225]))
  const { width, height } = bitmap
  if (dims.length !== 4 || data.length !== width * height) throw new Error('a detector of lines answers with a map of its input’s size')
  return { data, width, height }
}

/** What a recogniser answers about a line: the likelihood of each class at each step. Throws for a network that is none. */
export async function answerOf(session: InferenceSession, line: Bitmap): Promise<{ data: Float32Array; steps: number; width: number }> {
  const half = [0.5, 0.5, 0.5]
  const { data, dims } = await answer(session, planes(line, half, half, LEAST_LINE_PX))
  const [, steps = 0, width = 0] = dims
  if (dims.length !== 3 || data.length !== steps * width) throw new Error('a recogniser of lines answers with the classes of each step')
  return { data, steps, width }
}

async function readBy(session: InferenceSession, line: Bitmap, classes: readonly string[]): Promise<readonly ReadCharacter[]> {
  const { data, steps, width } = await answerOf(session, line)
  if (width !== classes.length + 1) throw new Error(`a recogniser of ${width} classes for ${classes.length} characters`)
  return decodeCtc(data, steps, classes, line.width / Math.max(line.width, LEAST_LINE_PX))
}

/** The characters of a list, and the space that stands behind them. */
export const classesOf = (list: string): readonly string[] => [...list.replace(/\r?\n$/, '').split(/\r?\n/), ' ']

const pathOf = ({ tier, file }: OcrModel, modelsFolder = ''): string => join(tier === 'default' ? shippedFolder : modelsFolder, file)

async function presentSet(modelsFolder: string | undefined): Promise<OcrSet> {
  for (const set of ocrSets) {
    const states = await Promise.all([set.detector, set.recogniser, set.characters].map((model) => stateOf(model, modelsFolder)))
    if (states.every((state) => state === 'shipped' || state === 'installed')) return set
  }
  throw new AppError('ocr.model-missing', {})
}

async function load(modelsFolder: string | undefined): Promise<Networks> {
  const set = await presentSet(modelsFolder)
  const [detector, recogniser, list] = await Promise.all([
    openSession(pathOf(set.detector, modelsFolder)),
    openSession(pathOf(set.recogniser, modelsFolder)),
    readFile(pathOf(set.characters, modelsFolder), 'utf8'),
  ])
  const classes = classesOf(list)
  return { detect: (bitmap) => detectBy(detector, bitmap), read: (line) => readBy(recogniser, line, classes) }
}

let held: { readonly folder: string | undefined; readonly networks: Promise<Networks> } | undefined

/** The networks, loaded once a process. Throws `ocr.model-missing`. */
export async function openNetworks(modelsFolder: string | undefined): Promise<Networks> {
  if (held?.folder !== modelsFolder || !held) held = { folder: modelsFolder, networks: load(modelsFolder) }
  try {
    return await held.networks
  } catch (thrown) {
    // The next page tries again.
    held = undefined
    throw thrown
  }
}
