import { composeCutOut } from './compose.ts'
import { estimateForeground } from './foreground.ts'
import { readMatte, type FiledMatte } from './matte-file.ts'
import { isCutOut, opacityOf, within, type Opacity } from './opacity.ts'
import { refineMatte } from './refine.ts'
import { findFaces, type Face } from '../ai/faces.ts'
import { predictMatte } from '../ai/predict.ts'
import { frameOf } from '../image/frames.ts'
import type { Pixels } from '../image/pixels.ts'
import type { FoundHead } from '../image/portrait-frame.ts'
import type { Context, Job } from '../processor.ts'
import { AppError } from '#shared/errors/app-error'
import { subjectBox } from '#shared/matte/framing'
import type { Matte } from '#shared/matte/matte'

/** A picture on the ground a photo gets, and who is in it. */
export interface Portrait {
  /** Three channels. */
  readonly photo: Pixels
  /** Which of its pixels are the person, where that is known. */
  readonly matte?: Matte
  /** Whether a model told the person from the ground, now or in an earlier job. */
  readonly isByModel: boolean
  /** Whether that model was unsure. */
  readonly isUnsure: boolean
  /** The head, where one was looked for and found. */
  readonly found?: FoundHead
}

type Asked = Pick<Job<'id-photo'>, 'options' | 'matte'>
type Surroundings = Pick<Context, 'modelsFolder' | 'progress'>

/** The person by a model, or as an earlier job saw them; a lost or broken matte is made anew. Throws `face.not-found` where there is nobody. */
async function personMatte({ seen, own }: Opacity, faces: readonly Face[], { matte }: Asked, context: Surroundings): Promise<FiledMatte> {
  const known = matte && (await readMatte(matte, seen).catch(() => undefined))
  // An earlier cut-out may have begun with nothing, for somebody to paint.
  if (known && !subjectBox(known.matte)) throw new AppError('face.not-found', {})
  if (known) return known
  const { modelsFolder, progress } = context
  const boxes = faces.map(({ box }) => box)
  const predicted = await predictMatte(seen, 'person', {
    ...(modelsFolder !== undefined && { modelsFolder }),
    faces: boxes,
    progress: (share) => progress(0.2 + share * 0.3),
  }).catch((thrown: unknown) => {
    // Nobody can be painted in by hand here: what is missing is a person.
    throw thrown instanceof AppError && thrown.code === 'cutout.no-subject' ? new AppError('face.not-found', {}) : thrown
  })
  const refined = refineMatte(seen, predicted.matte, 'person', boxes)
  return { matte: own ? within(refined, own) : refined, isUnsure: !predicted.isSure }
}

/** The person on the ground asked for: on a colour without a rim of what was behind them; else as they are, white where that is transparent. */
async function onNewGround(source: Opacity, faces: readonly Face[], asked: Asked, context: Surroundings): Promise<Portrait> {
  const { background } = asked.options
  const { seen, own, colours } = source
  const isOwn = own !== undefined && isCutOut(own)
  if (background.by === 'keep') return { photo: seen, isByModel: false, isUnsure: false, ...(isOwn && { matte: own }) }
  const { matte, isUnsure } = isOwn ? { matte: own, isUnsure: false } : await personMatte(source, faces, asked, context)
  context.progress(0.55)
  const foreground = isOwn ? colours : estimateForeground(seen, matte)
  const options = { background, trim: false, margin: 0, shadow: { by: 'none' } } as const
  return { photo: await composeCutOut({ source: seen, foreground, matte, options }), matte, isByModel: !isOwn, isUnsure }
}

const areaOf = ({ box }: Face): number => box.width * box.height

/**
 * The person of an ID photo with the background and the crop it asks for. A picture that is cut out already keeps its own alpha; of several
 * people the one in front is meant. Throws `model.missing`, and `face.not-found` where a background is to go and nobody is before it.
 */
export async function portraitOf(pixels: Pixels, asked: Asked, context: Surroundings): Promise<Portrait> {
  const { modelsFolder, progress } = context
  const source = await opacityOf(frameOf(pixels, 0))
  const faces = await findFaces(source.seen, modelsFolder === undefined ? {} : { modelsFolder })
  progress(0.2)
  const portrait = await onNewGround(source, faces, asked, context)
  const [face] = faces.toSorted((one, other) => areaOf(other) - areaOf(one))
  if (!face || asked.options.crop.by !== 'face') return portrait
  const { landmarks } = face
  return { ...portrait, found: { landmarks, matte: portrait.matte, isGroundKept: portrait.matte === undefined } }
}
