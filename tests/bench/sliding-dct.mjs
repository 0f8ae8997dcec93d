import { addInverse8, forward8 } from '#shared/effects/math/dct8'

/** @typedef {{ data: Uint8Array, width: number, height: number }} Picture */

const [A, B, C] = [1 / Math.sqrt(3), 1 / Math.sqrt(2), 1 / Math.sqrt(6)]

/** One plane of the baseline below. */
function plane(
  /** @type {Float32Array} */ samples,
  /** @type {number} */ width,
  /** @type {number} */ height,
  /** @type {number} */ bound,
) {
  const [sums, weights] = [new Float32Array(samples.length), new Float32Array(samples.length)]
  const [block, half, back] = [new Float64Array(64), new Float64Array(64), new Float64Array(64)]
  const places = (/** @type {number} */ side) => [...Array.from({ length: Math.ceil((side - 8) / 2) }, (_, at) => at * 2), side - 8]
  const lefts = places(width)
  for (const top of places(height))
    for (const left of lefts) {
      for (let row = 0; row < 8; row++) forward8(samples, (top + row) * width + left, 1, block, row * 8, 1)
      for (let column = 0; column < 8; column++) forward8(block, column, 8, block, column, 8)
      let count = 1
      for (let at = 1; at < 64; at++) {
        if (Math.abs(block[at] ?? 0) < 8 * bound) block[at] = 0
        else count++
      }
      half.fill(0)
      back.fill(0)
      for (let column = 0; column < 8; column++) addInverse8(block, column, 8, half, column, 8)
      for (let row = 0; row < 8; row++) addInverse8(half, row * 8, 1, back, row * 8, 1)
      for (let at = 0; at < 64; at++) {
        const to = (top + (at >> 3)) * width + left + (at & 7)
        sums[to] = (sums[to] ?? 0) + (back[at] ?? 0) / 64 / count
        weights[to] = (weights[to] ?? 0) + 1 / count
      }
    }
  return sums.map((sum, at) => sum / (weights[at] ?? 1))
}

/**
 * The baseline of noise and of blocks: squares of 8 × 8 at every second pixel, cut at one bound in three opponent planes (Yu and Sapiro 2011).
 * @param {Picture} picture
 */
export function slidingDct({ data, width, height }, /** @type {number} */ bound) {
  const [lights, warms, greens] = [new Float32Array(width * height), new Float32Array(width * height), new Float32Array(width * height)]
  for (let at = 0; at < width * height; at++) {
    const [red, green, blue] = [data[at * 3] ?? 0, data[at * 3 + 1] ?? 0, data[at * 3 + 2] ?? 0]
    lights[at] = A * (red + green + blue)
    warms[at] = B * (red - blue)
    greens[at] = C * (red - 2 * green + blue)
  }
  const planes = [lights, warms, greens].map((one) => plane(one, width, height, bound))
  const out = new Uint8ClampedArray(data.length)
  for (let at = 0; at < width * height; at++) {
    const [a, b, c] = [A * (planes[0]?.[at] ?? 0), B * (planes[1]?.[at] ?? 0), C * (planes[2]?.[at] ?? 0)]
    out[at * 3] = a + b + c
    out[at * 3 + 1] = a - 2 * c
    out[at * 3 + 2] = a - b + c
  }
  return out
}
