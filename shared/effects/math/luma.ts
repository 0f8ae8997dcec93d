import type { Rgb } from '../effect.ts'

/** Brightness of each pixel, 0..255, weighted as in ITU-R BT.601. */
export function lumaOf({ data, width, height }: Rgb): Float32Array {
  const out = new Float32Array(width * height)
  for (let at = 0, from = 0; at < out.length; at++, from += 3) {
    out[at] = 0.299 * (data[from] ?? 0) + 0.587 * (data[from + 1] ?? 0) + 0.114 * (data[from + 2] ?? 0)
  }
  return out
}
