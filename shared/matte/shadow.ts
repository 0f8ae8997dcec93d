import { blurPlane, FINE_SIGMA, type Plane } from './blur.ts'
import type { Matte } from './matte.ts'
import { stepsOf } from './steps.ts'

/** A drop shadow; lengths in percent of the longer side of the whole picture. */
export interface Shadow {
  /** Percent of black under the middle of the subject. */
  readonly opacity: number
  /** How wide its edge is. */
  readonly spread: number
  /** How far it falls. */
  readonly distance: number
  /** Where it falls to, in degrees clockwise from the top. */
  readonly direction: number
}

/** The matte in squares of `step` pixels, averaged; those at the right and bottom may be smaller. */
function reduced({ data, width, height }: Matte, step: number): Plane {
  const [across, down] = [Math.ceil(width / step), Math.ceil(height / step)]
  const sums = new Float32Array(across * down)
  for (let y = 0, at = 0; y < height; y++) {
    const row = Math.floor(y / step) * across
    for (let x = 0; x < across; x++) {
      const end = Math.min(width, (x + 1) * step)
      let sum = 0
      for (let pixel = x * step; pixel < end; pixel++, at++) sum += data[at] ?? 0
      sums[row + x] = (sums[row + x] ?? 0) + sum / (end - x * step)
    }
  }
  for (let y = 0, at = 0; y < down; y++) {
    const rows = Math.min(height, (y + 1) * step) - y * step
    for (let x = 0; x < across; x++, at++) sums[at] = (sums[at] ?? 0) / rows
  }
  return { data: sums, width: across, height: down }
}

/** A plane at a matte's size, moved and multiplied, between its samples by bilinear interpolation. */
function spreadOut(plane: Plane, { width, height }: Matte, step: number, [dx, dy]: readonly [number, number], factor: number): Matte {
  const data = new Uint8Array(width * height)
  const [across, down] = [stepsOf(-dx, width, plane.width, step), stepsOf(-dy, height, plane.height, step)]
  const line = new Float32Array(plane.width)
  for (let y = 0, to = 0; y < height; y++) {
    const [upper, lower, below] = [(down.from[y] ?? 0) * plane.width, (down.next[y] ?? 0) * plane.width, down.share[y] ?? 0]
    for (let x = 0; x < plane.width; x++) {
      const above = plane.data[upper + x] ?? 0
      line[x] = (above + ((plane.data[lower + x] ?? 0) - above) * below) * factor
    }
    for (let x = 0; x < width; x++, to++) {
      const left = line[across.from[x] ?? 0] ?? 0
      data[to] = left + ((line[across.next[x] ?? 0] ?? 0) - left) * (across.share[x] ?? 0) + 0.5
    }
  }
  return { data, width, height }
}

/** How far a shadow lies from its subject in pixels, to the right and down. */
export function shadowOffset({ distance, direction }: Shadow, longerSide: number): readonly [number, number] {
  const [length, turn] = [(distance * longerSide) / 100, (direction * Math.PI) / 180]
  return [length * Math.sin(turn), -length * Math.cos(turn)]
}

/**
 * The shadow that the subject of a matte casts on the ground behind it: the matte blurred (a Gaussian of half the spread), moved and weakened.
 * `longerSide` is that of the whole picture in the matte's pixels, of which the matte may be a part.
 */
export function dropShadow(matte: Matte, shadow: Shadow, longerSide: number): Matte {
  const sigma = (shadow.spread * longerSide) / 200
  const step = Math.max(1, Math.floor(sigma / FINE_SIGMA))
  const plane = reduced(matte, step)
  // What averaging and interpolating blur by themselves.
  const own = (step * step - 1) / 12 + (step * step) / 6
  blurPlane(plane, Math.sqrt(Math.max(0, sigma * sigma - (step > 1 ? own : 0))) / step)
  return spreadOut(plane, matte, step, shadowOffset(shadow, longerSide), shadow.opacity / 100)
}
