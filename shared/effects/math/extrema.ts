import { mirrored } from './plane.ts'

/** Running maxima of a line by blocks as long as the window, three comparisons a sample however long it is (van Herk 1992; Gil and Werman 1993). */
function maximaOfLine(line: Float32Array, count: number, window: number, ahead: Float32Array, behind: Float32Array): void {
  for (let from = 0; from < count; from += window) {
    const to = Math.min(count, from + window)
    ahead[from] = line[from] ?? 0
    for (let at = from + 1; at < to; at++) ahead[at] = Math.max(ahead[at - 1] ?? 0, line[at] ?? 0)
    behind[to - 1] = line[to - 1] ?? 0
    for (let at = to - 2; at >= from; at--) behind[at] = Math.max(behind[at + 1] ?? 0, line[at] ?? 0)
  }
}

interface Lines {
  readonly count: number
  readonly length: number
  readonly between: number
  readonly step: number
}

function maximaAlong(plane: Float32Array, { count, length, between, step }: Lines, radius: number): void {
  const window = 2 * radius + 1
  const wide = length + 2 * radius
  const [line, ahead, behind] = [new Float32Array(wide), new Float32Array(wide), new Float32Array(wide)]
  for (let which = 0; which < count; which++) {
    const start = which * between
    for (let at = 0; at < wide; at++) {
      const own = at - radius
      line[at] = plane[start + (own < 0 || own >= length ? mirrored(own, length) : own) * step] ?? 0
    }
    maximaOfLine(line, wide, window, ahead, behind)
    for (let at = 0; at < length; at++) plane[start + at * step] = Math.max(behind[at] ?? 0, ahead[at + window - 1] ?? 0)
  }
}

/** The greatest sample within a square around each, `radius` to each side, as far as the plane goes. */
export function localMaxima(plane: Float32Array, width: number, height: number, radius: number): Float32Array {
  const out = plane.slice()
  maximaAlong(out, { count: height, length: width, between: width, step: 1 }, radius)
  maximaAlong(out, { count: width, length: height, between: 1, step: width }, radius)
  return out
}

/** The smallest sample within a square around each, `radius` to each side, as far as the plane goes. */
export function localMinima(plane: Float32Array, width: number, height: number, radius: number): Float32Array {
  const out = localMaxima(
    plane.map((value) => -value),
    width,
    height,
    radius,
  )
  for (let at = 0; at < out.length; at++) out[at] = -(out[at] ?? 0)
  return out
}
