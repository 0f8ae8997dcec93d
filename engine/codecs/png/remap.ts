import { activityClasses } from './activity.ts'
import { colourDistance, colourPoints, readPoint, readPremultiplied, type Palette } from './palette.ts'
import { packedPixel, type Pixels } from '#engine/image/pixels'

/** Palette index of every pixel, how often each was used, and the mean distance of a pixel to its nearest entry. */
export interface Indexed {
  indices: Buffer
  counts: Float64Array
  meanDistance: number
}

const runBits = 0.4
const classWeights = [0.4, 0.7, 1.1, 1.8]
const cacheBits = 16

/**
 * Pixels to palette entries with a rate term: beside the nearest entry those that would prolong a run of the left or the upper neighbour are
 * weighed by distance + lambda x bits, as lossy GIF encoders do for LZW. `lambda` = distance one bit is worth on average; flat 8 x 8 blocks get
 * less of it, busy ones more. No dithering: at equal bytes it measured worse on every picture tried.
 */
export const remap = (pixels: Pixels, palette: Palette, lambda: number): Indexed => {
  const { data, width, height, channels } = pixels
  const points = colourPoints(palette)
  const find = nearestFinder(points)
  const indices = Buffer.allocUnsafe(width * height)
  const counts = new Float64Array(256)
  const rate = new Float64Array(256).fill(7)
  const activity = lambda > 0 ? activityClasses(pixels) : new Uint8Array(0)
  const want = new Float64Array(4)
  let total = 0
  for (let y = 0, i = 0; y < height; y++) {
    if (y % 16 === 0 && y > 0) for (let k = 0; k < 256; k++) rate[k] = Math.min(12, Math.log2(i / ((counts[k] ?? 0) + 0.5)))
    let leftRun = 0
    let upRun = 0
    const blockRow = (y >> 3) * ((width + 7) >> 3)
    for (let x = 0; x < width; x++, i++) {
      const colour = packedPixel(data, i * channels, channels)
      let index = find(colour)
      readPoint(colour, want)
      let cost = colourDistance(points, index * 4, want, 0)
      total += cost
      const worth = lambda > 0 ? lambda * (classWeights[activity[blockRow + (x >> 3)] ?? 0] ?? 0) : 0
      cost += worth * (rate[index] ?? 0)
      const left = x > 0 && worth > 0 ? (indices[i - 1] ?? 0) : index
      const up = y > 0 && worth > 0 ? (indices[i - width] ?? 0) : index
      if (left !== index) {
        const other = colourDistance(points, left * 4, want, 0) + worth * (leftRun >= 2 ? runBits : (rate[left] ?? 0) - 1)
        if (other < cost) [index, cost] = [left, other]
      }
      if (up !== index) {
        const other = colourDistance(points, up * 4, want, 0) + worth * (upRun >= 2 ? runBits : (rate[up] ?? 0) - 0.5)
        if (other < cost) [index, cost] = [up, other]
      }
      indices[i] = index
      counts[index] = (counts[index] ?? 0) + 1
      leftRun = x > 0 && index === indices[i - 1] ? leftRun + 1 : 0
      upRun = y > 0 && index === indices[i - width] ? upRun + 1 : 0
    }
  }
  return { indices, counts, meanDistance: total / (width * height) }
}

/** Nearest entry to a packed colour: outwards from the wanted luma in entries sorted by luma, behind a direct-mapped cache. */
const nearestFinder = (points: Float64Array): ((colour: number) => number) => {
  const keys = new Uint32Array(1 << cacheBits)
  const values = new Int16Array(1 << cacheBits).fill(-1)
  const want = new Float64Array(4)
  const luma = (index: number): number => points[index * 4] ?? 0
  const order = Array.from({ length: points.length >> 2 }, (_, k) => k).toSorted((a, b) => luma(a) - luma(b) || a - b)
  const search = (): number => {
    const y = want[0] ?? 0
    let least = Infinity
    let best = 0
    let [from, to] = [0, order.length]
    while (from < to) {
      const middle = (from + to) >> 1
      if (luma(order[middle] ?? 0) < y) from = middle + 1
      else to = middle
    }
    const look = (at: number): boolean => {
      const k = order[at]
      if (k === undefined) return false
      const gap = luma(k) - y
      // Over black and white together the distance is at least gap^2 / 2, whatever the alphas.
      if (gap * gap >= 2 * least) return false
      const d = colourDistance(points, k * 4, want, 0)
      if (d < least) [best, least] = [k, d]
      return true
    }
    let [above, below] = [from, from - 1]
    let [goesUp, goesDown] = [true, true]
    while (goesUp || goesDown) {
      goesUp &&= look(above++)
      goesDown &&= look(below--)
    }
    return best
  }
  return (colour) => {
    const slot = Math.imul(colour, 0x9e3779b1) >>> (32 - cacheBits)
    const known = values[slot] ?? 0
    if (known >= 0 && keys[slot] === colour) return known
    readPoint(colour, want)
    const best = search()
    keys[slot] = colour
    values[slot] = best
    return best
  }
}

/** Every entry moved to the mean of the pixels that use it (a Lloyd step): less squared error for the same indices. Alpha 0 and 255 stay. */
export const recentre = (pixels: Pixels, indices: Buffer, palette: Palette): Palette => {
  const { data, channels } = pixels
  const sums = new Float64Array(palette.length * 5)
  const pixel = new Float64Array(4)
  for (let i = 0; i < indices.length; i++) {
    readPremultiplied(packedPixel(data, i * channels, channels), pixel)
    const at = (indices[i] ?? 0) * 5
    for (let c = 0; c < 4; c++) sums[at + c] = (sums[at + c] ?? 0) + (pixel[c] ?? 0)
    sums[at + 4] = (sums[at + 4] ?? 0) + 1
  }
  return palette.map((colour, k) => {
    const mean = (c: number): number => (sums[k * 5 + c] ?? 0) / (sums[k * 5 + 4] ?? 0)
    const old = colour >>> 24
    if (old === 0 || sums[k * 5 + 4] === 0) return colour
    const alpha = old === 255 ? 255 : Math.min(254, Math.max(1, Math.round(mean(3))))
    const straight = (c: number): number => Math.min(255, Math.round((mean(c) * 255) / Math.max(1, mean(3))))
    return ((alpha << 24) | (straight(2) << 16) | (straight(1) << 8) | straight(0)) >>> 0
  })
}

/** Unfiltered scanlines (each led by filter byte 0) of `bitDepth` bits per index. */
export const packIndices = (indices: Buffer, width: number, height: number, bitDepth: 1 | 2 | 4 | 8): Buffer => {
  const stride = Math.ceil((width * bitDepth) / 8)
  const out = Buffer.alloc((stride + 1) * height)
  const perByte = 8 / bitDepth
  for (let y = 0; y < height; y++) {
    const row = y * (stride + 1) + 1
    for (let x = 0; x < width; x++) {
      const at = row + Math.floor(x / perByte)
      const shift = 8 - bitDepth * ((x % perByte) + 1)
      out[at] = (out[at] ?? 0) | ((indices[y * width + x] ?? 0) << shift)
    }
  }
  return out
}

/** The picture an indexed file decodes to, as RGBA. */
export const paint = (indices: Buffer, palette: Palette, width: number, height: number): Pixels => {
  const data = Buffer.allocUnsafe(indices.length * 4)
  for (let i = 0; i < indices.length; i++) data.writeUInt32LE(palette[indices[i] ?? 0] ?? 0, i * 4)
  return { data, width, height, channels: 4 }
}
