import type { Size } from '#shared/resize'

/** A picture of a page: red, green, blue and alpha of each pixel, the alpha full everywhere. */
export interface Bitmap extends Size {
  readonly data: Uint8Array
}

/** A box that may lean: its middle, its sides (`width` along its lines) and the angle of these, in radians clockwise. In pixels. */
export interface Quad extends Size {
  readonly x: number
  readonly y: number
  readonly angle: number
}

/** The grey of each pixel (Rec. 601). */
export function greyOf({ data, width, height }: Bitmap): Uint8Array {
  const grey = new Uint8Array(width * height)
  for (let at = 0, from = 0; at < grey.length; at++, from += 4)
    grey[at] = ((data[from] ?? 0) * 77 + (data[from + 1] ?? 0) * 150 + (data[from + 2] ?? 0) * 29) >> 8
  return grey
}

/** A place in a quad's own frame, from its left top corner, as a place in the picture. */
export function placeIn({ x, y, width, height, angle }: Quad, across: number, down: number): readonly [number, number] {
  const [u, v] = [across - width / 2, down - height / 2]
  return [x + u * Math.cos(angle) - v * Math.sin(angle), y + u * Math.sin(angle) + v * Math.cos(angle)]
}

/**
 * What a quad shows, upright and as large as asked for (bilinear; several samples a pixel where it shrinks). Beyond the picture its edge goes on.
 */
export function cropped(bitmap: Bitmap, quad: Quad, { width, height }: Size): Bitmap {
  const data = new Uint8Array(width * height * 4).fill(255)
  const [stepX, stepY] = [quad.width / width, quad.height / height]
  const [alongX, alongY] = [Math.max(1, Math.round(stepX)), Math.max(1, Math.round(stepY))]
  const [cos, sin] = [Math.cos(quad.angle), Math.sin(quad.angle)]
  const share = 1 / (alongX * alongY)
  const sum = new Float64Array(3)
  for (let row = 0, to = 0; row < height; row++)
    for (let column = 0; column < width; column++, to += 4) {
      sum.fill(0)
      for (let j = 0; j < alongY; j++)
        for (let i = 0; i < alongX; i++) {
          const u = (column + (i + 0.5) / alongX) * stepX - quad.width / 2
          const v = (row + (j + 0.5) / alongY) * stepY - quad.height / 2
          addSample(bitmap, quad.x + u * cos - v * sin - 0.5, quad.y + u * sin + v * cos - 0.5, sum)
        }
      for (let channel = 0; channel < 3; channel++) data[to + channel] = Math.round((sum[channel] ?? 0) * share)
    }
  return { data, width, height }
}

/** Adds the three colours at a place between pixels. */
function addSample({ data, width, height }: Bitmap, x: number, y: number, sum: Float64Array): void {
  const [inX, inY] = [Math.min(width - 1, Math.max(0, x)), Math.min(height - 1, Math.max(0, y))]
  const [left, top] = [Math.floor(inX), Math.floor(inY)]
  const [partX, partY] = [inX - left, inY - top]
  const first = (top * width + left) * 4
  const right = left + 1 < width ? 4 : 0
  const down = top + 1 < height ? width * 4 : 0
  for (let channel = 0; channel < 3; channel++) {
    const at = first + channel
    const upper = (data[at] ?? 0) * (1 - partX) + (data[at + right] ?? 0) * partX
    const lower = (data[at + down] ?? 0) * (1 - partX) + (data[at + down + right] ?? 0) * partX
    sum[channel] = (sum[channel] ?? 0) + upper * (1 - partY) + lower * partY
  }
}

/** The picture turned by quarters clockwise. */
export function turnedBitmap(bitmap: Bitmap, quarters: 0 | 1 | 2 | 3): Bitmap {
  if (quarters === 0) return bitmap
  const { width, height } = bitmap
  const from = new Uint32Array(bitmap.data.buffer, bitmap.data.byteOffset, width * height)
  const [wide, high] = quarters === 2 ? [width, height] : [height, width]
  const to = new Uint32Array(wide * high)
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++, at++) {
      const place =
        quarters === 1 ? x * wide + wide - 1 - y : quarters === 2 ? (high - 1 - y) * wide + wide - 1 - x : (high - 1 - x) * wide + y
      to[place] = from[at] ?? 0
    }
  return { data: new Uint8Array(to.buffer), width: wide, height: high }
}
