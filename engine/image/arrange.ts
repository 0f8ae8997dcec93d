import { widened } from './frames.ts'
import type { Pixels } from './pixels.ts'
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
function samplesOfColour(colour: string): readonly [number, number, number, number] {
  if (colour === 'transparent') return [0, 0, 0, 0]
  const value = Number.parseInt(colour.slice(1), 16)
  return [value >> 16, (value >> 8) & 255, value & 255, 255]
}

/** Copies one picture into another of as many channels, its upper left corner at a place; it must lie inside. */
export function paste(onto: Pixels, { data, width, height, channels }: Pixels, { left, top }: Pick<Rect, 'left' | 'top'>): void {
  const rowBytes = width * channels
  for (let row = 0; row < height; row++) {
    data.copy(onto.data, ((top + row) * onto.width + left) * channels, row * rowBytes, (row + 1) * rowBytes)
  }
}

/** A picture of nothing but one colour option, in the fewest channels that hold it and, of those asked for, no fewer. */
export function plain({ width, height }: Size, colour: string, least: Pixels['channels'] = 1): Pixels {
  const [red, green, blue, alpha] = samplesOfColour(colour)
  const isColourful = least > 2 || red !== green || red !== blue
  const isClear = least % 2 === 0 || alpha < 255
  const channels = isColourful ? (isClear ? 4 : 3) : isClear ? 2 : 1
  const ground = Buffer.from([...(isColourful ? [red, green, blue] : [red]), ...(isClear ? [alpha] : [])])
  return { data: Buffer.alloc(width * height * channels, ground), width, height, channels }
}

/** A single picture on the middle of a canvas no smaller than it, whose ground has a colour; what is transparent in the picture stays so. */
export function padded(pixels: Pixels, canvas: Size, colour: string): Pixels {
  const whole = plain(canvas, colour, pixels.channels)
  paste(whole, widened(pixels, whole.channels), centred(pixels, canvas))
  return whole
}
