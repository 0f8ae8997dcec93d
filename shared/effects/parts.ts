import type { Effect, Place, Rgb } from './effect.ts'
import type { Rect } from '#shared/resize'

/** A copy of a part of a picture that lies inside it. */
export function cutRgb({ data, width }: Rgb, { left, top, width: wide, height: high }: Rect): Rgb {
  const out = new Uint8Array(wide * high * 3)
  for (let row = 0; row < high; row++) {
    const from = ((top + row) * width + left) * 3
    out.set(data.subarray(from, from + wide * 3), row * wide * 3)
  }
  return { data: out, width: wide, height: high }
}

/** A part with so many pixels around it as the picture has. */
function grown({ left, top, width, height }: Rect, by: number, whole: Rgb): Rect {
  const [x, y] = [Math.max(0, left - by), Math.max(0, top - by)]
  return { left: x, top: y, width: Math.min(whole.width, left + width + by) - x, height: Math.min(whole.height, top + height + by) - y }
}

/** The result of a part of a picture (inside it), equal to what the whole picture would have there. */
export function applyTo<Measure>(effect: Effect<never, Measure>, picture: Rgb, measure: Measure, part: Rect): Rgb {
  const around = grown(part, Math.ceil(effect.reach(measure)), picture)
  const place: Place = { left: around.left, top: around.top, whole: { width: picture.width, height: picture.height } }
  const seen = cutRgb(picture, around)
  const result = effect.apply(seen, measure, place)
  return cutRgb(
    { ...seen, data: result },
    { left: part.left - around.left, top: part.top - around.top, width: part.width, height: part.height },
  )
}

/** Pixels of a strip: enough that what lies around it costs little, few enough that progress moves. */
const STRIP_PIXELS = 1 << 20

/** Strips of whole rows that cover a picture, from the top. */
export function stripsOf({ width, height }: Rgb): readonly Rect[] {
  const rows = Math.max(16, Math.round(STRIP_PIXELS / width))
  return Array.from({ length: Math.ceil(height / rows) }, (_, at) => ({
    left: 0,
    top: at * rows,
    width,
    height: Math.min(rows, height - at * rows),
  }))
}
