import { readFile } from 'node:fs/promises'
import { colourOf, withColour } from './layers.ts'
import { checkResult } from './check-result.ts'
import { canCarry, encode, isWritable, keptFormat } from '../codecs/encode.ts'
import { carriedFrom } from '../image/carried.ts'
import { eachFrame } from '../image/frames.ts'
import { decode, openPicture, type Picture } from '../image/open.ts'
import { carrying, simplify, type Pixels } from '../image/pixels.ts'
import { encodingForMended } from '../image/source-encoding.ts'
import { sourceOutput, writeOutput } from '../output-file.ts'
import type { Processor } from '../processor.ts'
import type { Effect, Rgb, Source } from '#shared/effects/effect'
import { applyTo, stripsOf } from '#shared/effects/parts'
import { AppError } from '#shared/errors/app-error'
import { readableFormats } from '#shared/formats'
import type { OptionsOf, ToolId } from '#shared/tools/index'

/** Of what a picture carries, an effect keeps its colours' profile and nothing that tells of its owner. */
const KEEPS = { metadata: false, location: false, profile: true } as const

/** A whole picture, strip by strip. */
function applied<Measure>(effect: Effect<never, Measure>, picture: Rgb, measure: Measure, progress: (share: number) => void): Rgb {
  const data = new Uint8Array(picture.data.length)
  const strips = stripsOf(picture)
  for (const [at, strip] of strips.entries()) {
    data.set(applyTo(effect, picture, measure, strip).data, strip.top * picture.width * 3)
    progress((at + 1) / strips.length)
  }
  return { ...picture, data }
}

/** The picture in its own profile, with that profile, where its format can carry one; else in sRGB. */
export async function openColours(picture: Picture): Promise<Pixels> {
  const canKeep = !isWritable(picture.format) || canCarry(picture.format)
  const carried = canKeep ? carriedFrom(picture, KEEPS) : {}
  return carrying(await decode(picture, carried.icc !== undefined), carried)
}

const sourceOf = async ({ format, path }: Picture): Promise<Source> => (format === 'jpeg' ? { jpeg: await readFile(path) } : {})

/**
 * The processor of a tool that is an effect: the picture at its own size, in its own format, profile and transparency, at its own quality or a better one; what
 * asks for nothing comes back byte for byte. Throws `file.*` and `image.*` for what can't be read, `file.animated` for an animation no encoder here
 * can write, `effect.blank` for a result in which nothing is to be seen.
 */
export const effectProcessor =
  <Id extends ToolId, Measure>(effect: Effect<OptionsOf<Id>, Measure>): Processor<Id> =>
  async ({ inputs: [input], options }, { folder, limits, progress }) => {
    const picture = await openPicture(input.path, readableFormats, limits, input.name)
    const pixels = await openColours(picture)
    if (picture.isLockedAnimation) throw new AppError('file.animated', {})
    progress(0.1)
    const source = effect.readsFile ? await sourceOf(picture) : {}
    let measure: Measure | undefined
    let isMeasured = false
    let done = 0
    const change = (frame: Pixels): Pixels => {
      const colour = colourOf(frame)
      // One measure for all frames: the light of a film must not flicker.
      if (!isMeasured) measure = effect.measure(colour, options, source)
      isMeasured = true
      if (measure === undefined) return frame
      const result = applied(effect, colour, measure, (share) => progress(0.1 + (0.8 * (done + share)) / picture.frames))
      done += 1
      checkResult(colour, result)
      return simplify(withColour(frame, result))
    }
    const result = await eachFrame(pixels, change)
    if (measure === undefined) return [await sourceOutput(picture, input.name, folder)]
    const format = keptFormat(picture.format, result)
    const bytes = await encode(carrying(result, pixels.carried ?? {}), format, await encodingForMended(picture))
    const { width, height } = result
    return [await writeOutput({ bytes, format, width, height }, input.name, folder)]
  }
