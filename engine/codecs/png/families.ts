import { quantise } from './near-lossless.ts'
import { quantisedPalette, reducePalette, type Palette } from './palette.ts'
import type { Pixels } from '#engine/image/pixels'
import { pngFile } from './png-file.ts'
import { packIndices, paint, recentre, remap } from './remap.ts'

/** One encoding: the file, and what it decodes to (made on demand, for it is as large as the picture). */
export interface Encoding {
  file: Buffer
  decode: () => Pixels
}

/**
 * A way to trade bytes for quality: `loss` rises from `least`, and the file shrinks. Beyond `most` fewer pixels mostly
 * look better; `utmost` is for pictures that must keep theirs or hardly suffer. `gain` = usual oxipng bytes / zlib bytes.
 */
export interface Family {
  name: 'near-lossless' | 'palette'
  least: number
  most: number
  utmost: number
  start: number
  gain: number
  encode: (pixels: Pixels, loss: number) => Encoding
}

const colourTypes = { 1: 0, 2: 4, 3: 2, 4: 6 } as const

/** Truecolour or grey with residual levels 2^loss apart. */
export const nearLossless: Family = {
  name: 'near-lossless',
  least: -2,
  // Steps of 9 levels: above, flat areas drift in colour and smear along rows, which SSIM hardly counts.
  most: 3.2,
  utmost: 3.2,
  start: 2.6,
  gain: 0.91,
  encode: (pixels, loss) => {
    // Level 9 takes 10 times as long on noisy residuals for 1 to 4 %, which oxipng brings anyhow.
    const { scanlines, decoded } = quantise(pixels, 2 ** loss)
    const { width, height, channels } = pixels
    return { file: pngFile({ width, height, bitDepth: 8, colourType: colourTypes[channels] }, scanlines, 6), decode: () => decoded }
  },
}

/** Bits per index that hold `colours` entries. */
const indexBits = (colours: number): 1 | 2 | 4 | 8 => (colours <= 2 ? 1 : colours <= 4 ? 2 : colours <= 16 ? 4 : 8)

/** An indexed file and its decoder. */
export const encodeIndices = (indices: Buffer, palette: Palette, width: number, height: number): Encoding => {
  const bitDepth = indexBits(palette.length)
  const file = pngFile(
    { width, height, bitDepth, colourType: 3, palette },
    packIndices(indices, width, height, bitDepth),
    indices.length > 16_000_000 ? 6 : 9,
  )
  return { file, decode: () => paint(indices, palette, width, height) }
}

const sampledPixels = 400_000

/**
 * Palette of the picture. From loss -1 to 0 the rate term grows at 256 colours, above 0 the colours halve per unit down to 16 (after loss 4 only
 * the rate term grows, after 6 the colours halve on to 2): measured better than fewer colours alone on photos and as good on screenshots.
 */
export const paletteFamily = async (pixels: Pixels): Promise<Family> => {
  const palette = await quantisedPalette(pixels, sampledPixels)
  const sample = everyNthRow(pixels, sampledPixels)
  const { counts, meanDistance } = remap(sample, palette, 0)
  return {
    name: 'palette',
    least: -1,
    // 64 colours: with fewer, photos turn into posters long before SSIM says so.
    most: 2,
    utmost: 9,
    start: 0,
    gain: 0.93,
    encode: (picture, loss) => {
      const colours =
        loss <= 0 ? 256 : loss <= 6 ? Math.max(16, Math.round(256 * 2 ** -loss)) : Math.max(2, Math.round(16 * 2 ** (6 - loss)))
      const fewer = colours < palette.length ? reducePalette(palette, counts, colours) : palette
      const lambda = meanDistance * (loss < 0 ? 0.7 * (loss + 1) ** 2 : 0.7 * 2 ** (0.8 * loss))
      const { indices } = remap(picture, fewer, lambda)
      return encodeIndices(indices, recentre(picture, indices, fewer), picture.width, picture.height)
    },
  }
}

const everyNthRow = (pixels: Pixels, maxPixels: number): Pixels => {
  const { data, width, height, channels } = pixels
  const every = Math.ceil((width * height) / maxPixels)
  if (every === 1) return pixels
  const rows = Array.from({ length: Math.ceil(height / every) }, (_, k) =>
    data.subarray(k * every * width * channels, (k * every + 1) * width * channels),
  )
  return { data: Buffer.concat(rows), width, height: rows.length, channels }
}
