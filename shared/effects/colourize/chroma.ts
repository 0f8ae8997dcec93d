import type { Rgb } from '../effect.ts'
import { LINEAR, levelOf, WEIGHTS } from '../math/lab.ts'
import type { Size } from '#shared/resize'

/** The colours of a picture without their lightness: CIE Lab's `a` and `b` in its units, in as many places as are enough. */
export interface Chroma extends Size {
  readonly a: Int8Array
  readonly b: Int8Array
}

/** Samples of one kind, 0..255, rows from the top. */
export interface Grey extends Size {
  readonly data: Uint8Array
}

/** The longer side of a chroma, at most: the eye sees colour less sharply than light, and what it sees sharply follows the light. */
export const CHROMA_PX = 512

/** How large the chroma of a picture is. */
export function chromaSize({ width, height }: Size): Size {
  const share = Math.min(1, CHROMA_PX / Math.max(width, height))
  return { width: Math.max(1, Math.round(width * share)), height: Math.max(1, Math.round(height * share)) }
}

/** No colour at all. */
export const noChroma = ({ width, height }: Size): Chroma => ({
  a: new Int8Array(width * height),
  b: new Int8Array(width * height),
  width,
  height,
})

const MIDDLE = 128

/** A chroma as red, green and blue of a picture: `a` + 128, `b` + 128, 0. */
export function encodeChroma({ a, b, width, height }: Chroma): Rgb {
  const data = new Uint8Array(width * height * 3)
  for (let at = 0; at < a.length; at++) {
    data[at * 3] = (a[at] ?? 0) + MIDDLE
    data[at * 3 + 1] = (b[at] ?? 0) + MIDDLE
  }
  return { data, width, height }
}

/** The chroma in such a picture. */
export function decodeChroma({ data, width, height }: Rgb): Chroma {
  const chroma = noChroma({ width, height })
  for (let at = 0; at < width * height; at++) {
    chroma.a[at] = (data[at * 3] ?? MIDDLE) - MIDDLE
    chroma.b[at] = (data[at * 3 + 1] ?? MIDDLE) - MIDDLE
  }
  return chroma
}

/** A number as a chroma holds it. */
const whole = (value = 0): number => Math.max(-MIDDLE, Math.min(MIDDLE - 1, Math.round(value)))

/** A chroma from numbers, each rounded and kept within what a chroma holds. */
export function chromaOf(a: ArrayLike<number>, b: ArrayLike<number>, { width, height }: Size): Chroma {
  const chroma = noChroma({ width, height })
  for (let at = 0; at < width * height; at++) {
    chroma.a[at] = whole(a[at])
    chroma.b[at] = whole(b[at])
  }
  return chroma
}

/** A picture's light: at each pixel the grey that is as light (its relative luminance, in sRGB's levels). A grey stays as it is. */
export function greyOf({ data, width, height }: Rgb): Grey {
  const out = new Uint8Array(width * height)
  for (let at = 0, from = 0; at < out.length; at++, from += 3) {
    const red = data[from] ?? 0
    const green = data[from + 1] ?? 0
    const blue = data[from + 2] ?? 0
    out[at] =
      red === green && red === blue
        ? red
        : levelOf(WEIGHTS[0] * (LINEAR[red] ?? 0) + WEIGHTS[1] * (LINEAR[green] ?? 0) + WEIGHTS[2] * (LINEAR[blue] ?? 0))
  }
  return { data: out, width, height }
}

/** A smaller copy of a plane, no larger than it is: each sample the mean of those it stands for. */
export function shrunk({ data, width, height }: Grey, { width: wide, height: high }: Size): Grey {
  const out = new Uint8Array(wide * high)
  const ends = Int32Array.from({ length: wide + 1 }, (_, x) => Math.floor((x * width) / wide))
  for (let y = 0; y < high; y++) {
    const [top, bottom] = [Math.floor((y * height) / high), Math.floor(((y + 1) * height) / high)]
    for (let x = 0; x < wide; x++) {
      const [left, right] = [ends[x] ?? 0, ends[x + 1] ?? 0]
      let sum = 0
      for (let row = top; row < bottom; row++) for (let at = row * width + left; at < row * width + right; at++) sum += data[at] ?? 0
      out[y * wide + x] = Math.round(sum / ((bottom - top) * (right - left)))
    }
  }
  return { data: out, width: wide, height: high }
}
