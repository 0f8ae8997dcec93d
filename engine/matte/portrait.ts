import { composeCutOut } from './compose.ts'
import { estimateForeground } from './foreground.ts'
import { readMatte } from './matte-file.ts'
import { refineMatte } from './refine.ts'
import { findFaces, type Face } from '../ai/faces.ts'
import { predictMatte } from '../ai/predict.ts'
import { frameOf } from '../image/frames.ts'
import { onGround } from '../image/framing.ts'
import { hasAlpha, type Pixels } from '../image/pixels.ts'
import type { FoundHead } from '../image/portrait-frame.ts'
import type { Context, Job } from '../processor.ts'
import type { Matte } from '#shared/matte/matte'

/** A picture on the ground a photo gets, and who is in it. */
export interface Portrait {
  /** Three channels. */
  readonly photo: Pixels
  /** Which of its pixels are the person, where that is known. */
  readonly matte?: Matte
  /** Whether a model told the person from the ground, now or in an earlier job. */
  readonly isByModel: boolean
  /** The head, where one was looked for and found. */
  readonly found?: FoundHead
}

type Asked = Pick<Job<'id-photo'>, 'options' | 'matte'>
type Surroundings = Pick<Context, 'modelsFolder' | 'progress'>

/** A picture of which less is transparent has its corners rounded, and its ground still to be taken away. */
const CUT_OUT = 0.05

/** The alpha of a picture that is cut out already, as a matte; undefined for any other. */
function ownMatte(pixels: Pixels): Matte | undefined {
  if (!hasAlpha(pixels)) return undefined
  const { data, width, height, channels } = frameOf(pixels, 0)
  const alpha = Uint8Array.from({ length: width * height }, (_, at) => data[(at + 1) * channels - 1] ?? 0)
  let clear = 0
  for (const value of alpha) if (value < 128) clear++
  return clear > alpha.length * CUT_OUT ? { data: alpha, width, height } : undefined
}

/** The person by a model, or as an earlier job saw them. */
async function personMatte(
  source: Pixels,
  faces: readonly Face[],
  { matte }: Asked,
  { modelsFolder, progress }: Surroundings,
): Promise<Matte> {
  if (matte) return readMatte(matte, source)
  const predicted = await predictMatte(source, 'person', {
    ...(modelsFolder !== undefined && { modelsFolder }),
    progress: (share) => progress(0.2 + share * 0.3),
  })
  return refineMatte(
    source,
    predicted.matte,
    'person',
    faces.map(({ box }) => box),
  )
}

/** The person on the ground asked for: on a colour without a rim of what was behind them; else as they are, white where that is transparent. */
async function onNewGround(pixels: Pixels, faces: readonly Face[], asked: Asked, surroundings: Surroundings): Promise<Portrait> {
  const { background } = asked.options
  const own = ownMatte(pixels)
  const source = await onGround(pixels, background.by === 'colour' ? background.colour : '#ffffff')
  if (own) return { photo: source, matte: own, isByModel: false }
  if (background.by === 'keep') return { photo: source, isByModel: false }
  const matte = await personMatte(source, faces, asked, surroundings)
  surroundings.progress(0.55)
  const options = { background, trim: false, margin: 0, shadow: { by: 'none' } } as const
  const photo = await composeCutOut({ source, foreground: estimateForeground(source, matte), matte, options })
  return { photo, matte, isByModel: true }
}

const areaOf = ({ box }: Face): number => box.width * box.height

/**
 * The person of an ID photo with the background and the crop it asks for. A picture that is cut out already keeps its own alpha; of several
 * people the one in front is meant. Throws `model.missing`, `cutout.no-subject`.
 */
export async function portraitOf(pixels: Pixels, asked: Asked, surroundings: Surroundings): Promise<Portrait> {
  const { modelsFolder, progress } = surroundings
  const faces = await findFaces(pixels, modelsFolder === undefined ? {} : { modelsFolder })
  progress(0.2)
  const portrait = await onNewGround(pixels, faces, asked, surroundings)
  const [face] = faces.toSorted((one, other) => areaOf(other) - areaOf(one))
  if (!face || asked.options.crop.by !== 'face') return portrait
  const { landmarks } = face
  return { ...portrait, found: { landmarks, matte: portrait.matte, isGroundKept: portrait.matte === undefined } }
}
