import { checkFrames } from './check-size.ts'
import { pipelineOf, samplesOf, simplify, type Pixels } from './pixels.ts'
import type { Limits } from '../limits.ts'
import { AppError } from '#shared/errors/app-error'

/** One frame of an animation as a still picture, from 0; a still picture is its own only frame. */
export function frameOf(pixels: Pixels, frame: number): Pixels {
  const { data, width, height, channels, animation } = pixels
  if (!animation) return pixels
  const bytes = width * height * channels
  return simplify({ data: data.subarray(frame * bytes, (frame + 1) * bytes), width, height, channels })
}

/** A picture on a background (`#rrggbb`, white where left out), without transparency; frames and what it carries are kept. */
export async function flattened(pixels: Pixels, background = '#ffffff'): Promise<Pixels> {
  const { width, height, animation, carried, reopen } = pixels
  const { data, channels } = await samplesOf(pipelineOf(pixels).flatten({ background }))
  return {
    data,
    width,
    height,
    channels,
    ...(animation && { animation }),
    ...(carried && { carried }),
    ...(reopen && { reopen: () => reopen().flatten({ background }) }),
  }
}

/** Pictures of one size as the frames of one. Throws `image.too-many-frames` beyond the limits, `format.pages-differ` for other sizes. */
export async function stacked(pages: AsyncIterable<Pixels>, limits: Limits): Promise<Pixels> {
  const parts: Pixels[] = []
  for await (const page of pages) {
    const [first = page] = parts
    if (page.width !== first.width || page.height !== first.height) throw new AppError('format.pages-differ', {})
    parts.push(await samplesOf(pipelineOf(page).toColourspace('srgb').ensureAlpha()))
    checkFrames(parts.length, page.width * page.height, limits)
  }
  const [first] = parts
  if (!first) throw new RangeError('no pages')
  const animation = { frames: parts.length, delaysMs: [], loop: 0 }
  return simplify({ ...first, data: Buffer.concat(parts.map(({ data }) => data)), animation })
}

/** A picture in more channels: grey becomes three equal colours, alpha is opaque. Fewer channels than it has are not its business. */
export function widened(pixels: Pixels, channels: 1 | 2 | 3 | 4): Pixels {
  const { data, channels: from } = pixels
  if (from === channels) return pixels
  const [hasColour, keepsAlpha, wantsAlpha] = [from > 2, from % 2 === 0, channels % 2 === 0]
  const colours = channels - (wantsAlpha ? 1 : 0)
  const samples = Buffer.allocUnsafe((data.length / from) * channels)
  for (let at = 0, to = 0; at < data.length; at += from, to += channels) {
    for (let colour = 0; colour < colours; colour++) samples[to + colour] = data[hasColour ? at + colour : at] ?? 0
    if (wantsAlpha) samples[to + colours] = keepsAlpha ? (data[at + from - 1] ?? 0) : 255
  }
  return { ...pixels, data: samples, channels }
}

/** The fewest channels that can hold both. */
const commonChannels = (a: Pixels['channels'], b: Pixels['channels']): Pixels['channels'] =>
  a % 2 === 0 || b % 2 === 0 ? (Math.max(a, b) > 2 ? 4 : 2) : (Math.max(a, b) as 1 | 3) // both are odd here

/**
 * A change made to each frame by itself, so that no filter mixes one frame's edge with the next one's; timing is kept. The change must give
 * every frame the same size. `progress` is told the share done.
 */
export async function eachFrame(
  pixels: Pixels,
  change: (frame: Pixels) => Promise<Pixels> | Pixels,
  progress: (share: number) => void = () => {},
): Promise<Pixels> {
  const { animation } = pixels
  if (!animation) return change(frameOf(pixels, 0))
  const changed: Pixels[] = []
  for (let index = 0; index < animation.frames; index++) {
    changed.push(await change(frameOf(pixels, index)))
    progress((index + 1) / animation.frames)
  }
  const [first] = changed
  if (!first) throw new RangeError('animation without frames')
  const channels = changed.map((frame) => frame.channels).reduce(commonChannels)
  const data = Buffer.concat(changed.map((frame) => widened(frame, channels).data))
  return { data, width: first.width, height: first.height, channels, animation }
}
