import { encode, keptFormat, type Encoding } from '../codecs/encode.ts'
import { colourOf, withColour } from '../effects/layers.ts'
import { checkResult } from '../effects/check-result.ts'
import { openColours } from '../effects/effect-processor.ts'
import { eachFrame } from '../image/frames.ts'
import { openPicture, type Picture } from '../image/open.ts'
import { carrying, hasAlpha, simplify, type Pixels } from '../image/pixels.ts'
import { encodingFor } from '../image/source-encoding.ts'
import { sourceOutput, writeOutput } from '../output-file.ts'
import type { Processor } from '../processor.ts'
import type { Rgb } from '#shared/effects/effect'
import { areCorners, cleaned, cornersOf, layoutOf } from '#shared/effects/scan-document/scan'
import { warped, type Layout } from '#shared/effects/scan-document/warp'
import { AppError } from '#shared/errors/app-error'
import { readableFormats, type WritableId } from '#shared/formats'
import type { OptionsOf } from '#shared/tools/index'

type Options = OptionsOf<'scan-document'>

/** A picture's transparency as a picture, so that it is laid out as the colours are. */
function alphaOf({ data, width, height, channels }: Pixels): Rgb {
  const out = new Uint8Array(width * height * 3)
  for (let at = 0; at < width * height; at++) out.fill(data[(at + 1) * channels - 1] ?? 255, at * 3, at * 3 + 3)
  return { data: out, width, height }
}

/** A page's colours and, where its source had one, its own transparency laid out as they are. */
function laidOut(frame: Pixels, colour: Rgb, layout: Layout | undefined, progress: (share: number) => void): readonly [Rgb, Pixels] {
  if (!layout) return [colour, frame]
  const page = warped(colour, layout, progress)
  const { width, height } = page
  const bare = { data: Buffer.alloc(0), width, height, channels: 3 } as const
  if (!hasAlpha(frame)) return [page, bare]
  const alpha = warped(alphaOf(frame), { ...layout, paper: [255, 255, 255] })
  const data = Buffer.alloc(width * height * 4)
  for (let at = 0; at < width * height; at++) {
    for (let c = 0; c < 3; c++) data[at * 4 + c] = page.data[at * 3 + c] ?? 0
    data[at * 4 + 3] = alpha.data[at * 3] ?? 255
  }
  return [page, { ...bare, data, channels: 4 }]
}

/** Black and white come out as a PNG, which holds them exactly and in a tenth of the bytes. */
function formatOf(picture: Picture, { format, mode }: Options, result: Pixels): WritableId {
  if (format !== 'same') return format
  return mode === 'mono' && picture.frames === 1 ? 'png' : keptFormat(picture.format, result)
}

/** JPEG and PDF of what was not written that way before. */
const USUAL_QUALITY = 88
/** A page of a PDF is about as large as A4 when its longer side is that of one. */
const A4_INCHES = 11.69

/** Near the source's own quality where it is written as it was; else a page's usual one. */
async function writingOf(picture: Picture, format: WritableId, { width, height }: Pixels): Promise<Encoding> {
  const own = await encodingFor(picture)
  const isKept = picture.format === format || picture.format === 'jpeg'
  return {
    ...own,
    dpi: Math.max(width, height) / A4_INCHES,
    ...(!isKept && (format === 'jpeg' || format === 'pdf') && { quality: USUAL_QUALITY }),
  }
}

/**
 * A photo of a page as a scanner would have made it: cut to its outline (found, or given), made flat and straight, its light made even, in colour, grey
 * or black and white; in its own format unless asked for otherwise, with its profile. A picture that shows no page is not cut; one with nothing to be
 * done comes back byte for byte. Throws `scan.corners` for corners that hold nothing, `effect.blank`, `file.animated`.
 */
export const scanDocument: Processor<'scan-document'> = async ({ inputs: [input], options }, { folder, limits, progress }) => {
  const picture = await openPicture(input.path, readableFormats, limits, input.name)
  const pixels = await openColours(picture)
  if (picture.isLockedAnimation) throw new AppError('file.animated', {})
  progress(0.1)
  let isChanged = false
  let layout: Layout | undefined
  let frames = 0
  const change = (frame: Pixels): Pixels => {
    const colour = colourOf(frame)
    // The first page of a film tells where it lies in all of them.
    if (frames === 0) {
      const corners = cornersOf(colour, options)
      if (corners && !areCorners(corners, colour)) throw new AppError('scan.corners', {})
      layout = layoutOf(colour, corners, options.straighten)
    }
    frames += 1
    const [page, ground] = laidOut(frame, colour, layout, (share) => progress(0.2 + 0.3 * share))
    const result = cleaned(page, options, (share) => progress(0.5 + 0.4 * share))
    if (!result && !layout) return frame
    isChanged = true
    if (result) checkResult(page, result)
    return simplify(withColour(ground, result ?? page))
  }
  const result = await eachFrame(pixels, change)
  if (!isChanged && (options.format === 'same' || options.format === picture.format)) {
    return [await sourceOutput(picture, input.name, folder)]
  }
  const format = formatOf(picture, options, result)
  const bytes = await encode(carrying(result, pixels.carried ?? {}), format, await writingOf(picture, format, result))
  const { width, height } = result
  return [await writeOutput({ bytes, format, width, height }, input.name, folder)]
}
