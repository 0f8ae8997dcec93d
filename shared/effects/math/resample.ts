import type { Plane } from '#shared/matte/blur'
import type { Size } from '#shared/resize'

/** Kernels of resampling: Keys' cubic (a = −1/2) and Lanczos with three lobes. */
export type Kernel = 'cubic' | 'lanczos'

const reaches = { cubic: 2, lanczos: 3 } as const

const sinc = (x: number): number => (x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x))

/** Keys' cubic at a distance in samples. */
export function cubic(x: number): number {
  const d = Math.abs(x)
  if (d < 1) return (1.5 * d - 2.5) * d * d + 1
  return d < 2 ? ((-0.5 * d + 2.5) * d - 4) * d + 2 : 0
}

const weightOf = (kernel: Kernel, x: number): number =>
  kernel === 'cubic' ? cubic(x) : Math.abs(x) < reaches.lanczos ? sinc(x) * sinc(x / reaches.lanczos) : 0

/** For each sample of a line at its new length: the first sample of the old line that counts, and the weights from there on. */
interface Taps {
  readonly first: Int32Array
  readonly weights: Float32Array
  readonly count: number
}

/** The weights of a line of `from` samples at `to` samples; where it gets shorter the kernel is as much wider, so that nothing is skipped. */
function tapsOf(from: number, to: number, kernel: Kernel): Taps {
  const step = from / to
  const spread = Math.max(1, step)
  const reach = reaches[kernel] * spread
  const count = Math.ceil(2 * reach) + 1
  const first = new Int32Array(to)
  const weights = new Float32Array(to * count)
  for (let at = 0; at < to; at++) {
    const centre = (at + 0.5) * step - 0.5
    const start = Math.ceil(centre - reach)
    first[at] = start
    let sum = 0
    for (let tap = 0; tap < count; tap++) {
      const weight = weightOf(kernel, (start + tap - centre) / spread)
      weights[at * count + tap] = weight
      sum += weight
    }
    for (let tap = 0; tap < count; tap++) weights[at * count + tap] = (weights[at * count + tap] ?? 0) / sum
  }
  return { first, weights, count }
}

const clamped = (at: number, length: number): number => (at < 0 ? 0 : at >= length ? length - 1 : at)

function resampledRows({ data, width, height }: Plane, to: number, kernel: Kernel): Plane {
  const { first, weights, count } = tapsOf(width, to, kernel)
  const before = Math.max(0, -(first[0] ?? 0))
  const line = new Float32Array(before + width + count + 1)
  const out = new Float32Array(to * height)
  for (let y = 0; y < height; y++) {
    const row = data.subarray(y * width, (y + 1) * width)
    line.fill(row[0] ?? 0, 0, before)
    line.set(row, before)
    line.fill(row[width - 1] ?? 0, before + width)
    for (let x = 0, tap = 0; x < to; x++) {
      let sum = 0
      const start = before + (first[x] ?? 0)
      for (let at = start; at < start + count; at++, tap++) sum += (weights[tap] ?? 0) * (line[at] ?? 0)
      out[y * to + x] = sum
    }
  }
  return { data: out, width: to, height }
}

function resampledColumns({ data, width, height }: Plane, to: number, kernel: Kernel): Plane {
  const { first, weights, count } = tapsOf(height, to, kernel)
  const out = new Float32Array(width * to)
  for (let y = 0; y < to; y++) {
    const row = out.subarray(y * width, (y + 1) * width)
    for (let tap = 0; tap < count; tap++) {
      const weight = weights[y * count + tap] ?? 0
      if (weight === 0) continue
      const from = clamped((first[y] ?? 0) + tap, height) * width
      for (let x = 0; x < width; x++) row[x] = (row[x] ?? 0) + weight * (data[from + x] ?? 0)
    }
  }
  return { data: out, width, height: to }
}

/** A plane at another size, one axis after the other; beyond its sides it goes on as its outermost samples. Values may overshoot a little. */
export function resample(plane: Plane, { width, height }: Size, kernel: Kernel): Plane {
  const wide = width === plane.width ? plane : resampledRows(plane, width, kernel)
  return height === plane.height ? wide : resampledColumns(wide, height, kernel)
}
