import sharp from 'sharp'
import { encodeIndices } from './families.ts'
import { recompress } from './oxipng.ts'
import { exactPalette } from './palette.ts'
import { remap } from './remap.ts'
import { area, sampleRows, type Pixels } from '#engine/image/pixels'

/** oxipng's wasm needs about 4 s for as many pixels of truecolour. */
const TRUECOLOUR_RECOMPRESSED = 4e6
const SAMPLE_PIXELS = 500_000

/** A lossless file, or only what it would weigh where a sample shows that to be far above the limit. */
interface Lossless {
  readonly file?: Buffer
  readonly expectedBytes: number
}

const known = (file: Buffer): Lossless => ({ file, expectedBytes: file.length })

/** A PNG that decodes to the very same pixels; colours under full transparency excepted. */
export async function encodeLossless(pixels: Pixels, limitBytes: number): Promise<Lossless> {
  const { width, height, channels } = pixels
  const isSmall = area(pixels) <= TRUECOLOUR_RECOMPRESSED
  const palette = exactPalette(pixels)
  if (palette) {
    const { file } = encodeIndices(remap(pixels, palette, 0).indices, palette, width, height)
    return known(isSmall ? await recompress(file, 2) : file)
  }
  const write = (of: Pixels): Promise<Buffer> =>
    sharp(of.data, { raw: { width, height: of.height, channels }, limitInputPixels: false })
      .toColourspace(channels === 1 ? 'b-w' : 'srgb')
      .png({ compressionLevel: 6, adaptiveFiltering: true })
      .toBuffer()
  const sample = sampleRows(pixels, SAMPLE_PIXELS, 32)
  // oxipng may gain a third on top, where it is run.
  const hopeBytes = limitBytes * (isSmall ? 1.6 : 1.05)
  if (sample !== pixels) {
    const expectedBytes = ((await write(sample)).length * height) / sample.height
    if (expectedBytes > hopeBytes) return { expectedBytes }
  }
  const file = await write(pixels)
  return known(isSmall && file.length <= limitBytes * 1.5 ? await recompress(file, 2) : file)
}
