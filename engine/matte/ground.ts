import { cropped, paste, plain } from '../image/arrange.ts'
import { pipelineOf, resized, samplesOf, type Pixels } from '../image/pixels.ts'
import { backgroundBlur, BEHIND_IMAGE, gradientLine, placeImage, type Placing } from '#shared/matte/framing'
import type { Matte } from '#shared/matte/matte'
import type { Rect, Size } from '#shared/resize'
import type { OptionsOf } from '#shared/tools/index'

/** What a cut-out is laid on, as the tool's options say it. */
export type Background = OptionsOf<'cut-out'>['background']

/** The least standard deviation that sharp blurs by. */
const LEAST_SIGMA = 0.3

const partsOf = (colour: string): readonly [number, number, number] => [
  Number.parseInt(colour.slice(1, 3), 16),
  Number.parseInt(colour.slice(3, 5), 16),
  Number.parseInt(colour.slice(5, 7), 16),
]

/** A canvas filled as CSS `linear-gradient(angle, from, to)` fills it, between the stored values of both colours. */
function gradient({ width, height }: Size, from: string, to: string, angle: number): Pixels {
  const { fromX, fromY, toX, toY } = gradientLine({ width, height }, angle)
  const [dx, dy] = [toX - fromX, toY - fromY]
  const square = dx * dx + dy * dy
  const [[r, g, b], [endR, endG, endB]] = [partsOf(from), partsOf(to)]
  const data = Buffer.allocUnsafe(width * height * 3)
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at += 3) {
      const along = ((x + 0.5 - fromX) * dx + (y + 0.5 - fromY) * dy) / square
      const share = along < 0 ? 0 : along > 1 ? 1 : along
      data[at] = r + (endR - r) * share + 0.5
      data[at + 1] = g + (endG - g) * share + 0.5
      data[at + 2] = b + (endB - b) * share + 0.5
    }
  }
  return { data, width, height, channels: 3 }
}

/** Softer than this nothing is left that a smaller copy would lack, and blurring the whole would take minutes. */
const COARSE_SIGMA = 12

/** A picture blurred by a Gaussian of this standard deviation, in pixels. */
async function blurred(pixels: Pixels, sigma: number): Promise<Pixels> {
  if (sigma < LEAST_SIGMA) return pixels
  const { width, height } = pixels
  const step = Math.max(1, Math.floor(sigma / COARSE_SIGMA))
  if (step === 1) return samplesOf(pipelineOf(pixels).blur(sigma))
  const small = await resized(pixels, Math.ceil(width / step), Math.ceil(height / step))
  return resized(await samplesOf(pipelineOf(small).blur(sigma / step)), width, height)
}

/** libvips counts to some ten millions along a side; a line of pixels that is to fill a canvas would be longer. */
const COUNTABLE_PX = 1e7
/** How far a pixel counts for others when it is enlarged (lanczos3). */
const REACH = 3

/** A backdrop and where it lies on a canvas. */
interface Laid {
  readonly backdrop: Pixels
  readonly at: Rect
}

/** Of one side: the first pixel and how many that lie on a canvas or near it, and where these then lie. */
function span(from: number, length: number, pixels: number, side: number) {
  const scale = length / pixels
  const first = Math.max(0, Math.floor(-from / scale) - REACH)
  const count = Math.min(pixels, Math.ceil((side - from) / scale) + REACH) - first
  return { first, count, from: Math.round(from + first * scale), length: Math.round(count * scale) }
}

/** The same without the pixels that lie far outside of the canvas. */
function nearby({ backdrop, at }: Laid, canvas: Size): Laid {
  const x = span(at.left, at.width, backdrop.width, canvas.width)
  const y = span(at.top, at.height, backdrop.height, canvas.height)
  const part = { left: x.first, top: y.first, width: x.count, height: y.count }
  return { backdrop: cropped(backdrop, part), at: { left: x.from, top: y.from, width: x.length, height: y.length } }
}

/** A picture laid on a canvas; where it does not reach, the canvas is white. Of what lies outside nothing is made: it may be a thousand times as much. */
async function image(canvas: Size, picture: Pixels, placing: Placing, blurPercent: number): Promise<Pixels> {
  const placed = { backdrop: picture, at: placeImage(canvas, picture, placing) }
  const { backdrop, at } = Math.max(placed.at.width, placed.at.height) > COUNTABLE_PX ? nearby(placed, canvas) : placed
  const { left, top, width, height } = at
  const part = {
    left: Math.min(Math.max(0, -left), Math.max(0, width - canvas.width)),
    top: Math.min(Math.max(0, -top), Math.max(0, height - canvas.height)),
    width: Math.min(canvas.width, width),
    height: Math.min(canvas.height, height),
  }
  const scaled = pipelineOf(backdrop).resize({ width, height, fit: 'fill', kernel: 'lanczos3' }).flatten({ background: BEHIND_IMAGE })
  const laid = await samplesOf(scaled.toColourspace('srgb').extract(part))
  const soft = await blurred(laid, backgroundBlur(blurPercent, canvas))
  if (part.width === canvas.width && part.height === canvas.height) return soft
  const whole = plain(canvas, BEHIND_IMAGE, 3)
  paste(whole, soft, { left: Math.max(0, left), top: Math.max(0, top) })
  return whole
}

/** A picture and how much each pixel of it is ground. */
function groundOnly({ data, width, height, channels }: Pixels, matte: Matte): Pixels {
  const out = Buffer.allocUnsafe(width * height * 4)
  const [green, blue] = channels < 3 ? [0, 0] : [1, 2]
  for (let at = 0, from = 0; at < matte.data.length; at++, from += channels) {
    out[4 * at] = data[from] ?? 0
    out[4 * at + 1] = data[from + green] ?? 0
    out[4 * at + 2] = data[from + blue] ?? 0
    // Never quite nothing, so that in the middle of the subject a colour is left to show through what is erased there.
    out[4 * at + 3] = Math.max(1, 255 - (matte.data[at] ?? 0))
  }
  return { data: out, width, height, channels: 4 }
}

/** The picture's own ground, blurred without the subject, which would else glow around itself. */
async function original(source: Pixels, matte: Matte, blurPercent: number): Promise<Pixels> {
  const sigma = backgroundBlur(blurPercent, source)
  const ground = groundOnly(source, matte)
  // sharp blurs colours weighted by alpha.
  return samplesOf(pipelineOf(sigma < LEAST_SIGMA ? ground : await blurred(ground, sigma)).removeAlpha())
}

/** What is needed to make a ground. */
export interface GroundRequest {
  readonly background: Background
  readonly source: Pixels
  readonly matte: Matte
  /** The part of the source that the canvas is. */
  readonly frame: Rect
  /** The picture chosen as background. */
  readonly backdrop?: Pixels | undefined
}

/** The ground of a canvas in three channels; undefined for none. */
export async function groundOf({ background, source, matte, frame, backdrop }: GroundRequest): Promise<Pixels | undefined> {
  switch (background.by) {
    case 'transparent':
      return undefined
    case 'colour':
      return plain(frame, background.colour, 3)
    case 'gradient':
      return gradient(frame, background.from, background.to, background.angle)
    case 'image':
      if (!backdrop) throw new Error('a background picture was not opened')
      return image(frame, backdrop, background, background.imageBlur)
    case 'original':
      return cropped(await original(source, matte, background.originalBlur), frame)
  }
}
