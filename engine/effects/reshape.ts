import { hasAlpha, simplify, type Pixels } from '../image/pixels.ts'
import { resample } from '#shared/effects/math/resample'
import type { ColumnMap } from '#shared/effects/unstretch/seams'
import type { Plane } from '#shared/matte/blur'
import type { Size } from '#shared/resize'

/** A channel as a plane; colours as much as they are seen, so that what is transparent does not weigh. */
function channelOf({ data, width, height, channels }: Pixels, channel: number, isWeighed: boolean): Plane {
  const out = new Float32Array(width * height)
  for (let at = 0, from = 0; at < out.length; at++, from += channels) {
    const value = data[from + channel] ?? 0
    out[at] = isWeighed ? (value * (data[from + channels - 1] ?? 0)) / 255 : value
  }
  return { data: out, width, height }
}

const level = (value: number): number => (value < 0 ? 0 : value > 255 ? 255 : Math.round(value))

/** A still picture of which each channel is changed by itself; what it carries beside its samples stays. */
export function eachChannel(pixels: Pixels, size: Size, change: (plane: Plane) => Plane): Pixels {
  const { channels, reopen: _, ...plain } = pixels
  const isClear = hasAlpha(pixels)
  const alpha = isClear ? change(channelOf(pixels, channels - 1, false)).data : undefined
  const data = Buffer.allocUnsafe(size.width * size.height * channels)
  for (let channel = 0; channel < channels; channel++) {
    const isAlpha = isClear && channel === channels - 1
    const plane = isAlpha && alpha ? alpha : change(channelOf(pixels, channel, isClear && !isAlpha)).data
    for (let at = 0; at < plane.length; at++) {
      const seen = isAlpha || !alpha ? 1 : Math.max(1, alpha[at] ?? 0) / 255
      data[at * channels + channel] = level((plane[at] ?? 0) / seen)
    }
  }
  return simplify({ ...plain, data, channels, ...size })
}

/** A still picture at another size by Lanczos-3, its centre where it was. */
export const stretched = (pixels: Pixels, size: Size): Pixels => eachChannel(pixels, size, (plane) => resample(plane, size, 'lanczos'))

/** A plane of which each pixel is taken from another column of its row, by a map that may have been found on a smaller copy. */
function taken({ data, width, height }: Plane, map: ColumnMap, size: Size): Plane {
  const out = new Float32Array(size.width * size.height)
  const [across, down] = [map.width / size.width, map.height / size.height]
  const scale = width / map.from
  for (let y = 0; y < size.height; y++) {
    const row = Math.min(map.height - 1, Math.floor((y + 0.5) * down)) * map.width
    const from = Math.min(height - 1, y) * width
    for (let x = 0; x < size.width; x++) {
      const place = Math.max(0, Math.min(map.width - 1, (x + 0.5) * across - 0.5))
      const left = Math.floor(place)
      const [near, far] = [map.columns[row + left] ?? 0, map.columns[row + Math.min(map.width - 1, left + 1)] ?? 0]
      const column = (near + (far - near) * (place - left) + 0.5) * scale - 0.5
      const at = Math.max(0, Math.min(width - 1, column))
      const floor = Math.floor(at)
      const [one, other] = [data[from + floor] ?? 0, data[from + Math.min(width - 1, floor + 1)] ?? 0]
      out[y * size.width + x] = one + (other - one) * (at - floor)
    }
  }
  return { data: out, ...size }
}

/** A still picture whose width changes by a map of columns. */
export const carved = (pixels: Pixels, map: ColumnMap, width: number): Pixels => {
  const size = { width, height: pixels.height }
  return eachChannel(pixels, size, (plane) => taken(plane, map, size))
}
