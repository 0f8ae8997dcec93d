import { activityClasses } from './activity.ts'
import type { Pixels } from '#engine/image/pixels'

/** Filtered PNG scanlines (each led by its filter byte) and the picture that decodes from them. */
export interface Quantised {
  scanlines: Buffer
  decoded: Pixels
}

type Tables = Int16Array[]

const classes = 4
const classSteps = [0.55, 0.8, 1.1, 1.5]
const filters = [1, 2, 3, 4]
const runBits = 0.25
const breakBits = 3
const span = 511

/**
 * Near-lossless truecolour or grey: closed-loop DPCM over the PNG filters, as in JPEG-LS near-lossless (ITU-T T.87) and pngloss, with the
 * residual chosen by rate and distortion (entropy-constrained scalar quantisation, Chou, Lookabaugh and Gray 1989): squared error + lambda x bits.
 * `step` is the distance of residual levels in sample values and may be fractional; busy areas get wider steps, flat ones narrower.
 * Alpha 0 and 255 stay exact.
 */
export const quantise = (pixels: Pixels, step: number): Quantised => {
  const { width, height, channels } = pixels
  const stride = width * channels
  const scanlines = Buffer.allocUnsafe((stride + 1) * height)
  const decoded = Buffer.allocUnsafe(stride * height)
  const activity = activityClasses(pixels)
  const rate = new Float64Array(256)
  const counts = initialCounts(step)
  let tables: Tables = []
  let above: Buffer = Buffer.alloc(stride)
  const trials = filters.map(() => ({ residuals: Buffer.alloc(stride), row: Buffer.alloc(stride) }))
  for (let y = 0; y < height; y++) {
    if (y % 16 === 0) {
      updateRate(rate, counts)
      tables = buildTables(step, channels, rate)
    }
    let best = { cost: Infinity, filter: 1 }
    trials.forEach((trial, k) => {
      const cost = quantiseRow({ pixels, y, above, activity, tables, rate, step, filter: filters[k] ?? 1, ...trial })
      if (cost < best.cost) best = { cost, filter: k }
    })
    const chosen = trials[best.filter] ?? { residuals: Buffer.alloc(stride), row: Buffer.alloc(stride) }
    scanlines[y * (stride + 1)] = filters[best.filter] ?? 1
    chosen.residuals.copy(scanlines, y * (stride + 1) + 1)
    chosen.row.copy(decoded, y * stride)
    above = decoded.subarray(y * stride, (y + 1) * stride)
    for (let i = 0; i < stride; i++) {
      const r = chosen.residuals[i] ?? 0
      counts[r] = (counts[r] ?? 0) + 1
    }
  }
  return { scanlines, decoded: { data: decoded, width, height, channels } }
}

interface Row {
  pixels: Pixels
  y: number
  above: Buffer
  activity: Uint8Array
  tables: Tables
  rate: Float64Array
  step: number
  filter: number
  residuals: Buffer
  row: Buffer
}

/** Fills `residuals` and `row` for one filter and returns squared error + lambda x bits. */
const quantiseRow = ({ pixels, y, above, activity, tables, rate, step, filter, residuals, row }: Row): number => {
  const { data, width, channels } = pixels
  const alphaAt = channels === 2 ? 1 : channels === 4 ? 3 : -1
  const lambda = lambdaOf(step)
  const from = y * width * channels
  const blockRow = (y >> 3) * ((width + 7) >> 3)
  let cost = 0
  let zeros = 0
  for (let x = 0, i = 0; x < width; x++) {
    const alpha = alphaAt < 0 ? 255 : (data[from + i + alphaAt] ?? 0)
    const kind = (activity[blockRow + (x >> 3)] ?? 0) * channels
    for (let c = 0; c < channels; c++, i++) {
      const left = x === 0 ? 0 : (row[i - channels] ?? 0)
      const up = above[i] ?? 0
      const predicted =
        filter === 1
          ? left
          : filter === 2
            ? up
            : filter === 3
              ? (left + up) >> 1
              : paeth(left, up, x === 0 ? 0 : (above[i - channels] ?? 0))
      const wanted = (data[from + i] ?? 0) - predicted
      let residual = wanted
      if (alpha === 0 && c !== alphaAt) residual = 0
      else if (c !== alphaAt || (alpha !== 0 && alpha !== 255)) {
        const at = (kind + c) * 2 + (zeros >= 3 ? 1 : 0)
        residual = tables[at]?.[wanted + 255] ?? wanted
        const value = predicted + residual
        if (value < 0 || value > 255) residual = wanted
        const error = wanted - residual
        cost += error * error
      }
      row[i] = predicted + residual
      residuals[i] = residual
      if (residual === 0) {
        cost += lambda * (zeros >= 3 ? runBits : (rate[0] ?? 0))
        zeros++
      } else {
        cost += lambda * ((rate[residual & 255] ?? 0) + (zeros >= 3 ? breakBits : 0))
        zeros = 0
      }
    }
  }
  return cost
}

const paeth = (left: number, up: number, corner: number): number => {
  const pa = Math.abs(up - corner)
  const pb = Math.abs(left - corner)
  const pc = Math.abs(left + up - 2 * corner)
  return pa <= pb && pa <= pc ? left : pb <= pc ? up : corner
}

// High-rate theory: a uniform quantiser's squared error is step^2 / 12 and falls by 2 ln 2 of itself per bit.
const lambdaOf = (step: number): number => ((2 * Math.LN2) / 12) * step * step

const initialCounts = (step: number): Float64Array =>
  Float64Array.from({ length: 256 }, (_, k) => 64 * Math.exp(-Math.abs(k < 128 ? k : k - 256) / (3 + 2 * step)))

const updateRate = (rate: Float64Array, counts: Float64Array): void => {
  const total = counts.reduce((sum, n) => sum + n, 0)
  for (let k = 0; k < 256; k++) {
    rate[k] = Math.min(14, Math.log2(total / Math.max(1e-9, counts[k] ?? 0)))
    counts[k] = (counts[k] ?? 0) * 0.9
  }
}

// Eye and luma weigh green most and blue least: the steps follow the Rec. 601 weights, flattened.
const channelSteps = (channels: number): number[] => (channels < 3 ? [1, 1] : [1.15, 0.95, 1.6, 1])

/** For every class, channel and run state: wanted residual + 255 -> the level of least squared error + lambda x bits. */
const buildTables = (step: number, channels: number, rate: Float64Array): Tables => {
  const tables: Tables = []
  for (let kind = 0; kind < classes; kind++) {
    for (let c = 0; c < channels; c++) {
      const own = Math.max(1, step * (classSteps[kind] ?? 1) * (channelSteps(channels)[c] ?? 1))
      for (const inRun of [false, true]) tables.push(levelTable(own, rate, inRun))
    }
  }
  return tables
}

const levelTable = (step: number, rate: Float64Array, inRun: boolean): Int16Array => {
  const lambda = lambdaOf(step)
  return Int16Array.from({ length: span }, (_, at) => {
    const wanted = at - 255
    const middle = Math.round(wanted / step)
    let best = wanted
    let bestCost = Infinity
    for (let k = middle - 2; k <= middle + 2; k++) {
      const level = Math.round(k * step)
      if (level < -255 || level > 255) continue
      const bits = level === 0 ? (inRun ? runBits : (rate[0] ?? 0)) : (rate[level & 255] ?? 0) + (inRun ? breakBits : 0)
      const cost = (level - wanted) ** 2 + lambda * bits
      if (cost < bestCost) [best, bestCost] = [level, cost]
    }
    return best
  })
}
