import type { Options } from '../state/settings.ts'
import type { Bounds, Box, Size } from '../ui/crop-geometry.ts'
import { cropOf, cropRatios, quarterTurned, turnedSize, type CropRatio, type CropRequest, type Turning } from '#shared/crop'
import { initialOf } from '#shared/tools/field'
import { cropImage } from '#shared/tools/crop-image'
import { parseOptions } from '#shared/tools/index'

/** A crop as it is being made: how the picture is turned, and the box in whole pixels of the turned picture. */
export interface CropDraft extends Turning {
  readonly ratio: CropRatio
  readonly circle: boolean
  readonly box: Box
}

const start = initialOf(cropImage.options)

/** What a box may be: within the turned picture, in the draft's proportions. */
export function boundsOf(source: Size, draft: CropDraft): Bounds {
  return { picture: turnedSize(source, draft), leastSide: 1, ratio: ratioOf(source, draft) }
}

function ratioOf(source: Size, { ratio, circle, rotate }: CropDraft): number | undefined {
  if (circle) return 1
  if (ratio === 'free') return undefined
  const { width, height } = quarterTurned(source, rotate)
  return ratio === 'original' ? width / height : cropRatios[ratio]
}

function requestOf({ rotate, flip, straighten, ratio, circle }: CropDraft): CropRequest {
  return { rotate, flip, straighten, ratio, circle, left: 0, top: 0, unit: 'px' }
}

/** The draft with the box that stands for no box at all: the largest of its proportions without blank corners. */
const widest = (source: Size, draft: CropDraft): CropDraft => ({ ...draft, box: boxOf(source, requestOf(draft)) })

/** The box of a request; all of the picture where nothing of the request lies in it. */
function boxOf(source: Size, request: CropRequest): Box {
  const { left, top, width, height } = cropOf(source, request) ?? { left: 0, top: 0, ...turnedSize(source, request) }
  return { left, top, width, height }
}

/** The draft that options as a form holds them describe; an untouched one where they don't pass. */
export function draftOf(source: Size, options: Options): CropDraft {
  const { rotate, flip, straighten, ratio, circle, ...part } = checked(options)
  return { rotate, flip, straighten, ratio, circle, box: boxOf(source, { rotate, flip, straighten, ratio, circle, ...part }) }
}

function checked(options: Options): CropRequest {
  try {
    return parseOptions('crop-image', options)
  } catch {
    return start
  }
}

const isSame = (one: Box, other: Box): boolean =>
  one.left === other.left && one.top === other.top && one.width === other.width && one.height === other.height

/** The tool takes no smaller part: a pixel of sides of 10,000. */
const LEAST_PERCENT = 0.01

/** A ten-thousandth of a percent is less than a pixel of any picture. */
const percentOf = (part: number, whole: number): number => Math.round((part / whole) * 1e6) / 1e4

/** The options a draft says: in pixels for its own picture, in percent for pictures of any size. */
export function optionsOf(source: Size, draft: CropDraft, unit: 'px' | 'percent'): Options {
  const { rotate, flip, straighten, ratio, circle, box } = draft
  const turning = { ...start, rotate, flip, straighten, ratio, circle }
  if (isSame(box, widest(source, draft).box)) return turning
  if (unit === 'px') return { ...turning, ...box }
  const { width, height } = turnedSize(source, draft)
  return {
    ...turning,
    unit,
    left: percentOf(box.left, width),
    top: percentOf(box.top, height),
    width: Math.max(LEAST_PERCENT, percentOf(box.width, width)),
    height: Math.max(LEAST_PERCENT, percentOf(box.height, height)),
  }
}

/** Whether options crop or turn anything. */
export const isCropSet = (options: Options): boolean =>
  Object.entries(start).some(([key, value]) => key !== 'unit' && options[key] !== undefined && options[key] !== value)

