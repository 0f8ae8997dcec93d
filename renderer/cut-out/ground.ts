import type { PaintGround } from './compositor.ts'
import type { Look } from './look.ts'
import { blurPlane, FINE_SIGMA } from '#shared/matte/blur'
import { backgroundBlur, BEHIND_IMAGE, gradientLine, placeImage } from '#shared/matte/framing'
import type { Matte } from '#shared/matte/matte'
import type { Rect, Size } from '#shared/resize'

/** Pictures that a background can be made of. */
interface Pictures {
  readonly source: ImageBitmap
  readonly backdrop: ImageBitmap | undefined
}

/** What is painted on a canvas without a look at the subject. */
type Laid = Exclude<Look['background'], { readonly by: 'original' | 'transparent' }>
type Context = OffscreenCanvasRenderingContext2D

const contextOf = ({ width, height }: Size): Context | undefined => {
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true }) ?? undefined
  if (context) context.imageSmoothingQuality = 'high'
  return context
}

/** Paints backgrounds with the browser's own canvas. */
export const groundPainter =
  (picturesOf: () => Pictures): PaintGround =>
  (background, frame, matte) => {
    if (background.by === 'transparent') return undefined
    const context = contextOf(frame)
    if (!context) return undefined
    const { source, backdrop } = picturesOf()
    if (background.by === 'original') paintOwn(context, background.originalBlur, frame, source, matte)
    else paint(context, background, frame, backdrop)
    return context.getImageData(0, 0, frame.width, frame.height).data
  }

function paint(context: Context, background: Laid, frame: Rect, backdrop: ImageBitmap | undefined): void {
  switch (background.by) {
    case 'colour':
      return fill(context, frame, background.colour)
    case 'gradient': {
      const { fromX, fromY, toX, toY } = gradientLine(frame, background.angle)
      const gradient = context.createLinearGradient(fromX, fromY, toX, toY)
      gradient.addColorStop(0, background.from)
      gradient.addColorStop(1, background.to)
      return fill(context, frame, gradient)
    }
    case 'image':
      return paintImage(context, background, frame, backdrop)
  }
}

function fill(context: Context, { width, height }: Size, style: string | CanvasGradient): void {
  context.fillStyle = style
  context.fillRect(0, 0, width, height)
}

/** A picture, blurred within its own sides, on white where it does not reach. */
function paintImage(context: Context, background: Laid & { by: 'image' }, frame: Rect, backdrop: ImageBitmap | undefined): void {
  fill(context, frame, BEHIND_IMAGE)
  if (!backdrop) return
  const { left, top, width, height } = placeImage(frame, backdrop, background)
  const part = { width: Math.min(frame.width, width), height: Math.min(frame.height, height) }
  const laid = contextOf(part)
  if (!laid) return
  fill(laid, part, BEHIND_IMAGE)
  laid.drawImage(backdrop, Math.min(0, left), Math.min(0, top), width, height)
  blur(laid, part, backgroundBlur(background.imageBlur, frame))
  context.drawImage(laid.canvas, Math.max(0, left), Math.max(0, top))
}

/** The picture's own ground, blurred without its subject, which would else glow around itself. */
function paintOwn(context: Context, percent: number, frame: Rect, source: ImageBitmap, matte: Matte): void {
  const whole = contextOf(source)
  if (!whole) return
  whole.drawImage(source, 0, 0)
  const sigma = backgroundBlur(percent, source)
  if (sigma > 0) {
    const pixels = whole.getImageData(0, 0, source.width, source.height)
    // Never quite nothing, so that in the middle of the subject a colour is left to show through what is erased there.
    for (let n = 0; n < matte.data.length; n++) pixels.data[4 * n + 3] = Math.max(1, 255 - (matte.data[n] ?? 0))
    whole.putImageData(pixels, 0, 0)
    blur(whole, source, sigma)
  }
  context.drawImage(whole.canvas, -frame.left, -frame.top)
}

/** Blurs a canvas's colours, each weighed by its alpha, and leaves it opaque; not by its filter, which not every browser has. */
function blur(context: Context, { width, height }: Size, sigma: number): void {
  if (sigma <= 0) return
  const step = Math.max(1, Math.floor(sigma / FINE_SIGMA))
  const size = { width: Math.max(1, Math.round(width / step)), height: Math.max(1, Math.round(height / step)) }
  const small = contextOf(size)
  if (!small) return
  small.drawImage(context.canvas, 0, 0, size.width, size.height)
  const pixels = small.getImageData(0, 0, size.width, size.height)
  const weightOf = (n: number): number => pixels.data[4 * n + 3] ?? 0
  const weights = blurred(size, sigma / step, weightOf)
  const channels = [0, 1, 2].map((channel) => blurred(size, sigma / step, (n) => (pixels.data[4 * n + channel] ?? 0) * weightOf(n)))
  for (let n = 0; n < weights.length; n++) {
    for (const [channel, sums] of channels.entries()) pixels.data[4 * n + channel] = (sums[n] ?? 0) / Math.max(weights[n] ?? 0, 1e-3)
    pixels.data[4 * n + 3] = 255
  }
  small.putImageData(pixels, 0, 0)
  context.clearRect(0, 0, width, height)
  context.drawImage(small.canvas, 0, 0, width, height)
}

function blurred(size: Size, sigma: number, sampleAt: (n: number) => number): Float32Array {
  const plane = { ...size, data: Float32Array.from({ length: size.width * size.height }, (_, n) => sampleAt(n)) }
  blurPlane(plane, sigma)
  return plane.data
}
