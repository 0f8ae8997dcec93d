import type { Plane } from '../math/plane.ts'

/**
 * How rough a picture is at each of its columns, which interpolation leaves periodic (Gallagher, "Detection of linear and cubic interpolation in JPEG
 * compressed images", 2005): `plainly`, where detail counts most, and `evenly`, beside what is usual near by, where the faint blocks of an earlier JPEG
 * count as much in a calm sky.
 */
export interface Profiles {
  readonly plainly: Float64Array
  readonly evenly: Float64Array
}

/** As many rows are read at most: more tell nothing more of a column. */
const MOST_ROWS = 1200
/** Near by: so many columns to each side. */
const NEAR = 16
/** Of what is beside the usual, so many times it counts in full; levels that are added to the usual, so that nothing is divided by nought. */
const MOST_BESIDE = 4
const LEAST_USUAL = 0.5

/** The size of each fourth difference along a row, which leaves little of what is smooth and all of what resampling did. */
function roughness(data: Float32Array, from: number, width: number, row: Float64Array): void {
  for (let x = 2, at = from + 2; x < width - 2; x++, at++) {
    const outer = (data[at - 2] ?? 0) + (data[at + 2] ?? 0)
    const inner = (data[at - 1] ?? 0) + (data[at + 1] ?? 0)
    row[x] = Math.abs(outer - 4 * inner + 6 * (data[at] ?? 0))
  }
  row.fill(row[2] ?? 0, 0, 2)
  row.fill(row[width - 3] ?? 0, width - 2)
}

/** The profiles of a picture's columns; its width is 5 at least. */
export function profilesOf({ data, width, height }: Plane): Profiles {
  const [plainly, evenly, row] = [new Float64Array(width), new Float64Array(width), new Float64Array(width)]
  const sums = new Float64Array(width + 1)
  const step = Math.max(1, Math.floor(height / MOST_ROWS))
  for (let y = 0; y < height; y += step) {
    roughness(data, y * width, width, row)
    for (let x = 0; x < width; x++) sums[x + 1] = (sums[x] ?? 0) + (row[x] ?? 0)
    for (let x = 0; x < width; x++) {
      const [left, right] = [Math.max(0, x - NEAR), Math.min(width, x + NEAR + 1)]
      const usual = ((sums[right] ?? 0) - (sums[left] ?? 0)) / (right - left)
      const own = row[x] ?? 0
      plainly[x] = (plainly[x] ?? 0) + own
      evenly[x] = (evenly[x] ?? 0) + Math.min(MOST_BESIDE, own / (usual + LEAST_USUAL))
    }
  }
  return { plainly, evenly }
}

/** A picture whose rows are its columns. */
export function turned({ data, width, height }: Plane): Plane {
  const out = new Float32Array(data.length)
  for (let y = 0, at = 0; y < height; y++) for (let x = 0; x < width; x++, at++) out[x * height + y] = data[at] ?? 0
  return { data: out, width: height, height: width }
}
