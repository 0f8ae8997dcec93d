import type { AvifOptions } from 'sharp'
import type { Codec } from './codec.ts'
import type { QualityScale } from './quality-search.ts'
import { sampledScale } from './sampled-scale.ts'
import { area, type Pixels } from '../image/pixels.ts'

/** Rows of AV1's superblock. */
const SUPERBLOCK_ROWS = 64

/** libaom's effort, 0..9, for a number of pixels: the default 4 takes 50 s for 12 MP, 0 takes 3 s and 6 % more bytes. */
export const effortFor = (pixels: number): number => (pixels > 6e6 ? 0 : pixels > 1.5e6 ? 1 : 2)

const scaleOf = (pixels: Pixels, chromaSubsampling: '4:2:0' | '4:4:4'): QualityScale => {
  const settings: AvifOptions = { effort: effortFor(area(pixels)), bitdepth: 8, chromaSubsampling }
  return sampledScale({
    pixels,
    samplePixels: 0.4e6,
    stripRows: SUPERBLOCK_ROWS,
    write: (pipeline, quality) => pipeline.avif({ ...settings, quality }),
    variants: [],
  })
}

/** AVIF by libaom, alpha included, one frame. */
export const avif: Codec = {
  format: 'avif',
  maxSidePx: 16_384,
  worstQuality: 15,
  goodQuality: 38,
  open: (pixels) => ({ ...scaleOf(pixels, '4:2:0'), inFullColour: scaleOf(pixels, '4:4:4') }),
}
