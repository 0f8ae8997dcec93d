/** Samples of one kind, rows from the top. */
export interface Plane {
  readonly data: Float32Array
  readonly width: number
  readonly height: number
}

/** Three boxes one after the other are within 3 % of a Gaussian. */
const PASSES = 3
/** Blurs above this many pixels are made on a smaller copy, where they cost little and look the same. */
export const FINE_SIGMA = 3

/** Half the length of a box whose ends may count in part. */
interface Box {
  readonly reach: number
  /** How much the samples at `reach + 1` count. */
  readonly end: number
}

/**
 * The box that, applied three times, blurs like a Gaussian of this standard deviation (Gwosdek et al., "Theoretical foundations of Gaussian
 * convolution by extended box filtering", 2011).
 */
function boxFor(sigma: number): Box {
  const variance = (sigma * sigma) / PASSES
  const reach = Math.floor(0.5 * Math.sqrt(12 * variance + 1) - 0.5)
  const end = ((2 * reach + 1) * (reach * (reach + 1) - 3 * variance)) / (6 * (variance - (reach + 1) ** 2))
  return { reach, end }
}

/** How far from a pixel others still count in its blurred value, in pixels. */
export function blurReach(sigma: number): number {
  return sigma > 0 ? PASSES * (boxFor(sigma).reach + 1) : 0
}

function blurRows({ data, width, height }: Plane, { reach, end }: Box): void {
  const line = new Float32Array(width + 2 * reach + 2)
  const share = 1 / (2 * reach + 1 + 2 * end)
  for (let y = 0; y < height; y++) {
    const row = data.subarray(y * width, (y + 1) * width)
    line.fill(row[0] ?? 0, 0, reach + 1)
    line.set(row, reach + 1)
    line.fill(row[width - 1] ?? 0, width + reach + 1)
    let sum = 0
    for (let at = 1; at <= 2 * reach + 1; at++) sum += line[at] ?? 0
    for (let x = 0, far = 2 * reach + 2; x < width; x++, far++) {
      const last = line[far] ?? 0
      row[x] = (sum + end * ((line[x] ?? 0) + last)) * share
      sum += last - (line[x + 1] ?? 0)
    }
  }
}

function blurColumns({ data, width, height }: Plane, { reach, end }: Box): void {
  const source = data.slice()
  const share = 1 / (2 * reach + 1 + 2 * end)
  const rowAt = (y: number): number => Math.max(0, Math.min(height - 1, y)) * width
  const sums = new Float64Array(width)
  for (let y = -reach; y <= reach; y++) {
    const row = rowAt(y)
    for (let x = 0; x < width; x++) sums[x] = (sums[x] ?? 0) + (source[row + x] ?? 0)
  }
  for (let y = 0; y < height; y++) {
    const [to, first, last, leaving] = [y * width, rowAt(y - reach - 1), rowAt(y + reach + 1), rowAt(y - reach)]
    for (let x = 0; x < width; x++) {
      const sum = sums[x] ?? 0
      const coming = source[last + x] ?? 0
      data[to + x] = (sum + end * ((source[first + x] ?? 0) + coming)) * share
      sums[x] = sum + coming - (source[leaving + x] ?? 0)
    }
  }
}

/** Blurs a plane in place like a Gaussian of a standard deviation in pixels; beyond its sides it goes on as its outermost samples. */
export function blurPlane(plane: Plane, sigma: number): void {
  if (sigma <= 0) return
  const box = boxFor(sigma)
  for (let pass = 0; pass < PASSES; pass++) {
    blurRows(plane, box)
    blurColumns(plane, box)
  }
}
