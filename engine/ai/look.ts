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
}

const sightOf = (seen: SoftMap, { answer }: Model): Sight => ({ map: answer === 'stretched' ? stretched(seen) : seen, peak: peakOf(seen) })

const inputOf = async (picture: Pixels, part: Rect, { inputPx }: Model): Promise<Buffer> => {
  const fitted = pipelineOf(picture)
    .extract({ ...part })
    .resize(inputPx, inputPx, { fit: 'fill', kernel: 'lanczos3' })
  return (await samplesOf(fitted)).data
}

/** Looks at a part of a picture of three channels. */
export async function look({ model, session }: Asked, picture: Pixels, part: Rect): Promise<Sight> {
  return sightOf(await ask(session, model, await inputOf(picture, part, model), false), model)
}

/**
 * Looks at a whole picture, and where the model is quick at its mirror image too. Answers are averaged before their range is stretched: an
 * unsure one would otherwise count as much as a sure one. `agreement` tells how alike both were, 0..1.
 */
export async function lookAtWhole({ model, session }: Asked, picture: Pixels): Promise<Sight & { readonly agreement: number }> {
  const { width, height } = picture
  const input = await inputOf(picture, { left: 0, top: 0, width, height }, model)
  const straight = await ask(session, model, input, false)
  if (!model.isQuick) return { ...sightOf(straight, model), agreement: 1 }
  const mirror = mirrored(await ask(session, model, input, true))
  return { ...sightOf(blended(straight, mirror, 0.5), model), agreement: overlap(straight, mirror) }
}
