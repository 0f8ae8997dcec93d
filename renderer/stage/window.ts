import type { Matte } from '#shared/matte/matte'
import type { Rect, Size } from '#shared/resize'
import type { Stroke } from '#shared/strokes'

/** What both have; undefined where they have nothing in common. */
export function overlap(one: Rect, other: Rect): Rect | undefined {
  const left = Math.max(one.left, other.left)
  const top = Math.max(one.top, other.top)
  const width = Math.min(one.left + one.width, other.left + other.width) - left
  const height = Math.min(one.top + one.height, other.top + other.height) - top
  return width > 0 && height > 0 ? { left, top, width, height } : undefined
}

/** The least rectangle around both. */
export function around(one: Rect | undefined, other: Rect | undefined): Rect | undefined {
  if (!one || !other) return one ?? other
  const left = Math.min(one.left, other.left)
  const top = Math.min(one.top, other.top)
  const right = Math.max(one.left + one.width, other.left + other.width)
  const bottom = Math.max(one.top + one.height, other.top + other.height)
  return { left, top, width: right - left, height: bottom - top }
}

export const wholeOf = ({ width, height }: Size): Rect => ({ left: 0, top: 0, width, height })

/** A rectangle with so many pixels more on every side, as far as the picture goes. */
export const widened = ({ left, top, width, height }: Rect, by: number, picture: Size): Rect | undefined =>
  overlap({ left: left - by, top: top - by, width: width + 2 * by, height: height + 2 * by }, wholeOf(picture))

/** The pixels a stroke may change, of a picture of this size; undefined where it passes beside it. */
export function boxOf({ size, points }: Stroke, picture: Size): Rect | undefined {
  const radius = Math.ceil((size * Math.max(picture.width, picture.height)) / 2) + 1
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  for (let n = 0; n + 1 < points.length; n += 2) {
    const [x, y] = [(points[n] ?? 0) * picture.width, (points[n + 1] ?? 0) * picture.height]
    left = Math.min(left, x)
    right = Math.max(right, x)
    top = Math.min(top, y)
    bottom = Math.max(bottom, y)
  }
  if (left === Infinity) return undefined
  const corner = { left: Math.floor(left), top: Math.floor(top) }
  const inner = { ...corner, width: Math.ceil(right) - corner.left + 1, height: Math.ceil(bottom) - corner.top + 1 }
  return widened(inner, radius, picture)
}

/** A stroke of the whole picture as one of a part of it. */
export function strokeWithin({ size, points, ...stroke }: Stroke, part: Rect, picture: Size): Stroke {
  const longer = Math.max(picture.width, picture.height)
  const sides = [
    { offset: part.left, whole: picture.width, length: part.width },
    { offset: part.top, whole: picture.height, length: part.height },
  ]
  return {
    ...stroke,
    size: (size * longer) / Math.max(part.width, part.height),
    points: points.map((at, index) => {
      const side = sides[index % 2]
      return side ? (at * side.whole - side.offset) / side.length : at
    }),
  }
}

export function cutPart(matte: Matte, { left, top, width, height }: Rect): Matte {
  const data = new Uint8Array(width * height)
  for (let y = 0; y < height; y++) {
    const start = (top + y) * matte.width + left
    data.set(matte.data.subarray(start, start + width), y * width)
  }
  return { data, width, height }
}

/** Lays `inner`, a part of what `part` holds, into the matte in place. */
export function layPart(matte: Matte, part: Matte, place: Rect, inner: Rect): void {
  for (let y = inner.top; y < inner.top + inner.height; y++) {
    const start = (y - place.top) * part.width + inner.left - place.left
    matte.data.set(part.data.subarray(start, start + inner.width), y * matte.width + inner.left)
  }
}
