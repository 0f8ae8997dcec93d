import { convolve, roundFilter } from '../math/convolve.ts'
import { localMaxima, localMinima } from '../math/extrema.ts'

/** What a plane of brightness is to be freed of. */
export interface Blur {
  /** Deviation of the Gaussian that blurred it, in pixels. */
  readonly sigma: number
  /** Deviation of its noise, in levels. */
  readonly noise: number
  /** How much of what restoring would change is changed; 1 is all. */
  readonly gain: number
}

/** Overshoot that is let pass beside an edge, as a share of the levels around it. */
const OVERSHOOT = 0.05
/** Half the side of the neighbourhood an edge's levels are taken from, in deviations of the blur. */
const NEAR = 2
/** How much of a bend (the blur's own measure of a thin line) is let pass beyond that, and the bend that any edge has at its shoulders. */
const THIN = 1.5
const SHOULDER = 0.4
/** Noise against spectrum at a frequency of 1: of a blur known only roughly, and for each level² of noise. Found on blurred photos. */
const DOUBT = 0.012
const DOUBT_OF_NOISE = 0.1

/** How far from a pixel the kernel that undoes a blur is cut off, in pixels. */
const kernelReach = (sigma: number): number => Math.min(40, Math.ceil(6 * sigma) + 6)

const nearReach = (sigma: number): number => Math.ceil(NEAR * sigma)

/** How far around a pixel others count in its restored value, in pixels. */
export const restoreReach = ({ sigma }: Blur): number => kernelReach(sigma) + 1

/**
 * Wiener's filter against a Gaussian blur, for pictures whose spectrum falls with the square of the frequency: what noise would drown stays down.
 * The noise of rounding to whole levels is always there, and the blur is never known exactly.
 */
function wiener({ sigma, noise }: Blur): (frequency: number) => number {
  const doubt = DOUBT + DOUBT_OF_NOISE * noise * noise
  return (frequency) => {
    const passed = Math.exp(-2 * (Math.PI * sigma * frequency) ** 2)
    return passed / (passed * passed + doubt * frequency * frequency)
  }
}

/** Keeps halos down: beside an edge a restored level goes hardly beyond those around it; on a thin line, which a blur made low, it may. */
function boundHalos(source: Float32Array, restored: Float32Array, width: number, height: number, { sigma, gain }: Blur): void {
  const high = localMaxima(source, width, height, nearReach(sigma))
  const low = localMinima(source, width, height, nearReach(sigma))
  for (let y = 0; y < height; y++) {
    const [up, down] = [y > 0 ? -width : 0, y < height - 1 ? width : 0]
    for (let x = 0, at = y * width; x < width; x++, at++) {
      const own = source[at] ?? 0
      const sides = (source[at + up] ?? 0) + (source[at + down] ?? 0) + (source[x > 0 ? at - 1 : at] ?? 0)
      const bend = sigma * sigma * (4 * own - sides - (source[x < width - 1 ? at + 1 : at] ?? 0))
      const [top, bottom] = [high[at] ?? 0, low[at] ?? 0]
      const range = top - bottom
      const most = top + OVERSHOOT * range + THIN * Math.max(0, bend - SHOULDER * range)
      const least = bottom - OVERSHOOT * range - THIN * Math.max(0, -bend - SHOULDER * range)
      const wanted = own + gain * ((restored[at] ?? 0) - own)
      restored[at] = Math.max(least, Math.min(most, wanted))
    }
  }
}

/** A plane of brightness (0..255) as it was before it was blurred, as far as its noise lets that be known. */
export function restore(luma: Float32Array, width: number, height: number, blur: Blur): Float32Array {
  const restored = convolve(luma, width, height, roundFilter(wiener(blur), kernelReach(blur.sigma)))
  boundHalos(luma, restored, width, height, blur)
  return restored
}
