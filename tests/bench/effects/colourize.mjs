import sharp from 'sharp'
import { timed } from '../effects.mjs'
import { predictChroma } from '#engine/ai/colours'
import { referenceChroma } from '#engine/colourize/reference'
import { chromaOf, chromaSize, greyOf, noChroma } from '#shared/effects/colourize/chroma'
import { withHints } from '#shared/effects/colourize/hints'
import { paintChroma } from '#shared/effects/colourize/paint'
import { smallGrey } from '#shared/effects/colourize/upsample'
import { labOf } from '#shared/effects/math/lab'

/** @typedef {import('../effects.mjs').Clean} Clean */
/** @typedef {import('#shared/effects/colourize/chroma').Chroma} Chroma */

export const against = 'the grey picture'

/** The chroma a picture really has, its light, and a small copy. */
async function truthOf(/** @type {Clean} */ picture) {
  const size = chromaSize(picture)
  const { data, width, height } = picture
  const pipeline = sharp(data, { raw: { width, height, channels: 3 } }).resize(size.width, size.height, { fit: 'fill' })
  const small = { data: new Uint8Array(await pipeline.raw().toBuffer()), ...size }
  const { a, b } = labOf(small)
  return { truth: chromaOf(a, b, size), light: smallGrey(greyOf(picture), size), small }
}

/** Mean squared distance of a chroma from another. */
function error(/** @type {Chroma} */ one, /** @type {Chroma} */ other) {
  let sum = 0
  for (let at = 0; at < one.a.length; at++) {
    sum += ((one.a[at] ?? 0) - (other.a[at] ?? 0)) ** 2 + ((one.b[at] ?? 0) - (other.b[at] ?? 0)) ** 2
  }
  return sum / (2 * one.a.length)
}

/** Dabs of the true colours on a grid of so many across. */
function dabsOf(/** @type {{ data: Uint8Array, width: number, height: number }} */ { data, width, height }, /** @type {number} */ across) {
  return Array.from({ length: across * across }, (_, at) => {
    const [x, y] = [((at % across) + 0.5) / across, (Math.floor(at / across) + 0.5) / across]
    const from = (Math.floor(y * height) * width + Math.floor(x * width)) * 3
    const colour = `#${[0, 1, 2].map((c) => (data[from + c] ?? 0).toString(16).padStart(2, '0')).join('')}`
    return { colour, size: 0.01, points: [x, y] }
  })
}

/** How much of a red stroke's colour comes over an edge of `step` levels, in percent, with grain on both sides. */
function leak(/** @type {number} */ step) {
  const [width, height] = [256, 192]
  const data = Uint8Array.from({ length: width * height }, (_, at) => (at % width < 128 ? 100 : 100 + step) + ((at * 7919) % 5) - 2)
  const light = { data, width, height }
  const found = withHints(light, noChroma(light), [{ colour: '#b03030', size: 0.05, points: [0.25, 0.2, 0.25, 0.8] }])
  const at = (/** @type {number} */ x) => found.a[96 * width + x] ?? 0
  return (100 * at(140)) / at(116)
}

/** What each way of finding colours comes to on some pictures: errors, and seconds of processor. */
async function sumsOf(/** @type {readonly Clean[]} */ pictures) {
  const sums = { grey: 0, model: 0, dabs: 0, mirror: 0, megapixels: 0, modelCpu: 0, dabsCpu: 0, paintCpu: 0, mirrorCpu: 0 }
  for (const picture of pictures) {
    const { truth, light, small } = await truthOf(picture)
    const { width, height } = small
    const model = await timed(() => predictChroma(light))
    const dabs = await timed(() => withHints(light, undefined, dabsOf(small, 8)))
    const painted = await timed(() => paintChroma(picture, truth, 1, { left: 0, top: 0, whole: picture }))
    // A reference that is as alike as can be: the picture itself in a mirror.
    const turned = await sharp(small.data, { raw: { width, height, channels: 3 } })
      .flop()
      .raw()
      .toBuffer()
    const mirror = await timed(() => referenceChroma(light, { ...small, data: new Uint8Array(turned) }))
    sums.megapixels += (picture.width * picture.height) / 1e6
    sums.grey += error(truth, noChroma(truth)) / pictures.length
    sums.model += error(truth, model.result) / pictures.length
    sums.dabs += error(truth, dabs.result) / pictures.length
    sums.mirror += error(truth, mirror.result) / pictures.length
    sums.modelCpu += model.cpu
    sums.dabsCpu += dabs.cpu
    sums.mirrorCpu += mirror.cpu
    sums.paintCpu += painted.cpu
  }
  return sums
}

/** Colours of the model, of hints and of a reference against those the pictures had. The model's own figures are in its card. */
export async function lines(/** @type {readonly Clean[]} */ pictures) {
  /** @type {import('../effects.mjs').Line[]} */
  const found = []
  for (const isHeldBack of [false, true]) {
    const sums = await sumsOf(pictures.filter((picture) => picture.isHeldBack === isHeldBack))
    for (const way of /** @type {const} */ (['model', 'dabs', 'mirror'])) {
      found.push({
        set: `${{ model: 'model', dabs: '64 dabs', mirror: 'reference: mirrored' }[way]}${isHeldBack ? ', held back' : ''}`,
        measure: 'ab MSE',
        baseline: sums.grey,
        ours: sums[way],
        goal: 'below grey',
        isHeld: sums[way] < sums.grey,
        cpu: (sums[`${way}Cpu`] + sums.paintCpu) / sums.megapixels,
      })
    }
  }
  for (const step of [12, 24, 48]) {
    const ours = leak(step)
    found.push({ set: `stroke at an edge of ${step}`, measure: 'leak %', ours, goal: 'at most 25', isHeld: ours <= 25 })
  }
  return found
}
