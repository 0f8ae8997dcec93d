/** The means over a square around each sample, `radius` to each side, of as many samples as lie there: running sums, whatever the radius. */
export function boxMean(plane: Float32Array, width: number, height: number, radius: number): Float32Array {
  const rows = new Float32Array(plane.length)
  for (let y = 0; y < height; y++) {
    const row = y * width
    let [sum, count] = [0, Math.min(radius, width)]
    for (let x = 0; x < count; x++) sum += plane[row + x] ?? 0
    for (let x = 0; x < width; x++) {
      if (x + radius < width) {
        sum += plane[row + x + radius] ?? 0
        count += 1
      }
      if (x > radius) {
        sum -= plane[row + x - radius - 1] ?? 0
        count -= 1
      }
      rows[row + x] = sum / count
    }
  }
  return columnMeans(rows, width, height, radius)
}

function columnMeans(rows: Float32Array, width: number, height: number, radius: number): Float32Array {
  const out = new Float32Array(rows.length)
  const sums = new Float64Array(width)
  let count = Math.min(radius, height)
  const add = (row: number, sign: 1 | -1): void => {
    for (let x = 0; x < width; x++) sums[x] = (sums[x] ?? 0) + sign * (rows[row * width + x] ?? 0)
  }
  for (let y = 0; y < count; y++) add(y, 1)
  for (let y = 0; y < height; y++) {
    if (y + radius < height) {
      add(y + radius, 1)
      count += 1
    }
    if (y > radius) {
      add(y - radius - 1, -1)
      count -= 1
    }
    for (let x = 0; x < width; x++) out[y * width + x] = (sums[x] ?? 0) / count
  }
  return out
}
