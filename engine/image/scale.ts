import sharp from 'sharp'
import { cropped, padded } from './arrange.ts'
import { eachFrame } from './frames.ts'
import { linearGap } from './linear-gap.ts'
import { decode, pipelineFrom, type Picture } from './open.ts'
import { hasAlpha, pipelineOf, samplesOf, simplify, type Pixels } from './pixels.ts'
import { blameFile } from '../failures.ts'
import type { ResizePlan, Size } from '#shared/resize'

/** Up to here a JPEG is averaged as light always: that takes 25 ms a megapixel. */
const QUICK_PIXELS = 2e6
/** Rows at the top of a JPEG that speak for its texture: decoding them takes a sixtieth of the whole's time at 12 MP. */
const BAND_ROWS = 32
/** Levels by which averaging as stored would darken a picture before a person sees it beside the source. */
const VISIBLE_IN_SOURCE = 0.6
const VISIBLE_IN_RESULT = 1

const isSmaller = (size: Size, { width, height }: Size): boolean => size.width < width || size.height < height

/**
 * A single picture at another size by Lanczos-3. Shrunk, its samples are averaged as light (linear scRGB in floating point), so that fine
 * bright lines stay as bright as they are seen; enlarged, as stored, where ringing is even. Transparent samples don't weigh.
 */
async function scaledFrame(pixels: Pixels, size: Size): Promise<Pixels> {
  if (size.width === pixels.width && size.height === pixels.height) return pixels
  const { channels } = pixels
  const target = { width: size.width, height: size.height, fit: 'fill', kernel: 'lanczos3' } as const
  const source = pipelineOf(pixels)
  // Sixteen bits where alpha multiplies: in eight, faint colours would lose their hue.
  const space = isSmaller(size, pixels) ? 'scrgb' : hasAlpha(pixels) ? 'rgb16' : undefined
  const scaled = (space ? source.pipelineColourspace(space) : source).resize(target).toColourspace(channels === 1 ? 'b-w' : 'srgb')
  return simplify(await samplesOf(scaled))
}

/** Whether a JPEG's first rows are so fine that averaging them as stored would darken them. A camera's pictures are no finer than its lens: their result tells. */
async function isFineDrawing({ metadata, path }: Picture, shrink: number): Promise<boolean> {
  if (metadata.exif) return false
  const band = { left: 0, top: 0, width: metadata.width, height: Math.min(BAND_ROWS, metadata.height) }
  const top = await samplesOf(sharp(path, { failOn: 'none', limitInputPixels: false }).extract(band).toColourspace('srgb')).catch(blameFile)
  return linearGap(top, Math.min(16, Math.max(2, Math.round(shrink)))) > VISIBLE_IN_SOURCE
}

/** A large JPEG scaled while it is decoded, never whole in memory; undefined where that would visibly darken its fine parts. */
async function streamed(picture: Picture, { crop, width, height }: ResizePlan): Promise<Pixels | undefined> {
  const shrink = Math.min((crop ?? picture).width / width, (crop ?? picture).height / height)
  if (await isFineDrawing(picture, shrink)) return undefined
  const source = pipelineFrom(picture, false)
  const part = crop ? source.extract(crop) : source
  const result = await samplesOf(part.resize({ width, height, fit: 'fill', kernel: 'lanczos3' })).catch(blameFile)
  return linearGap(result, 2) > VISIBLE_IN_RESULT ? undefined : simplify(result)
}

/**
 * A picture file decoded and brought to the size of a plan, frame by frame. `progress` is told the share done. Throws
 * `file.unreadable` for a broken file, as `decode` does.
 */
export async function scale(picture: Picture, plan: ResizePlan, progress: (share: number) => void): Promise<Pixels> {
  const { crop, canvas } = plan
  const isLargeJpeg = picture.format === 'jpeg' && picture.width * picture.height > QUICK_PIXELS
  const quick = isLargeJpeg && isSmaller(plan, crop ?? picture) ? await streamed(picture, plan) : undefined
  const pixels = quick ?? (await decode(picture, false))
  const change = async (frame: Pixels): Promise<Pixels> => {
    const part = crop && !quick ? cropped(frame, crop) : frame
    const sized = quick ?? (await scaledFrame(part, plan))
    return canvas ? padded(sized, canvas, canvas.background) : sized
  }
  return eachFrame(pixels, change, progress)
}
