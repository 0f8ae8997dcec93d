import type { Limits } from '../limits.ts'
import { AppError } from '#shared/errors/app-error'

/** Throws `image.too-many-pixels` when a picture of these sides (pixels) is beyond the limits: asked before it is decoded, or, as a result, before it is made. */
export function checkSize({ width, height }: { readonly width: number; readonly height: number }, limits: Limits, isResult = false): void {
  const { maxPixels, maxSidePx } = limits
  const pixels = width * height
  const told = { pixels, maxPixels, ...(isResult && { isResult }) }
  if (pixels > maxPixels) throw new AppError('image.too-many-pixels', told)
  if (Math.max(width, height) > maxSidePx)
    throw new AppError('image.too-many-pixels', { ...told, sides: { width, height, maxPx: maxSidePx } })
}

/** Throws `image.too-many-frames` when an animation has too many frames, or too many pixels in all of them. */
export function checkFrames(frames: number, framePixels: number, limits: Limits): void {
  if (frames > limits.maxFrames || (frames > 1 && framePixels * frames > limits.maxFramesPixels)) {
    const maxFrames = Math.min(limits.maxFrames, Math.floor(limits.maxFramesPixels / framePixels))
    throw new AppError('image.too-many-frames', { maxFrames })
  }
}
