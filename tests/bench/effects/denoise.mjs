import { gaussian, psnr, timed } from '../effects.mjs'
import { mean } from '../measure.mjs'
import { slidingDct } from '../sliding-dct.mjs'
import { denoise } from '#shared/effects/denoise/denoise'
import { parseOptions } from '#shared/tools/index'

/** @typedef {import('../effects.mjs').Clean} Clean */

const options = parseOptions('denoise', {})

export const against = 'sliding 8 × 8 DCT, told the noise'

/** A picture with noise of a deviation added and cut to 8 bits. */
function noisy(/** @type {Clean} */ picture, /** @type {number} */ deviation, /** @type {number} */ seed) {
  const random = gaussian(seed)
  const data = new Uint8ClampedArray(picture.data.length)
  for (let at = 0; at < data.length; at++) data[at] = (picture.data[at] ?? 0) + deviation * random()
  return { ...picture, data: new Uint8Array(data.buffer) }
}

/** The effect on a picture, and the seconds of processor it takes a megapixel. */
async function ours(/** @type {Clean} */ picture) {
  const { result, cpu } = await timed(() => {
    const measure = denoise.measure(picture, options, {})
    return measure ? denoise.apply(picture, measure, { left: 0, top: 0, whole: picture }) : picture.data
  })
  return { result, cpu: cpu / ((picture.width * picture.height) / 1e6) }
}

/** The baseline is told the noise it is given; the effect is not. */
async function noiseLine(/** @type {Clean[]} */ pictures, /** @type {number} */ deviation, /** @type {boolean} */ isHeld) {
  /** @type {{ source: number, baseline: number, ours: number, cpu: number }[]} */
  const rows = []
  for (const [at, picture] of pictures.entries()) {
    const source = noisy(picture, deviation, 100 + at)
    const { result, cpu } = await ours(source)
    const baseline = psnr(slidingDct(source, 2.7 * deviation), picture.data)
    rows.push({ source: psnr(source.data, picture.data), baseline, ours: psnr(result, picture.data), cpu })
  }
  const of = (/** @type {'source' | 'baseline' | 'ours' | 'cpu'} */ key) => mean(rows.map((row) => row[key]))
  return {
    set: `noise ${deviation}, ${isHeld ? 'held back' : 'tuned on'}`,
    measure: 'PSNR dB',
    source: of('source'),
    baseline: of('baseline'),
    ours: of('ours'),
    cpu: of('cpu'),
    goal: '>= baseline + 0.3, <= 2 s/MP',
    isHeld: of('ours') >= of('baseline') + 0.3 && of('cpu') <= 2,
  }
}

/** The mean absolute change of samples, in percent of the range, of the picture that changes most. */
async function cleanLine(/** @type {Clean[]} */ pictures, /** @type {boolean} */ isHeld) {
  const changes = []
  for (const picture of pictures) {
    const { result } = await ours(picture)
    changes.push(mean([...result].map((value, at) => Math.abs(value - (picture.data[at] ?? 0)))) / 2.55)
  }
  const most = Math.max(...changes)
  return {
    set: `clean, ${isHeld ? 'held back' : 'tuned on'}`,
    measure: 'most change %',
    ours: most,
    goal: '< 0.5 each',
    isHeld: most < 0.5,
  }
}

/** Noise of three strengths, and none. */
export async function lines(/** @type {Clean[]} */ pictures) {
  const table = []
  for (const isHeld of [false, true]) {
    const chosen = pictures.filter((picture) => picture.isHeldBack === isHeld)
    for (const deviation of [15, 25, 50]) table.push(await noiseLine(chosen, deviation, isHeld))
    table.push(await cleanLine(chosen, isHeld))
  }
  return table
}
