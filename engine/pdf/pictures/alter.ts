import sharp from 'sharp'
import type { Matrix } from '../matrix.ts'
import { isBilevel, type Grid, type Ink, type Samples } from './samples.ts'

/** A slanted picture is drawn with no more pixels than this. */
const MAX_TURNED_PIXELS = 16e6

/** RGBA of any picture. */
export function withAlpha(samples: Samples): Grid {
  const { width, height, channels, data } = samples
  const rgba = new Uint8Array(width * height * 4)
  const inks = isBilevel(samples) ? samples.inks : undefined
  for (let at = 0; at < width * height; at++) {
    const from = at * channels
    const level = data[from] ?? 0
    const ink: Ink = inks
      ? inks[level ? 1 : 0]
      : channels === 1
        ? [level, level, level, 255]
        : [level, data[from + 1] ?? 0, data[from + 2] ?? 0, channels === 4 ? (data[from + 3] ?? 0) : 255]
    rgba.set(ink, at * 4)
  }
  return { width, height, channels: 4, data: rgba }
}

/** The same picture, painted with an opacity from 0 to 1. */
export function faded(samples: Samples, opacity: number): Samples {
  if (opacity >= 1) return samples
  const faint = ([red, green, blue, alpha]: Ink): Ink => [red, green, blue, Math.round(alpha * opacity)]
  if (isBilevel(samples)) return { ...samples, inks: [faint(samples.inks[0]), faint(samples.inks[1])] }
  const grid = withAlpha(samples)
  for (let at = 3; at < grid.data.length; at += 4) grid.data[at] = Math.round((grid.data[at] ?? 0) * opacity)
  return grid
}

/** A picture as it stands slanted: `map` leads from its square, rows from the top, to the page; its corners lie on the result's sides. */
export async function turned(samples: Samples, map: Matrix): Promise<Grid> {
  const { width, height, data } = withAlpha(samples)
  const [a, b, c, d] = map
  const points = (Math.abs(a) + Math.abs(c)) * (Math.abs(b) + Math.abs(d))
  const density = Math.min(Math.max(width / Math.hypot(a, b), height / Math.hypot(c, d)), Math.sqrt(MAX_TURNED_PIXELS / points))
  const matrix = [a / width, c / height, b / width, d / height].map((value) => value * density)
  const [xx = 1, xy = 0, yx = 0, yy = 1] = matrix
  const turning = sharp(data, { raw: { width, height, channels: 4 }, limitInputPixels: false }).affine([xx, xy, yx, yy], {
    background: { r: 255, g: 255, b: 255, alpha: 0 },
    interpolator: 'bilinear',
  })
  const { data: rgba, info } = await turning.raw().toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, channels: 4, data: rgba }
}
