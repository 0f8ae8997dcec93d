import { centred, type Rect, type Size } from '#shared/resize'

/** Proportions offered for a crop, as width over height; `free` and `original` name none of their own. */
export const cropRatios = { '1:1': 1, '4:3': 4 / 3, '3:4': 3 / 4, '16:9': 16 / 9, '9:16': 9 / 16, '3:2': 3 / 2, '2:3': 2 / 3 } as const

/** The proportions of a crop. */
export type CropRatio = 'free' | 'original' | keyof typeof cropRatios

/** How an upright picture is turned before it is cropped: by quarters clockwise, then mirrored, then by a few degrees clockwise. */
export interface Turning {
  readonly rotate: '0' | '90' | '180' | '270'
  readonly flip: 'none' | 'horizontal' | 'vertical' | 'both'
  readonly straighten: number
}

/** What is asked to be cut out of the turned picture: a rectangle (all of it optional), else the largest of a ratio. */
export interface CropRequest extends Turning {
  readonly left: number
  readonly top: number
  readonly width?: number | undefined
  readonly height?: number | undefined
  /** Pixels of the turned picture, or percent of its sides. */
  readonly unit: 'px' | 'percent'
  readonly ratio: CropRatio
  /** Whether only the circle in the middle is kept. */
  readonly circle: boolean
}

/** The part that is cut out, in pixels of the turned picture, and whether it is less than was asked for. */
export interface Crop extends Rect {
  readonly isAdjusted: boolean
}

const radians = (degrees: number): number => (degrees * Math.PI) / 180

/** The size of a picture after quarter turns. */
export const quarterTurned = ({ width, height }: Size, rotate: Turning['rotate']): Size =>
  rotate === '90' || rotate === '270' ? { width: height, height: width } : { width, height }

/** The canvas a picture of a size needs when it is turned by some degrees: its bounding box, in whole pixels. */
export function turnedCanvas({ width, height }: Size, degrees: number): Size {
  const [sine, cosine] = [Math.abs(Math.sin(radians(degrees))), Math.abs(Math.cos(radians(degrees)))]
  return { width: Math.round(width * cosine + height * sine), height: Math.round(width * sine + height * cosine) }
}

/** The size a picture has after all its turning: what left, top, width and height of a crop refer to. */
export const turnedSize = (source: Size, { rotate, straighten }: Turning): Size => turnedCanvas(quarterTurned(source, rotate), straighten)

/**
 * The largest upright rectangle within a picture turned by some degrees (up to 45), centred; its sides are real numbers. Where the picture is long,
 * the rectangle's corners touch both long sides at their middles; else all four corners lie on the four sides (largest rectangle in a rotated
 * rectangle, by elementary calculus).
 */
export function inscribed({ width, height }: Size, degrees: number): Size {
  const [sine, cosine] = [Math.abs(Math.sin(radians(degrees))), Math.abs(Math.cos(radians(degrees)))]
  const [long, short] = [Math.max(width, height), Math.min(width, height)]
  if (short <= 2 * sine * cosine * long || Math.abs(sine - cosine) < 1e-9) {
    const half = short / 2
    const [along, across] = [half / sine, half / cosine]
    return width >= height ? { width: along, height: across } : { width: across, height: along }
  }
  const doubled = cosine * cosine - sine * sine
  return { width: (width * cosine - height * sine) / doubled, height: (height * cosine - width * sine) / doubled }
}

/** The largest rectangle of a ratio (width over height) in the middle of an area, in whole pixels. */
export function largestOfRatio(area: Rect, ratio: number): Rect {
  const width = Math.max(1, Math.min(area.width, Math.round(area.height * ratio)))
  const height = Math.max(1, Math.min(area.height, Math.round(area.width / ratio)))
  const { left, top } = centred({ width, height }, area)
  return { left: area.left + left, top: area.top + top, width, height }
}

/** Two pixels less at either end: so far reaches the filter that turns a picture. */
const inset = (side: number): number => Math.max(1, Math.floor(side) - 4)

/** Where a straightened picture has no blank corners: whole pixels that lie well within it, so that a filter reads no ground. */
export function straightenedArea(source: Size, degrees: number): Rect {
  const canvas = turnedCanvas(source, degrees)
  if (degrees === 0) return { left: 0, top: 0, ...canvas }
  const inner = inscribed(source, degrees)
  return centred({ width: inset(inner.width), height: inset(inner.height) }, canvas)
}

const isGiven = ({ left, top, width, height }: CropRequest): boolean => left > 0 || top > 0 || width !== undefined || height !== undefined

const ratioOf = ({ ratio }: CropRequest, size: Size): number | undefined =>
  ratio === 'free' ? undefined : ratio === 'original' ? size.width / size.height : cropRatios[ratio]

/** The rectangle asked for in pixels; a side left out follows from the other by the ratio, or reaches to the edge. It may lie outside. */
function requested(request: CropRequest, canvas: Size, ratio: number | undefined): Rect {
  const [acrossPx, downPx] = request.unit === 'percent' ? [canvas.width / 100, canvas.height / 100] : [1, 1]
  const left = Math.round(request.left * acrossPx)
  const top = Math.round(request.top * downPx)
  const width = request.width === undefined ? undefined : Math.max(1, Math.round(request.width * acrossPx))
  const height = request.height === undefined ? undefined : Math.max(1, Math.round(request.height * downPx))
  const [restWidth, restHeight] = [Math.max(0, canvas.width - left), Math.max(0, canvas.height - top)]
  if (width !== undefined) return { left, top, width, height: height ?? (ratio ? Math.max(1, Math.round(width / ratio)) : restHeight) }
  if (height !== undefined) return { left, top, width: ratio ? Math.max(1, Math.round(height * ratio)) : restWidth, height }
  const rest = { left, top, width: restWidth, height: restHeight }
  return ratio && restWidth > 0 && restHeight > 0 ? { ...largestOfRatio(rest, ratio), left, top } : rest
}

/**
 * What is cut out of a picture (its upright size) after it is turned. A rectangle that reaches outside is cut back to the picture; undefined
 * where nothing is left of it. Without a rectangle: all of the picture, of a straightened one all that has no blank corners, and of that the
 * largest of the ratio.
 */
export function cropOf(source: Size, request: CropRequest): Crop | undefined {
  const upright = quarterTurned(source, request.rotate)
  const canvas = turnedCanvas(upright, request.straighten)
  const ratio = ratioOf(request, upright)
  if (!isGiven(request)) {
    const area = straightenedArea(upright, request.straighten)
    const part = ratio ? largestOfRatio(area, ratio) : area
    return { ...(request.circle ? largestOfRatio(part, 1) : part), isAdjusted: false }
  }
  const { left, top, width, height } = requested(request, canvas, ratio)
  const [right, bottom] = [Math.min(canvas.width, left + width), Math.min(canvas.height, top + height)]
  if (right <= left || bottom <= top) return undefined
  const part = { left, top, width: right - left, height: bottom - top }
  const isAdjusted = part.width !== width || part.height !== height
  return { ...(request.circle ? largestOfRatio(part, 1) : part), isAdjusted }
}
