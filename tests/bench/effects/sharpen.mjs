import sharp from 'sharp'
import { gaussian, psnr, timed } from '../effects.mjs'
import { mean } from '../measure.mjs'
import { sharpen } from '#shared/effects/sharpen/sharpen'
import { parseOptions } from '#shared/tools/index'

/** @typedef {import('../effects.mjs').Clean} Clean */
/** @typedef {import('../effects.mjs').Line} Line */

const auto = parseOptions('sharpen', {})

export const against = 'sharp.sharpen, the better of two'

/** The levels of a picture under a true Gaussian, its borders mirrored, noise added, rounded as a file rounds. @returns {Uint8Array} */
function blurred(/** @type {Clean} */ { data, width, height }, /** @type {number} */ sigma, /** @type {number} */ noise) {
  const reach = Math.ceil(4 * sigma)
  const weights = Float64Array.from({ length: 2 * reach + 1 }, (_, at) => Math.exp(-((at - reach) ** 2) / (2 * sigma * sigma)))
  const sum = weights.reduce((total, weight) => total + weight, 0)
  const mirror = (/** @type {number} */ at, /** @type {number} */ count) => (at < 0 ? -1 - at : at < count ? at : 2 * count - 1 - at)
  const [across, down] = [new Float32Array(data.length), new Float32Array(data.length)]
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      for (let tap = -reach; tap <= reach; tap++) {
        const [from, to, weight] = [(y * width + mirror(x + tap, width)) * 3, (y * width + x) * 3, (weights[tap + reach] ?? 0) / sum]
        for (let c = 0; c < 3; c++) across[to + c] = (across[to + c] ?? 0) + weight * (data[from + c] ?? 0)
      }
    }
  }
  for (let y = 0; y < height; y++) {
    for (let tap = -reach; tap <= reach; tap++) {
      const [from, to, weight] = [mirror(y + tap, height) * width * 3, y * width * 3, (weights[tap + reach] ?? 0) / sum]
      for (let x = 0; x < width * 3; x++) down[to + x] = (down[to + x] ?? 0) + weight * (across[from + x] ?? 0)
    }
  }
  const random = gaussian(11)
  return new Uint8Array(Uint8ClampedArray.from(down, (value) => value + noise * random()))
}

/** How far a result goes beyond the levels of the clean picture near by (2 pixels), in % of their range: 99th percentile where that is an edge (48 levels). */
function overshoot(/** @type {Clean} */ { data, width, height }, /** @type {Uint8Array} */ result) {
  const luma = (/** @type {Uint8Array} */ of, /** @type {number} */ at) =>
    0.299 * (of[at * 3] ?? 0) + 0.587 * (of[at * 3 + 1] ?? 0) + 0.114 * (of[at * 3 + 2] ?? 0)
  const found = []
  for (let y = 2; y < height - 2; y += 2) {
    for (let x = 2; x < width - 2; x += 2) {
      let [low, high] = [255, 0]
      for (let v = y - 2; v <= y + 2; v++) {
        for (let u = x - 2; u <= x + 2; u++) {
          const value = luma(data, v * width + u)
          if (value < low) low = value
          if (value > high) high = value
        }
      }
      if (high - low < 48) continue
      const own = luma(result, y * width + x)
      found.push((100 * Math.max(0, own - high, low - own)) / (high - low))
    }
  }
  return found.toSorted((a, b) => a - b)[Math.floor(found.length * 0.99)] ?? 0
}

const baseline = async (/** @type {Clean} */ { width, height }, /** @type {Uint8Array} */ data, /** @type {number} */ sigma) =>
  new Uint8Array(
    await sharp(data, { raw: { width, height, channels: 3 } })
      .sharpen({ sigma, m1: 2, m2: 3, x1: 1, y2: 20, y3: 20 })
      .raw()
      .toBuffer(),
  )

/** The effect on its own, as the engine would run it at automatic strength. @returns {Uint8Array} */
function ours(/** @type {Clean} */ { width, height }, /** @type {Uint8Array} */ data) {
  const picture = { data, width, height }
  const measure = sharpen.measure(picture, auto, {})
  return measure ? sharpen.apply(picture, measure, { left: 0, top: 0, whole: picture }) : data
}

/** What one picture comes to at a blur and a noise. */
async function row(/** @type {Clean} */ picture, /** @type {number} */ sigma, /** @type {number} */ noise) {
  const source = sigma > 0 ? blurred(picture, sigma, noise) : picture.data
  const { result, cpu } = await timed(() => ours(picture, source))
  const soft = psnr(await baseline(picture, source, 1), picture.data)
  const strong = psnr(await baseline(picture, source, 1.6), picture.data)
  return {
    source: psnr(source, picture.data),
    baseline: Math.max(soft, strong),
    ours: psnr(result, picture.data),
    over: overshoot(picture, result),
    overBase: overshoot(picture, await baseline(picture, source, 1)),
    changed: result.reduce((sum, value, at) => sum + Math.abs(value - (source[at] ?? 0)), 0) / result.length / 2.55,
    cpu: cpu / ((picture.width * picture.height) / 1e6),
  }
}

/** Photos blurred by Gaussians nobody tells the effect of, with and without noise, and as they are. @returns {Promise<Line[]>} */
export async function lines(/** @type {Clean[]} */ pictures) {
  /** @type {Line[]} */
  const table = []
  for (const isHeldBack of [false, true]) {
    const set = pictures.filter((picture) => picture.isHeldBack === isHeldBack)
    const label = isHeldBack ? 'held back' : 'tuning'
    for (const [sigma, noise] of /** @type {const} */ ([
      [1, 0],
      [1.5, 0],
      [2, 0],
      [2.5, 0],
      [1.5, 5],
      [0, 0],
    ])) {
      /** @type {Awaited<ReturnType<typeof row>>[]} */
      const rows = []
      for (const picture of set) rows.push(await row(picture, sigma, noise))
      const of = (/** @type {keyof (typeof rows)[0]} */ key) => mean(rows.map((one) => one[key]))
      const [source, own, cpu] = [of('source'), of('ours'), of('cpu')]
      if (sigma === 0) {
        table.push({ set: `sharp, ${label}`, measure: 'changed %', ours: of('changed'), goal: '<= 0.5', isHeld: of('changed') <= 0.5, cpu })
        continue
      }
      const gain = noise > 0 ? -0.2 : 1.3
      const name = `blur ${sigma}${noise > 0 ? ` noise ${noise}` : ''}, ${label}`
      const worst = Math.min(...rows.map((one) => one.ours - one.source))
      const goal = `source ${gain > 0 ? '+' : ''}${gain} (worst ${worst.toFixed(2)})`
      table.push({ set: name, measure: 'PSNR dB', source, baseline: of('baseline'), ours: own, goal, isHeld: own >= source + gain, cpu })
      if (noise === 0)
        table.push({ set: name, measure: 'overshoot %', baseline: of('overBase'), ours: of('over'), goal: '<= 5', isHeld: of('over') <= 5 })
    }
  }
  return table
}
