import type { Colours } from '../math/shrink.ts'

/** The colour of the haze itself, 0..1. */
export type Light = readonly [red: number, green: number, blue: number]

interface Area {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** How bright and even an area is: the mean of its levels less their deviation. */
function evenness({ planes, width }: Colours, { left, top, width: wide, height: high }: Area): number {
  let score = 0
  for (const plane of planes) {
    let [sum, squares] = [0, 0]
    for (let y = top; y < top + high; y++) {
      for (let x = left, at = y * width + left; x < left + wide; x++, at++) {
        const value = plane[at] ?? 0
        sum += value
        squares += value * value
      }
    }
    const mean = sum / (wide * high)
    score += mean - Math.sqrt(Math.max(0, squares / (wide * high) - mean * mean))
  }
  return score
}

function quarters({ left, top, width, height }: Area): Area[] {
  const [wide, high] = [width >> 1, height >> 1]
  const areas = [
    { left, top, width: wide, height: high },
    { left: left + wide, top, width: width - wide, height: high },
    { left, top: top + high, width: wide, height: height - high },
    { left: left + wide, top: top + high, width: width - wide, height: height - high },
  ]
  return areas.filter((area) => area.width > 0 && area.height > 0)
}

/**
 * The light that haze adds, as found in the brightest even area: quarter by quarter the better one, so that no small white thing is taken for it (Kim,
 * Jang, Sim and Kim, "Optimized contrast enhancement for real-time image and video dehazing", 2013).
 */
export function airlightOf(picture: Colours): Light {
  const { planes, width } = picture
  let area: Area = { left: 0, top: 0, width: picture.width, height: picture.height }
  while (area.width * area.height > 400) {
    const scored = quarters(area).map((one) => ({ one, score: evenness(picture, one) }))
    area = scored.reduce((best, next) => (next.score > best.score ? next : best)).one
  }
  const best: [number, number, number] = [0, 0, 0]
  for (let y = area.top; y < area.top + area.height; y++) {
    for (let x = area.left, at = y * width + area.left; x < area.left + area.width; x++, at++) {
      const colour: [number, number, number] = [planes[0][at] ?? 0, planes[1][at] ?? 0, planes[2][at] ?? 0]
      if (colour[0] + colour[1] + colour[2] > best[0] + best[1] + best[2]) best.splice(0, 3, ...colour)
    }
  }
  return best
}
