/**
 * A small network that tells the colour of a picture's light: four convolutions over a copy of 64 by 64, then each place says a light and how much its
 * word counts, knowing the picture's mean features (confidence-weighted pooling as in Hu, Wang and Lin, "FC4", 2017). Trained by training/illuminant
 * on photos put under lights, as in Bianco and Cusano, "Quasi-unsupervised color constancy", 2019.
 */
import { LIGHT_WEIGHTS, LIGHT_WIDTHS } from './light-weights.ts'

/** Base64 to letters of a byte each: the browser's and Node's own. */
declare function atob(text: string): string

/** The sides of the copy it looks at. */
export const SEEN_SIDE = 64
/** What is seen of each pixel: two relations of channels, lightness, and whether a channel is at its end. */
const SEEN = 4
const WORDS = 32
const LEAST = 0.004
const MOST = 2
const WHITE = 0.95
/** So many convolutions halve; those after them don't. */
const HALVING = 3

/** A linear layer: `weights` of its outputs one after the other. */
interface Layer {
  readonly weights: Float32Array
  readonly biases: Float32Array
  readonly inputs: number
}

/** Reads the layers' weights, each a signed byte times the scale of its output. */
function unpack(): readonly Layer[] {
  const bytes = Uint8Array.from(atob(LIGHT_WEIGHTS), (letter) => letter.charCodeAt(0))
  const view = new DataView(bytes.buffer)
  const kernels = [SEEN, ...LIGHT_WIDTHS].slice(0, -1).map((channels, at) => ({ inputs: 9 * channels, outputs: LIGHT_WIDTHS[at] ?? 0 }))
  const last = LIGHT_WIDTHS.at(-1) ?? 0
  const shapes = [...kernels, { inputs: last, outputs: WORDS }, { inputs: last, outputs: WORDS }, { inputs: WORDS, outputs: 3 }]
  let from = 0
  return shapes.map(({ inputs, outputs }) => {
    const start = from + 8 * outputs
    const weights = Float32Array.from({ length: inputs * outputs }, (_, at) => {
      const scale = view.getFloat32(from + 8 * Math.floor(at / inputs), true)
      return scale * view.getInt8(start + at)
    })
    const biases = Float32Array.from({ length: outputs }, (_, at) => view.getFloat32(from + 8 * at + 4, true))
    from = start + inputs * outputs
    return { weights, biases, inputs }
  })
}

let layers: readonly Layer[] | undefined

/** What the network sees of linear light, red, green and blue interleaved. */
function seen(light: Float32Array): Float32Array {
  const count = SEEN_SIDE * SEEN_SIDE
  const planes = new Float32Array(SEEN * count)
  for (let at = 0; at < count; at++) {
    const [r, g, b] = [light[3 * at] ?? 0, light[3 * at + 1] ?? 0, light[3 * at + 2] ?? 0]
    const [red, green, blue] = [Math.log(r + LEAST), Math.log(g + LEAST), Math.log(b + LEAST)]
    planes[at] = Math.max(-MOST, Math.min(MOST, red - green))
    planes[count + at] = Math.max(-MOST, Math.min(MOST, blue - green))
    planes[2 * count + at] = (red + green + blue) / 6 + 1
    planes[3 * count + at] = Math.max(r, g, b) > WHITE ? 1 : 0
  }
  return planes
}

/** A convolution of 3 by 3 over square planes of `side`, what lies outside being 0, and nothing below 0 let through. */
function convolved(planes: Float32Array, side: number, { weights, biases, inputs }: Layer, step: number): Float32Array {
  const half = side / step
  const out = new Float32Array(half * half * biases.length)
  for (let channel = 0; channel < biases.length; channel++) {
    const sum = out.subarray(channel * half * half, (channel + 1) * half * half).fill(biases[channel] ?? 0)
    for (let tap = 0; tap < inputs; tap++) {
      const weight = weights[channel * inputs + tap] ?? 0
      const [plane, down, across] = [Math.floor(tap / 9) * side * side, (Math.floor(tap / 3) % 3) - 1, (tap % 3) - 1]
      const [top, left] = [down < 0 ? 1 : 0, across < 0 ? 1 : 0]
      // Only a step of 1 reaches beyond the last row and column.
      const [bottom, right] = [step === 1 && down > 0 ? half - 1 : half, step === 1 && across > 0 ? half - 1 : half]
      for (let y = top; y < bottom; y++) {
        let from = plane + (y * step + down) * side + left * step + across
        for (let x = left, to = y * half + left; x < right; x++, to++, from += step) sum[to] = (sum[to] ?? 0) + weight * (planes[from] ?? 0)
      }
    }
    for (let at = 0; at < sum.length; at++) if ((sum[at] ?? 0) < 0) sum[at] = 0
  }
  return out
}

/** A layer's outputs for one place's inputs, which lie `stride` apart. */
const answered = ({ weights, biases, inputs }: Layer, values: Float32Array, from = 0, stride = 1): Float32Array =>
  biases.map((bias, output) => {
    let sum = bias
    for (let at = 0; at < inputs; at++) sum += (weights[output * inputs + at] ?? 0) * (values[from + at * stride] ?? 0)
    return sum
  })

/** The light of a picture: logarithms of its red and its blue over its green. `light` is its copy of SEEN_SIDE squared, linear, interleaved. */
export function lightSeen(light: Float32Array): readonly [red: number, blue: number] {
  layers ??= unpack()
  const kernels = layers.slice(0, LIGHT_WIDTHS.length)
  const [local, whole, head] = layers.slice(LIGHT_WIDTHS.length)
  if (!local || !whole || !head) throw new Error('the weights lack layers')
  let [planes, side] = [seen(light), SEEN_SIDE]
  for (const [at, kernel] of kernels.entries()) {
    const step = at < HALVING ? 2 : 1
    planes = convolved(planes, side, kernel, step)
    side /= step
  }
  const places = side * side
  const means = Float32Array.from({ length: local.inputs }, (_, channel) => {
    let sum = 0
    for (let at = 0; at < places; at++) sum += planes[channel * places + at] ?? 0
    return sum / places
  })
  const common = answered(whole, means)
  let [red, blue, total] = [0, 0, 0]
  for (let at = 0; at < places; at++) {
    const word = answered(local, planes, at, places).map((value, channel) => Math.max(0, value + (common[channel] ?? 0)))
    const [counts = 0, r = 0, b = 0] = answered(head, word)
    const share = Math.exp(Math.min(60, counts))
    red += share * r
    blue += share * b
    total += share
  }
  return [red / total, blue / total]
}
