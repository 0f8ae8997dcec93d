import { bleed } from './bleed.ts'
import { hasAlpha, simplify, type Pixels } from '../image/pixels.ts'
import type { Rgb } from '#shared/effects/effect'
import { resample } from '#shared/effects/math/resample'
import { enlarge, reachOf, type Doubler, type Manner, type Times } from '#shared/effects/upscale/enlarge'
import { laid, planesOf } from '#shared/effects/upscale/planes'
import type { Matte } from '#shared/matte/matte'
import type { Rect, Size } from '#shared/resize'

/** Side of what is enlarged at once: above it a net takes more memory and no less time. */
const TILE = 256

/** Squares that cover a picture, from the top. */
export function tilesOf({ width, height }: Size): readonly Rect[] {
  const tiles: Rect[] = []
  for (let top = 0; top < height; top += TILE) {
    for (let left = 0; left < width; left += TILE) {
      tiles.push({ left, top, width: Math.min(TILE, width - left), height: Math.min(TILE, height - top) })
    }
  }
  return tiles
}

/** A still picture's colours and its transparency apart; what can't be seen has the colours of what lies beside it. */
export function apart(pixels: Pixels): { readonly colour: Rgb; readonly alpha: Matte | undefined } {
  const { data, width, height, channels } = pixels
  const [green, blue] = channels < 3 ? [0, 0] : [1, 2]
  const colour = { data: new Uint8Array(width * height * 3), width, height }
  const alpha = hasAlpha(pixels) ? { data: new Uint8Array(width * height), width, height } : undefined
  for (let at = 0, from = 0; at < width * height; at++, from += channels) {
    colour.data[at * 3] = data[from] ?? 0
    colour.data[at * 3 + 1] = data[from + green] ?? 0
    colour.data[at * 3 + 2] = data[from + blue] ?? 0
    if (alpha) alpha.data[at] = data[from + channels - 1] ?? 0
  }
  if (alpha) bleed(colour, alpha)
  return { colour, alpha }
}

/** Transparency is enlarged by itself, without a net: it has edges and no texture. */
function enlargedAlpha({ data, width, height }: Matte, times: Times): Uint8Array {
  const plane = { data: Float32Array.from(data), width, height }
  const large = resample(plane, { width: width * times, height: height * times }, 'lanczos')
  return Uint8Array.from(large.data, (value) => Math.max(0, Math.min(255, Math.round(value))))
}

/** Colours under a transparency; grey ones become one channel where they came as one. */
function joined(colour: Rgb, alpha: Uint8Array | undefined, isGrey: boolean): Pixels {
  const { data, width, height } = colour
  if (isGrey) {
    // The net has no idea of grey: what its colours disagree on is nobody's.
    for (let at = 0; at < data.length; at += 3) {
      const mean = Math.round(((data[at] ?? 0) + (data[at + 1] ?? 0) + (data[at + 2] ?? 0)) / 3)
      data.fill(mean, at, at + 3)
    }
  }
  if (!alpha) return simplify({ data: Buffer.from(data.buffer), width, height, channels: 3 })
  const out = Buffer.allocUnsafe(width * height * 4)
  for (let at = 0; at < alpha.length; at++) {
    for (let c = 0; c < 3; c++) out[at * 4 + c] = data[at * 3 + c] ?? 0
    out[at * 4 + 3] = alpha[at] ?? 0
  }
  return simplify({ data: out, width, height, channels: 4 })
}

/** A still picture enlarged tile by tile; `progress` is told the share done. */
export async function upscaled(pixels: Pixels, doubler: Doubler, manner: Manner, progress: (share: number) => void): Promise<Pixels> {
  const { times } = manner
  const { colour, alpha } = apart(pixels)
  const [width, height] = [pixels.width * times, pixels.height * times]
  const result: Rgb = { data: new Uint8Array(width * height * 3), width, height }
  const reach = reachOf(doubler, times)
  const tiles = tilesOf(pixels)
  for (const [at, { left, top, ...size }] of tiles.entries()) {
    const around = { left: left - reach, top: top - reach, width: size.width + 2 * reach, height: size.height + 2 * reach }
    laid(result, await enlarge(planesOf(colour, around), doubler, manner), left * times, top * times)
    progress((at + 1) / tiles.length)
  }
  const large = joined(result, alpha && enlargedAlpha(alpha, times), pixels.channels < 3)
  return pixels.dpi === undefined ? large : { ...large, dpi: pixels.dpi }
}
