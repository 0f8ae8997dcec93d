import { hasAlpha, pipelineOf, samplesOf, type Pixels } from './pixels.ts'
import type { Frame, Sides } from '#shared/id-photo-crop'

/** A colour as red, green and blue, 0..255 each. */
export type Rgb = readonly [red: number, green: number, blue: number]

const colourOf = ([r, g, b]: Rgb) => ({ r, g, b })

/** A picture's first frame in three channels, on a ground where it is transparent: exam sites want 24-bit colour, of grey pictures too. */
export async function onGround(pixels: Pixels, ground: Rgb): Promise<Pixels> {
  const { data, width, height, channels } = pixels
  if (channels === 3 && !pixels.animation) return pixels
  const first = { data: data.subarray(0, width * height * channels), width, height, channels }
  if (channels === 3) return first
  if (hasAlpha(first)) return onGround(await samplesOf(pipelineOf(first).flatten({ background: colourOf(ground) })), ground)
  const samples = Buffer.allocUnsafe(width * height * 3)
  for (let from = 0, to = 0; from < first.data.length; from++) {
    const grey = first.data[from] ?? 0
    samples[to++] = grey
    samples[to++] = grey
    samples[to++] = grey
  }
  return { data: samples, width, height, channels: 3 }
}

/** A solid picture of three channels. */
export function plain({ width, height }: Sides, ground: Rgb): Pixels {
  const data = Buffer.alloc(width * height * 3, Buffer.from(ground))
  return { data, width, height, channels: 3 }
}

/** Copies one picture of three channels into another, its upper left corner at a place; it must lie inside. */
export function paste(onto: Pixels, picture: Pixels, { left, top }: { left: number; top: number }): void {
  const rowBytes = picture.width * 3
  for (let row = 0; row < picture.height; row++) {
    picture.data.copy(onto.data, ((top + row) * onto.width + left) * 3, row * rowBytes, (row + 1) * rowBytes)
  }
}

/** A picture turned clockwise about its middle; it grows to hold its corners, the ground showing beside them. */
export const turned = (pixels: Pixels, degrees: number, ground: Rgb): Promise<Pixels> =>
  samplesOf(pipelineOf(pixels).rotate(degrees, { background: colourOf(ground) }))

/** Where a frame's span lies in a picture's side, in whole pixels, and where that part lands on a side of the result. */
function span(from: number, length: number, side: number, target: number) {
  const scale = target / length
  const [isBefore, isBeyond] = [from < 0, from + length > side]
  const start = isBefore ? 0 : Math.min(side - 1, Math.round(from))
  const end = Math.max(start + 1, isBeyond ? side : Math.round(from + length))
  const landsAt = isBefore ? Math.min(target - 1, Math.round(-from * scale)) : 0
  const landsTo = isBeyond ? Math.round((side - from) * scale) : target
  return { start, length: end - start, landsAt, landing: Math.max(1, Math.min(target, landsTo) - landsAt) }
}

/** What a frame shows of a picture of three channels, at the exact sides asked for (Lanczos-3); ground where the frame reaches beyond it. */
export async function framed(pixels: Pixels, frame: Frame, target: Sides, ground: Rgb): Promise<Pixels> {
  const across = span(frame.left, frame.width, pixels.width, target.width)
  const down = span(frame.top, frame.height, pixels.height, target.height)
  const part = { left: across.start, top: down.start, width: across.length, height: down.length }
  const size = { width: across.landing, height: down.landing, fit: 'fill', kernel: 'lanczos3' } as const
  const inner = await samplesOf(pipelineOf(pixels).extract(part).resize(size))
  if (inner.width === target.width && inner.height === target.height) return inner
  const whole = plain(target, ground)
  paste(whole, inner, { left: across.landsAt, top: down.landsAt })
  return whole
}
