/** Complex samples of a square, `side` a power of two, rows from the top. */
export interface Square {
  readonly side: number
  readonly re: Float32Array
  readonly im: Float32Array
}

/** An empty square. */
export const squareOf = (side: number): Square => ({ side, re: new Float32Array(side * side), im: new Float32Array(side * side) })

/** Where each frequency 0..side-1 lies after `forward`: bits reversed. Putting them in order would cost time and serve nobody. */
export function frequencyPlaces(side: number): Uint32Array {
  const places = new Uint32Array(side)
  for (let at = 1; at < side; at++) places[at] = ((places[at >> 1] ?? 0) >> 1) | (at & 1 ? side >> 1 : 0)
  return places
}

interface Wheel {
  readonly cos: Float32Array
  readonly sin: Float32Array
}

const wheels = new Map<number, Wheel>()

function wheelOf(side: number): Wheel {
  const known = wheels.get(side)
  if (known) return known
  const wheel = { cos: new Float32Array(side / 2), sin: new Float32Array(side / 2) }
  for (let at = 0; at < side / 2; at++) {
    wheel.cos[at] = Math.cos((2 * Math.PI * at) / side)
    wheel.sin[at] = -Math.sin((2 * Math.PI * at) / side)
  }
  wheels.set(side, wheel)
  return wheel
}

/** One pair of samples a step further on the way to frequencies: sum, and difference turned. */
function part({ re, im }: Square, first: number, second: number, cos: number, sin: number): void {
  const [ar, ai, br, bi] = [re[first] ?? 0, im[first] ?? 0, re[second] ?? 0, im[second] ?? 0]
  re[first] = ar + br
  im[first] = ai + bi
  const [dr, di] = [ar - br, ai - bi]
  re[second] = dr * cos - di * sin
  im[second] = dr * sin + di * cos
}

/** The way back of `part`, but for a factor of two. */
function join({ re, im }: Square, first: number, second: number, cos: number, sin: number): void {
  const [ar, ai, xr, xi] = [re[first] ?? 0, im[first] ?? 0, re[second] ?? 0, im[second] ?? 0]
  const [br, bi] = [xr * cos + xi * sin, xi * cos - xr * sin]
  re[first] = ar + br
  im[first] = ai + bi
  re[second] = ar - br
  im[second] = ai - bi
}

type Step = typeof part

/** One stage over all rows or, line by line so that memory is read in order, over all columns. */
function stage(square: Square, half: number, alongRows: boolean, step: Step): void {
  const { side } = square
  const { cos, sin } = wheelOf(side)
  const stride = side / 2 / half
  const [near, far] = alongRows ? [1, side] : [side, 1]
  for (let line = 0; line < (alongRows ? side : 1); line++) {
    for (let group = 0; group < side; group += 2 * half) {
      for (let at = 0; at < half; at++) {
        const [c, s] = [cos[at * stride] ?? 0, sin[at * stride] ?? 0]
        const first = line * far + (group + at) * near
        const second = first + half * near
        for (let x = 0; x < (alongRows ? 1 : side); x++) step(square, first + x, second + x, c, s)
      }
    }
  }
}

/** Replaces a square by its two-dimensional spectrum, in the order of `frequencyPlaces` both ways (Gentleman and Sande 1966). */
export function forward(square: Square): void {
  for (const alongRows of [true, false]) for (let half = square.side / 2; half >= 1; half /= 2) stage(square, half, alongRows, part)
}

/** The way back of `forward` (Cooley and Tukey 1965), but for a factor of side². */
export function backward(square: Square): void {
  for (const alongRows of [false, true]) for (let half = 1; half < square.side; half *= 2) stage(square, half, alongRows, join)
}
