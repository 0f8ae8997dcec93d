import type { JpegOptions } from 'sharp'
import type { Codec } from './codec.ts'
import { memoised } from './memoised.ts'
import { fullEnough, type QualityScale } from './quality-search.ts'
import { withDensityOf } from '../image/density/density.ts'
import { area, outputPipelineOf, pipelineOf, sampleRows, type Pixels } from '../image/pixels.ts'

/** What every JPEG spends before the first coefficient: markers, tables, Huffman codes. */
const HEADER_BYTES = 600
/** Rows of the largest minimum coded unit (4:2:0). */
const MCU_ROWS = 16
const SMALL_SAMPLE_PIXELS = 1e6
const LARGE_SAMPLE_PIXELS = 12e6
/** Optimised Huffman codes, trellis and scan search hold every coefficient (3 bytes a pixel): beyond this size only plain coding, which streams, stays within a child's memory. */
const OPTIMISED_MAX_PIXELS = 80e6
/** A first guess at trellis bytes over plain bytes, until a sample has told. */
const USUAL_GAIN = 0.87

/** mozjpeg's numbers: 0 is Annex K of ITU-T T.81; measured, trellis with it beats mozjpeg's default (3) in SSIM at equal bytes. */
type TableNumber = 0 | 2 | 3
interface Variant {
  readonly table: TableNumber
  readonly subsampling: '4:2:0' | '4:4:4'
}

const plain = (quality: number, { table, subsampling }: Variant): JpegOptions => ({
  quality,
  quantisationTable: table,
  chromaSubsampling: subsampling,
})

const streamed = (quality: number, variant: Variant): JpegOptions => ({ ...plain(quality, variant), optimiseCoding: false })

const trellis = (quality: number, variant: Variant): JpegOptions => ({
  ...plain(quality, variant),
  mozjpeg: true,
  quantisationTable: variant.table,
})

const sizeOf = async (pixels: Pixels, options: JpegOptions): Promise<number> =>
  (await pipelineOf(pixels).jpeg(options).toBuffer()).length - HEADER_BYTES

/** A picture with what all settings of the encoder share: its samples, and what they have told so far. */
interface Subject {
  readonly pixels: Pixels
  readonly small: Pixels
  readonly large: Pixels
  /** Trellis bytes over plain bytes. */
  gain: number
  /** Bytes a pixel of the large sample over bytes a pixel of the small one. */
  spread: number
}

function subjectOf(pixels: Pixels): Subject {
  const small = sampleRows(pixels, SMALL_SAMPLE_PIXELS, MCU_ROWS)
  const large = small === pixels ? pixels : sampleRows(pixels, Math.min(area(pixels) / 2, LARGE_SAMPLE_PIXELS), MCU_ROWS)
  return { pixels, small, large, gain: area(pixels) <= OPTIMISED_MAX_PIXELS ? USUAL_GAIN : 1, spread: 1 }
}

/**
 * Bytes over quality for one picture. Estimates come from about a megapixel of its rows, encoded without trellis (a tenth
 * of the time); `sharpen` measures once what trellis gains on that sample and how the sample relates to half of all rows:
 * together within ±1 % of the full encode on photos above 1 MP.
 */
function scaleOf(subject: Subject, variant: Variant, variants: readonly QualityScale[]): QualityScale {
  const { pixels, small, large } = subject
  const [fast, slow] = area(pixels) <= OPTIMISED_MAX_PIXELS ? [plain, trellis] : [streamed, streamed]
  const perSample = area(pixels) / area(small)
  const plainSize = memoised((quality: number) => sizeOf(small, fast(quality, variant)))
  const encode = memoised(async (quality: number) =>
    withDensityOf(await outputPipelineOf(pixels).jpeg(slow(quality, variant)).toBuffer(), 'jpeg', pixels),
  )
  return {
    lowest: 2,
    highest: 100,
    fullEnough: fullEnough(pixels),
    variants,
    estimate: async (quality) => (await plainSize(quality)) * perSample * subject.gain * subject.spread + HEADER_BYTES,
    sharpen: async (quality) => {
      const onSample = await plainSize(quality)
      const slowSize = small === pixels ? (await encode(quality)).length - HEADER_BYTES : await sizeOf(small, slow(quality, variant))
      subject.gain = slowSize / onSample
      if (large !== pixels) subject.spread = ((await sizeOf(large, fast(quality, variant))) * area(small)) / (onSample * area(large))
    },
    encode,
    preview: (quality) => pipelineOf(pixels).jpeg(fast(quality, variant)).toBuffer(),
  }
}

/** JPEG by mozjpeg; transparency must be gone before. */
export const jpeg: Codec = {
  format: 'jpeg',
  maxSidePx: 65_500,
  worstQuality: 20,
  goodQuality: 42,
  open: (pixels) => {
    const subject = subjectOf(pixels)
    const inTables = (subsampling: Variant['subsampling']): QualityScale => {
      const variants = ([3, 2] as const).map((table) => scaleOf(subject, { table, subsampling }, []))
      return scaleOf(subject, { table: 0, subsampling }, variants)
    }
    return { ...inTables('4:2:0'), inFullColour: inTables('4:4:4') }
  },
}
