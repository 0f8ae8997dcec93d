import { encode, keptFormat } from '../codecs/encode.ts'
import { checkOutput } from '../codecs/output-limits.ts'
import { openColours } from '../effects/effect-processor.ts'
import { shieldOf } from '../effects/shield.ts'
import { carved, stretched } from '../effects/reshape.ts'
import { fileCluesOf } from '../effects/file-clues.ts'
import { cluesOf, lumaOf } from '../effects/stretch-clues.ts'
import { eachFrame, frameOf } from '../image/frames.ts'
import { openPicture, type Picture } from '../image/open.ts'
import { carrying, type Pixels } from '../image/pixels.ts'
import { encodingFor } from '../image/source-encoding.ts'
import { sourceOutput, writeOutput } from '../output-file.ts'
import type { Context, Note, Processor } from '../processor.ts'
import { gainOf } from '#shared/effects/gain'
import { carve, MOST_SEAMS } from '#shared/effects/unstretch/seams'
import { stretchOf } from '#shared/effects/unstretch/stretch'
import { AppError } from '#shared/errors/app-error'
import { readableFormats } from '#shared/formats'
import type { Size } from '#shared/resize'
import type { OptionsOf } from '#shared/tools/index'

type Options = OptionsOf<'unstretch'>

/** Seams are found on a copy no larger, in a second or two; above it they are applied between its pixels. */
const SEAMS_PX = 800

/** How much of the change is made: all of it from the middle of the scale on, since there is nothing beyond right proportions. */
const shareOf = ({ strength }: Options): number => gainOf(strength, 1)

/** In less nobody can be told. */
const LEAST_PX = 32
const isTiny = ({ width, height }: Size): boolean => Math.min(width, height) < LEAST_PX

const facesOf = async (still: Pixels, modelsFolder: string | undefined) => {
  if (isTiny(still)) return []
  const { findFaces } = await import('../ai/faces.ts')
  return findFaces(still, modelsFolder === undefined ? {} : { modelsFolder })
}

/** What a picture becomes, and what is said of it where that is not sure. */
interface Goal extends Size {
  readonly note?: Note
}

/**
 * The size that gives a picture its proportions back; undefined where nothing tells that it has lost them. By hand the width changes. By itself
 * the shorter side grows: a picture that was squeezed holds all that is left of its detail there.
 */
async function goalFor(picture: Picture, pixels: Pixels, options: Options, { modelsFolder }: Context): Promise<Goal | undefined> {
  const { width, height } = picture
  const share = shareOf(options)
  if (options.ratio.by === 'manual') return { width: Math.max(1, Math.round(width * (options.ratio.width / 100) ** share)), height }
  const still = frameOf(pixels, 0)
  const file = await fileCluesOf(still, picture.metadata)
  const stretch = stretchOf(await cluesOf(still, await facesOf(still, modelsFolder), picture.format === 'jpeg', file))
  if (stretch === undefined) return undefined
  const times = stretch.times ** share
  const note: Pick<Goal, 'note'> = stretch.isSure ? {} : { note: { kind: 'guessed', ...(stretch.by !== 'sight' && { by: stretch.by }) } }
  const grows = times >= 1 && options.method === 'resize'
  return grows ? { width, height: Math.round(height * times), ...note } : { width: Math.max(1, Math.round(width / times)), height, ...note }
}

/** How each frame gets its new size: as a whole, or by seams for as much of it as they can bear. */
async function changeFor(pixels: Pixels, size: Size, options: Options, context: Context): Promise<(frame: Pixels) => Pixels> {
  if (options.method === 'resize') return (frame) => stretched(frame, size)
  const still = frameOf(pixels, 0)
  const least = Math.ceil(pixels.width * (1 - MOST_SEAMS))
  const most = Math.floor(pixels.width * (1 + MOST_SEAMS))
  const width = Math.max(least, Math.min(most, size.width))
  const luma = await lumaOf(still, SEAMS_PX)
  const shield = isTiny(still)
    ? new Float32Array(luma.data.length)
    : await shieldOf(still, luma, await facesOf(still, context.modelsFolder), context.modelsFolder)
  const share = luma.width / pixels.width
  const map = carve(luma, shield, Math.max(1, Math.round(width * share)), (done) => context.progress(0.3 + 0.5 * done))
  return (frame) => {
    const result = carved(frame, map, width)
    return width === size.width ? result : stretched(result, size)
  }
}

/**
 * Gives a stretched picture its proportions back: as its faces, its circles, its file and the traces of resampling tell, or by hand. What shows no stretching
 * comes back byte for byte with the note `no-stretch`; what is known only roughly has the note `guessed`. Throws `file.*`, `image.too-many-pixels`, `format.side-limit`, `model.missing`.
 */
export const unstretch: Processor<'unstretch'> = async ({ inputs: [input], options }, context) => {
  const { folder, limits, progress } = context
  const picture = await openPicture(input.path, readableFormats, limits, input.name)
  const { width, height, frames } = picture
  if (options.ratio.by === 'manual')
    checkOutput({ width: Math.round((width * options.ratio.width) / 100), height }, picture.format, frames, limits)
  const pixels = await openColours(picture)
  if (picture.isLockedAnimation) throw new AppError('file.animated', {})
  progress(0.1)
  const goal = await goalFor(picture, pixels, options, context)
  if (!goal) return [await sourceOutput(picture, input.name, folder, { kind: 'no-stretch' })]
  const { note, ...size } = goal
  if (size.width === width && size.height === height) return [await sourceOutput(picture, input.name, folder)]
  checkOutput(size, picture.format, frames, limits)
  progress(0.3)
  const change = await changeFor(pixels, size, options, context)
  const result = await eachFrame(pixels, change, (share) => progress(0.8 + 0.1 * share))
  const format = keptFormat(picture.format, result)
  const bytes = await encode(carrying(result, pixels.carried ?? {}), format, await encodingFor(picture))
  return [await writeOutput({ bytes, format, ...size, note }, input.name, folder)]
}
