import type { Matte } from './matte.ts'
import { shadowOffset, type Shadow } from './shadow.ts'
import type { Rect, Size } from '#shared/resize'

/** Less than this much subject is not seen as one: 3 %. */
const VISIBLE = 8

/** The smallest rectangle around all that is visibly subject; undefined where nothing is. */
export function subjectBox({ data, width, height }: Matte): Rect | undefined {
  let [left, top, right, bottom] = [width, height, -1, -1]
  for (let y = 0; y < height; y++) {
    const row = y * width
    let first = 0
    while (first < width && (data[row + first] ?? 0) < VISIBLE) first++
    if (first === width) continue
    let last = width - 1
    while ((data[row + last] ?? 0) < VISIBLE) last--
    left = Math.min(left, first)
    right = Math.max(right, last)
    top = Math.min(top, y)
    bottom = y
  }
  return right < 0 ? undefined : { left, top, width: right - left + 1, height: bottom - top + 1 }
}

/** What is left around a subject that is cropped to. */
export interface Trim {
  /** Percent of the subject's longer side. */
  readonly margin: number
  /** Whether the result must be part of the picture; else the ground goes on beyond it. */
  readonly isConfined: boolean
  /** A shadow that is to be seen whole. */
  readonly shadow?: Shadow | undefined
}

/** Start and length of a side with margins; where the subject touches the picture's end there is none, lest the cut shows. */
function withMargins(
  from: number,
  length: number,
  side: number,
  [before, behind]: readonly number[],
  isConfined: boolean,
): [number, number] {
  const start = from === 0 ? 0 : from - (before ?? 0)
  const end = from + length === side ? side : from + length + (behind ?? 0)
  const [least, most] = isConfined ? [Math.max(0, start), Math.min(side, end)] : [start, end]
  return [least, most - least]
}

/**
 * The part of a picture around its subject, with a margin. It may reach beyond the picture unless it is confined to it, and it ends with the
 * picture wherever the subject does. The whole picture where there is no subject.
 */
export function trimFrame(matte: Matte, { margin, isConfined, shadow }: Trim): Rect {
  const box = subjectBox(matte)
  if (!box) return { left: 0, top: 0, width: matte.width, height: matte.height }
  const longerSide = Math.max(matte.width, matte.height)
  const least = (Math.max(box.width, box.height) * margin) / 100
  const [across, down] = shadow ? shadowOffset(shadow, longerSide) : [0, 0]
  const spread = shadow ? (shadow.spread * longerSide) / 100 : 0
  const margins = (offset: number) => [-offset, offset].map((way) => Math.round(Math.max(least, shadow ? spread + way : 0)))
  const [left, width] = withMargins(box.left, box.width, matte.width, margins(across), isConfined)
  const [top, height] = withMargins(box.top, box.height, matte.height, margins(down), isConfined)
  return { left, top, width, height }
}

/** What lies behind a background picture that is shown whole. */
export const BEHIND_IMAGE = '#ffffff'

/** How a background picture is laid: filling the canvas or shown whole, and where, in percent as CSS `background-position` has it. */
export interface Placing {
  readonly fit: 'cover' | 'contain'
  readonly x: number
  readonly y: number
}

/** Where a picture lies on a canvas, in whole pixels: beyond its sides in one direction where it covers, within them where it is contained. */
export function placeImage(canvas: Size, image: Size, { fit, x, y }: Placing): Rect {
  const [across, down] = [canvas.width / image.width, canvas.height / image.height]
  const scale = fit === 'cover' ? Math.max(across, down) : Math.min(across, down)
  const width = Math.max(1, Math.round(image.width * scale))
  const height = Math.max(1, Math.round(image.height * scale))
  // `+ 0` makes -0 a plain 0.
  return {
    left: Math.round(((canvas.width - width) * x) / 100) + 0,
    top: Math.round(((canvas.height - height) * y) / 100) + 0,
    width,
    height,
  }
}

/** A line from where a gradient starts to where it ends, in pixels. */
export interface GradientLine {
  readonly fromX: number
  readonly fromY: number
  readonly toX: number
  readonly toY: number
}

/** Where CSS `linear-gradient(angle)` runs on a canvas: through its middle, so long that both corners have the pure colours; 0 is upwards, 90 to the right. */
export function gradientLine({ width, height }: Size, angle: number): GradientLine {
  const turn = (angle * Math.PI) / 180
  const [sine, cosine] = [Math.sin(turn), Math.cos(turn)]
  const half = (Math.abs(width * sine) + Math.abs(height * cosine)) / 2
  const [x, y] = [width / 2, height / 2]
  return { fromX: x - half * sine, fromY: y + half * cosine, toX: x + half * sine, toY: y - half * cosine }
}

/** The standard deviation, in pixels, of a background's blur in percent: at 100 % a thirtieth of the longer side. */
export const backgroundBlur = (percent: number, { width, height }: Size): number => (percent * Math.max(width, height)) / 3000
