import { blankPlane, type Plane } from '../math/plane.ts'

/** Differences of luma, in levels, at which a sample counts 0.6 as much as it would: beyond, it belongs to something else. */
const LIKE = 12
/** How much a sample counts at least, of what its place gives it. */
const LEAST = 0.02
const LIKENESS = Float32Array.from({ length: 256 }, (_, difference) => LEAST + Math.exp(-((difference / LIKE) ** 2) / 2))

/** The two samples around a pixel, and the nearer one's share. */
function around(at: number, scale: 1 | 2, count: number): readonly [near: number, far: number, share: number] {
  if (scale === 1) return [at, at, 1]
  const near = at >> 1
  const far = at % 2 === 0 ? near - 1 : near + 1
  return [near, Math.min(count - 1, Math.max(0, far)), 0.75]
}

/**
 * Planes of chroma at every pixel, by the samples around it that are like it in luma (joint bilateral upsampling: Kopf et al. 2007), so that colours
 * end where things do. `small` is luma at the sampling of chroma.
 */
export function filledIn(planes: readonly Plane[], luma: Plane, small: Plane, across: 1 | 2, down: 1 | 2): readonly Plane[] {
  if (across === 1 && down === 1) return planes
  const out = planes.map(() => blankPlane(luma))
  const columns = Array.from({ length: luma.width }, (_, x) => around(x, across, small.width))
  for (let y = 0, at = 0; y < luma.height; y++) {
    const [nearRow, farRow, rowShare] = around(y, down, small.height)
    for (const [near, far, share] of columns) {
      const places = [
        nearRow * small.width + near,
        nearRow * small.width + far,
        farRow * small.width + near,
        farRow * small.width + far,
      ] as const
      const light = luma.data[at] ?? 0
      const like = (place: number): number => LIKENESS[Math.min(255, Math.round(Math.abs((small.data[place] ?? 0) - light)))] ?? 0
      const [a, b, c, d] = places
      const wa = like(a) * share * rowShare
      const wb = like(b) * (1 - share) * rowShare
      const wc = like(c) * share * (1 - rowShare)
      const wd = like(d) * (1 - share) * (1 - rowShare)
      const sum = wa + wb + wc + wd
      for (let n = 0; n < planes.length; n++) {
        const [from, to] = [planes[n]?.data, out[n]?.data]
        if (from && to) to[at] = (wa * (from[a] ?? 0) + wb * (from[b] ?? 0) + wc * (from[c] ?? 0) + wd * (from[d] ?? 0)) / sum
      }
      at++
    }
  }
  return out
}
