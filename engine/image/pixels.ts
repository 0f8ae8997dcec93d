import sharp, { type OutputInfo, type Sharp } from 'sharp'
import { storedPng, type Carried } from './raster.ts'

/** A decoded picture: 8-bit interleaved samples, rows from the top, frames of an animation one below the other. */
export interface Pixels {
  readonly data: Buffer
  readonly width: number
  /** Rows of one frame. */
  readonly height: number
  /** 1 grey, 2 grey and alpha, 3 sRGB, 4 sRGB and alpha. */
  readonly channels: 1 | 2 | 3 | 4
  readonly animation?: Animation
  /** The density the source says it is printed at, in whole dots per inch. */
  readonly dpi?: number
  /** Present when metadata is to be kept: the source's own pipeline, which carries EXIF and profile along. */
  readonly reopen?: () => Sharp
  /** The same metadata for encoders other than sharp. */
  readonly carried?: Carried
}

/** The timing of an animated picture. */
export interface Animation {
  readonly frames: number
  /** How long each frame shows, in milliseconds. */
  readonly delaysMs: readonly number[]
  /** How often it plays; 0 is for ever. */
  readonly loop: number
}

/** An animation's times as sharp's encoders take them; none for a still picture. */
export const timing = ({ animation }: Pixels): { loop?: number; delay?: number[] } =>
  animation ? { loop: animation.loop, ...(animation.delaysMs.length > 0 && { delay: [...animation.delaysMs] }) } : {}

/** Whether the samples include transparency. */
export const hasAlpha = ({ channels }: Pick<Pixels, 'channels'>): boolean => channels === 2 || channels === 4

/** Pixels of all frames. */
export const area = ({ width, height, animation }: Pixels): number => width * height * (animation?.frames ?? 1)

/** A sharp pipeline that starts at these samples. */
export function pipelineOf({ data, width, height, channels, animation }: Pixels): Sharp {
  const frames = animation?.frames ?? 1
  const pipeline = sharp(data, {
    limitInputPixels: false, // checked when the file was opened
    raw: { width, height: height * frames, channels, ...(animation && { pageHeight: height }) },
    ...(animation && { animated: true }),
  })
  // Without this, sharp writes grey samples as three equal channels; with it, grey ones lose their alpha.
  return channels === 1 ? pipeline.toColourspace('b-w') : pipeline
}

/** Like `pipelineOf`, with the source's metadata where it is to be kept. */
export const outputPipelineOf = (pixels: Pixels): Sharp => pixels.reopen?.() ?? pipelineOf(pixels)

/** A still picture that takes its metadata along wherever an encoder can write it. */
export function carrying(pixels: Pixels, carried: Carried): Pixels {
  const { data, width, height, channels, animation } = pixels
  const { reopen: _, ...plain } = pixels
  if (animation || Object.keys(carried).length === 0) return plain
  const reopen = (): Sharp => sharp(storedPng({ data, width, height, channels, ...carried }), { limitInputPixels: false }).keepMetadata()
  return { ...plain, carried, reopen }
}

const toPixels = ({ data, info }: { data: Buffer; info: OutputInfo }): Pixels => {
  const { width, height, channels } = info
  if (channels !== 1 && channels !== 2 && channels !== 3 && channels !== 4) throw new Error(`raw picture of ${channels} channels`)
  return { data, width, height, channels }
}

/** The samples a pipeline ends in. */
export const samplesOf = async (pipeline: Sharp): Promise<Pixels> =>
  toPixels(await pipeline.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true }))

/** A smaller copy (Lanczos-3), frames and metadata kept; grey with alpha comes back as colour with alpha. */
export async function resized(pixels: Pixels, width: number, height: number): Promise<Pixels> {
  const size = { width, height, fit: 'fill', kernel: 'lanczos3' } as const
  const { data, channels } = await samplesOf(pipelineOf(pixels).resize(size))
  const { animation, dpi, reopen } = pixels
  const kept = { ...(animation && { animation }), ...(dpi !== undefined && { dpi }) }
  return { data, width, height, channels, ...kept, ...(reopen && { reopen: () => reopen().resize(size) }) }
}

const someAlpha = ({ data, channels }: Pixels): boolean => {
  for (let at = channels - 1; at < data.length; at += channels) if (data[at] !== 255) return true
  return false
}

const isGreyscale = ({ data, channels }: Pixels): boolean => {
  for (let at = 0; at < data.length; at += channels) if (data[at] !== data[at + 1] || data[at] !== data[at + 2]) return false
  return true
}

/** The same picture in the fewest channels that hold it exactly: an alpha channel that is opaque everywhere goes, equal red, green and blue become grey. */
export function simplify(pixels: Pixels): Pixels {
  const { data, channels, reopen } = pixels
  const keepsAlpha = hasAlpha(pixels) && someAlpha(pixels)
  // A kept profile belongs to the colour model it came with.
  const isGrey = channels < 3 || (!reopen && isGreyscale(pixels))
  const target = isGrey ? (keepsAlpha ? 2 : 1) : keepsAlpha ? 4 : 3
  if (target === channels) return pixels
  const colours = isGrey ? 1 : 3
  const samples = Buffer.allocUnsafe((data.length / channels) * target)
  for (let from = 0, to = 0; from < data.length; from += channels, to += target) {
    for (let colour = 0; colour < colours; colour++) samples[to + colour] = data[from + colour] ?? 0
    if (keepsAlpha) samples[to + colours] = data[from + channels - 1] ?? 0
  }
  return { ...pixels, data: samples, channels: target, ...(reopen && !keepsAlpha && { reopen: () => reopen().removeAlpha() }) }
}

/** One pixel as 0xAABBGGRR; a fully transparent one is 0, since its colour can't be seen. `at` is its first sample. */
export function packedPixel(data: Buffer, at: number, channels: number): number {
  const alpha = channels === 4 ? (data[at + 3] ?? 0) : channels === 2 ? (data[at + 1] ?? 0) : 255
  if (alpha === 0) return 0
  const red = data[at] ?? 0
  const green = channels < 3 ? red : (data[at + 1] ?? 0)
  const blue = channels < 3 ? red : (data[at + 2] ?? 0)
  return ((alpha << 24) | (blue << 16) | (green << 8) | red) >>> 0
}

/**
 * About `wanted` pixels of a picture: strips of `stripRows` full rows, evenly spread from top to bottom. Whole rows keep the
 * left-to-right prediction of block coders exact (scattered blocks measured +3 % on JPEG bytes, rows +0.1 %).
 * Returns the picture itself when it is not much larger, or is an animation.
 */
export function sampleRows(pixels: Pixels, wanted: number, stripRows: number): Pixels {
  const { data, width, height, channels, animation } = pixels
  const strips = Math.max(1, Math.round(wanted / (width * stripRows)))
  const available = Math.floor(height / stripRows)
  if (animation || strips * 1.3 >= available) return pixels
  const stripBytes = width * channels * stripRows
  const sampled = Buffer.allocUnsafe(strips * stripBytes)
  for (let strip = 0; strip < strips; strip++) {
    const from = Math.floor(((strip + 0.5) * available) / strips) * stripBytes
    data.copy(sampled, strip * stripBytes, from, from + stripBytes)
  }
  return { data: sampled, width, height: strips * stripRows, channels }
}
