/** @typedef {{ data: Uint8Array, width: number, height: number }} Picture */

const basis = Float32Array.from({ length: 64 }, (_, at) => {
  const [k, n] = [at >> 3, at & 7]
  return Math.sqrt((k ? 2 : 1) / 8) * Math.cos((Math.PI * (n + 0.5) * k) / 8)
})
const [A, B, C] = [1 / Math.sqrt(3), 1 / Math.sqrt(2), 1 / Math.sqrt(6)]

/** One square of 8 × 8, cut at a bound among its frequencies; how many are left. */
function harden(/** @type {Float32Array} */ block, /** @type {Float32Array} */ work, /** @type {number} */ bound) {
  const turn = (/** @type {Float32Array} */ from, /** @type {Float32Array} */ to, /** @type {boolean} */ isBack) => {
    for (let row = 0; row < 8; row++)
      for (let k = 0; k < 8; k++) {
        let sum = 0
        for (let n = 0; n < 8; n++) sum += (basis[isBack ? n * 8 + k : k * 8 + n] ?? 0) * (from[row * 8 + n] ?? 0)
        to[k * 8 + row] = sum
      }
  }
  turn(block, work, false)
  turn(work, block, false)
  let left = 1
  for (let at = 1; at < 64; at++) {
    if (Math.abs(block[at] ?? 0) < bound) block[at] = 0
    else left++
  }
  turn(block, work, true)
  turn(work, block, true)
  return left
}

/** One plane of the baseline below. */
function plane(
  /** @type {Float32Array} */ samples,
  /** @type {number} */ width,
  /** @type {number} */ height,
  /** @type {number} */ bound,
) {
  const [sums, weights] = [new Float32Array(samples.length), new Float32Array(samples.length)]
  const [block, work] = [new Float32Array(64), new Float32Array(64)]
  const places = (/** @type {number} */ side) => [...Array.from({ length: Math.ceil((side - 8) / 2) }, (_, at) => at * 2), side - 8]
  for (const top of places(height))
    for (const left of places(width)) {
      for (let at = 0; at < 64; at++) block[at] = samples[(top + (at >> 3)) * width + left + (at & 7)] ?? 0
      const weight = 1 / harden(block, work, bound)
      for (let at = 0; at < 64; at++) {
        const to = (top + (at >> 3)) * width + left + (at & 7)
        sums[to] = (sums[to] ?? 0) + (block[at] ?? 0) * weight
        weights[to] = (weights[to] ?? 0) + weight
      }
    }
  return sums.map((sum, at) => sum / (weights[at] ?? 1))
}

/**
 * The baseline of noise: squares of 8 × 8 at every second pixel, cut at one bound in three opponent planes (Yu and Sapiro 2011).
 * @param {Picture} picture
 */
export function slidingDct({ data, width, height }, /** @type {number} */ bound) {
  const count = width * height
  const planes = [0, 1, 2].map((which) => {
    const samples = Float32Array.from({ length: count }, (_, at) => {
      const [red = 0, green = 0, blue = 0] = data.subarray(at * 3, at * 3 + 3)
      return [A * (red + green + blue), B * (red - blue), C * (red - 2 * green + blue)][which] ?? 0
    })
    return plane(samples, width, height, bound)
  })
  const out = new Uint8ClampedArray(count * 3)
  for (let at = 0; at < count; at++) {
    const [light = 0, warm = 0, green = 0] = planes.map((samples) => samples[at] ?? 0)
    out.set([A * light + B * warm + C * green, A * light - 2 * C * green, A * light - B * warm + C * green], at * 3)
  }
  return out
}
