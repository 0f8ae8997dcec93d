import type { Rgb } from '#shared/effects/effect'

/** A page's colours in coarse squares: of each the brightest part, which is paper wherever there is paper in it. */
export interface Blocks {
  /** Pixels of a square's side; the grid begins at the page's left top corner. */
  readonly side: number
  readonly columns: number
  readonly rows: number
  readonly red: Float32Array
  readonly green: Float32Array
  readonly blue: Float32Array
}

/** Squares along the longer side of a page: two of them are wider than a stroke of text. */
const ALONG = 320
const LEAST_SIDE = 3
const BINS = 64
/** The share of a square's pixels that is taken for its ground. */
const BRIGHTEST = 0.3

/** The blocks of one row of squares. */
function fillRow({ data, width, height }: Rgb, blocks: Blocks, row: number, bins: Uint16Array): void {
  const { side, columns } = blocks
  const [top, bottom] = [row * side, Math.min(height, (row + 1) * side)]
  const lumaAt = (at: number): number => (77 * (data[at] ?? 0) + 150 * (data[at + 1] ?? 0) + 29 * (data[at + 2] ?? 0)) >> 10
  for (let column = 0; column < columns; column++) {
    const [left, right] = [column * side, Math.min(width, (column + 1) * side)]
    bins.fill(0)
    for (let y = top; y < bottom; y++)
      for (let at = (y * width + left) * 3, end = (y * width + right) * 3; at < end; at += 3) {
        const bin = lumaAt(at)
        bins[bin] = (bins[bin] ?? 0) + 1
      }
    let wanted = BRIGHTEST * (right - left) * (bottom - top)
    let least = BINS - 1
    while (least > 0 && (wanted -= bins[least] ?? 0) > 0) least -= 1
    let [red, green, blue, count] = [0, 0, 0, 0]
    for (let y = top; y < bottom; y++)
      for (let at = (y * width + left) * 3, end = (y * width + right) * 3; at < end; at += 3) {
        if (lumaAt(at) < least) continue
        red += data[at] ?? 0
        green += data[at + 1] ?? 0
        blue += data[at + 2] ?? 0
        count += 1
      }
    const to = row * columns + column
    blocks.red[to] = red / count + 1
    blocks.green[to] = green / count + 1
    blocks.blue[to] = blue / count + 1
  }
}

/** The blocks of a page; levels are one higher than they are, so that none is 0. */
export function blocksOf(page: Rgb): Blocks {
  const side = Math.max(LEAST_SIDE, Math.round(Math.max(page.width, page.height) / ALONG))
  const [columns, rows] = [Math.ceil(page.width / side), Math.ceil(page.height / side)]
  const plane = (): Float32Array => new Float32Array(columns * rows)
  const blocks = { side, columns, rows, red: plane(), green: plane(), blue: plane() }
  const bins = new Uint16Array(BINS)
  for (let row = 0; row < rows; row++) fillRow(page, blocks, row, bins)
  return blocks
}

/** The greatest (or least) value within `reach` of each, along lines whose neighbours lie `step` apart. */
function extreme(
  values: Float32Array,
  lines: number,
  length: number,
  step: number,
  next: number,
  reach: number,
  sign: 1 | -1,
): Float32Array {
  const out = new Float32Array(values.length)
  for (let line = 0; line < lines; line++) {
    for (let n = 0; n < length; n++) {
      let most = -Infinity
      for (let m = Math.max(0, n - reach); m <= Math.min(length - 1, n + reach); m++)
        most = Math.max(most, sign * (values[line * next + m * step] ?? 0))
      out[line * next + n * step] = sign * most
    }
  }
  return out
}

/** Fills what is darker than all that lies around it and narrower than twice the reach (a morphological closing). */
export function closed(values: Float32Array, columns: number, rows: number, reach: number): Float32Array {
  const swept = (from: Float32Array, sign: 1 | -1): Float32Array =>
    extreme(extreme(from, rows, columns, 1, columns, reach, sign), columns, rows, columns, 1, reach, sign)
  return swept(swept(values, 1), -1)
}

/** Gives the values that are not known those of what lies around them, from near to far (pull and push: Gortler et al., "The Lumigraph", 1996). */
export function interpolated(values: Float32Array, known: Float32Array, columns: number, rows: number): Float32Array {
  if (columns * rows <= 1) return values
  const [wide, high] = [Math.ceil(columns / 2), Math.ceil(rows / 2)]
  const [sums, weights] = [new Float32Array(wide * high), new Float32Array(wide * high)]
  for (let y = 0; y < rows; y++)
    for (let x = 0; x < columns; x++) {
      const [from, to] = [y * columns + x, (y >> 1) * wide + (x >> 1)]
      sums[to] = (sums[to] ?? 0) + (values[from] ?? 0) * (known[from] ?? 0)
      weights[to] = (weights[to] ?? 0) + (known[from] ?? 0)
    }
  for (let at = 0; at < sums.length; at++) {
    sums[at] = (sums[at] ?? 0) / Math.max(1e-6, weights[at] ?? 0)
    weights[at] = Math.min(1, weights[at] ?? 0)
  }
  const coarse = interpolated(sums, weights, wide, high)
  const out = new Float32Array(values.length)
  for (let y = 0; y < rows; y++)
    for (let x = 0; x < columns; x++) {
      const at = y * columns + x
      const weight = known[at] ?? 0
      out[at] = weight * (values[at] ?? 0) + (1 - weight) * between(coarse, wide, high, x / 2 - 0.25, y / 2 - 0.25)
    }
  return out
}

/** A grid's value between its squares (1 apart, the first at 0, 0); beyond its sides it goes on. */
function between(values: Float32Array, columns: number, rows: number, x: number, y: number): number {
  const [fx, fy] = [Math.min(columns - 1, Math.max(0, x)), Math.min(rows - 1, Math.max(0, y))]
  const [left, top] = [Math.floor(fx), Math.floor(fy)]
  const [right, bottom] = [Math.min(columns - 1, left + 1), Math.min(rows - 1, top + 1)]
  const upper = (values[top * columns + left] ?? 0) * (left + 1 - fx) + (values[top * columns + right] ?? 0) * (fx - left)
  const lower = (values[bottom * columns + left] ?? 0) * (left + 1 - fx) + (values[bottom * columns + right] ?? 0) * (fx - left)
  return upper * (top + 1 - fy) + lower * (fy - top)
}
