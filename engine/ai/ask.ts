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

/** Asks a model about a picture of its size, given as interleaved 8-bit red, green and blue. The answer is 0..1, its range not stretched. */
export async function ask(session: InferenceSession, model: Model, samples: Buffer, flipped: boolean): Promise<SoftMap> {
  const { inputPx } = model
  const [inputName = ''] = session.inputNames
  const [outputName = ''] = session.outputNames
  const input = new Tensor('float32', planes(samples, model, flipped), [1, 3, inputPx, inputPx])
  const { [outputName]: output } = await session.run({ [inputName]: input }, [outputName])
  if (!(output?.data instanceof Float32Array)) throw new Error(`${model.file} does not answer in 32-bit floats`)
  const data = model.answer === 'logits' ? output.data.map((value) => 1 / (1 + Math.exp(-value))) : Float32Array.from(output.data)
  return { data, width: inputPx, height: inputPx }
}
