import { paste, plain } from './arrange.ts'
import { flattened, frameOf, widened } from './frames.ts'
import { hasAlpha, pipelineOf, samplesOf, type Pixels } from './pixels.ts'
import type { Frame, Sides } from '#shared/id-photo-crop'

/** A picture's first frame in three channels, on a ground where it is transparent: exam sites want 24-bit colour, of grey pictures too. */
export async function onGround(pixels: Pixels, ground: string): Promise<Pixels> {
  const first = frameOf(pixels, 0)
  return widened(hasAlpha(first) ? await flattened(first, ground) : first, 3)
}

/** A picture turned clockwise about its middle; it grows to hold its corners, the ground showing beside them. */
export const turned = (pixels: Pixels, degrees: number, ground: string): Promise<Pixels> =>
  samplesOf(pipelineOf(pixels).rotate(degrees, { background: ground }))

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
export async function framed(pixels: Pixels, frame: Frame, target: Sides, ground: string): Promise<Pixels> {
  const across = span(frame.left, frame.width, pixels.width, target.width)
  const down = span(frame.top, frame.height, pixels.height, target.height)
  const part = { left: across.start, top: down.start, width: across.length, height: down.length }
  const size = { width: across.landing, height: down.landing, fit: 'fill', kernel: 'lanczos3' } as const
  const inner = await samplesOf(pipelineOf(pixels).extract(part).resize(size))
  if (inner.width === target.width && inner.height === target.height) return inner
  const whole = plain(target, ground, 3)
  paste(whole, inner, { left: across.landsAt, top: down.landsAt })
  return whole
}
