import { encode, keptFormat } from '../codecs/encode.ts'
import { checkOutput } from '../codecs/output-limits.ts'
import { readChroma, writeParts } from '../colourize/parts.ts'
import { colourOf, withColour } from '../effects/layers.ts'
import { withAiMark, type MarkedId } from '../image/ai-mark.ts'
import { flattened } from '../image/frames.ts'
import { decode, openPicture, type Picture } from '../image/open.ts'
import { hasAlpha, simplify, type Pixels } from '../image/pixels.ts'
import { encodingForMended } from '../image/source-encoding.ts'
import { sourceOutput, writeOutput } from '../output-file.ts'
import type { Context, Job, OutputFile, Processor } from '../processor.ts'
import { chromaSize, greyOf, noChroma, type Chroma, type Grey } from '#shared/effects/colourize/chroma'
import { withHints } from '#shared/effects/colourize/hints'
import { isInColour } from '#shared/effects/colourize/in-colour'
import { chromaStrength, paintChroma, paintReach } from '#shared/effects/colourize/paint'
import { smallGrey } from '#shared/effects/colourize/upsample'
import type { Effect, Rgb } from '#shared/effects/effect'
import { applyTo, stripsOf } from '#shared/effects/parts'
import { readableFormats, type FormatId } from '#shared/formats'

/** The chroma, and how much of it. */
interface Paint {
  readonly chroma: Chroma
  readonly strength: number
}

/** Painting, part by part. */
const painting: Effect<never, Paint> & { whole?: never } = {
  measure: () => undefined,
  reach: () => 0,
  apply: (part, { chroma, strength }, place) => paintChroma(part, chroma, strength, place),
}

/** A format that a mark can be written into, and that holds colours in full: of others the nearest. */
function formatOf(format: FormatId, pixels: Pixels): MarkedId {
  const kept = keptFormat(format, pixels)
  if (kept === 'png' || kept === 'webp' || kept === 'jpeg') return kept
  return kept === 'avif' || kept === 'heic' || kept === 'jxl' || kept === 'jp2' ? 'webp' : 'png'
}

/** The colours before any hint, or none where hints alone say them. */
async function foundChroma(job: Job<'colourize'>, light: Grey, { limits, modelsFolder }: Context): Promise<Chroma | undefined> {
  const { options, attachment } = job
  if (options.colours.by === 'none') return undefined
  const earlier = job.chroma && (await readChroma(job.chroma, light))
  if (earlier) return earlier
  if (options.colours.by === 'reference') {
    const { openReference } = await import('../colourize/reference-file.ts')
    const { referenceChroma } = await import('../colourize/reference.ts')
    return referenceChroma(light, await openReference(attachment, limits))
  }
  // Loaded where a model is asked for, and nowhere else.
  const { predictChroma } = await import('../ai/colours.ts')
  return predictChroma(light, modelsFolder)
}

/** The whole picture in its colours, strip by strip. */
function painted(picture: Rgb, paint: Paint, progress: (share: number) => void): Rgb {
  const data = new Uint8Array(picture.data.length)
  const effect = { ...painting, reach: () => paintReach(paint.chroma, picture) }
  const strips = stripsOf(picture)
  for (const [at, strip] of strips.entries()) {
    data.set(applyTo(effect, picture, paint, strip).data, strip.top * picture.width * 3)
    progress((at + 1) / strips.length)
  }
  return { ...picture, data }
}

/** Nothing that would give a colour to anything: the file stays as it is. */
const asksForNothing = ({ options: { colours, hints, strength } }: Job<'colourize'>): boolean =>
  chromaStrength(strength) === 0 || (colours.by === 'none' && hints.length === 0)

/** What comes of a picture before it is written. */
interface Made {
  readonly result: Pixels
  readonly parts: readonly OutputFile[]
  readonly wasInColour: boolean
}

async function made(picture: Picture, job: Job<'colourize'>, context: Context): Promise<Made> {
  const { folder, progress } = context
  const { options, wantsParts } = job
  const pixels = await decode({ ...picture, frames: 1 }, false)
  const colour = colourOf(pixels)
  const size = chromaSize(colour)
  const light = smallGrey(greyOf(colour), size)
  progress(0.2)
  const found = await foundChroma(job, light, context)
  progress(0.5)
  const seen = hasAlpha(pixels) ? await flattened(pixels) : pixels
  const parts = wantsParts ? await writeParts(seen, found ?? noChroma(size), folder) : []
  const chroma = withHints(light, found, options.hints)
  const result = painted(colour, { chroma, strength: chromaStrength(options.strength) }, (share) => progress(0.6 + 0.2 * share))
  const { dpi } = pixels
  return { result: { ...withColour(pixels, result), ...(dpi !== undefined && { dpi }) }, parts, wasInColour: isInColour(colour) }
}

/**
 * Colours a photo at its own size, of an animation its first frame: by a model, by a reference photo, by hints, or by hints on either. Its light stays
 * to the bit (`paintChroma`), its transparency too; the result is in sRGB, in PNG, WebP or JPEG, since what a model made is marked. With `wantsParts` an
 * editor's parts come behind it. Throws `file.*`, `image.*`, `colourize.*`, `options.background-missing`.
 */
export const colourize: Processor<'colourize'> = async (job, context) => {
  const [{ path, name }] = job.inputs
  const { limits, folder, progress, producer } = context
  const picture = await openPicture(path, readableFormats, limits, name)
  if (asksForNothing(job) && !job.wantsParts) {
    await decode({ ...picture, frames: 1 }, false)
    return [await sourceOutput(picture, name, folder)]
  }
  const { result, parts, wasInColour } = await made(picture, job, context)
  progress(0.8)
  if (asksForNothing(job)) return [await sourceOutput(picture, name, folder), ...parts]
  const format = formatOf(picture.format, result)
  checkOutput(result, format, 1, limits)
  // An encoder's memory is no concern of the collector's, which would leave three pictures lying beside it.
  globalThis.gc?.()
  const file = await encode(simplify(result), format, await encodingForMended(picture))
  const bytes = job.options.colours.by === 'model' ? withAiMark(file, format, producer) : file
  const note = wasInColour ? ({ kind: 'in-colour' } as const) : undefined
  const { width, height } = result
  return [await writeOutput({ bytes, format, width, height, note }, name, folder), ...parts]
}
