import { encode } from '../codecs/encode.ts'
import { checkOutput } from '../codecs/output-limits.ts'
import { withAiMark, type MarkedId } from '../image/ai-mark.ts'
import { decode, openPicture, type Picture } from '../image/open.ts'
import type { Pixels } from '../image/pixels.ts'
import { openBackdrop } from '../matte/backdrop.ts'
import { canvasOf, composeCutOut } from '../matte/compose.ts'
import { estimateForeground } from '../matte/foreground.ts'
import { readMatte, type FiledMatte } from '../matte/matte-file.ts'
import { isCutOut, opacityOf, within, type Opacity } from '../matte/opacity.ts'
import { writeParts } from '../matte/parts.ts'
import { writeNamed } from '../output-file.ts'
import type { Context, Job, OutputFile, Processor } from '../processor.ts'
import { AppError } from '#shared/errors/app-error'
import { formats, readableFormats } from '#shared/formats'
import { adjustEdges } from '#shared/matte/edges'
import { subjectBox } from '#shared/matte/framing'
import type { Matte } from '#shared/matte/matte'
import { paintStrokes } from '#shared/matte/paint'
import { resultName } from '#shared/names'
import type { Rect, Size } from '#shared/resize'
import type { OptionsOf } from '#shared/tools/index'

type Options = OptionsOf<'cut-out'>

/** What is on a background may lose a little; what is transparent goes on to other programs and should not. */
const QUALITY = 92

/** Where a matte comes from. */
interface Found extends FiledMatte {
  /** Whether a model told subject from ground, now or in an earlier job. */
  readonly isByModel: boolean
}

function formatOf({ format, background }: Options): MarkedId {
  if (format !== 'auto') return format
  return background.by === 'transparent' ? 'png' : 'jpeg'
}

/** Where the faces are by which people are told from what else a model took for them. */
async function faceBoxes(seen: Pixels, { kind }: Options, modelsFolder: string | undefined): Promise<readonly Rect[]> {
  if (kind !== 'person') return []
  const { findFaces } = await import('../ai/faces.ts')
  const faces = await findFaces(seen, modelsFolder === undefined ? {} : { modelsFolder })
  return faces.map(({ box }) => box)
}

async function byModel({ seen, own }: Opacity, { options }: Job<'cut-out'>, { modelsFolder, progress }: Context): Promise<Found> {
  // Loaded where a model is asked for, and nowhere else.
  const { predictMatte } = await import('../ai/predict.ts')
  const { refineMatte } = await import('../matte/refine.ts')
  const faces = await faceBoxes(seen, options, modelsFolder)
  const { matte, isSure } = await predictMatte(seen, options.kind, {
    ...(modelsFolder !== undefined && { modelsFolder }),
    faces,
    progress: (share) => progress(0.1 + 0.4 * share),
  })
  const refined = refineMatte(seen, matte, options.kind, faces)
  return { matte: own ? within(refined, own) : refined, isByModel: true, isUnsure: !isSure }
}

/** The matte an earlier job made, if it is one of this picture; a lost or broken one is made anew. */
async function earlierMatte({ matte }: Job<'cut-out'>, size: Size): Promise<Found | undefined> {
  const known = matte && (await readMatte(matte, size).catch(() => undefined))
  return known && { ...known, isByModel: known.matte.data.some((value) => value > 0) }
}

/**
 * The subject: as the picture's own transparency says, as an earlier job saw it, or as a model does. Where the model sees none, strokes that
 * keep something begin with nothing.
 */
async function findSubject(source: Opacity, job: Job<'cut-out'>, context: Context): Promise<Found> {
  if (source.own && isCutOut(source.own)) return { matte: source.own, isByModel: false, isUnsure: false }
  const { width, height } = source.seen
  const earlier = await earlierMatte(job, { width, height })
  if (earlier) return earlier
  try {
    return await byModel(source, job, context)
  } catch (thrown) {
    const isPainted = job.options.strokes.some(({ mode }) => mode === 'keep')
    const isEmpty = thrown instanceof AppError && thrown.code === 'cutout.no-subject'
    if (!isEmpty || !isPainted) throw thrown
    return { matte: { data: new Uint8Array(width * height), width, height }, isByModel: false, isUnsure: false }
  }
}

