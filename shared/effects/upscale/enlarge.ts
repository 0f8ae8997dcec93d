import { consistent, CONSISTENT_REACH } from './consistent.ts'
import { SHARE_REACH, sharesOf } from './disturbance.ts'
import { eachPlane, within, type Planes } from './planes.ts'
import { resample } from '#shared/effects/math/resample'
import type { Plane } from '#shared/matte/blur'

/** How often larger each side gets. */
export type Times = 2 | 3 | 4

/** What makes each pixel four: `margin` pixels on each side of what it is given are not in its answer. */
export interface Doubler {
  readonly margin: number
  readonly double: (small: Planes) => Promise<Planes>
}

/** How a picture is enlarged: how much of a net's detail it gets over a plain enlargement (1 = all), and what disturbs it. */
export interface Manner {
  readonly times: Times
  readonly share: number
  readonly disturbance: number
}

/** Lanczos looks at so many pixels on each side. */
const LANCZOS_REACH = 3

/** Pixels that have to lie around what is enlarged, in the small picture, so that the result does not depend on where it was cut. */
export function reachOf({ margin }: Doubler, times: Times): number {
  const further = times === 2 ? 0 : LANCZOS_REACH
  return Math.max(margin + CONSISTENT_REACH + further, SHARE_REACH, LANCZOS_REACH)
}

const enlarged = (plane: Plane, times: number): Plane =>
  resample(plane, { width: plane.width * times, height: plane.height * times }, 'lanczos')

/** Doubles without a net. */
export const plainDoubler: Doubler = { margin: 0, double: async (small) => eachPlane(small, (plane) => enlarged(plane, 2)) }

/** What is seen of colours as brightness (ITU-R BT.601). */
export const lumaOf = ([red, green, blue]: Planes): Plane => ({
  ...red,
  data: red.data.map((value, at) => 0.299 * value + 0.587 * (green.data[at] ?? 0) + 0.114 * (blue.data[at] ?? 0)),
})

/** A part of a picture enlarged by a net, with the `reachOf` pixels around it that the result does not have. */
export async function enlarge(part: Planes, doubler: Doubler, { times, share, disturbance }: Manner): Promise<Planes> {
  const { margin } = doubler
  const small = eachPlane(part, (plane) => within(plane, margin))
  const doubled = await doubler.double(part)
  const large = times === 2 ? doubled : eachPlane(doubled, (plane) => enlarged(plane, times / 2))
  const luma = lumaOf(small)
  const [mild, crisp] = [lumaOf(large), consistent(lumaOf(large), luma)]
  const shares = disturbance > 0 ? sharesOf(luma, disturbance, times) : undefined
  const rest = (reachOf(doubler, times) - margin) * times
  return eachPlane(small, (plane, colour) => {
    const sharp = (large[colour] ?? plane).data.map((value, at) => value + (crisp.data[at] ?? 0) - (mild.data[at] ?? 0))
    return within(blended(plane, { ...mild, data: sharp }, { times, share, shares }), rest)
  })
}

/** A plain enlargement with so much of what a sharp one has beyond it. */
function blended(small: Plane, sharp: Plane, { times, share, shares }: { times: Times; share: number; shares: Plane | undefined }): Plane {
  if (share === 1 && !shares) return sharp
  const plain = enlarged(small, times)
  const data = plain.data.map((value, at) => value + share * (shares?.data[at] ?? 1) * ((sharp.data[at] ?? 0) - value))
  return { ...plain, data }
}
