import { luma601 } from '../math/luma.ts'
import type { Plane } from '#shared/matte/blur'
import type { Rgb } from '#shared/effects/effect'

/** Adds a row's pixels to the sums of the columns they fall into. */
function addRow(data: Uint8Array, from: number, columns: Int32Array, sums: Float64Array): void {
  for (let x = 0; x < columns.length; x++) {
    const to = (columns[x] ?? 0) * 3
    const at = from + x * 3
    sums[to] = (sums[to] ?? 0) + (data[at] ?? 0)
    sums[to + 1] = (sums[to + 1] ?? 0) + (data[at + 1] ?? 0)
    sums[to + 2] = (sums[to + 2] ?? 0) + (data[at + 2] ?? 0)
  }
}

/** A copy whose longer side is no more than `side`, each pixel the mean of those that fall into it; the picture itself where it is no larger. */
export function shrunk(picture: Rgb, side: number): Rgb {
  const scale = Math.max(picture.width, picture.height) / side
  if (scale <= 1) return picture
  const width = Math.max(1, Math.round(picture.width / scale))
  const height = Math.max(1, Math.round(picture.height / scale))
  const data = new Uint8Array(width * height * 3)
  const columns = Int32Array.from({ length: picture.width }, (_, x) => Math.min(width - 1, Math.floor((x * width) / picture.width)))
  const counts = new Int32Array(width)
  for (const column of columns) counts[column] = (counts[column] ?? 0) + 1
  const sums = new Float64Array(width * 3)
  for (let y = 0; y < height; y++) {
    const [first, end] = [Math.floor((y * picture.height) / height), Math.floor(((y + 1) * picture.height) / height)]
    sums.fill(0)
    for (let row = first; row < end; row++) addRow(picture.data, row * picture.width * 3, columns, sums)
    for (let at = 0; at < width * 3; at++)
      data[y * width * 3 + at] = Math.round((sums[at] ?? 0) / ((end - first) * (counts[Math.floor(at / 3)] ?? 1)))
  }
  return { data, width, height }
}

/** How much a picture's pixels look like lit paper: half their luminance (BT.601), half their weakest colour, which wood and cloth lack. */
export function paleness({ data, width, height }: Rgb): Plane {
  const out = new Float32Array(width * height)
  for (let at = 0, from = 0; at < out.length; at++, from += 3) {
    const [red, green, blue] = [data[from] ?? 0, data[from + 1] ?? 0, data[from + 2] ?? 0]
    out[at] = 0.5 * luma601(red, green, blue) + 0.5 * Math.min(red, green, blue)
  }
  return { data: out, width, height }
}
