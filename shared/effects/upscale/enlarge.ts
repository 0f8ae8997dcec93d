import { luma601 } from '../math/luma.ts'
import { consistent, consistentReach } from './consistent.ts'
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
  return Math.max(margin + consistentReach(times) + further, SHARE_REACH, LANCZOS_REACH)
}

const enlarged = (plane: Plane, times: number): Plane =>
  resample(plane, { width: plane.width * times, height: plane.height * times }, 'lanczos')

/** Doubles without a net. */
export const plainDoubler: Doubler = { margin: 0, double: async (small) => eachPlane(small, (plane) => enlarged(plane, 2)) }

/** What is seen of colours as brightness (ITU-R BT.601). */
export function lumaOf([red, green, blue]: Planes): Plane {
  const data = new Float32Array(red.data.length)
  for (let at = 0; at < data.length; at++) {
    data[at] = luma601(red.data[at] ?? 0, green.data[at] ?? 0, blue.data[at] ?? 0)
  }
  return { ...red, data }
}

/**
 * A part of a picture enlarged, with the `reachOf` pixels around it that the result does not have. Brightness is the net's, brought to what the
 * small picture says; colour is enlarged plainly, of which the net makes less and nobody sees more.
 */
export async function enlarge(part: Planes, doubler: Doubler, { times, share, disturbance }: Manner): Promise<Planes> {
  const { margin } = doubler
  const small = eachPlane(part, (plane) => within(plane, margin))
  const luma = lumaOf(small)
  const plain = eachPlane(small, (plane) => enlarged(plane, times))
  const twice = lumaOf(await doubler.double(part))
  const detail = consistent(times === 2 ? twice : enlarged(twice, times / 2), luma).data
  const shares = disturbance > 0 ? sharesOf(luma, disturbance, times).data : undefined
  const mild = lumaOf(plain).data
  for (let at = 0; at < detail.length; at++) detail[at] = share * (shares ? (shares[at] ?? 0) : 1) * ((detail[at] ?? 0) - (mild[at] ?? 0))
  const rest = (reachOf(doubler, times) - margin) * times
  return eachPlane(plain, (plane) => {
    for (let at = 0; at < detail.length; at++) plane.data[at] = (plane.data[at] ?? 0) + (detail[at] ?? 0)
    return within(plane, rest)
  })
}
