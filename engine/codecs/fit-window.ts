import { avif } from './avif.ts'
import type { Codec, Origin } from './codec.ts'
import { fitPicture, type Fitted } from './fit-picture.ts'
import { fitGif } from './gif/fit-gif.ts'
import { jpeg } from './jpeg.ts'
import { fitPng } from './png/fit-png.ts'
import type { Aim } from './quality-search.ts'
import { webp } from './webp.ts'
import { padTo } from '../image/pad.ts'
import type { Pixels } from '../image/pixels.ts'
import { withChunks } from '../image/png-chunks.ts'
import type { CompressibleId } from '#shared/formats'

/** Padding comes in pieces of some bytes; a window narrower than this is aimed at from below and padded up. */
const NARROW_WINDOW_BYTES = 64

/** The formats whose size is set by a quality. */
export const codecs: Readonly<Record<Exclude<CompressibleId, 'png' | 'gif'>, Codec>> = { jpeg, webp, avif }

/** What a file's bytes must lie between, and what may give way for it. */
export interface WindowAim extends Aim {
  readonly minBytes: number
  readonly keepsPixels: boolean
  /** Metadata chunks a PNG carries, counted in. */
  readonly keptChunks?: Buffer
  /** The GIF file the samples come from, whose times are kept as it stores them. */
  readonly source?: Buffer
}

/** The best file of a format within a limit; `padWithin` then brings it to the least size asked for. Throws `format.side-limit`. */
export async function fitWindow(format: CompressibleId, pixels: Pixels, origin: Origin, aim: WindowAim): Promise<Fitted> {
  const { minBytes, keepsPixels, keptChunks = Buffer.alloc(0), msLeft } = aim
  const isNarrow = minBytes > NARROW_WINDOW_BYTES && aim.limitBytes - minBytes < NARROW_WINDOW_BYTES
  const limitBytes = isNarrow ? aim.limitBytes - NARROW_WINDOW_BYTES : aim.limitBytes
  if (format === 'png') {
    const fitted = await fitPng(pixels, { limitBytes: limitBytes - keptChunks.length, keepsPixels, msLeft })
    return { ...fitted, bytes: withChunks(fitted.bytes, keptChunks) }
  }
  if (format === 'gif') return fitGif(pixels, aim.source, { limitBytes, keepsPixels, msLeft })
  const codec = codecs[format]
  const exact = origin.isLossless ? await codec.encodeLossless?.(pixels) : undefined
  if (exact && exact.length <= limitBytes) return { bytes: exact, width: pixels.width, height: pixels.height, isWithin: true }
  return fitPicture(codec, pixels, origin, { limitBytes, keepsPixels, msLeft })
}

/** A file made long enough without passing the limit. WebP files are even: an odd window of one byte is met from below. */
export function padWithin(file: Buffer, format: CompressibleId, minBytes: number, limitBytes: number): Buffer | undefined {
  return [minBytes, minBytes - 1].map((wanted) => padTo(file, format, wanted)).find(({ length }) => length <= limitBytes)
}
