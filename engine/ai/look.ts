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
  /** How far the part and its mirror image were told apart alike, 0..1. */
  readonly agreement: number
}

/**
 * Looks at a part of a picture of three channels; a quick model at its mirror image too, and the mean counts. Answers are averaged before
 * their range is stretched: an unsure one would otherwise count as much as a sure one.
 */
export async function look({ model, session }: Asked, picture: Pixels, part: Rect): Promise<Sight> {
  const { inputPx, isQuick, answer } = model
  const fitted = pipelineOf(picture)
    .extract({ ...part })
    .resize(inputPx, inputPx, { fit: 'fill', kernel: 'lanczos3' })
  const { data } = await samplesOf(fitted)
  const straight = await ask(session, model, data, false)
  const mirror = isQuick ? mirrored(await ask(session, model, data, true)) : straight
  const seen = blended(straight, mirror, 0.5)
  return { map: answer === 'stretched' ? stretched(seen) : seen, peak: peakOf(seen), agreement: overlap(straight, mirror) }
}
