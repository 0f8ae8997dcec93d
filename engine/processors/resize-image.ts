import { encode, isWritable, keptFormat } from '../codecs/encode.ts'
import { fitSource } from '../codecs/fit-source.ts'
import { checkOutput } from '../codecs/output-limits.ts'
import { decode, openPicture, type Picture } from '../image/open.ts'
import { scale } from '../image/scale.ts'
import { encodingFor } from '../image/source-encoding.ts'
import type { Pixels } from '../image/pixels.ts'
import { sourceOutput, writeOutput, type Written } from '../output-file.ts'
import type { Processor } from '../processor.ts'
import { AppError } from '#shared/errors/app-error'
import { isCompressible, readableFormats, type FormatId } from '#shared/formats'
import { planResize, type ResizePlan } from '#shared/resize'
import type { OptionsOf } from '#shared/tools/index'
import { BYTES_PER_KB } from '#shared/units'

const isSameSize = ({ width, height }: Picture, { crop, canvas, ...size }: ResizePlan): boolean =>
  !crop && !canvas && size.width === width && size.height === height

/** The format asked for by what is there: the source's own, but PNG where a clear ground would be lost in a JPEG. */
const formatFor = ({ format }: Picture, { canvas }: ResizePlan): FormatId =>
  format === 'jpeg' && canvas?.background === 'transparent' ? 'png' : isWritable(format) ? format : 'png'

/** A picture written near its source's quality or at the one asked for; where that is above the budget, at the best that is within it. */
async function written(picture: Picture, pixels: Pixels, options: OptionsOf<'resize-image'>, msLeft: () => number): Promise<Written> {
  const { width, height } = pixels
  const format = keptFormat(picture.format === 'jpeg' && pixels.channels % 2 === 0 ? 'png' : picture.format, pixels)
  const bytes = await encode(pixels, format, await encodingFor(picture, options.quality))
  const limitBytes = options.targetKb === undefined ? Infinity : Math.floor(options.targetKb * BYTES_PER_KB)
  if (bytes.length <= limitBytes) return { bytes, format, width, height }
  const aim = { limitBytes, minBytes: 0, keepsPixels: true, msLeft }
  const fitted = isCompressible(format) ? await fitSource({ ...picture, format }, pixels, aim) : { bytes, isWithin: false }
  const note = fitted.isWithin ? undefined : ({ kind: 'missed', targetBytes: limitBytes, bestBytes: fitted.bytes.length } as const)
  return { bytes: fitted.bytes, format, width, height, note }
}

/**
 * Gives a picture another size, in its own format and near its own quality, without metadata; frames and timing of an animation stay. With a
 * budget, quality gives way, never the size. What has that size and weight already comes back byte for byte. Throws
 * `image.too-many-pixels` or `format.side-limit` before anything is allocated, `file.animated` for an animation no encoder here can write.
 */
export const resizeImage: Processor<'resize-image'> = async ({ inputs: [input], options }, context) => {
  const { folder, limits, msLeft, progress } = context
  const picture = await openPicture(input.path, readableFormats, limits, input.name)
  const plan = planResize(picture, options)
  checkOutput(plan.canvas ?? plan, formatFor(picture, plan), picture.frames, limits)
  const isLight = options.targetKb === undefined || picture.bytes <= options.targetKb * BYTES_PER_KB
  if (isSameSize(picture, plan) && options.quality === undefined && isLight) {
    // Decoded all the same: a broken file must not come back as a good one.
    await decode(picture, false)
    return [await sourceOutput(picture, input.name, folder)]
  }
  if (picture.isLockedAnimation) throw new AppError('file.animated', {})
  progress(0.1)
  const pixels = await scale(picture, plan, (share) => progress(0.1 + 0.7 * share))
  return [await writeOutput(await written(picture, pixels, options, msLeft), input.name, folder)]
}
