import type { Pixels } from './pixels.ts'

/** Blocks looked at, spread evenly: they take half a millisecond. */
const BLOCKS = 6000

/** sRGB's transfer curve (IEC 61966-2-1), as light of 0..1 by level. */
const lightOf = Float64Array.from({ length: 256 }, (_, level) => {
  const share = level / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
})
const levelOf = (light: number): number => 255 * (light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055)

/**
 * How much darker a picture turns, in levels of 255 on the mean, when blocks of `sidePx` × `sidePx` are averaged as stored levels and not as
 * light. Photographs are mostly below 0.5; letters and line drawings above 1; a fine checkerboard reaches 60.
 */
export function linearGap(
  { data, width, height, channels }: Pick<Pixels, 'data' | 'width' | 'height' | 'channels'>,
  sidePx: number,
): number {
  const step = Math.max(sidePx, Math.floor(Math.sqrt((width * height) / BLOCKS)))
  // Green, which is most of what the eye calls bright.
  const offset = channels > 2 ? 1 : 0
  const count = sidePx * sidePx
  let total = 0
  let blocks = 0
  for (let top = 0; top + sidePx <= height; top += step) {
    for (let left = 0; left + sidePx <= width; left += step) {
      let levels = 0
      let light = 0
      for (let y = top; y < top + sidePx; y++) {
        const end = (y * width + left + sidePx) * channels
        for (let at = (y * width + left) * channels + offset; at < end; at += channels) {
          const level = data[at] ?? 0
          levels += level
          light += lightOf[level] ?? 0
        }
      }
      total += levelOf(light / count) - levels / count
      blocks++
    }
  }
  return blocks === 0 ? 0 : total / blocks
}
