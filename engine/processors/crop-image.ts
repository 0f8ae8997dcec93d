import { encode, keptFormat } from '../codecs/encode.ts'
import { checkOutput } from '../codecs/output-limits.ts'
import { cropped } from '../image/arrange.ts'
import { eachFrame } from '../image/frames.ts'
import { decode, openPicture, type Picture } from '../image/open.ts'
import { simplify, type Pixels } from '../image/pixels.ts'
import { encodingFor } from '../image/source-encoding.ts'
import { circled, quarterTurn, straightened } from '../image/turn.ts'
import { sourceOutput, writeOutput } from '../output-file.ts'
import type { Processor } from '../processor.ts'
import { AppError } from '#shared/errors/app-error'
import { cropOf, turnedSize, type Crop } from '#shared/crop'
import { readableFormats } from '#shared/formats'
import type { OptionsOf } from '#shared/tools/index'

type Options = OptionsOf<'crop-image'>

const isWhole = ({ width, height }: Picture, { rotate, flip, straighten, circle }: Options, crop: Crop): boolean =>
  rotate === '0' && flip === 'none' && straighten === 0 && !circle && crop.width === width && crop.height === height

/** What lies beyond the corners of a straightened picture. */
const groundOf = ({ format }: Picture): string => (format === 'jpeg' ? '#ffffff' : 'transparent')

/**
 * Cuts a part out of a picture, in its own format and near its own quality, without metadata, every frame alike. The order: upright as its
 * orientation says, quarter turns, mirroring, straightening, cropping, the circle (a still one becomes a PNG). A part that reaches outside is cut
 * back, with a note. Throws `crop.outside` where nothing is left of it, `image.too-many-pixels` where straightening needs too large a canvas,
 * `file.animated` for an animation no encoder here can write.
 */
export const cropImage: Processor<'crop-image'> = async ({ inputs: [input], options }, { folder, limits, progress }) => {
  const picture = await openPicture(input.path, readableFormats, limits, input.name)
  const crop = cropOf(picture, options)
  if (!crop) throw new AppError('crop.outside', {})
  checkOutput(turnedSize(picture, options), 'png', picture.frames, limits)
  const pixels = await decode(picture, false)
  if (isWhole(picture, options, crop)) return [await sourceOutput(picture, input.name, folder)]
  if (picture.isLockedAnimation) throw new AppError('file.animated', {})
  progress(0.3)
  const change = async (frame: Pixels): Promise<Pixels> => {
    const upright = quarterTurn(frame, options.rotate, options.flip)
    const part = cropped(await straightened(upright, options.straighten, groundOf(picture)), crop)
    return simplify(options.circle ? circled(part) : part)
  }
  const result = await eachFrame(pixels, change, (share) => progress(0.3 + 0.5 * share))
  const format = options.circle && picture.frames === 1 ? 'png' : keptFormat(picture.format, result)
  const bytes = await encode(result, format, await encodingFor(picture))
  const note = crop.isAdjusted ? ({ kind: 'adjusted' } as const) : undefined
  return [await writeOutput({ bytes, format, width: result.width, height: result.height, note }, input.name, folder)]
}
