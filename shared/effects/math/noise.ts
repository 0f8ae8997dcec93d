import type { Plane } from './plane.ts'

/** Side of the blocks in which noise is looked for, in pixels. */
const BLOCK = 16

/** Mean size of what neither a slope nor a straight edge leaves, block by block (the mask of Immerkær 1996). */
function roughness({ data, width, height }: Plane): number[] {
  const found: number[] = []
  for (let top = 1; top + BLOCK < height; top += BLOCK) {
    for (let left = 1; left + BLOCK < width; left += BLOCK) {
      let sum = 0
      for (let y = top; y < top + BLOCK; y++) {
        for (let x = left, at = y * width + left; x < left + BLOCK; x++, at++) {
          const [up, down] = [at - width, at + width]
          const ends = (data[up - 1] ?? 0) + (data[up + 1] ?? 0) + (data[down - 1] ?? 0) + (data[down + 1] ?? 0)
          const sides = (data[up] ?? 0) + (data[down] ?? 0) + (data[at - 1] ?? 0) + (data[at + 1] ?? 0)
          sum += Math.abs(ends - 2 * sides + 4 * (data[at] ?? 0))
        }
      }
      found.push(sum / BLOCK ** 2)
    }
  }
  return found
}

/** The value that a share of the values lie below. */
export function quantile(values: ArrayLike<number>, share: number): number | undefined {
  const sorted = Float64Array.from(values).toSorted() // a typed array sorts numbers as such
  return sorted[Math.floor((sorted.length - 1) * share)]
}

/** Deviation of the noise in the smoothest tenth of several samples of a picture, in levels. */
export function noiseOf(samples: readonly Plane[]): number {
  return (Math.sqrt(Math.PI / 2) / 6) * (quantile(samples.flatMap(roughness), 0.1) ?? 0)
}
