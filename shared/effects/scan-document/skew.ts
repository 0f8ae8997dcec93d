import type { Rgb } from '#shared/effects/effect'
import { paleness, shrunk } from './shrunk.ts'
import { blurPlane } from '#shared/matte/blur'

/** The longer side of the copy a page's lines are looked at in. */
const SIDE = 1000
/** How much darker than what lies around it ink is, in levels. */
const INK = 16
/** How far a page may be askew, in degrees; and steps from coarse to fine. */
const MOST = 15
const STEPS = [0.5, 0.1, 0.05] as const
/** Places beyond this many tell nothing more. */
const MOST_PLACES = 60_000
/** Ink that can be lines of text: less is too little, more is a photo; as parts of the page. */
const INK_SHARE = [0.0008, 0.4] as const
/** How much sharper lines must show at one angle than at most others. */
const LEAST_PEAK = 3.5

interface Ink {
  /** Places of ink, x and y in turn, from the page's middle. */
  readonly places: Float32Array
  /** Pixels of the page from corner to corner. */
  readonly reach: number
  readonly share: number
}

/** Where ink ends upwards: its upper edges lie on straight lines in text, in tables and under them. */
function inkOf(page: Rgb): Ink {
  const pale = paleness(shrunk(page, SIDE))
  const { data, width, height } = pale
  const around = { ...pale, data: data.slice() }
  blurPlane(around, 9)
  const isInk = new Uint8Array(data.length)
  let count = 0
  const room = Math.ceil(0.015 * Math.max(width, height))
  for (let y = room; y < height - room; y++) {
    for (let at = y * width + room; at < (y + 1) * width - room; at++) {
      if ((around.data[at] ?? 0) - (data[at] ?? 0) < INK) continue
      isInk[at] = 1
      count += 1
    }
  }
  const step = Math.max(1, Math.ceil(count / MOST_PLACES))
  const places = new Float32Array(2 * Math.ceil(count / step))
  let seen = 0
  for (let at = 0, to = 0; at < isInk.length; at++) {
    if (isInk[at] !== 1) continue
    seen += 1
    if (seen % step !== 0) continue
    places[to] = (at % width) + 0.5 - width / 2
    places[to + 1] = Math.floor(at / width) + 0.5 - height / 2
    to += 2
  }
  return { places, reach: Math.ceil(Math.hypot(width, height) / 2) + 2, share: count / data.length }
}

/** How sharply rows of ink stand apart when the page is looked at turned by an angle: the squared differences of its profile (Postl 1986). */
function sharpness({ places, reach }: Ink, angle: number, profile: Float32Array): number {
  const [sin, cos] = [Math.sin((angle * Math.PI) / 180), Math.cos((angle * Math.PI) / 180)]
  profile.fill(0)
  for (let at = 0; at < places.length; at += 2) {
    const y = (places[at + 1] ?? 0) * cos - (places[at] ?? 0) * sin + reach
    const row = Math.floor(y)
    const part = y - row
    profile[row] = (profile[row] ?? 0) + 1 - part
    profile[row + 1] = (profile[row + 1] ?? 0) + part
  }
  let sum = 0
  for (let row = 1; row < profile.length; row++) sum += ((profile[row] ?? 0) - (profile[row - 1] ?? 0)) ** 2
  return sum
}

/** The middle of the peak of sharpness around an angle: its highest place alone leans to angles at which pixels fall into whole rows. */
function middleOf(ink: Ink, around: number, most: number, profile: Float32Array): number {
  let [sum, weights] = [0, 0]
  for (let by = -6; by <= 6; by++) {
    const angle = around + by * STEPS[2]
    const weight = Math.max(0, sharpness(ink, angle, profile) - 0.85 * most)
    sum += weight * angle
    weights += weight
  }
  return weights > 0 ? sum / weights : around
}

/** The angle of a page's lines of text and rules, in degrees clockwise (positive: they fall to the right); 0 where nothing tells it for sure. */
export function skewOf(page: Rgb): number {
  if (Math.min(page.width, page.height) < 64) return 0
  const ink = inkOf(page)
  if (ink.share < INK_SHARE[0] || ink.share > INK_SHARE[1]) return 0
  const profile = new Float32Array(2 * ink.reach + 2)
  const coarse: number[] = []
  let [best, most] = [0, 0]
  const look = (angle: number): number => {
    const found = sharpness(ink, angle, profile)
    if (found > most) [best, most] = [angle, found]
    return found
  }
  for (let angle = -MOST; angle <= MOST; angle += STEPS[0]) coarse.push(look(angle))
  for (let angle = best - STEPS[0], end = best + STEPS[0]; angle <= end; angle += STEPS[1]) look(angle)
  const middle = coarse.toSorted((one, other) => one - other)[coarse.length >> 1] ?? 0
  if (most < LEAST_PEAK * middle || Math.abs(best) > MOST - STEPS[0]) return 0
  return middleOf(ink, best, most, profile)
}
