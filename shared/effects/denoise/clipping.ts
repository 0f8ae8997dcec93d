/** The density and the distribution of the normal deviate; the latter by Abramowitz and Stegun 26.2.17, to 1e-7. */
const density = (z: number): number => Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)

function below(z: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(z))
  const tail = density(z) * t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))))
  return z < 0 ? tail : 1 - tail
}

/** The mean of a sample of true value `x` after noise of a deviation was added and the sum cut to 0..255. */
function clippedMean(x: number, deviation: number): number {
  const [low, high] = [-x / deviation, (255 - x) / deviation]
  return x * (below(high) - below(low)) + deviation * (density(low) - density(high)) + 255 * (1 - below(high))
}

/** Steps of the tables below to a level. */
export const TABLE_STEPS = 4

/** Ends of the range at which noise was cut off. */
export interface Cut {
  readonly dark: boolean
  readonly light: boolean
}

/**
 * What values were before clipping, by the mean that clipped noise of a deviation left, in steps of a quarter level from 0 to 255: noise that is cut
 * at black can only lighten it, so a mean of noisy black is grey (Foi 2009, "Clipped noisy images"). An end at which nothing was cut stays as it is.
 */
export function unclipTable(deviation: number, { dark, light }: Cut): Float32Array {
  const table = Float32Array.from({ length: 255 * TABLE_STEPS + 1 }, (_, at) => at / TABLE_STEPS)
  if (deviation < 0.5) return table
  let x = 0
  for (let at = 0; at < table.length; at++) {
    const mean = at / TABLE_STEPS
    if (mean < 127.5 ? !dark : !light) continue
    while (x < 255 && clippedMean(x, deviation) < mean) x += 1 / TABLE_STEPS
    table[at] = x
  }
  return table
}

/** How much of noise is cut off at black where its mean is a given one, in steps as above. */
export function cutTable(deviation: number): Float32Array {
  const values = unclipTable(deviation, { dark: true, light: true })
  return values.map((x) => below(-x / Math.max(0.5, deviation)))
}
