import type { Rgb } from '#shared/effects/effect'
import type { Matte } from '#shared/matte/matte'

const FAR = 65_535

/**
 * Gives what can't be seen the colour of the nearest that can (by steps along rows and columns), in place, so that a filter over an edge of the
 * subject mixes no foreign colour into it.
 */
export function bleed({ data, width, height }: Rgb, { data: alpha }: Matte): void {
  const steps = new Uint16Array(width * height)
  for (let at = 0; at < steps.length; at++) steps[at] = (alpha[at] ?? 0) > 0 ? 0 : FAR
  const take = (at: number, from: number): void => {
    const far = (steps[from] ?? FAR) + 1
    if (far >= (steps[at] ?? FAR)) return
    steps[at] = far
    data.copyWithin(at * 3, from * 3, from * 3 + 3)
  }
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at++) {
      if (x > 0) take(at, at - 1)
      if (y > 0) take(at, at - width)
    }
  }
  for (let y = height - 1, at = width * height - 1; y >= 0; y--) {
    for (let x = width - 1; x >= 0; x--, at--) {
      if (x < width - 1) take(at, at + 1)
      if (y < height - 1) take(at, at + width)
    }
  }
}
