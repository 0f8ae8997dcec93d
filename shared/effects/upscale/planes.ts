import type { Rgb } from '#shared/effects/effect'
import type { Plane } from '#shared/matte/blur'
import type { Rect } from '#shared/resize'

/** Red, green and blue by themselves, 0..255 and a little beyond. */
export type Planes = readonly [Plane, Plane, Plane]

/** The same done to each colour. */
export const eachPlane = (planes: Planes, change: (plane: Plane, colour: number) => Plane): Planes => [
  change(planes[0], 0),
  change(planes[1], 1),
  change(planes[2], 2),
]

/** Where a sample beyond a side is found: as in a mirror that stands on the outermost samples. */
function mirrored(at: number, length: number): number {
  if (length === 1) return 0
  const period = 2 * length - 2
  const inside = ((at % period) + period) % period
  return inside < length ? inside : period - inside
}

/** A part of a picture that may reach beyond its sides, where it goes on mirrored. */
export function planesOf({ data, width, height }: Rgb, { left, top, width: wide, height: high }: Rect): Planes {
  const columns = Int32Array.from({ length: wide }, (_, x) => mirrored(left + x, width) * 3)
  const planeOf = (colour: number): Plane => {
    const out = new Float32Array(wide * high)
    for (let y = 0, to = 0; y < high; y++) {
      const row = mirrored(top + y, height) * width * 3 + colour
      for (let x = 0; x < wide; x++, to++) out[to] = data[row + (columns[x] ?? 0)] ?? 0
    }
    return { data: out, width: wide, height: high }
  }
  return [planeOf(0), planeOf(1), planeOf(2)]
}

/** A plane without so many samples on each side. */
export function within({ data, width, height }: Plane, margin: number): Plane {
  if (margin === 0) return { data, width, height }
  const [wide, high] = [width - 2 * margin, height - 2 * margin]
  const out = new Float32Array(wide * high)
  for (let y = 0; y < high; y++) {
    const from = (y + margin) * width + margin
    out.set(data.subarray(from, from + wide), y * wide)
  }
  return { data: out, width: wide, height: high }
}

/** Lays planes into a picture at a place, rounded to its levels. */
export function laid({ data, width }: Rgb, planes: Planes, left: number, top: number): void {
  for (const [colour, plane] of planes.entries()) {
    for (let y = 0, from = 0; y < plane.height; y++) {
      let to = ((top + y) * width + left) * 3 + colour
      for (let x = 0; x < plane.width; x++, from++, to += 3) {
        const value = plane.data[from] ?? 0
        data[to] = value < 0 ? 0 : value > 255 ? 255 : Math.round(value)
      }
    }
  }
}
