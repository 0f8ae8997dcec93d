import type { Sharp } from 'sharp'
import { memoised } from './memoised.ts'
import { fullEnough, type QualityScale } from './quality-search.ts'
import { area, outputPipelineOf, pipelineOf, sampleRows, type Pixels } from '../image/pixels.ts'

/** An encoder set on a picture, and how large a part of it (pixels, in strips of so many rows) speaks for the whole. */
interface Sampling {
  readonly pixels: Pixels
  readonly samplePixels: number
  readonly stripRows: number
  readonly write: (pipeline: Sharp, quality: number) => Sharp
  readonly variants: readonly QualityScale[]
}

/** Bytes over quality, told by encoding a sample of the rows with the very same settings. */
export function sampledScale({ pixels, samplePixels, stripRows, write, variants }: Sampling): QualityScale {
  const sample = sampleRows(pixels, samplePixels, stripRows)
  const perSample = area(pixels) / area(sample)
  const encode = memoised((quality: number) => write(outputPipelineOf(pixels), quality).toBuffer())
  const sampled = memoised((quality: number) => write(pipelineOf(sample), quality).toBuffer())
  return {
    lowest: 1,
    highest: 100,
    fullEnough: fullEnough(pixels),
    variants,
    estimate: async (quality) => (sample === pixels ? (await encode(quality)).length : (await sampled(quality)).length * perSample),
    sharpen: async () => {},
    encode,
    preview: encode,
  }
}
