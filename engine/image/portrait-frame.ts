import { headLines, tiltOf, turnedPoint, type HeadLines, type Point } from './head-lines.ts'
import { centredFrame, headFrame, type Frame, type Sides } from '#shared/id-photo-crop'
import type { HeadPlace } from '#shared/id-photos'
import type { Matte } from '#shared/matte/matte'

/** How far a frame may reach, in pixels of the picture: to where the person is cut, or the picture ends. Infinite where new ground goes on. */
export interface Bounds {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** What a head may grow by where its rule names no limit, so that shoulders stay whole … */
const GROWTH = 1.15
/** … and what a head may take of a photo at all. */
const MOST_HEAD = 0.85
/** What a face may lie off the middle, in parts of the photo's width. */
const SHIFT = 0.04
/** What there may be above the head beyond the rule, in parts of the photo's height. */
const EXTRA_ABOVE = 0.06
const STEP = 0.005
/** The part of a side that a person must touch before the picture counts as cutting them there. */
const TOUCHING = 0.02

/** Bounds of a picture whose own ground stays. */
export const pictureBounds = ({ width, height }: Sides): Bounds => ({ left: 0, top: 0, right: width, bottom: height })

/** Bounds of a person on new ground: the sides that cut them, and below them, where a bust would float, in any case. */
export function personBounds({ data, width, height }: Matte): Bounds {
  const isCut = (first: number, step: number, count: number): boolean => {
    let solid = 0
    for (let at = 0; at < count; at++) if ((data[first + at * step] ?? 0) >= 128) solid++
    return solid > count * TOUCHING
  }
  let bottom = height
  while (bottom > 1 && !isCut((bottom - 1) * width, 1, width)) bottom--
  return {
    left: isCut(0, width, height) ? 0 : -Infinity,
    right: isCut(width - 1, width, height) ? width : Infinity,
    top: isCut(0, 1, width) ? 0 : -Infinity,
    bottom,
  }
}

/** Bounds within which nothing of a picture turned by some degrees ends. */
function turnedBounds({ left, top, right, bottom }: Bounds, { width, height }: Sides, degrees: number): Bounds {
  const sine = Math.abs(Math.sin((degrees * Math.PI) / 180))
  const [across, down] = [(sine * height) / 2, (sine * width) / 2]
  return { left: left + across, top: top + down, right: right - across, bottom: bottom - down }
}

const overhang = ({ left, top, width, height }: Frame, bounds: Bounds): number =>
  Math.max(0, bounds.left - left) +
  Math.max(0, bounds.top - top) +
  Math.max(0, left + width - bounds.right) +
  Math.max(0, top + height - bounds.bottom)

/** The tallest head that a place allows. */
const tallestIn = ({ height, tallest = height * GROWTH }: HeadPlace): number => tallest

const clamp = (value: number, least: number, most: number): number => Math.max(least, Math.min(most, value))

/** Where a frame in which the head has its rule's height goes, moved a little away from bounds it would cross. */
function heldFrame(picture: Sides, lines: HeadLines, ratio: number, place: HeadPlace, bounds: Bounds): Frame {
  const down = 100 / picture.height
  const marks = {
    crown: lines.crown * down,
    eyes: lines.eyes * down,
    chin: lines.chin * down,
    centre: (lines.centre * 100) / picture.width,
  }
  const { frame } = headFrame(picture, marks, ratio, place)
  const { width, height } = frame
  const left = clamp(clamp(frame.left, bounds.left, bounds.right - width), frame.left - SHIFT * width, frame.left + SHIFT * width)
  // Up as far as the rule lets the eyes sink, down until the crown meets the edge.
  const [eyesLow] = place.eyes ?? [0]
  const highest = Math.max(frame.top - EXTRA_ABOVE * height, Math.min(frame.top, lines.eyes - height + eyesLow * height))
  const lowest = Math.max(frame.top, lines.crown)
  return { left, top: clamp(Math.max(bounds.top, Math.min(bounds.bottom - height, frame.top)), highest, lowest), width, height }
}

/** What a frame is made for beside the head. */
interface Ground {
  readonly bounds: Bounds
  /** Whether the picture's own ground stays, which ends where the picture does. */
  readonly isKept: boolean
}

/**
 * The frame that puts a head where a photo wants it, without the person's cut edges in sight: for that the head may be as tall
 * as its rule allows. Where that is not enough, it crosses bounds by as little as can be, and with ground that is kept not at all.
 */
export function portraitFrame(picture: Sides, lines: HeadLines, ratio: number, place: HeadPlace, { bounds, isKept }: Ground): Frame {
  const most = isKept ? MOST_HEAD : Math.min(MOST_HEAD, tallestIn(place))
  const first = heldFrame(picture, lines, ratio, place, bounds)
  let best = first
  for (let height = place.height + STEP; overhang(best, bounds) > 0 && height <= most; height += STEP) {
    // A larger head leaves less above it.
    const frame = heldFrame(picture, lines, ratio, { ...place, height, above: Math.min(place.above, (1 - height) / 2) }, bounds)
    if (overhang(frame, bounds) < overhang(best, bounds)) best = frame
  }
  return isKept && overhang(best, bounds) > 0 ? insideFrame(picture, lines, ratio) : best
}

/** The largest frame of a ratio that lies in a picture, as near to a head as can be. */
function insideFrame(picture: Sides, { crown, chin, centre }: HeadLines, ratio: number): Frame {
  const { width, height } = centredFrame({ left: 0, top: 0, ...picture }, ratio)
  const left = clamp(centre - width / 2, 0, picture.width - width)
  return { left, top: clamp((crown + chin) / 2 - height / 2, 0, picture.height - height), width, height }
}

/** Whether a picture already is such a photo: its ratio, and a head upright where the rule wants it, more or less. */
export function isSuchPhoto({ width, height }: Sides, { crown, chin, centre, tilt }: HeadLines, ratio: number, place: HeadPlace): boolean {
  const part = (chin - crown) / height
  const growth = tallestIn(place) / place.height
  return (
    tilt === 0 &&
    Math.abs(width / height / ratio - 1) < 0.01 &&
    part > place.height / growth &&
    part < place.height * growth &&
    Math.abs(crown / height - place.above) < EXTRA_ABOVE &&
    Math.abs(centre / width - 0.5) < SHIFT
  )
}

/** Whether a frame of a picture turned upright shows nothing of what lies beyond bounds. */
function isWithin({ left, top, width, height }: Frame, picture: Sides, tilt: number, bounds: Bounds): boolean {
  const corners = [0, 1].flatMap((right) => [0, 1].map((down) => ({ x: left + right * width, y: top + down * height })))
  return corners
    .map((corner) => turnedPoint(corner, picture, tilt))
    .every(({ x, y }) => x > bounds.left - 1 && x < bounds.right + 1 && y > bounds.top - 1 && y < bounds.bottom + 1)
}

/** A person's head in a picture: the landmarks of their face, and the matte where there is one. */
export interface FoundHead {
  readonly landmarks: readonly Point[]
  readonly matte: Matte | undefined
  readonly isGroundKept: boolean
}

/**
 * The frame for a face by its landmarks, with the lines it follows. A picture that already is such a photo keeps its own; a head that leans is
 * set upright where that shows nothing beyond the picture.
 */
export function faceFrame(found: FoundHead, picture: Sides, ratio: number, place: HeadPlace): { frame: Frame; lines: HeadLines } {
  const { landmarks, matte, isGroundKept } = found
  const bounds = isGroundKept || !matte ? pictureBounds(picture) : personBounds(matte)
  const lean = tiltOf(landmarks)
  const leaning = headLines(landmarks, picture, lean, matte)
  const turned = portraitFrame(picture, leaning, ratio, place, { bounds: turnedBounds(bounds, picture, lean), isKept: isGroundKept })
  if (lean !== 0 && isWithin(turned, picture, lean, bounds)) return { frame: turned, lines: leaning }
  const lines = headLines(landmarks, picture, 0, matte)
  if (isSuchPhoto(picture, lines, ratio, place)) return { frame: { left: 0, top: 0, ...picture }, lines }
  return { frame: portraitFrame(picture, lines, ratio, place, { bounds, isKept: isGroundKept }), lines }
}
