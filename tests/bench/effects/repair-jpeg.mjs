import sharp from 'sharp'
import { psnr, timed } from '../effects.mjs'
import { mean } from '../measure.mjs'
import { slidingDct } from '../sliding-dct.mjs'
import { repairJpeg } from '#shared/effects/repair-jpeg/repair-jpeg'
import { parseOptions } from '#shared/tools/index'

/** @typedef {import('../effects.mjs').Clean} Clean */

const options = parseOptions('repair-jpeg', {})

const lumaOf = (/** @type {ArrayLike<number>} */ data) =>
  Float32Array.from({ length: data.length / 3 }, (_, at) => {
    const [red = 0, green = 0, blue = 0] = [data[at * 3], data[at * 3 + 1], data[at * 3 + 2]]
    return 0.299 * red + 0.587 * green + 0.114 * blue
  })

export const against = 'sliding 8 × 8 DCT, told the quality'

/** Mean squares of steps between neighbours along one way: across borders of squares of eight, and all others. */
function steps(/** @type {Float32Array} */ luma, /** @type {number} */ width, /** @type {boolean} */ isAcross) {
  const sums = { border: 0, borders: 0, inner: 0, inners: 0 }
  const gap = isAcross ? 1 : width
  for (let at = 0; at + gap < luma.length; at++) {
    const place = isAcross ? at % width : Math.floor(at / width)
    if (isAcross && place === width - 1) continue
    const square = ((luma[at] ?? 0) - (luma[at + gap] ?? 0)) ** 2
    if (place % 8 === 7) {
      sums.border += square
      sums.borders++
    } else {
      sums.inner += square
      sums.inners++
    }
  }
  return sums
}

/** PSNR of luma in which blocks count as errors of their own (Yim and Bovik 2011). */
function psnrB(/** @type {Float32Array} */ luma, /** @type {Float32Array} */ truth, /** @type {number} */ width) {
  const [across, down] = [steps(luma, width, true), steps(luma, width, false)]
  const border = (across.border + down.border) / (across.borders + down.borders)
  const inner = (across.inner + down.inner) / (across.inners + down.inners)
  const blocks = border > inner ? (3 / Math.log2(Math.min(width, luma.length / width))) * (border - inner) : 0
  const error = mean([...luma].map((value, at) => (value - (truth[at] ?? 0)) ** 2))
  return 10 * Math.log10(255 ** 2 / (error + blocks))
}

/** The baseline of the notes: squares cut at one bound that follows the quality. */
const baselineOf = (/** @type {Clean} */ picture, /** @type {number} */ quality) => {
  const base = (16 * (quality < 50 ? 5000 / quality : 200 - 2 * quality)) / 100
  return slidingDct(picture, base)
}

/** One picture compressed, by the baseline, and repaired. */
async function row(/** @type {Clean} */ clean, /** @type {number} */ quality) {
  const { width, height } = clean
  const jpeg = await sharp(clean.data, { raw: { width, height, channels: 3 } })
    .jpeg({ quality, chromaSubsampling: '4:2:0' })
    .toBuffer()
  const source = { ...clean, data: new Uint8Array(await sharp(jpeg).raw().toBuffer()) }
  const { result, cpu } = await timed(() => {
    const measure = repairJpeg.measure(source, options, { jpeg })
    return measure ? repairJpeg.apply(source, measure, { left: 0, top: 0, whole: source }) : source.data
  })
  const truth = lumaOf(clean.data)
  const both = (/** @type {ArrayLike<number>} */ data) => ({ b: psnrB(lumaOf(data), truth, width), rgb: psnr(data, clean.data) })
  const change = mean([...result].map((value, at) => Math.abs(value - (source.data[at] ?? 0)))) / 2.55
  return {
    source: both(source.data),
    baseline: both(baselineOf(source, quality)),
    ours: both(result),
    cpu: cpu / ((width * height) / 1e6),
    change,
  }
}

/** Two lines of a quality: with blocks counted, and plain. */
async function linesOf(
  /** @type {Clean[]} */ pictures,
  /** @type {boolean} */ isHeldBack,
  /** @type {number} */ quality,
  /** @type {number} */ gain,
) {
  /** @type {Awaited<ReturnType<typeof row>>[]} */
  const rows = []
  for (const picture of pictures) rows.push(await row(picture, quality))
  const cpu = mean(rows.map((one) => one.cpu))
  return /** @type {const} */ (['b', 'rgb']).map((kind) => {
    const of = (/** @type {'source' | 'baseline' | 'ours'} */ key) => mean(rows.map((one) => one[key][kind]))
    const [source, ours] = [of('source'), of('ours')]
    const set = `q${quality}, ${isHeldBack ? 'held back' : 'tuned on'}`
    const goal = `>= source + ${gain}, <= 2 s/MP`
    const measure = kind === 'b' ? 'PSNR-B dB' : 'PSNR dB'
    return { set, measure, source, baseline: of('baseline'), ours, cpu, goal, isHeld: ours >= source + gain && cpu <= 2 }
  })
}

/** Four qualities that show, and one that does not. */
export async function lines(/** @type {Clean[]} */ pictures) {
  const table = []
  const gains = /** @type {const} */ ([
    [10, 0.6],
    [20, 0.6],
    [40, 0.4],
    [75, 0.3],
  ])
  for (const isHeldBack of [false, true]) {
    const chosen = pictures.filter((picture) => picture.isHeldBack === isHeldBack)
    for (const [quality, gain] of gains) table.push(...(await linesOf(chosen, isHeldBack, quality, gain)))
    const changes = await Promise.all(chosen.map((picture) => row(picture, 95)))
    const most = Math.max(...changes.map(({ change }) => change))
    const set = `q95, ${isHeldBack ? 'held back' : 'tuned on'}`
    table.push({ set, measure: 'most change %', ours: most, goal: '< 0.1 each', isHeld: most < 0.1 })
  }
  return table
}
