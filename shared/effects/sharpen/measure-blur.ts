import { gaussianBlur } from '../math/gaussian.ts'
import type { Plane } from '../math/plane.ts'

/** Deviations of the blurs that edges are compared under, in pixels. */
const REBLURS = [1, 2] as const
/** The least slope of a clear edge, in levels a pixel. */
const STEEP = 6
/** How far what the two say of an edge may lie apart, as a share, if no other edge is near. */
const ALONE = 0.12
/** What telling slopes by neighbours adds to the square of a blur's deviation: measured on single edges. */
const BY_NEIGHBOURS = 0.5

/** Squares of the slope at each pixel that has neighbours. */
function slopes({ data, width, height }: Plane): Float32Array {
  const out = new Float32Array(data.length)
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1, at = y * width + 1; x < width - 1; x++, at++) {
      const across = (data[at + 1] ?? 0) - (data[at - 1] ?? 0)
      const down = (data[at + width] ?? 0) - (data[at - width] ?? 0)
      out[at] = (across * across + down * down) / 4
    }
  }
  return out
}

/** Whether a slope is at least as steep as those beside it, across the edge it belongs to. */
function isRidge({ data, width }: Plane, steep: Float32Array, at: number): boolean {
  const across = Math.abs((data[at + 1] ?? 0) - (data[at - 1] ?? 0)) > Math.abs((data[at + width] ?? 0) - (data[at - width] ?? 0))
  const step = across ? 1 : width
  const own = steep[at] ?? 0
  return own > (steep[at - step] ?? 0) && own >= (steep[at + step] ?? 0)
}

/** The deviation of an edge's blur, by how much more blur weakens its slope's square. */
const deviation = (reblur: number, own: number, again: number): number =>
  reblur / Math.sqrt(Math.max(0.01, own / Math.max(1e-3, again) - 1))

/**
 * How blurred each clear edge of a sample is, as the deviation of a Gaussian in pixels: an edge that a known blur weakens little was weak already
 * (Zhuo and Sim, "Defocus map estimation from a single image", 2011). Edges near others seem sharper than they are; two blurs tell those by.
 */
export function edgeBlurs(luma: Plane, noise: number): number[] {
  const { width, height, data } = luma
  const steep = slopes(luma)
  const [near, far] = REBLURS.map((sigma) => slopes({ ...luma, data: gaussianBlur(data, width, height, sigma) }))
  const least = Math.max(STEEP, 5 * noise) ** 2
  const found: number[] = []
  for (let y = 2; y < height - 2; y++) {
    for (let x = 2, at = y * width + 2; x < width - 2; x++, at++) {
      const own = steep[at] ?? 0
      if (own < least || !isRidge(luma, steep, at)) continue
      const blur = deviation(REBLURS[0], own, near?.[at] ?? 0)
      if (Math.abs(deviation(REBLURS[1], own, far?.[at] ?? 0) / blur - 1) < ALONE)
        found.push(Math.sqrt(Math.max(0, blur * blur - BY_NEIGHBOURS)))
    }
  }
  return found
}
