import sharp from 'sharp'
import { mean } from '../measure.mjs'
import { timed } from '../effects.mjs'
import { openDoubler } from '#engine/ai/doubler'
import { upscaled } from '#engine/effects/upscaled'
import { resample } from '#shared/effects/math/resample'
import { disturbanceOf } from '#shared/effects/upscale/disturbance'

/**
 * @typedef {import('../effects.mjs').Clean} Clean
 * @typedef {import('../effects.mjs').Line} Line
 * @typedef {import('#engine/image/pixels').Pixels} Pixels
 * @typedef {{ data: Uint8Array, width: number, height: number }} Rgb
 */

export const against = 'bicubic enlargement'

/** Sides of what is looked at: a part of each picture, a multiple of all factors. */
const SIDE = 480
/** Pixels at the sides that don't count, as is usual. */
const EDGE = 4
const GOALS = /** @type {const} */ ({ 2: 1.3, 3: 0, 4: 0 })

/** The middle of a picture. @returns {Rgb} */
function middle(/** @type {Rgb} */ { data, width, height }) {
  const [wide, high] = [Math.min(SIDE, Math.floor(width / 12) * 12), Math.min(SIDE, Math.floor(height / 12) * 12)]
  const [left, top] = [(width - wide) >> 1, (height - high) >> 1]
  const out = new Uint8Array(wide * high * 3)
  for (let y = 0; y < high; y++) out.set(data.subarray(((top + y) * width + left) * 3, ((top + y) * width + left + wide) * 3), y * wide * 3)
  return { data: out, width: wide, height: high }
}

/** Each colour resampled by itself, in whole levels. @returns {Rgb} */
function resized(/** @type {Rgb} */ { data, width, height }, /** @type {number} */ wide, /** @type {number} */ high) {
  const out = new Uint8Array(wide * high * 3)
  for (const colour of [0, 1, 2]) {
    const plane = { data: Float32Array.from({ length: width * height }, (_, at) => data[at * 3 + colour] ?? 0), width, height }
    resample(plane, { width: wide, height: high }, 'cubic').data.forEach((value, at) => {
      out[at * 3 + colour] = Math.max(0, Math.min(255, Math.round(value)))
    })
  }
  return { data: out, width: wide, height: high }
}

const brightness = (/** @type {Rgb} */ { data }, /** @type {number} */ at) =>
  16 + (65.481 * (data[at * 3] ?? 0) + 128.553 * (data[at * 3 + 1] ?? 0) + 24.966 * (data[at * 3 + 2] ?? 0)) / 255

/** Signal to noise of the brightness, in dB. */
function likeness(/** @type {Rgb} */ one, /** @type {Rgb} */ other) {
  let [sum, count] = [0, 0]
  for (let y = EDGE; y < one.height - EDGE; y++) {
    for (let x = EDGE; x < one.width - EDGE; x++) {
      sum += (brightness(one, y * one.width + x) - brightness(other, y * one.width + x)) ** 2
      count += 1
    }
  }
  return 10 * Math.log10((255 * 255 * count) / Math.max(1e-9, sum))
}

/** How much stronger the second differences of brightness are on one column of `period` than on the mean of them: 1 where no grid shows. */
function grid(/** @type {Rgb} */ picture, /** @type {number} */ period) {
  const sums = Array.from({ length: period }, () => 0)
  for (let y = EDGE; y < picture.height - EDGE; y++) {
    for (let x = EDGE * period; x < picture.width - EDGE * period; x++) {
      const at = y * picture.width + x
      const bend = Math.abs(brightness(picture, at - 1) - 2 * brightness(picture, at) + brightness(picture, at + 1))
      sums[x % period] = (sums[x % period] ?? 0) + bend
    }
  }
  return Math.max(...sums) / mean(sums)
}

/** @param {Pixels} pixels @returns {Rgb} */
const rgbOf = ({ data, width, height }) => ({ data: new Uint8Array(data), width, height })

/** One picture shrunk and enlarged again, plainly and by us. */
async function tried(
  /** @type {Rgb} */ whole,
  /** @type {2 | 3 | 4} */ times,
  /** @type {import('#shared/effects/upscale/enlarge').Doubler} */ doubler,
) {
  const [wide, high] = [whole.width / times, whole.height / times]
  const small = resized(whole, wide, high)
  const pixels = /** @type {const} */ ({ data: Buffer.from(small.data), width: wide, height: high, channels: 3 })
  const { result, cpu } = await timed(() => upscaled(pixels, doubler, { times, share: 1, disturbance: disturbanceOf(small) }, () => {}))
  const bicubic = resized(small, whole.width, whole.height)
  return {
    baseline: likeness(bicubic, whole),
    ours: likeness(rgbOf(result), whole),
    cpu: cpu / ((wide * high) / 1e6),
    grid: grid(rgbOf(result), times) / grid(whole, times),
    plain: grid(bicubic, times) / grid(whole, times),
  }
}

/** Seconds a megapixel where a picture fills its tiles. */
async function pace(
  /** @type {Clean} */ { data, width, height },
  /** @type {2 | 3 | 4} */ times,
  /** @type {import('#shared/effects/upscale/enlarge').Doubler} */ doubler,
) {
  const half = await sharp(Buffer.from(data), { raw: { width, height, channels: 3 } })
    .resize(512, 512, { fit: 'fill' })
    .raw()
    .toBuffer()
  const { cpu } = await timed(() =>
    upscaled({ data: half, width: 512, height: 512, channels: 3 }, doubler, { times, share: 1, disturbance: 1 }, () => {}),
  )
  return cpu / ((512 * 512) / 1e6)
}

/** Pictures shrunk by a cubic and enlarged again: PSNR of brightness against a bicubic enlargement, and whether a grid shows. */
export async function lines(/** @type {Clean[]} */ pictures) {
  const doubler = await openDoubler()
  /** @type {Line[]} */
  const told = []
  for (const isHeldBack of [false, true]) {
    const some = pictures.filter((one) => one.isHeldBack === isHeldBack)
    const name = isHeldBack ? 'held back' : 'tuned on'
    for (const times of /** @type {const} */ ([2, 3, 4])) {
      const found = []
      for (const picture of some) found.push(await tried(middle(picture), times, doubler))
      const [baseline, ours] = [mean(found.map((one) => one.baseline)), mean(found.map((one) => one.ours))]
      const [first] = some
      const cpu = isHeldBack && first ? await pace(first, times, doubler) : undefined
      const goal = `>= bicubic + ${GOALS[times]} dB, <= 12 s/MP`
      const isHeld = ours - baseline >= GOALS[times] && (cpu ?? 0) <= 12
      told.push({ set: `x${times} ${name}`, measure: 'PSNR-Y', baseline, ours, goal, isHeld, ...(cpu !== undefined && { cpu }) })
      const [plain, ratio] = [mean(found.map((one) => one.plain)), mean(found.map((one) => one.grid))]
      told.push({
        set: `x${times} ${name}`,
        measure: 'grid',
        source: 1,
        baseline: plain,
        ours: ratio,
        goal: 'no more than bicubic, or 1.05',
        isHeld: ratio <= Math.max(1.05, plain),
      })
    }
  }
  return told
}
