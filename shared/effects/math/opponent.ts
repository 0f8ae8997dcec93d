import { mirrored, type Plane } from './plane.ts'
import type { Rgb } from '../effect.ts'

const [A, B, C] = [1 / Math.sqrt(3), 1 / Math.sqrt(2), 1 / Math.sqrt(6)]

/** How far planes go on beyond a part on each side, mirrored, so that its border pixels lie in as many squares as all others. */
export const MARGIN = 8

/** Light, red against blue, and green against both, each of length one: noise that is the same in red, green and blue is the same in these. */
export type Opponent = readonly [Plane, Plane, Plane]

/** A part as opponent planes with a margin around it; more is added below, for a height that is a multiple of four. */
export function toOpponent({ data, width, height }: Rgb): Opponent {
  const wide = width + 2 * MARGIN
  const high = Math.ceil((height + 2 * MARGIN) / 4) * 4
  const plane = (): Plane => ({ data: new Float32Array(wide * high), width: wide, height: high })
  const planes = [plane(), plane(), plane()] as const
  const columns = Int32Array.from({ length: wide }, (_, x) => mirrored(x - MARGIN, width) * 3)
  for (let y = 0, at = 0; y < high; y++) {
    const row = mirrored(y - MARGIN, height) * width * 3
    for (let x = 0; x < wide; x++, at++) {
      const from = row + (columns[x] ?? 0)
      const red = data[from] ?? 0
      const green = data[from + 1] ?? 0
      const blue = data[from + 2] ?? 0
      planes[0].data[at] = A * (red + green + blue)
      planes[1].data[at] = B * (red - blue)
      planes[2].data[at] = C * (red - 2 * green + blue)
    }
  }
  return planes
}

/** Opponent planes without their margin, handed on pixel by pixel as red, green and blue that may lie beyond 0..255. */
export function eachRgb(planes: Opponent, part: Rgb, take: (at: number, red: number, green: number, blue: number) => void): void {
  const [light, warm, green] = planes
  for (let y = 0, at = 0; y < part.height; y++) {
    let from = (y + MARGIN) * light.width + MARGIN
    for (let x = 0; x < part.width; x++, at += 3, from++) {
      const a = A * (light.data[from] ?? 0)
      const b = B * (warm.data[from] ?? 0)
      const c = C * (green.data[from] ?? 0)
      take(at, a + b + c, a - 2 * c, a - b + c)
    }
  }
}
