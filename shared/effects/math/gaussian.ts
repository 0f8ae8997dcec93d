import { mirrored } from './plane.ts'

/** The weights of a Gaussian of a standard deviation in pixels, from the middle outwards; both wings together come to 1. */
function wing(sigma: number): Float32Array {
  const weights = Float32Array.from({ length: Math.ceil(3.5 * sigma) + 1 }, (_, at) => Math.exp(-(at * at) / (2 * sigma * sigma)))
  const sum = weights.reduce((total, weight, at) => total + (at === 0 ? weight : 2 * weight), 0)
  return weights.map((weight) => weight / sum)
}

/** A plane blurred by a true Gaussian, for small deviations: a sum of taps each way, its borders mirrored. */
export function gaussianBlur(plane: Float32Array, width: number, height: number, sigma: number): Float32Array {
  const weights = wing(sigma)
  const reach = weights.length - 1
  const across = new Float32Array(plane.length)
  const line = new Float32Array(width + 2 * reach)
  for (let y = 0; y < height; y++) {
    const row = y * width
    for (let x = -reach; x < width + reach; x++) line[x + reach] = plane[row + (x < 0 || x >= width ? mirrored(x, width) : x)] ?? 0
    for (let x = 0; x < width; x++) {
      let sum = (weights[0] ?? 0) * (line[x + reach] ?? 0)
      for (let tap = 1; tap <= reach; tap++) sum += (weights[tap] ?? 0) * ((line[x + reach - tap] ?? 0) + (line[x + reach + tap] ?? 0))
      across[row + x] = sum
    }
  }
  const out = new Float32Array(plane.length)
  for (let y = 0; y < height; y++) {
    const to = y * width
    for (let tap = -reach; tap <= reach; tap++) {
      const [from, weight] = [mirrored(y + tap, height) * width, weights[Math.abs(tap)] ?? 0]
      for (let x = 0; x < width; x++) out[to + x] = (out[to + x] ?? 0) + weight * (across[from + x] ?? 0)
    }
  }
  return out
}
