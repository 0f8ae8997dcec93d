import { encode, isWritable, type Encoding } from '../codecs/encode.ts'
import { checkOutput } from '../codecs/output-limits.ts'
import { checkResult } from '../effects/check-result.ts'
import { openColours } from '../effects/effect-processor.ts'
import { apart, upscaled } from '../effects/upscaled.ts'
import { withAiMark, type MarkedId } from '../image/ai-mark.ts'
import { eachFrame } from '../image/frames.ts'
import { openPicture, type Picture } from '../image/open.ts'
import { carrying, type Pixels } from '../image/pixels.ts'
import { encodingForMended } from '../image/source-encoding.ts'
import { writeOutput } from '../output-file.ts'
import type { Context, Processor } from '../processor.ts'
import { gainOf } from '#shared/effects/gain'
import { AppError } from '#shared/errors/app-error'
import { readableFormats, type WritableId } from '#shared/formats'
import type { Rgb } from '#shared/effects/effect'
import { disturbanceOf } from '#shared/effects/upscale/disturbance'
import { plainDoubler, type Doubler, type Manner, type Times } from '#shared/effects/upscale/enlarge'
import type { OptionsOf } from '#shared/tools/index'

type Options = OptionsOf<'upscale'>

/** Pixels of all frames that are enlarged by the net within half of a job's time, at 8 to 12 s a megapixel in all; more are enlarged without it. */
const NET_PIXELS = 12e6
/** Above what the net alone makes of it, this strong at most. */
const STRONGEST = 1.5
/** A photo in a format that can't be marked is written as one that can, at this quality. */
const QUALITY = 95

/** Formats a mark is written into, and their kin among those it is not. */
const marked: Readonly<Partial<Record<WritableId, MarkedId>>> = { png: 'png', webp: 'webp', jpeg: 'jpeg' }
const lossy: ReadonlySet<WritableId> = new Set(['avif', 'heic', 'jxl', 'jp2', 'j2k'])

/** The format of a result that a net made: its source's where the mark can be written into it, else JPEG or PNG, of a moving one WebP. */
function markedFormat(format: WritableId, isMoving: boolean, isClear: boolean): MarkedId {
  if (isMoving) return 'webp'
  return marked[format] ?? (lossy.has(format) && !isClear ? 'jpeg' : 'png')
}

/** From 0 (no more than a plain enlargement shows) over 1 (what the net sees) to what is stronger than that. */
const shareOf = ({ strength }: Options): number => gainOf(strength, STRONGEST)

const mannerOf = (pixels: Pixels, options: Options): Manner => {
  // Whoever sets a strength by hand has seen what is there.
  const disturbance = options.strength.by === 'auto' ? disturbanceOf(seen(pixels)) : 0
  return { times: Number(options.scale) as Times, share: shareOf(options), disturbance } // one of the choices
}

async function doublerFor(usesNet: boolean): Promise<Doubler> {
  if (!usesNet) return plainDoubler
  const { openDoubler } = await import('../ai/doubler.ts')
  return openDoubler()
}

/** A picture's colours, without a copy where it has nothing else. */
const seen = (pixels: Pixels): Rgb => (pixels.channels === 3 ? pixels : apart(pixels).colour)

/** Every frame enlarged. */
async function enlargedFrames(
  picture: Picture,
  pixels: Pixels,
  options: Options,
  usesNet: boolean,
  { progress }: Context,
): Promise<Pixels> {
  const doubler = await doublerFor(usesNet)
  let manner: Manner | undefined
  let done = 0
  return eachFrame(pixels, async (frame) => {
    manner ??= mannerOf(frame, options)
    const result = await upscaled(frame, doubler, manner, (share) => progress(0.05 + (0.85 * (done + share)) / picture.frames))
    done += 1
    checkResult(seen(frame), seen(result))
    return result
  })
}

/** How a result is written: near its source's quality, where it stays in its source's format. */
const encodingOf = async (picture: Picture, format: WritableId): Promise<Encoding> =>
  picture.format === format ? encodingForMended(picture) : { quality: format === 'jpeg' ? QUALITY : 100 }

/**
 * Enlarges a picture two, three or four times by a net, in its own colours and transparency; animations frame by frame. One that would take the
 * net too long is enlarged by Lanczos-3 and back-projection, with the note `plain`. Throws `file.*`, `image.too-many-pixels` or
 * `format.side-limit` before anything is decoded, `model.missing`, `effect.blank`.
 */
export const upscale: Processor<'upscale'> = async ({ inputs: [input], options }, context) => {
  const { folder, limits, producer } = context
  const picture = await openPicture(input.path, readableFormats, limits, input.name)
  const { width, height, frames, metadata } = picture
  const isLarge = width * height * frames > NET_PIXELS
  const kept = isWritable(picture.format) ? picture.format : metadata.hasAlpha ? 'png' : 'jpeg'
  const mark = isLarge || shareOf(options) === 0 ? undefined : markedFormat(kept, frames > 1, metadata.hasAlpha)
  const format = mark ?? kept
  const times = Number(options.scale)
  checkOutput({ width: width * times, height: height * times }, format, frames, limits)
  if (picture.isLockedAnimation) throw new AppError('file.animated', {})
  const pixels = await openColours(picture)
  const result = await enlargedFrames(picture, pixels, options, mark !== undefined, context)
  const bytes = await encode(carrying(result, pixels.carried ?? {}), format, await encodingOf(picture, format))
  const file = mark ? withAiMark(bytes, mark, producer) : bytes
  const note = isLarge ? ({ kind: 'plain' } as const) : undefined
  return [await writeOutput({ bytes: file, format, width: result.width, height: result.height, note }, input.name, folder)]
}
