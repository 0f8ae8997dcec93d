import type { PaintGround } from './compositor.ts'
import type { Look } from './look.ts'
import { blurPlane } from '#shared/matte/blur'
import { backgroundBlur, gradientLine, placeImage } from '#shared/matte/framing'
import type { Rect, Size } from '#shared/resize'

/** Pictures that a background can be made of. */
export interface Pictures {
  readonly source: ImageBitmap
  readonly backdrop: ImageBitmap | undefined
}

/** Blurs above this many pixels are made on a smaller copy, where they cost little and look the same. */
const FINE_SIGMA = 3

const contextOf = ({ width, height }: Size): OffscreenCanvasRenderingContext2D | undefined => {
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true }) ?? undefined
  if (context) context.imageSmoothingQuality = 'high'
  return context
}

/** Paints backgrounds with the browser's own canvas. */
export const groundPainter =
  (picturesOf: () => Pictures): PaintGround =>
  (background, frame) => {
    if (background.by === 'transparent') return undefined
    const context = contextOf(frame)
    if (!context) return undefined
    paint(context, background, frame, picturesOf())
    return context.getImageData(0, 0, frame.width, frame.height).data
  }

function paint(
  context: OffscreenCanvasRenderingContext2D,
  background: Look['background'],
  frame: Rect,
  { source, backdrop }: Pictures,
): void {
  switch (background.by) {
    case 'transparent':
      return
    case 'colour':
      return fill(context, frame, background.colour)
    case 'gradient': {
      const { fromX, fromY, toX, toY } = gradientLine(frame, background.angle)
      const gradient = context.createLinearGradient(fromX, fromY, toX, toY)
      gradient.addColorStop(0, background.from)
      gradient.addColorStop(1, background.to)
      return fill(context, frame, gradient)
    }
    case 'image': {
      fill(context, frame, '#ffffff')
      if (!backdrop) return
      const { left, top, width, height } = placeImage(frame, backdrop, background)
      context.drawImage(backdrop, left, top, width, height)
      return blur(context, frame, backgroundBlur(background.imageBlur, frame))
    }
    case 'original':
      context.drawImage(source, -frame.left, -frame.top)
      return blur(context, frame, backgroundBlur(background.originalBlur, frame))
  }
}

function fill(context: OffscreenCanvasRenderingContext2D, { width, height }: Size, style: string | CanvasGradient): void {
  context.fillStyle = style
  context.fillRect(0, 0, width, height)
}

/** Blurs a canvas's colours; not by its filter, which not every browser has. */
function blur(context: OffscreenCanvasRenderingContext2D, { width, height }: Size, sigma: number): void {
  if (sigma <= 0) return
  const step = Math.max(1, Math.floor(sigma / FINE_SIGMA))
  const size = { width: Math.max(1, Math.round(width / step)), height: Math.max(1, Math.round(height / step)) }
  const small = contextOf(size)
  if (!small) return
  small.drawImage(context.canvas, 0, 0, size.width, size.height)
  const pixels = small.getImageData(0, 0, size.width, size.height)
  const plane = { ...size, data: new Float32Array(size.width * size.height) }
  for (let channel = 0; channel < 3; channel++) {
    for (let n = 0; n < plane.data.length; n++) plane.data[n] = pixels.data[4 * n + channel] ?? 0
    blurPlane(plane, sigma / step)
    for (let n = 0; n < plane.data.length; n++) pixels.data[4 * n + channel] = (plane.data[n] ?? 0) + 0.5
  }
  small.putImageData(pixels, 0, 0)
  context.drawImage(small.canvas, 0, 0, width, height)
}
