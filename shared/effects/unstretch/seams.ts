import type { Plane } from '#shared/matte/blur'

/** For each pixel of a picture of another width, row by row, the column of the old one it is taken from. */
export interface ColumnMap {
  readonly width: number
  readonly height: number
  /** Width of the old picture. */
  readonly from: number
  readonly columns: Float32Array
}

/** Seams take no more of a width, or give no more to it, than this share: beyond, whatever is left is deformed by them too. */
export const MOST_SEAMS = 0.5

/** A picture that gets narrower: its brightness, what must not be cut, and where each pixel came from. */
interface Narrowing {
  width: number
  readonly stride: number
  readonly height: number
  readonly luma: Float32Array
  readonly shield: Float32Array
  readonly columns: Float32Array
}

/** What has to be found anew for each seam. */
interface Search {
  readonly costs: Float32Array
  readonly steps: Int8Array
}

/**
 * The cheapest way down a picture by the edges that joining its neighbours would make (forward energy: Rubinstein, Shamir and Avidan 2008), the
 * columns from top to bottom.
 */
function cheapestSeam({ width, stride, height, luma, shield }: Narrowing, { costs, steps }: Search): Int32Array {
  for (let y = 0; y < height; y++) {
    const row = y * stride
    for (let x = 0; x < width; x++) {
      const at = row + x
      const left = luma[x > 0 ? at - 1 : at] ?? 0
      const right = luma[x < width - 1 ? at + 1 : at] ?? 0
      const joined = Math.abs(right - left) + (shield[at] ?? 0)
      if (y === 0) {
        costs[at] = joined
        continue
      }
      const above = luma[at - stride] ?? 0
      let best = costs[at - stride] ?? 0
      let step = 0
      if (x > 0) {
        const cost = (costs[at - stride - 1] ?? 0) + Math.abs(above - left)
        if (cost < best) [best, step] = [cost, -1]
      }
      if (x < width - 1) {
        const cost = (costs[at - stride + 1] ?? 0) + Math.abs(above - right)
        if (cost < best) [best, step] = [cost, 1]
      }
      costs[at] = best + joined
      steps[at] = step
    }
  }
  return followed(width, stride, height, { costs, steps })
}

function followed(width: number, stride: number, height: number, { costs, steps }: Search): Int32Array {
  const seam = new Int32Array(height)
  const last = (height - 1) * stride
  let x = 0
  for (let at = 1; at < width; at++) if ((costs[last + at] ?? 0) < (costs[last + x] ?? 0)) x = at
  for (let y = height - 1; y >= 0; y--) {
    seam[y] = x
    x += steps[y * stride + x] ?? 0
  }
  return seam
}

function withoutSeam(picture: Narrowing, seam: Int32Array): void {
  const { stride, height, width } = picture
  for (let y = 0; y < height; y++) {
    const [at, end] = [y * stride + (seam[y] ?? 0), y * stride + width]
    for (const plane of [picture.luma, picture.shield, picture.columns]) plane.copyWithin(at, at + 1, end)
  }
  picture.width -= 1
}

/** Takes so many seams out of a picture; what is left tells where it came from. */
function narrowed(luma: Plane, shield: Float32Array, seams: number, progress: (share: number) => void): Narrowing {
  const { width, height } = luma
  const columns = Float32Array.from({ length: width * height }, (_, at) => at % width)
  const picture = { width, stride: width, height, luma: luma.data.slice(), shield: shield.slice(), columns }
  const search = { costs: new Float32Array(width * height), steps: new Int8Array(width * height) }
  for (let seam = 0; seam < seams; seam++) {
    withoutSeam(picture, cheapestSeam(picture, search))
    if (seam % 16 === 0) progress(seam / seams)
  }
  return picture
}

/**
 * Where the pixels of a wider or narrower picture come from by seam carving (Avidan and Shamir 2007): calm parts give way first, and what
 * `shield` is high on last. `shield` is in levels of brightness, one a pixel; no more than `MOST_SEAMS` of the width change.
 */
export function carve(luma: Plane, shield: Float32Array, width: number, progress: (share: number) => void = () => {}): ColumnMap {
  const { height } = luma
  const seams = Math.abs(width - luma.width)
  const { columns: left, stride } = narrowed(luma, shield, seams, progress)
  const columns = new Float32Array(width * height)
  const kept = luma.width - seams
  for (let y = 0; y < height; y++) {
    const row = left.subarray(y * stride, y * stride + kept)
    const to = columns.subarray(y * width, (y + 1) * width)
    if (width < luma.width) to.set(row)
    else doubled(row, luma.width, to)
  }
  return { width, height, from: luma.width, columns }
}

/** A row in which every column that is not kept is there twice, the second half way to its neighbour. */
function doubled(kept: Float32Array, width: number, to: Float32Array): void {
  for (let x = 0, at = 0, next = 0; x < width; x++) {
    to[at++] = x
    if (kept[next] === x) next += 1
    else to[at++] = Math.min(width - 1, x + 0.5)
  }
}
