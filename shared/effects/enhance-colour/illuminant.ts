import { lightSeen, SEEN_SIDE } from './light-network.ts'
import type { Rgb } from '../effect.ts'
import { LINEAR } from '../math/lab.ts'

/** The colour of a light beside its strength: the logarithms of red over green and of blue over green, in linear light. */
export interface Light {
  readonly red: number
  readonly blue: number
}

/** At most so many pixels along a side of a square are averaged: enough against noise, and a large picture costs no more than a small one. */
const TAPS = 12
/** What is found is taken out, and what is left is looked at again: far lights are underestimated at first sight. */
const LOOKS = 2

/** Where a place of the copy begins along a side. */
const begins = (place: number, side: number): number => Math.min(side - 1, Math.floor((place * side) / SEEN_SIDE))

/** A copy of SEEN_SIDE squared in linear light, red, green and blue interleaved; stored levels are averaged, as the network learned it. */
function smallOf({ data, width, height }: Rgb): Float32Array {
  const small = new Float32Array(3 * SEEN_SIDE * SEEN_SIDE)
  for (let y = 0, to = 0; y < SEEN_SIDE; y++) {
    const top = begins(y, height)
    const bottom = Math.max(top + 1, Math.floor(((y + 1) * height) / SEEN_SIDE))
    for (let x = 0; x < SEEN_SIDE; x++, to += 3) {
      const left = begins(x, width)
      const right = Math.max(left + 1, Math.floor(((x + 1) * width) / SEEN_SIDE))
      const [down, across] = [Math.ceil((bottom - top) / TAPS), Math.ceil((right - left) / TAPS)]
      let [red, green, blue, count] = [0, 0, 0, 0]
      for (let v = top; v < bottom; v += down) {
        for (let u = left; u < right; u += across, count++) {
          const at = 3 * (v * width + u)
          red += data[at] ?? 0
          green += data[at + 1] ?? 0
          blue += data[at + 2] ?? 0
        }
      }
      small[to] = LINEAR[Math.round(red / count)] ?? 0
      small[to + 1] = LINEAR[Math.round(green / count)] ?? 0
      small[to + 2] = LINEAR[Math.round(blue / count)] ?? 0
    }
  }
  return small
}

/** The light a picture was taken in, as far as it is not the scene's own. */
export function illuminantOf(picture: Rgb): Light {
  const small = smallOf(picture)
  let [red, blue] = [0, 0]
  for (let look = 0; look < LOOKS; look++) {
    const [r, b] = lightSeen(small)
    red += r
    blue += b
    const gains = [Math.exp(-r), 1, Math.exp(-b)]
    for (let at = 0; at < small.length; at++) small[at] = Math.min(1, (small[at] ?? 0) * (gains[at % 3] ?? 1))
  }
  return { red, blue }
}
