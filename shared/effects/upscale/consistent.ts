import { resample } from '#shared/effects/math/resample'
import type { Plane } from '#shared/matte/blur'

/** Rounds of back-projection at two times: more are more exact in the shrunk picture, and ring. Above, where each costs up to four times as much, one less. */
const roundsFor = (times: number): number => (times > 2 ? 2 : 3)
/** How far around a pixel of the small picture a round looks, in its pixels: two kernels of the cubic. */
const ROUND_REACH = 4
/** How far around a pixel of the small picture all of it looks, in its pixels. */
export const consistentReach = (times: number): number => (roundsFor(times) + 1) * ROUND_REACH
/** How much finer detail is made before: what the shrunk picture does not hold is most of what a net that is too mild lacks. */
const CRISP = 0.6

/** A plane as it can be shown, at a small one's size. */
function shrunkTo(small: Plane, large: Plane): Plane {
  const shown = new Float32Array(large.data.length)
  for (let at = 0; at < shown.length; at++) {
    const value = large.data[at] ?? 0
    shown[at] = value < 0 ? 0 : value > 255 ? 255 : value
  }
  return resample({ ...large, data: shown }, small, 'cubic')
}

/**
 * A plane nearer to one that, shrunk, is the small one it was made of (iterative back-projection, Irani and Peleg 1991): what it lacks there is
 * enlarged and added. A net that was trained on sharper small pictures leaves an enlarged one too soft; this brings its contrast back.
 */
export function consistent(large: Plane, small: Plane): Plane {
  const held = resample(shrunkTo(small, large), large, 'cubic').data
  const data = new Float32Array(large.data.length)
  for (let at = 0; at < data.length; at++) data[at] = (1 + CRISP) * (large.data[at] ?? 0) - CRISP * (held[at] ?? 0)
  const rounds = roundsFor(large.width / small.width)
  for (let round = 0; round < rounds; round++) {
    const lacking = shrunkTo(small, { ...large, data })
    for (let at = 0; at < lacking.data.length; at++) lacking.data[at] = (small.data[at] ?? 0) - (lacking.data[at] ?? 0)
    const more = resample(lacking, large, 'cubic').data
    for (let at = 0; at < data.length; at++) data[at] = (data[at] ?? 0) + (more[at] ?? 0)
  }
  return { ...large, data }
}