/** The matte as strokes and edges leave it. Throws `cutout.no-subject` where that is nothing. */
function adjusted(matte: Matte, { strokes, shift, feather }: Options): Matte {
  const painted = strokes.length === 0 ? matte : paintStrokes(matte, strokes)
  const result = adjustEdges(painted, { shift, feather, scale: 1 })
  if (!subjectBox(result)) throw new AppError('cutout.no-subject', {})
  return result
}

/** A subject's own colours: a picture that was transparent before has them already. */
const coloursOf = (source: Opacity, matte: Matte): Pixels =>
  source.own && isCutOut(source.own) ? source.colours : estimateForeground(source.seen, matte)

/** A cut-out before it is written. */
interface Made {
  readonly result: Pixels
  readonly parts: readonly OutputFile[]
  readonly isByModel: boolean
  readonly isUnsure: boolean
}

/** Cuts out and composes; what that took besides the result is let go of with it. */
async function made(picture: Picture, format: MarkedId, job: Job<'cut-out'>, context: Context): Promise<Made> {
  const { options, attachment, wantsParts } = job
  const { limits, folder, progress } = context
  const { background } = options
  const backdrop = background.by === 'image' ? await openBackdrop(attachment, picture, background, limits) : undefined
  const decoded = await decode({ ...picture, frames: 1 }, false)
  const source = await opacityOf(decoded)
  progress(0.1)
  const found = await findSubject(source, job, context)
  const { matte } = found
  progress(0.6)
  const shown = adjusted(matte, options)
  checkOutput(canvasOf(shown, options), format, 1, limits)
  // Where no stroke and no edge changes the matte, parts and result show the same colours: they take seconds to find.
  let foreground = options.decontaminate && shown === matte ? coloursOf(source, matte) : undefined
  const parts = wantsParts ? await writeParts(source, found, foreground ?? coloursOf(source, matte), folder) : []
  foreground ??= options.decontaminate ? coloursOf(source, shown) : source.colours
  progress(0.7)
  const result = await composeCutOut({ source: source.seen, foreground, matte: shown, options, backdrop })
  const { dpi } = decoded
  const { isByModel, isUnsure } = found
  return { result: { ...result, ...(dpi !== undefined && { dpi }) }, parts, isByModel, isUnsure }
}

/**
 * Cuts the subject out of a picture (of an animation, of its first frame) at its own size, on nothing or on another background; with
 * `wantsParts` the parts of an editor come behind the result. Throws `file.*`, `image.*`, `format.side-limit`, `options.background-*`,
 * `model.missing`, and `cutout.no-subject` where nothing is found and nothing painted.
 */
export const cutOut: Processor<'cut-out'> = async (job, context) => {
  const { options } = job
  const [{ path, name: sourceName }] = job.inputs
  const { limits, folder, progress, producer } = context
  const picture = await openPicture(path, readableFormats, limits, sourceName)
  const format = formatOf(options)
  // A cropped result's size is known only when its subject is.
  if (!options.trim) checkOutput(picture, format, 1, limits)
  const { result, parts, isByModel, isUnsure } = await made(picture, format, job, context)
  progress(0.8)
  // An encoder's memory is no concern of the collector's, which would leave three pictures lying beside it.
  globalThis.gc?.()
  const file = await encode(result, format, { quality: QUALITY })
  const bytes = isByModel ? withAiMark(file, format, producer) : file
  // Who has painted has looked at it.
  const note = isUnsure && options.strokes.length === 0 ? ({ kind: 'unsure' } as const) : undefined
  const { width, height } = result
  const name = resultName(sourceName, formats[format].extensions[0])
  return [await writeNamed({ bytes, format, width, height, note }, name, folder), ...parts]
}
