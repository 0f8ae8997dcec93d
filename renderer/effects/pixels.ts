import { underneath } from './raster.ts'
import type { Rgb, Source } from '#shared/effects/effect'
import type { Rect } from '#shared/resize'

/** A file's pixels, upright and in sRGB. */
interface Decoded {
  readonly picture: Rgb
  /** How opaque a part of a raster is, by the number of its pixel; undefined where all is. */
  readonly alphaOf: (place: Rect, perPixel: number) => ((n: number) => number) | undefined
}

/** Pixels taken from the browser at a time: they come with a byte more each. */
const BAND_PIXELS = 1 << 21

/** The colours of a bitmap, which is closed, with its alpha where it has any. */
function samplesOf(bitmap: ImageBitmap): { readonly data: Uint8Array; readonly alpha: Uint8Array | undefined } {
  const { width, height } = bitmap
  const data = new Uint8Array(width * height * 3)
  let alpha: Uint8Array | undefined
  const rows = Math.max(1, Math.min(height, Math.floor(BAND_PIXELS / width)))
  const context = new OffscreenCanvas(width, rows).getContext('2d', { willReadFrequently: true })
  if (!context) throw new Error('no canvas')
  for (let top = 0; top < height; top += rows) {
    const count = Math.min(rows, height - top)
    context.clearRect(0, 0, width, rows)
    context.drawImage(bitmap, 0, -top)
    alpha = take(context.getImageData(0, 0, width, count).data, data, top * width, alpha)
  }
  bitmap.close()
  return { data, alpha }
}

/** An opaque bitmap's colours; it is closed. */
export function rgbOf(bitmap: ImageBitmap): Rgb {
  const { width, height } = bitmap
  return { data: samplesOf(bitmap).data, width, height }
}

/** Throws where the browser can't decode a file. */
export async function decode(file: Blob): Promise<Decoded> {
  const bitmap = await createImageBitmap(file)
  const { width, height } = bitmap
  const { data, alpha } = samplesOf(bitmap)
  if (alpha) fillUnseen(data, alpha)
  const picture = { data, width, height }
  return { picture, alphaOf: (place, perPixel) => (alpha ? opacityOf(alpha, place, picture, perPixel) : undefined) }
}

/** Lays RGBA into a picture from its `first` pixel on; its alpha too once there is any. */
function take(rgba: Uint8ClampedArray, data: Uint8Array, first: number, known: Uint8Array | undefined): Uint8Array | undefined {
  let alpha = known
  for (let n = 0, from = 0; from < rgba.length; n++, from += 4) {
    const to = (first + n) * 3
    data[to] = rgba[from] ?? 0
    data[to + 1] = rgba[from + 1] ?? 0
    data[to + 2] = rgba[from + 2] ?? 0
    const opacity = rgba[from + 3] ?? 255
    if (opacity < 255) alpha ??= new Uint8Array(data.length / 3).fill(255)
    if (alpha) alpha[first + n] = opacity
  }
  return alpha
}

/** What can't be seen at all takes the mean of what can, as the engine has it, so that it misleads no measure. */
function fillUnseen(data: Uint8Array, alpha: Uint8Array): void {
  const sums = [0, 0, 0]
  let count = 0
  for (let n = 0; n < alpha.length; n++) {
    if (alpha[n] === 0) continue
    count++
    for (let c = 0; c < 3; c++) sums[c] = (sums[c] ?? 0) + (data[n * 3 + c] ?? 0)
  }
  const mean = sums.map((sum) => Math.round(sum / Math.max(1, count)))
  for (let n = 0; n < alpha.length; n++) if (alpha[n] === 0) data.set(mean, n * 3)
}

/** A raster's pixel is as opaque as the middle one under it. */
function opacityOf(alpha: Uint8Array, place: Rect, picture: Rgb, perPixel: number): (n: number) => number {
  const part = underneath(place, picture, perPixel)
  return (n) => {
    const x = part.left + Math.floor((((n % place.width) + 0.5) * part.width) / place.width)
    const y = part.top + Math.floor(((Math.floor(n / place.width) + 0.5) * part.height) / place.height)
    return alpha[y * picture.width + x] ?? 255
  }
}

/** What effects may know of a file: that of a JPEG is the file itself. */
export async function sourceOf(file: Blob): Promise<Source> {
  const [first, second, third] = new Uint8Array(await file.slice(0, 3).arrayBuffer())
  const isJpeg = first === 0xff && second === 0xd8 && third === 0xff
  return isJpeg ? { jpeg: new Uint8Array(await file.arrayBuffer()) } : {}
}

/** A picture as a canvas takes it. */
export function paintable({ data, width, height }: Rgb, alphaAt?: (n: number) => number): Uint8ClampedArray<ArrayBuffer> {
  const pixels = new Uint8ClampedArray(width * height * 4)
  for (let n = 0; n < width * height; n++) {
    pixels[4 * n] = data[3 * n] ?? 0
    pixels[4 * n + 1] = data[3 * n + 1] ?? 0
    pixels[4 * n + 2] = data[3 * n + 2] ?? 0
    pixels[4 * n + 3] = alphaAt?.(n) ?? 255
  }
  return pixels
}
