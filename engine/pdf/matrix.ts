/** An affine map as PDF writes it: x' = a x + c y + e, y' = b x + d y + f. */
export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number]

/** The map that changes nothing. */
export const identity: Matrix = [1, 0, 0, 1, 0, 0]

/** First `inner`, then `outer`. */
export const times = (outer: Matrix, inner: Matrix): Matrix => [
  outer[0] * inner[0] + outer[2] * inner[1],
  outer[1] * inner[0] + outer[3] * inner[1],
  outer[0] * inner[2] + outer[2] * inner[3],
  outer[1] * inner[2] + outer[3] * inner[3],
  outer[0] * inner[4] + outer[2] * inner[5] + outer[4],
  outer[1] * inner[4] + outer[3] * inner[5] + outer[5],
]

/** Where a point goes. */
export const mapped = (m: Matrix, x: number, y: number): readonly [number, number] => [
  m[0] * x + m[2] * y + m[4],
  m[1] * x + m[3] * y + m[5],
]

/** How many times larger lengths become, on the whole. */
export const scaleOf = (m: Matrix): number => Math.sqrt(Math.abs(m[0] * m[3] - m[1] * m[2]))

/** A map out of what pdf.js hands over, if it is one. */
export function matrixOf(value: unknown): Matrix | undefined {
  if (typeof value !== 'object' || value === null || !('length' in value) || value.length !== 6) return undefined
  const [a, b, c, d, e, f] = Array.from(value as ArrayLike<unknown>, Number) // it has a length, and what are not numbers become NaN
  const map: Matrix = [a ?? NaN, b ?? NaN, c ?? NaN, d ?? NaN, e ?? NaN, f ?? NaN]
  return map.every(Number.isFinite) ? map : undefined
}
