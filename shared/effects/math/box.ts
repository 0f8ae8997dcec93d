/** How many of the `2 * radius + 1` places around each place of a side lie within it, as its inverse. */
export function shares(side: number, radius: number): Float32Array {
  return Float32Array.from({ length: side }, (_, at) => 1 / (Math.min(side - 1, at + radius) - Math.max(0, at - radius) + 1))
}

/** Sums of the samples within `radius` in each row. */
function sumRows(from: Float32Array, to: Float32Array, width: number, height: number, radius: number): void {
  const head = Math.min(radius, width - 1)
  for (let y = 0; y < height; y++) {
    const row = y * width
    let sum = 0
    for (let x = 0; x <= head; x++) sum += from[row + x] ?? 0
    for (let x = 0; x < width; x++) {
      to[row + x] = sum
      if (x + radius + 1 < width) sum += from[row + x + radius + 1] ?? 0
      if (x >= radius) sum -= from[row + x - radius] ?? 0
    }
  }
}

/** What box filters need beside their samples; one for many planes of a size. */
export interface Boxes {
  readonly width: number
  readonly height: number
  readonly radius: number
  readonly across: Float32Array
  readonly down: Float32Array
  readonly rows: Float32Array
  readonly sums: Float64Array
}

/** Box filters of a radius over planes of a size. */
export const boxes = (width: number, height: number, radius: number): Boxes => ({
  width,
  height,
  radius,
  across: shares(width, radius),
  down: shares(height, radius),
  rows: new Float32Array(width * height),
  sums: new Float64Array(width),
})

/** Replaces each sample of a plane by the mean of those within the radius, of which there are fewer at the sides. */
export function average(plane: Float32Array, { width, height, radius, across, down, rows, sums }: Boxes): void {
  sumRows(plane, rows, width, height, radius)
  sums.fill(0)
  for (let y = 0; y <= Math.min(radius, height - 1); y++) {
    for (let x = 0, at = y * width; x < width; x++, at++) sums[x] = (sums[x] ?? 0) + (rows[at] ?? 0)
  }
  for (let y = 0; y < height; y++) {
    const [to, coming, leaving, share] = [y * width, (y + radius + 1) * width, (y - radius) * width, down[y] ?? 0]
    for (let x = 0; x < width; x++) plane[to + x] = (sums[x] ?? 0) * (across[x] ?? 0) * share
    if (y + radius + 1 < height) for (let x = 0; x < width; x++) sums[x] = (sums[x] ?? 0) + (rows[coming + x] ?? 0)
    if (y >= radius) for (let x = 0; x < width; x++) sums[x] = (sums[x] ?? 0) - (rows[leaving + x] ?? 0)
  }
}

/** The means over a square around each sample, `radius` to each side, of as many samples as lie there. */
export function boxMean(plane: Float32Array, width: number, height: number, radius: number): Float32Array {
  const out = plane.slice()
  average(out, boxes(width, height, radius))
  return out
}
