import { cropped, padded } from './arrange.ts'
import { widened } from './frames.ts'
import { hasAlpha, pipelineOf, samplesOf, type Pixels } from './pixels.ts'
import { quarterTurned, turnedCanvas, type Turning } from '#shared/crop'
import { centred } from '#shared/resize'

/** A single picture turned clockwise by quarters, then mirrored: the same samples in other places. */
export function quarterTurn(pixels: Pixels, rotate: Turning['rotate'], flip: Turning['flip']): Pixels {
  if (rotate === '0' && flip === 'none') return pixels
  const { data, width, height, channels } = pixels
  const size = quarterTurned(pixels, rotate)
  // Where the sample at (0, 0) comes from, and what a step right and a step down mean there.
  const corners = {
    '0': [0, 1, width],
    '90': [(height - 1) * width, -width, 1],
    '180': [height * width - 1, -1, -width],
    '270': [width - 1, width, -1],
  } as const
  let [start, right, down]: readonly [number, number, number] = corners[rotate]
  if (flip === 'horizontal' || flip === 'both') [start, right] = [start + right * (size.width - 1), -right]
  if (flip === 'vertical' || flip === 'both') [start, down] = [start + down * (size.height - 1), -down]
  const samples = Buffer.allocUnsafe(data.length)
  for (let y = 0, to = 0; y < size.height; y++) {
    for (let x = 0, from = start + y * down; x < size.width; x++, from += right) {
      for (let channel = 0; channel < channels; channel++) samples[to++] = data[from * channels + channel] ?? 0
    }
  }
  return { data: samples, ...size, channels }
}

/** A single picture turned clockwise by some degrees (bicubic) on a canvas that holds all of it, over a ground of a colour option. */
export async function straightened(pixels: Pixels, degrees: number, ground: string): Promise<Pixels> {
  if (degrees === 0) return pixels
  const isClear = hasAlpha(pixels) || ground === 'transparent'
  const opened = pixels.channels === 1 && !isClear ? pixels : widened(pixels, isClear ? 4 : 3)
  const angle = (degrees * Math.PI) / 180
  const matrix: [number, number, number, number] = [Math.cos(angle), -Math.sin(angle), Math.sin(angle), Math.cos(angle)]
  const background = ground === 'transparent' ? { r: 0, g: 0, b: 0, alpha: 0 } : ground
  const turned = await samplesOf(pipelineOf(opened).affine(matrix, { background, interpolator: 'bicubic' }))
  const canvas = turnedCanvas(pixels, degrees)
  // libvips rounds the bounding box's sides one by one: it may be a pixel off ours.
  const room = { width: Math.max(canvas.width, turned.width), height: Math.max(canvas.height, turned.height) }
  return cropped(padded(turned, room, ground), centred(canvas, room))
}

/** A square single picture of which only the circle stays, its edge smoothed; all else is transparent. */
export function circled(pixels: Pixels): Pixels {
  const clear = widened(pixels, pixels.channels > 2 ? 4 : 2)
  const { width, height, channels } = clear
  const data = clear.data === pixels.data ? Buffer.from(clear.data) : clear.data
  const radius = Math.min(width, height) / 2
  for (let y = 0, at = channels - 1; y < height; y++) {
    for (let x = 0; x < width; x++, at += channels) {
      const distance = Math.hypot(x + 0.5 - width / 2, y + 0.5 - height / 2)
      const coverage = Math.min(1, Math.max(0, radius - distance + 0.5))
      if (coverage < 1) data[at] = Math.round((data[at] ?? 0) * coverage)
    }
  }
  return { ...clear, data }
}
