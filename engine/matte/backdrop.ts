import { fileFailure } from '../failures.ts'
import { decode, openPicture } from '../image/open.ts'
import { resized, type Pixels } from '../image/pixels.ts'
import type { Limits } from '../limits.ts'
import type { InputFile } from '../processor.ts'
import { AppError } from '#shared/errors/app-error'
import { readableFormats } from '#shared/formats'
import { placeImage, type Placing } from '#shared/matte/framing'
import type { Size } from '#shared/resize'

/** Whatever is wrong with the background picture is said of it, lest people look for the fault in the picture they cut out. */
function blameBackdrop(thrown: unknown): never {
  const failure = fileFailure(thrown)
  throw /^(file|image)\./.test(failure.code) ? new AppError('options.background-unreadable', {}, { cause: failure }) : failure
}

/**
 * A background picture, of an animation its first frame, no larger than it is needed behind a canvas. Throws `options.background-missing` where
 * there is none, `options.background-unreadable` for all that is wrong with the file.
 */
export async function openBackdrop(file: InputFile | undefined, canvas: Size, placing: Placing, limits: Limits): Promise<Pixels> {
  if (!file) throw new AppError('options.background-missing', {})
  const picture = await openPicture(file.path, readableFormats, limits, file.name).catch(blameBackdrop)
  const pixels = await decode({ ...picture, frames: 1 }, false).catch(blameBackdrop)
  const { width, height } = placeImage(canvas, pixels, placing)
  return width < pixels.width ? resized(pixels, width, height) : pixels
}
