import type { HeadPlace } from '#shared/id-photos'

/** A width and a height in pixels. */
export interface Sides {
  readonly width: number
  readonly height: number
}

/** A part of a picture in its pixels, fractions included; it may reach beyond the picture, where the ground shows. */
export interface Frame extends Sides {
  readonly left: number
  readonly top: number
}

/** Lines a person draws on an upright picture, in percent of its width or height. */
export interface HeadMarks {
  readonly crown: number
  readonly chin: number
  readonly eyes: number
  /** The middle of the face, from the left. */
  readonly centre: number
}

/** Where a head's frame lies, and whether the whole head is in the picture and in the frame. */
export interface HeadFrame {
  readonly frame: Frame
  readonly isHeadWhole: boolean
}

/** A head's width over its height, hair and ears included: 207 px over two thirds of 441 px in GA 461-2004. */
const HEAD_WIDTH = 0.7
/** Of what is cut from a tall picture, the part above: faces lie above the middle. */
const CUT_ABOVE = 0.35

/** The sides of a result: what is asked for; a missing one follows from the preset's ratio, or else the source's. */
export function targetSides(asked: Partial<Sides>, preset: Sides | undefined, source: Sides): Sides {
  const model = preset ?? source
  const { width, height } = asked
  if (width !== undefined && height !== undefined) return { width, height }
  if (width !== undefined) return { width, height: Math.max(1, Math.round((width * model.height) / model.width)) }
  if (height !== undefined) return { width: Math.max(1, Math.round((height * model.width) / model.height)), height }
  return { width: Math.max(1, Math.round(model.width)), height: Math.max(1, Math.round(model.height)) }
}

/** The largest frame of a ratio (width over height) inside another: in the middle across, a little above it down. */
export function centredFrame(outer: Frame, ratio: number): Frame {
  const width = Math.min(outer.width, outer.height * ratio)
  const height = Math.min(outer.height, outer.width / ratio)
  return {
    left: outer.left + (outer.width - width) / 2,
    top: outer.top + (outer.height - height) * CUT_ABOVE,
    width,
    height,
  }
}

/** A part of a picture given in percent, cut to the picture; at least one pixel. */
export function framePart(picture: Sides, percent: Frame): Frame {
  const left = Math.min(picture.width - 1, (picture.width * percent.left) / 100)
  const top = Math.min(picture.height - 1, (picture.height * percent.top) / 100)
  return {
    left,
    top,
    width: Math.max(1, Math.min(picture.width - left, (picture.width * percent.width) / 100)),
    height: Math.max(1, Math.min(picture.height - top, (picture.height * percent.height) / 100)),
  }
}

/**
 * The frame that puts a marked head where a photo wants it: the head's height sets the scale, the crown its place, and the
 * eyes correct that place where a rule names their height, as long as crown and chin stay inside. The frame may reach beyond
 * the picture on any side. `isHeadWhole` is false when ground would show in the head or the frame would cut it.
 */
export function headFrame(picture: Sides, marks: HeadMarks, ratio: number, place: HeadPlace): HeadFrame {
  const [crown, chin, eyes] = [marks.crown, marks.chin, marks.eyes].map((line) => (line * picture.height) / 100) as [number, number, number] // one for each of three
  const centre = (marks.centre * picture.width) / 100
  const headHeight = chin - crown
  const height = headHeight / place.height
  const width = height * ratio
  const frame = { left: centre - width / 2, top: topOf(place, height, { crown, chin, eyes }), width, height }
  const halfHead = (headHeight * HEAD_WIDTH) / 2
  const isInPicture = crown >= 0 && chin <= picture.height && centre - halfHead >= 0 && centre + halfHead <= picture.width
  return { frame, isHeadWhole: isInPicture && place.height + place.above <= 1 && halfHead * 2 <= width }
}

function topOf({ above, eyes: range }: HeadPlace, height: number, marks: { crown: number; chin: number; eyes: number }): number {
  const byCrown = marks.crown - above * height
  if (range === undefined) return byCrown
  // The eyes lie (top + height - eyes) above the frame's lower edge.
  const [lowest, highest] = range.map((part) => marks.eyes - height + part * height) as [number, number] // one for each of two
  const byEyes = Math.min(highest, Math.max(lowest, byCrown))
  return Math.min(marks.crown, Math.max(marks.chin - height, byEyes))
}

/** How much a frame is enlarged to fill some sides: 1 is pixel for pixel, 2 twice the width or height. */
export const enlargement = (frame: Sides, target: Sides): number => Math.max(target.width / frame.width, target.height / frame.height)
