import type { Sharp, WebpOptions } from 'sharp'
import type { Codec } from './codec.ts'
import type { QualityScale } from './quality-search.ts'
import { sampledScale } from './sampled-scale.ts'
import { area, outputPipelineOf, timing, type Pixels } from '../image/pixels.ts'

/** libwebp's effort, 0..6: 4 takes a second for 3 MP here, and the difference to 2 is 3 % of the bytes. */
const effortFor = (pixels: number): number => (pixels > 24e6 ? 1 : pixels > 8e6 ? 2 : 4)

const settingsOf = (pixels: Pixels): WebpOptions => ({ effort: effortFor(area(pixels)), ...timing(pixels) })

const scaleOf = (pixels: Pixels, extra: WebpOptions, variants: readonly QualityScale[]): QualityScale => {
  const settings = { ...settingsOf(pixels), ...extra }
  const write = (pipeline: Sharp, quality: number) => pipeline.webp({ ...settings, quality })
  return sampledScale({ pixels, samplePixels: 0.5e6, stripRows: 64, write, variants })
}

/** WebP by libwebp, alpha and animation included. */
export const webp: Codec = {
  format: 'webp',
  maxSidePx: 16_383,
  worstQuality: 12,
  goodQuality: 45,
  open: (pixels) => scaleOf(pixels, {}, [scaleOf(pixels, { smartSubsample: true }, [])]),
  encodeLossless: (pixels) =>
    outputPipelineOf(pixels)
      .webp({ ...settingsOf(pixels), lossless: true })
      .toBuffer(),
}
