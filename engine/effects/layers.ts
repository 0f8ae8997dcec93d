import { hasAlpha, type Pixels } from '../image/pixels.ts'
import type { Rgb } from '#shared/effects/effect'

const alphaAt = ({ data, channels }: Pixels, at: number): number =>
  channels === 2 ? (data[at * 2 + 1] ?? 0) : channels === 4 ? (data[at * 4 + 3] ?? 0) : 255

/** A still picture's colours without its transparency; what can't be seen at all takes the mean of what can, so that it misleads no measure. */
export function colourOf(pixels: Pixels): Rgb {
  const { data, width, height, channels } = pixels
  const count = width * height
  const out = new Uint8Array(count * 3)
  const [green, blue] = channels < 3 ? [0, 0] : [1, 2]
  const sums = [0, 0, 0, 0]
  for (let at = 0; at < count; at++) {
    const from = at * channels
    out[at * 3] = data[from] ?? 0
    out[at * 3 + 1] = data[from + green] ?? 0
    out[at * 3 + 2] = data[from + blue] ?? 0
  }
  if (!hasAlpha(pixels)) return { data: out, width, height }
  for (let at = 0; at < count; at++) {
    if (alphaAt(pixels, at) === 0) continue
    for (let c = 0; c < 3; c++) sums[c] = (sums[c] ?? 0) + (out[at * 3 + c] ?? 0)
    sums[3] = (sums[3] ?? 0) + 1
  }
  const mean = sums.map((sum) => Math.round(sum / Math.max(1, sums[3] ?? 0)))
  for (let at = 0; at < count; at++) {
    if (alphaAt(pixels, at) === 0) for (let c = 0; c < 3; c++) out[at * 3 + c] = mean[c] ?? 0
  }
  return { data: out, width, height }
}

/** New colours, of the same size, under a still picture's own transparency. What can't be seen keeps the colour it had. */
export function withColour(pixels: Pixels, { data: colours }: Rgb): Pixels {
  const { data, width, height } = pixels
  const { reopen: _, ...plain } = pixels
  if (!hasAlpha(pixels)) return { ...plain, data: Buffer.from(colours.buffer, colours.byteOffset, colours.length), channels: 3 }
  const isGrey = pixels.channels === 2
  const out = Buffer.allocUnsafe(width * height * 4)
  for (let at = 0; at < width * height; at++) {
    const alpha = alphaAt(pixels, at)
    for (let c = 0; c < 3; c++) {
      const own = isGrey ? data[at * 2] : data[at * 4 + c]
      out[at * 4 + c] = (alpha === 0 ? own : colours[at * 3 + c]) ?? 0
    }
    out[at * 4 + 3] = alpha
  }
  return { ...plain, data: out, channels: 4 }
}
