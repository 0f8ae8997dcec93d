import type { Origin } from './lattice.ts'
import type { Place, Rgb } from '../effect.ts'
import { blankPlane, mirrored, type Plane } from '../math/plane.ts'

/** Planes of a part, begun where squares of 16 × 16 of the whole begin and with a mirrored margin of at least eight pixels on each side. */
export interface Laid {
  readonly luma: Plane
  /** Blue and red less luma, around nought. */
  readonly blue: Plane
  readonly red: Plane
  /** Where the part's own pixels lie in the planes. */
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

const MARGIN = 8

/** How far before `at` a square of 16 begins that has the margin before it. */
const before = (at: number, origin: number): number => MARGIN + ((((at - MARGIN - origin) % 16) + 16) % 16)

/** A part as luma and chroma (ITU-T T.871). */
export function laidOut({ data, width, height }: Rgb, { left, top }: Place, origin: Origin): Laid {
  const [x0, y0] = [before(left, origin.left), before(top, origin.top)]
  const size = { width: Math.ceil((x0 + width + MARGIN) / 16) * 16, height: Math.ceil((y0 + height + MARGIN) / 16) * 16 }
  const [luma, blue, red] = [blankPlane(size), blankPlane(size), blankPlane(size)]
  const columns = Int32Array.from({ length: size.width }, (_, x) => mirrored(x - x0, width) * 3)
  for (let y = 0, at = 0; y < size.height; y++) {
    const row = mirrored(y - y0, height) * width * 3
    for (let x = 0; x < size.width; x++, at++) {
      const from = row + (columns[x] ?? 0)
      const r = data[from] ?? 0
      const g = data[from + 1] ?? 0
      const b = data[from + 2] ?? 0
      luma.data[at] = 0.299 * r + 0.587 * g + 0.114 * b
      blue.data[at] = -0.168736 * r - 0.331264 * g + 0.5 * b
      red.data[at] = 0.5 * r - 0.418688 * g - 0.081312 * b
    }
  }
  return { luma, blue, red, left: x0, top: y0, width, height }
}

/** Every pair of samples, across or down, as their mean. */
function halved({ data, width, height }: Plane, isAcross: boolean): Plane {
  const out = blankPlane(isAcross ? { width: width / 2, height } : { width, height: height / 2 })
  for (let y = 0, at = 0; y < out.height; y++)
    for (let x = 0; x < out.width; x++, at++) {
      const from = isAcross ? y * width + 2 * x : 2 * y * width + x
      out.data[at] = ((data[from] ?? 0) + (data[from + (isAcross ? 1 : width)] ?? 0)) / 2
    }
  return out
}

/** Samples, an eighth of each neighbour among them, along a way. */
function spread({ data, width, height }: Plane, isAcross: boolean): Float32Array {
  const [long, short, gap, next] = isAcross ? [width, height, 1, width] : [height, width, width, 1]
  const out = new Float32Array(data.length)
  for (let line = 0; line < short; line++)
    for (let n = 0; n < long; n++) {
      const at = line * next + n * gap
      const own = data[at] ?? 0
      const [last, following] = [n > 0 ? (data[at - gap] ?? 0) : own, n < long - 1 ? (data[at + gap] ?? 0) : own]
      out[at] = 0.75 * own + 0.125 * (last + following)
    }
  return out
}

/** Means of pairs of decoded chroma as the samples they were: decoders fill in by triangles (3:1), which spreads each over its neighbours. */
function unspread(pairs: Plane, isAcross: boolean): Plane {
  const found = { ...pairs, data: Float32Array.from(pairs.data) }
  for (let round = 0; round < 4; round++) {
    const now = spread(found, isAcross)
    for (let at = 0; at < now.length; at++) found.data[at] = (found.data[at] ?? 0) + (pairs.data[at] ?? 0) - (now[at] ?? 0)
  }
  return found
}

/** A plane at its own sampling: every second pixel across, or down, or both. */
export function sampled(plane: Plane, across: 1 | 2, down: 1 | 2): Plane {
  const wide = across === 2 ? unspread(halved(plane, true), true) : plane
  return down === 2 ? unspread(halved(wide, false), false) : wide
}

/** Means of a plane at every second pixel across, or down, or both. */
export function means(plane: Plane, across: 1 | 2, down: 1 | 2): Plane {
  const wide = across === 2 ? halved(plane, true) : plane
  return down === 2 ? halved(wide, false) : wide
}
