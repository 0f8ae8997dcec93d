import type { Rgb } from '../effect.ts'

/** How much red, green and blue count for brightness (ITU-R BT.601). */
export const LUMA_WEIGHTS = [0.299, 0.587, 0.114] as const

/** The brightness of a colour, in the colour's own unit (ITU-R BT.601). */
export const luma601 = (red: number, green: number, blue: number): number => 0.299 * red + 0.587 * green + 0.114 * blue

/** Brightness of each pixel, 0..255. */
export function lumaOf({ data, width, height }: Rgb): Float32Array {
  const out = new Float32Array(width * height)
  for (let at = 0, from = 0; at < out.length; at++, from += 3) {
    out[at] = luma601(data[from] ?? 0, data[from + 1] ?? 0, data[from + 2] ?? 0)
  }
  return out
}
