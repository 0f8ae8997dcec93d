import type { InferenceSession } from 'onnxruntime-node'
import { ask } from './ask.ts'
import type { Model } from './models.ts'
import { blended, mirrored, overlap, peakOf, stretched, type SoftMap } from './soft-map.ts'
import { pipelineOf, samplesOf, type Pixels } from '../image/pixels.ts'
import type { Rect } from '#shared/resize'

/** A loaded model. */
export interface Asked {
  readonly model: Model
  readonly session: InferenceSession
}

/** What was seen in a part of a picture, at the model's own size. */
export interface Sight {
  readonly map: SoftMap
  /** How sure of any subject the model was at its surest, 0..1. */
  readonly peak: number
  /** The answer itself, its range not stretched. */
  readonly answer: SoftMap
}

const sightOf = (answer: SoftMap, model: Model): Sight => ({
  map: model.answer === 'stretched' ? stretched(answer) : answer,
  peak: peakOf(answer),
  answer,
})

/** Looks at a part of a picture of three channels, or at its mirror image; what is seen lies as the picture does. */
export async function look({ model, session }: Asked, picture: Pixels, part: Rect, isMirrored = false): Promise<Sight> {
  const { inputPx } = model
  const fitted = pipelineOf(picture)
    .extract({ ...part })
    .resize(inputPx, inputPx, { fit: 'fill', kernel: 'lanczos3' })
  const answer = await ask(session, model, (await samplesOf(fitted)).data, isMirrored)
  return sightOf(isMirrored ? mirrored(answer) : answer, model)
}

/**
 * Two sights of one part as one. Answers are averaged before their range is stretched: an unsure one would otherwise count as much as a sure one.
 * `agreement` tells how alike both were, 0..1.
 */
export const together = (one: Sight, other: Sight, model: Model): Sight & { readonly agreement: number } => ({
  ...sightOf(blended(one.answer, other.answer, 0.5), model),
  agreement: overlap(one.answer, other.answer),
})
