import type { Rgb } from '#shared/effects/effect'
import { AppError } from '#shared/errors/app-error'

/** Levels within which a picture shows nothing. */
const BLANK = 2

/** How far the samples of a picture lie apart, 0..255; of a large one about a million are looked at. */
function range({ data }: Rgb): number {
  const step = Math.max(1, Math.floor(data.length / 1e6))
  let [low, high] = [255, 0]
  for (let at = 0; at < data.length; at += step) {
    const value = data[at] ?? 0
    if (value < low) low = value
    if (value > high) high = value
  }
  return high - low
}

/** Throws `effect.blank` where something was to be seen in the source and nothing is in the result. */
export function checkResult(source: Rgb, result: Rgb): void {
  if (range(result) <= BLANK && range(source) > BLANK * 4) throw new AppError('effect.blank', {})
}
