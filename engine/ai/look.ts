import type { InferenceSession } from 'onnxruntime-node'
import { ask } from './ask.ts'
import type { Model } from './models.ts'
import { mirrored, type Region, type SoftMap } from './soft-map.ts'
import { pipelineOf, samplesOf, type Pixels } from '../image/pixels.ts'

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
  /** How far the picture and its mirror image were told apart alike, 0..1. */
  readonly agreement: number
}

const average = (left: SoftMap, right: SoftMap): SoftMap => ({
  ...left,
  data: left.data.map((value, at) => (value + (right.data[at] ?? 0)) / 2),
})

/** Overlap of what two maps hold for subject, as intersection over union of their soft values. */
export function overlap(left: SoftMap, right: SoftMap): number {
  let both = 0
  let either = 0
  left.data.forEach((value, at) => {
    const other = right.data[at] ?? 0
    both += Math.min(value, other)
    either += Math.max(value, other)
  })
  return either === 0 ? 1 : both / either
}

/** Looks at a part of a picture of three channels and at its mirror image, and takes the mean of both answers. */
export async function look({ model, session }: Asked, picture: Pixels, region: Region): Promise<Sight> {
  const { inputPx } = model
  const fitted = pipelineOf(picture)
    .extract({ ...region })
    .resize(inputPx, inputPx, { fit: 'fill', kernel: 'lanczos3' })
  const { data } = await samplesOf(fitted)
  const straight = await ask(session, model, data, false)
  const flipped = await ask(session, model, data, true)
  const back = mirrored(flipped)
  return { map: average(straight, back), peak: Math.max(straight.peak, flipped.peak), agreement: overlap(straight, back) }
}
