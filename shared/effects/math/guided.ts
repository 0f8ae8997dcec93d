import { boxMean } from './box.ts'

/** At each place the straight line by which the guide tells the value: `slope * guide + rest`. */
export interface Lines {
  readonly slope: Float32Array
  readonly rest: Float32Array
}

/**
 * The guided filter with a grey guide (He, Sun and Tang 2013), as its lines: on a larger copy of the guide they give the values at its size (He and
 * Sun, "Fast guided filter", 2015). `epsilon` is the variance of the guide below which it counts as flat.
 */
export function guidedLines(
  guide: Float32Array,
  values: Float32Array,
  width: number,
  height: number,
  radius: number,
  epsilon: number,
): Lines {
  const mean = (plane: Float32Array): Float32Array => boxMean(plane, width, height, radius)
  const [guides, means] = [mean(guide), mean(values)]
  const squares = mean(guide.map((value) => value * value))
  const products = mean(guide.map((value, at) => value * (values[at] ?? 0)))
  const [slope, rest] = [new Float32Array(guide.length), new Float32Array(guide.length)]
  for (let at = 0; at < guide.length; at++) {
    const [own, value] = [guides[at] ?? 0, means[at] ?? 0]
    slope[at] = ((products[at] ?? 0) - own * value) / ((squares[at] ?? 0) - own * own + epsilon)
    rest[at] = value - (slope[at] ?? 0) * own
  }
  return { slope: mean(slope), rest: mean(rest) }
}
