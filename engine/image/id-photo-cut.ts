import { headOf } from './head-lines.ts'
import { framed, turned } from './framing.ts'
import type { Pixels } from './pixels.ts'
import { faceFrame, type FoundHead } from './portrait-frame.ts'
import type { Head } from '../processor.ts'
import { AppError } from '#shared/errors/app-error'
import { centredFrame, enlargement, framePart, headFrame, targetSides, type Frame, type Sides } from '#shared/id-photo-crop'
import { usualHead, type IdPhoto } from '#shared/id-photos'
import type { OptionsOf } from '#shared/tools/index'

type Asked = Pick<OptionsOf<'id-photo'>, 'width' | 'height' | 'keepRatio' | 'crop'>

/** Beyond this enlargement it is no photo of a face any more. */
const TOO_SMALL = 8

/** What is taken of a picture turned upright by `tilt`, and the sides it gets; the head's lines where a face was found. */
export interface Cut {
  readonly frame: Frame
  readonly target: Sides
  /** Degrees clockwise that the head leans by. */
  readonly tilt: number
  readonly head?: Head
}

function checked(cut: Cut, source: Sides): Cut {
  const times = enlargement(cut.frame, cut.target) / TOO_SMALL
  if (times <= 1) return cut
  throw new AppError('file.too-small', { width: Math.ceil(source.width * times), height: Math.ceil(source.height * times) })
}

/**
 * Decides on frame and size for an upright source; a crop by the face without one is cut in its middle.
 * Throws `file.too-small`, and `options.head-outside` when a marked head does not fit.
 */
export function cutOf({ width, height, keepRatio, crop }: Asked, preset: IdPhoto | undefined, source: Sides, found?: FoundHead): Cut {
  const whole = { left: 0, top: 0, width: source.width, height: source.height }
  const part =
    crop.by === 'rectangle'
      ? framePart(source, { left: crop.cropLeft, top: crop.cropTop, width: crop.cropWidth, height: crop.cropHeight })
      : whole
  const asked = { ...(width !== undefined && { width }), ...(height !== undefined && { height }) }
  const target = targetSides(asked, preset && { width: preset.widthPx, height: preset.heightPx }, part)
  const ratio = target.width / target.height
  const place = preset?.head ?? usualHead
  if (crop.by === 'face' && found) {
    const { frame, lines } = faceFrame(found, source, ratio, place)
    const head = headOf(lines, source)
    // Nothing is asked of its sides: the picture stays as it is.
    const isFree = preset === undefined && width === undefined && height === undefined
    return isFree ? { frame: whole, target, tilt: 0, head } : checked({ frame, target, tilt: lines.tilt, head }, source)
  }
  if (crop.by !== 'head') return checked({ frame: keepRatio ? centredFrame(part, ratio) : part, target, tilt: 0 }, source)
  const { frame, isHeadWhole } = headFrame(source, crop, ratio, place)
  if (!isHeadWhole) throw new AppError('options.head-outside', {})
  return checked({ frame, target, tilt: crop.tilt }, source)
}

/** What a cut shows of a picture of three channels, ground where it reaches beyond. A picture set upright grows about its middle. */
export async function taken(source: Pixels, { frame, target, tilt }: Cut, ground: string): Promise<Pixels> {
  if (tilt === 0) return framed(source, frame, target, ground)
  const upright = await turned(source, -tilt, ground)
  const left = frame.left + (upright.width - source.width) / 2
  const top = frame.top + (upright.height - source.height) / 2
  return framed(upright, { ...frame, left, top }, target, ground)
}
