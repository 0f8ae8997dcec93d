import type { Rgb } from '../effect.ts'

/** Red, green and blue apart, 0..1. */
export interface Colours {
  readonly width: number
  readonly height: number
  readonly planes: readonly [Float32Array, Float32Array, Float32Array]
}

/** A copy whose longer side is `side` at most, each of its pixels the mean of those it stands for. */
export function shrink({ data, width, height }: Rgb, side: number): Colours {
  const scale = Math.min(1, side / Math.max(width, height))
  const [wide, high] = [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))]
  const planes = [new Float32Array(wide * high), new Float32Array(wide * high), new Float32Array(wide * high)] as const
  const counts = new Float32Array(wide * high)
  const columns = Uint32Array.from({ length: width }, (_, x) => Math.min(wide - 1, Math.floor((x * wide) / width)))
  for (let y = 0, from = 0; y < height; y++) {
    const row = Math.min(high - 1, Math.floor((y * high) / height)) * wide
    for (let x = 0; x < width; x++, from += 3) {
      const to = row + (columns[x] ?? 0)
      counts[to] = (counts[to] ?? 0) + 255
      for (let c = 0; c < 3; c++) {
        const plane = planes[c as 0 | 1 | 2] // c counts the three
        plane[to] = (plane[to] ?? 0) + (data[from + c] ?? 0)
      }
    }
  }
  for (const plane of planes) for (let at = 0; at < plane.length; at++) plane[at] = (plane[at] ?? 0) / (counts[at] ?? 1)
  return { width: wide, height: high, planes }
}
