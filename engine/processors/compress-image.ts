import { readFile } from 'node:fs/promises'
import { checkSides } from '../codecs/codec.ts'
import type { Fitted } from '../codecs/fit-picture.ts'
import { fitSource, keptChunksOf, originOf } from '../codecs/fit-source.ts'
import { codecs, padWithin } from '../codecs/fit-window.ts'
import { reduceGif } from '../codecs/gif/fit-gif.ts'
import { reducePng } from '../codecs/png/fit-png.ts'
import { decode, metadataBytes, openPicture, type Picture } from '../image/open.ts'
import { isWellClosed } from '../image/pad.ts'
import type { Pixels } from '../image/pixels.ts'
import { withChunks } from '../image/png-chunks.ts'
import { sourceOutput, writeOutput } from '../output-file.ts'
import type { Note, Processor } from '../processor.ts'
import { AppError } from '#shared/errors/app-error'
import { compressibleFormats, type CompressibleId } from '#shared/formats'
import type { OptionsOf } from '#shared/tools/index'
import { BYTES_PER_KB, BYTES_PER_MB } from '#shared/units'

/** Who asks for this much wants the colour of fine lines and letters too, if the source has it. */
const FULL_COLOUR_QUALITY = 90

type Options = OptionsOf<'compress-image'>

/** What the options ask of one file: to fit into a byte window, or a quality. */
type Task =
  | { readonly by: 'size'; readonly limitBytes: number; readonly minBytes: number; readonly keepsPixels: boolean }
  | { readonly by: 'quality'; readonly quality: number }

type Source = Picture<CompressibleId>

function taskOf({ goal }: Options, sourceBytes: number): Task {
  switch (goal.by) {
    case 'size': {
      const limitBytes = Math.floor(goal.targetKb * BYTES_PER_KB)
      const minBytes = Math.min(limitBytes, Math.ceil((goal.minKb ?? 0) * BYTES_PER_KB))
      return { by: 'size', limitBytes, minBytes, keepsPixels: goal.keepPixels }
    }
    case 'megabytes':
      return { by: 'size', limitBytes: Math.floor(goal.targetMb * BYTES_PER_MB), minBytes: 0, keepsPixels: goal.keepPixels }
    case 'percent':
      return { by: 'size', limitBytes: Math.floor((sourceBytes * goal.percent) / 100), minBytes: 0, keepsPixels: false }
    case 'quality':
      return goal
  }
}

async function reduce(picture: Source, pixels: Pixels, quality: number): Promise<Fitted> {
  const { width, height } = pixels
  if (picture.format === 'png') {
    const bytes = withChunks(await reducePng(pixels, quality), await keptChunksOf(picture, pixels))
    return { bytes, width, height, isWithin: true }
  }
  if (picture.format === 'gif') return { bytes: reduceGif(pixels, await readFile(picture.path), quality), width, height, isWithin: true }
  const codec = codecs[picture.format]
  checkSides(codec, pixels)
  const { isChromaSubsampled } = await originOf(picture)
  const scale = codec.open(pixels)
  const chosen = quality >= FULL_COLOUR_QUALITY && !isChromaSubsampled ? (scale.inFullColour ?? scale) : scale
  return { bytes: await chosen.encode(quality), width, height, quality, isWithin: true }
}

function noteOf(result: Fitted, picture: Source, task: Task, isStripped: boolean): Note | undefined {
  const { bytes, width, height, quality, isWithin } = result
  if (!isWithin && task.by === 'size') return { kind: 'missed', targetBytes: task.limitBytes, bestBytes: bytes.length }
  if (width !== picture.width || height !== picture.height)
    return { kind: 'shrunk', width, height, ...(quality !== undefined && { quality }) }
  return isStripped ? { kind: 'stripped' } : undefined
}

/**
 * Compresses a JPEG, PNG, WebP, AVIF or GIF file in its own format: within a byte limit (and above a minimum), to a part of its
 * size, or at a quality. A file that is within the limit already, or can't get smaller, comes back byte for byte.
 * Throws `file.*` and `image.*` for what can't be read, `file.animated` for an animation no encoder here can write.
 */
export const compressImage: Processor<'compress-image'> = async ({ inputs: [input], options }, context) => {
  const { folder } = context
  const picture = await openPicture(input.path, compressibleFormats, context.limits, input.name)
  context.progress(0.1)
  const task = taskOf(options, picture.bytes)
  // Size is a promise, metadata a wish: what takes more than half of the limit would leave a stamp of a picture.
  const isStripped = options.keepMetadata && task.by === 'size' && metadataBytes(picture) > task.limitBytes / 2
  // Decoded even when nothing will change: a broken file must not come back as a good one.
  const pixels = await decode(picture, options.keepMetadata && !isStripped)
  context.progress(0.3)
  const { format, width, height } = picture
  const minBytes = task.by === 'size' ? task.minBytes : 0
  if (task.by === 'size' && picture.bytes < minBytes) {
    const source = await readFile(picture.path)
    const padded = isWellClosed(source, picture.format) ? padWithin(source, picture.format, minBytes, task.limitBytes) : undefined
    if (padded) return [await writeOutput({ bytes: padded, format, width, height }, input.name, folder)]
  } else if (task.by === 'size' && picture.bytes <= task.limitBytes) return [await sourceOutput(picture, input.name, folder)]
  if (picture.isLockedAnimation) throw new AppError('file.animated', {})
  const result = await (task.by === 'size'
    ? fitSource(picture, pixels, { ...task, msLeft: context.msLeft })
    : reduce(picture, pixels, task.quality))
  if (result.bytes.length >= picture.bytes && picture.bytes >= minBytes) {
    const isMissed = task.by === 'size' && !result.isWithin
    const note = isMissed ? ({ kind: 'missed', targetBytes: task.limitBytes, bestBytes: picture.bytes } as const) : undefined
    return [await sourceOutput(picture, input.name, folder, note)]
  }
  const bytes = task.by === 'size' ? (padWithin(result.bytes, picture.format, minBytes, task.limitBytes) ?? result.bytes) : result.bytes
  const note = noteOf(result, picture, task, isStripped)
  return [await writeOutput({ bytes, format, width: result.width, height: result.height, note }, input.name, folder)]
}
