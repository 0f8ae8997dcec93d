import { at, groundAt, type Peak } from './peaks.ts'
import { oppositeOf, SIDE } from './tiles.ts'

/** How far around a peak a square's frequencies are damped: the window spreads a wave over two, one that changes over some more. */
const RADIUS = 4
/** How far from where a pattern was found near by its peak may lie in a square. */
const STRAY = 3
/** How far above its surroundings a frequency has to be (natural logarithm) to be taken for the pattern's. */
const STANDS_OUT = 0.9

/** The strongest frequency near a peak. */
function topNear(strengths: Float32Array, { u, v }: Peak): readonly [number, number] {
  let [bestU, bestV, best] = [u, v, -1]
  for (let y = v - STRAY; y <= v + STRAY; y++) {
    for (let x = u - STRAY; x <= u + STRAY; x++) {
      const own = at(strengths, x, y)
      if (own > best) [bestU, bestV, best] = [x, y, own]
    }
  }
  return [bestU, bestV]
}

/**
 * Damps a spectrum in place where patterns were found, down to what lies around them; true where there was one. Both halves alike, so that real
 * pictures stay real.
 */
export function notch(re: Float32Array, im: Float32Array, strengths: Float32Array, peaks: readonly Peak[], amount: number): boolean {
  const gains = new Map<number, number>()
  for (const peak of peaks) {
    const [u, v] = topNear(strengths, peak)
    const ground = groundAt(strengths, u, v)
    if (Math.log(at(strengths, u, v) / ground) < STANDS_OUT) continue
    for (let y = -RADIUS; y <= RADIUS; y++) {
      for (let x = -RADIUS; x <= RADIUS; x++) {
        if (x * x + y * y > RADIUS * RADIUS) continue
        const own = at(strengths, u + x, v + y)
        const gain = own > 1.5 * ground ? 1 - Math.min(1, amount) * (1 - ground / own) : 1
        const place = ((v + y + 2 * SIDE) % SIDE) * SIDE + ((u + x + 2 * SIDE) % SIDE)
        gains.set(place, Math.min(gain, gains.get(place) ?? 1))
      }
    }
  }
  const both = new Map(gains)
  for (const [place, gain] of gains) {
    const back = oppositeOf(place)
    both.set(back, Math.min(gain, both.get(back) ?? 1))
  }
  for (const [place, gain] of both) {
    re[place] = (re[place] ?? 0) * gain
    im[place] = (im[place] ?? 0) * gain
  }
  return both.size > 0
}
