import { Tensor, type InferenceSession } from 'onnxruntime-node'
import type { Model } from './models.ts'
import type { SoftMap } from './soft-map.ts'

/** Interleaved 8-bit red, green and blue as a model takes them: planes, normalised; seen in a mirror where `flipped`. */
function planes(samples: Buffer, { inputPx, mean, deviation }: Model, flipped: boolean): Float32Array {
  const area = inputPx * inputPx
  const input = new Float32Array(3 * area)
  for (let channel = 0; channel < 3; channel++) {
    const scale = 1 / (255 * (deviation[channel] ?? 1))
    const shift = (mean[channel] ?? 0) / (deviation[channel] ?? 1)
    for (let y = 0; y < inputPx; y++) {
      for (let x = 0; x < inputPx; x++) {
        const from = y * inputPx + (flipped ? inputPx - 1 - x : x)
        input[channel * area + y * inputPx + x] = (samples[3 * from + channel] ?? 0) * scale - shift
      }
    }
  }
  return input
}

/** The range of a model's answer, before anything is stretched. */
function rangeOf(values: Float32Array): { low: number; high: number } {
  let low = Infinity
  let high = -Infinity
  for (const value of values) {
    if (value < low) low = value
    if (value > high) high = value
  }
  return { low, high }
}

/** What a model answers, and how far it rose before its range was stretched, 0..1. */
export interface Answer extends SoftMap {
  readonly peak: number
}

function alphaOf(values: Float32Array, { answer, inputPx }: Model): Answer {
  const data = answer === 'logits' ? values.map((value) => 1 / (1 + Math.exp(-value))) : Float32Array.from(values)
  const { low, high } = rangeOf(data)
  if (answer === 'stretched' && high > low) for (let at = 0; at < data.length; at++) data[at] = ((data[at] ?? 0) - low) / (high - low)
  return { data, width: inputPx, height: inputPx, peak: high }
}

/** Asks a model about a picture of its size, given as interleaved 8-bit red, green and blue. */
export async function ask(session: InferenceSession, model: Model, samples: Buffer, flipped: boolean): Promise<Answer> {
  const { inputPx } = model
  const [inputName = ''] = session.inputNames
  const [outputName = ''] = session.outputNames
  const input = new Tensor('float32', planes(samples, model, flipped), [1, 3, inputPx, inputPx])
  const { [outputName]: output } = await session.run({ [inputName]: input }, [outputName])
  if (!(output?.data instanceof Float32Array)) throw new Error(`${model.file} does not answer in 32-bit floats`)
  return alphaOf(output.data, model)
}
