import { Tensor, type InferenceSession } from 'onnxruntime-node'
import { colourModels, type ColourModel } from './colour-models.ts'
import { presentOf, type Installed } from './installed.ts'
import { sessionOf } from './session.ts'
import { pipelineOf, samplesOf } from '../image/pixels.ts'
import { chromaOf, type Chroma, type Grey } from '#shared/effects/colourize/chroma'
import { upsampled } from '#shared/effects/colourize/upsample'
import { lightnessOf, LINEAR } from '#shared/effects/math/lab'
import { AppError } from '#shared/errors/app-error'
import type { Size } from '#shared/resize'

/** What sides that are free must be multiples of. */
const STEP = 32
/** The longer side of what a model of free sides is shown, at most: a panorama is shown flatter than it is. */
const MOST_PX = 512

/** In which size a picture is shown to a model. */
export function inputSize({ inputPx, shortPx = 192 }: Pick<ColourModel, 'inputPx' | 'shortPx'>, { width, height }: Size): Size {
  if (inputPx !== undefined) return { width: inputPx, height: inputPx }
  const scale = shortPx / Math.min(width, height)
  const side = (length: number): number => Math.max(STEP, Math.min(MOST_PX, Math.round((length * scale) / STEP) * STEP))
  return { width: side(width), height: side(height) }
}

const LIGHTNESS = Float32Array.from({ length: 256 }, (_, level) => lightnessOf(LINEAR[level] ?? 0))

/** A grey picture as a model takes it. */
function inputOf({ data, width, height }: Grey, takes: ColourModel['takes']): Tensor {
  if (takes === 'lightness')
    return new Tensor(
      'float32',
      Float32Array.from(data, (level) => LIGHTNESS[level] ?? 0),
      [1, 1, height, width],
    )
  const planes = new Float32Array(3 * data.length)
  for (let channel = 0; channel < 3; channel++)
    planes.set(
      Float32Array.from(data, (level) => level / 255),
      channel * data.length,
    )
  return new Tensor('float32', planes, [1, 3, height, width])
}

/** What a model answers: `a` and `b` one after the other. */
interface Answer extends Size {
  readonly data: Float32Array
}

/** Asks a model about a grey picture of its size. Throws for an answer that is no chroma. */
export async function askForColours(session: InferenceSession, model: ColourModel, grey: Grey): Promise<Answer> {
  const [inputName = ''] = session.inputNames
  const [outputName = ''] = session.outputNames
  const { [outputName]: output } = await session.run({ [inputName]: inputOf(grey, model.takes) }, [outputName])
  const [, channels, height = 0, width = 0] = output?.dims ?? []
  if (!(output?.data instanceof Float32Array) || channels !== 2 || output.data.length !== 2 * width * height) {
    throw new Error(`${model.file} does not answer with a chroma in 32-bit floats`)
  }
  return { data: Float32Array.from(output.data), width, height }
}

const mirrored = ({ data, width, height }: Grey): Grey => {
  const out = new Uint8Array(data.length)
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) out[y * width + x] = data[y * width + width - 1 - x] ?? 0
  return { data: out, width, height }
}

/** The mean of an answer and of what the mirrored picture was answered, turned back. */
function blended(straight: Answer, mirror: Answer): Answer {
  const { data, width, height } = straight
  const out = new Float32Array(data.length)
  for (let row = 0; row < 2 * height; row++) {
    for (let x = 0, at = row * width; x < width; x++, at++)
      out[at] = ((data[at] ?? 0) + (mirror.data[row * width + width - 1 - x] ?? 0)) / 2
  }
  return { data: out, width, height }
}

const scaled = async (grey: Grey, { width, height }: Size): Promise<Grey> => {
  const pixels = { data: Buffer.from(grey.data), width: grey.width, height: grey.height, channels: 1 } as const
  const { data } = await samplesOf(pipelineOf(pixels).resize(width, height, { fit: 'fill', kernel: 'lanczos3' }).toColourspace('b-w'))
  return { data: new Uint8Array(data), width, height }
}

async function bestModel(modelsFolder: string | undefined): Promise<Installed<ColourModel>> {
  const [best] = await presentOf(colourModels, modelsFolder)
  if (!best) throw new AppError('colourize.model-missing', {})
  return best
}

/** The answer's colours where the light of the picture is as it is: one for each of its places. */
function sharpened({ data, width, height }: Answer, light: Grey): Chroma {
  const [a, b] = [data.subarray(0, width * height), data.subarray(width * height)]
  const answer = chromaOf(a, b, { width, height })
  // Finer than the picture: a tiny one was shown enlarged.
  if (width > light.width || height > light.height) return nearest(answer, light)
  const rows = upsampled(light, answer, { left: 0, top: 0, whole: light })
  const [outA, outB] = [new Float32Array(light.data.length), new Float32Array(light.data.length)]
  for (let row = 0; row < light.height; row++) {
    const [from, end] = [row * light.width, (row + 1) * light.width]
    rows(row, outA.subarray(from, end), outB.subarray(from, end))
  }
  return chromaOf(outA, outB, light)
}

function nearest({ a, b, width, height }: Chroma, size: Size): Chroma {
  const places = Array.from({ length: size.width * size.height }, (_, at) => {
    const [x, y] = [at % size.width, Math.floor(at / size.width)]
    return Math.floor(((y + 0.5) * height) / size.height) * width + Math.floor(((x + 0.5) * width) / size.width)
  })
  const taken = (plane: Int8Array): number[] => places.map((at) => plane[at] ?? 0)
  return chromaOf(taken(a), taken(b), size)
}

/**
 * The colours a model finds for a picture, given as its light in its chroma's size: those of the picture and of its mirror image averaged, which
 * errs less than either. Throws `colourize.model-missing`.
 */
export async function predictChroma(light: Grey, modelsFolder?: string): Promise<Chroma> {
  const { model, path } = await bestModel(modelsFolder)
  const session = await sessionOf(path, model.tier === 'hd')
  const seen = await scaled(light, inputSize(model, light))
  const straight = await askForColours(session, model, seen)
  if (model.tier === 'hd') return sharpened(straight, light)
  return sharpened(blended(straight, await askForColours(session, model, mirrored(seen))), light)
}
