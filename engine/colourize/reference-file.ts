import { colourOf } from '../effects/layers.ts'
import { fileFailure } from '../failures.ts'
import { decode, openPicture } from '../image/open.ts'
import { pipelineOf, samplesOf } from '../image/pixels.ts'
import type { Limits } from '../limits.ts'
import type { InputFile } from '../processor.ts'
import type { Rgb } from '#shared/effects/effect'
import { AppError } from '#shared/errors/app-error'
import { readableFormats } from '#shared/formats'

/** As much of a reference as its colours are looked for in. */
const REFERENCE_PX = 256

/** Whatever is wrong with the reference is said of it, lest people look for the fault in the photo they colour. */
function blameReference(thrown: unknown): never {
  const failure = fileFailure(thrown)
  throw /^(file|image)\./.test(failure.code) ? new AppError('colourize.reference-unreadable', {}, { cause: failure }) : failure
}

/** A reference photo (of an animation its first frame), small. Throws `options.background-missing` where there is none, else `colourize.reference-unreadable`. */
export async function openReference(file: InputFile | undefined, limits: Limits): Promise<Rgb> {
  if (!file) throw new AppError('options.background-missing', {})
  const picture = await openPicture(file.path, readableFormats, limits, file.name).catch(blameReference)
  const pixels = await decode({ ...picture, frames: 1 }, false).catch(blameReference)
  const fitted = pipelineOf(pixels).resize({ width: REFERENCE_PX, height: REFERENCE_PX, fit: 'inside', withoutEnlargement: true })
  return colourOf(await samplesOf(fitted))
}
