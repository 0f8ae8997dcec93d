import { widened } from './frames.ts'
import { hasAlpha, type Pixels } from './pixels.ts'
import { centred, type Rect, type Size } from '#shared/resize'

/** A part of a single picture, which must lie within it. */
export function cropped({ data, width, channels }: Pixels, part: Rect): Pixels {
  const rowBytes = part.width * channels
  const samples = Buffer.allocUnsafe(rowBytes * part.height)
  for (let row = 0; row < part.height; row++) {
    const from = ((part.top + row) * width + part.left) * channels
    data.copy(samples, row * rowBytes, from, from + rowBytes)
  }
  return { data: samples, width: part.width, height: part.height, channels }
}

/** Red, green, blue and alpha of a colour option: `#rrggbb` or `transparent`. */
export function samplesOfColour(colour: string): readonly [number, number, number, number] {
  if (colour === 'transparent') return [0, 0, 0, 0]
  const value = Number.parseInt(colour.slice(1), 16)
  return [value >> 16, (value >> 8) & 255, value & 255, 255]
}

/** A single picture on the middle of a canvas no smaller than it, whose ground has a colour; what is transparent in the picture stays so. */
export function padded(pixels: Pixels, canvas: Size, colour: string): Pixels {
  const [red, green, blue, alpha] = samplesOfColour(colour)
  const isColourful = pixels.channels > 2 || red !== green || red !== blue
  const isClear = hasAlpha(pixels) || alpha < 255
  const channels = isColourful ? (isClear ? 4 : 3) : isClear ? 2 : 1
  const { data } = widened(pixels, channels)
  const ground = Buffer.from([...(isColourful ? [red, green, blue] : [red]), ...(isClear ? [alpha] : [])])
  const samples = Buffer.alloc(canvas.width * canvas.height * channels, ground)
  const place = centred(pixels, canvas)
  const rowBytes = pixels.width * channels
  for (let row = 0; row < pixels.height; row++) {
    data.copy(samples, ((place.top + row) * canvas.width + place.left) * channels, row * rowBytes, (row + 1) * rowBytes)
  }
  return { data: samples, width: canvas.width, height: canvas.height, channels }
}