/** Without any turn and with all of the picture. */
export const resetDraft = (source: Size): CropDraft => draftOf(source, start)

const quarters = ['0', '90', '180', '270'] as const
const upended: Readonly<Partial<Record<CropRatio, CropRatio>>> = {
  '4:3': '3:4',
  '3:4': '4:3',
  '16:9': '9:16',
  '9:16': '16:9',
  '3:2': '2:3',
  '2:3': '3:2',
}

/** The draft after what is seen was turned by a quarter: a mirrored picture has to be turned the other way beneath its mirror. */
export function turned(source: Size, draft: CropDraft, to: 'left' | 'right'): CropDraft {
  const { width, height } = turnedSize(source, draft)
  const { box, rotate, flip, ratio } = draft
  const isMirrored = flip === 'horizontal' || flip === 'vertical'
  const step = (to === 'right') === isMirrored ? 3 : 1
  const place =
    to === 'right' ? { left: height - box.top - box.height, top: box.left } : { left: box.top, top: width - box.left - box.width }
  return {
    ...draft,
    rotate: quarters[(quarters.indexOf(rotate) + step) % 4] ?? '0',
    ratio: upended[ratio] ?? ratio,
    box: { ...place, width: box.height, height: box.width },
  }
}

const flips = ['none', 'horizontal', 'vertical', 'both'] as const

/** The draft after what is seen was mirrored; a tilt changes its side with it. */
export function flipped(source: Size, draft: CropDraft, axis: 'horizontal' | 'vertical'): CropDraft {
  const { width, height } = turnedSize(source, draft)
  const { box, flip, straighten } = draft
  // Two bits: mirrored left to right, mirrored top to bottom.
  const next = flips[flips.indexOf(flip) ^ (axis === 'horizontal' ? 1 : 2)] ?? 'none'
  const place = axis === 'horizontal' ? { left: width - box.left - box.width } : { top: height - box.top - box.height }
  return { ...draft, flip: next, straighten: straighten === 0 ? 0 : -straighten, box: { ...box, ...place } }
}

/** The draft with another tilt, proportion or shape; the box becomes the largest there is. */
export const changed = (source: Size, draft: CropDraft, change: Partial<Pick<CropDraft, 'straighten' | 'ratio' | 'circle'>>): CropDraft =>
  widest(source, { ...draft, ...change })

/** A box brought to whole pixels within its picture. */
export function wholePixels({ left, top, width, height }: Box, picture: Size): Box {
  const wide = Math.min(picture.width, Math.max(1, Math.round(width)))
  const high = Math.min(picture.height, Math.max(1, Math.round(height)))
  return {
    left: Math.min(picture.width - wide, Math.max(0, Math.round(left))),
    top: Math.min(picture.height - high, Math.max(0, Math.round(top))),
    width: wide,
    height: high,
  }
}

/** A box after one of its numbers was typed: it gives way at the picture's edge and keeps its proportions. */
export function typedBox(box: Box, key: keyof Box, value: number, bounds: Bounds): Box {
  const { picture, ratio } = bounds
  const asked = { ...box, [key]: value }
  const left = Math.min(asked.left, picture.width - 1)
  const top = Math.min(asked.top, picture.height - 1)
  const room = { width: picture.width - left, height: picture.height - top }
  const free = { left, top, width: Math.min(asked.width, room.width), height: Math.min(asked.height, room.height) }
  if (ratio === undefined) return wholePixels(free, picture)
  const leads = key === 'height' ? free.height * ratio : key === 'width' ? free.width : Math.min(free.width, free.height * ratio)
  const width = Math.min(leads, room.width, room.height * ratio)
  return wholePixels({ left, top, width, height: width / ratio }, picture)
}

/** A box as its stage was left, in whole pixels. */
export const placed = (draft: CropDraft, box: Box, source: Size): CropDraft => ({
  ...draft,
  box: wholePixels(box, turnedSize(source, draft)),
})
