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
