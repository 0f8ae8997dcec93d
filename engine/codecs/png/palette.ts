import sharp from 'sharp'
import { packedPixel, type Pixels } from '#engine/image/pixels'
import { readPalette } from './png-file.ts'

/** Palette entries packed 0xAABBGGRR. */
export type Palette = readonly number[]

/** The exact palette when the picture has at most 256 colours (alpha counted), opaque entries last; undefined otherwise. */
export const exactPalette = ({ data, channels }: Pixels): Palette | undefined => {
  const seen = new Set<number>()
  let last = -1
  for (let at = 0; at < data.length; at += channels) {
    const colour = packedPixel(data, at, channels)
    if (colour === last) continue
    last = colour
    seen.add(colour)
    if (seen.size > 256) return undefined
  }
  return [...seen].toSorted((a, b) => a - b)
}

/** An entry all but opaque is made opaque: solid areas must not turn into glass by one level. */
const snapAlpha = (colour: number): number => (colour >>> 24 >= 250 ? (colour | 0xff000000) >>> 0 : colour)

/** 256 colours by libimagequant (through sharp) from every n-th pixel, so that about `maxPixels` are looked at. */
export const quantisedPalette = async (pixels: Pixels, maxPixels: number): Promise<Palette> => {
  const { data, width, height, channels } = pixels
  const every = Math.max(1, Math.ceil(Math.sqrt((width * height) / maxPixels)))
  const [w, h] = [Math.ceil(width / every), Math.ceil(height / every)]
  const small = Buffer.allocUnsafe(w * h * 4)
  for (let y = 0, to = 0; y < h; y++) {
    for (let x = 0; x < w; x++, to += 4) small.writeUInt32LE(packedPixel(data, (y * every * width + x * every) * channels, channels), to)
  }
  const file = await sharp(small, { raw: { width: w, height: h, channels: 4 } })
    .png({ palette: true, quality: 100, effort: 7, dither: 0, compressionLevel: 1 })
    .toBuffer()
  const palette = readPalette(file)
  return palette.slice(0, 256).map(snapAlpha)
}

/** Premultiplied red, green, blue and alpha of a packed colour, 0 to 255. */
export const readPremultiplied = (colour: number, out: Float64Array): void => {
  const alpha = colour >>> 24
  out[0] = ((colour & 255) * alpha) / 255
  out[1] = (((colour >>> 8) & 255) * alpha) / 255
  out[2] = (((colour >>> 16) & 255) * alpha) / 255
  out[3] = alpha
}

// A grey error counts in three samples of RGB; eye and SSIM see luma above all, so it weighs a little more and chroma less.
const lumaScale = 1.9
const blueScale = 0.6
const redScale = 0.8

/** Premultiplied luma, blue - luma, red - luma and alpha of a packed colour, scaled so that `colourDistance` is a plain sum of squares. */
export const readPoint = (colour: number, out: Float64Array): void => {
  const alpha = colour >>> 24
  const r = ((colour & 255) * alpha) / 255
  const g = (((colour >>> 8) & 255) * alpha) / 255
  const b = (((colour >>> 16) & 255) * alpha) / 255
  const luma = 0.299 * r + 0.587 * g + 0.114 * b
  out[0] = lumaScale * luma
  out[1] = blueScale * (b - luma)
  out[2] = redScale * (r - luma)
  out[3] = lumaScale * alpha
}

/** The points of every entry, four numbers each. */
export const colourPoints = (palette: Palette): Float64Array => {
  const points = new Float64Array(palette.length * 4)
  palette.forEach((colour, k) => readPoint(colour, points.subarray(k * 4, k * 4 + 4)))
  return points
}

/** Half the squared distance over black plus half that over white, so that a difference of alpha counts as it is seen. */
export const colourDistance = (a: Float64Array, i: number, b: Float64Array, j: number): number => {
  const luma = (a[i] ?? 0) - (b[j] ?? 0)
  const blue = (a[i + 1] ?? 0) - (b[j + 1] ?? 0)
  const red = (a[i + 2] ?? 0) - (b[j + 2] ?? 0)
  const white = luma - ((a[i + 3] ?? 0) - (b[j + 3] ?? 0))
  return (luma * luma + white * white) / 2 + blue * blue + red * red
}

/**
 * Every smaller palette at once, by pairwise nearest neighbour merging (Equitz 1989): of the two entries whose merge adds the least
 * squared error the more frequent one stays. `colours` >= 1; `counts` = pixels of every entry.
 */
export const reducePalette = (palette: Palette, counts: Float64Array, colours: number): Palette => {
  const points = colourPoints(palette)
  const alive = palette.map((_, i) => i).filter((i) => (counts[i] ?? 0) > 0)
  const weight = Float64Array.from(counts)
  const mergeCost = (i: number, j: number): number => {
    const [a, b] = [weight[i] ?? 0, weight[j] ?? 0]
    return ((a * b) / (a + b)) * colourDistance(points, i * 4, points, j * 4)
  }
  const nearestOf = (i: number): { to: number; cost: number } => {
    let best = { to: -1, cost: Infinity }
    for (const j of alive) {
      if (j === i) continue
      const cost = mergeCost(i, j)
      if (cost < best.cost) best = { to: j, cost }
    }
    return best
  }
  const nearest = new Map(alive.map((i) => [i, nearestOf(i)]))
  while (alive.length > colours) {
    let from = -1
    let least = Infinity
    for (const i of alive) {
      const cost = nearest.get(i)?.cost ?? Infinity
      if (cost < least) [from, least] = [i, cost]
    }
    const to = nearest.get(from)?.to ?? -1
    const [kept, gone] = (weight[from] ?? 0) > (weight[to] ?? 0) ? [from, to] : [to, from]
    weight[kept] = (weight[kept] ?? 0) + (weight[gone] ?? 0)
    alive.splice(alive.indexOf(gone), 1)
    for (const i of alive) {
      const target = nearest.get(i)?.to
      if (i === kept || target === gone || target === kept) nearest.set(i, nearestOf(i))
    }
  }
  return alive.map((i) => palette[i] ?? 0).toSorted((a, b) => a - b)
}
