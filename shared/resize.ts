/** A width and a height in pixels. */
export interface Size {
  readonly width: number
  readonly height: number
}

/** A part of a picture in whole pixels from its upper left corner. */
export interface Rect extends Size {
  readonly left: number
  readonly top: number
}

/** How a picture meets a box that has both sides: within it, filling it and cropped, on a ground of its size, or distorted. */
export type Fit = 'inside' | 'cover' | 'pad' | 'stretch'

/** What size is asked for: sides (in pixels), a share of the source's (percent), or its longer side (pixels). */
export interface ResizeRequest {
  readonly width?: number | undefined
  readonly height?: number | undefined
  readonly percent?: number | undefined
  readonly longEdge?: number | undefined
  /** Without it, sides are taken as they are given, whatever `fit` says. */
  readonly keepRatio: boolean
  readonly fit: Fit
  /** Whether a picture may get larger than it is; a percentage above 100 says so itself. */
  readonly enlarge: boolean
  /** The ground's colour: `#rrggbb` or `transparent`. */
  readonly background: string
}

/** What is done to a picture, in this order: a part is taken, scaled to a size, and laid on the middle of a canvas. */
export interface ResizePlan extends Size {
  readonly crop?: Rect
  readonly canvas?: Size & { readonly background: string }
}

const wholeSide = (side: number): number => Math.max(1, Math.round(side))

const scaled = ({ width, height }: Size, scale: number): Size => ({ width: wholeSide(width * scale), height: wholeSide(height * scale) })

/** The rectangle of a size in the middle of an area; the odd pixel stays at the right and at the bottom. */
export const centred = (inner: Size, area: Size): Rect => ({
  left: Math.floor((area.width - inner.width) / 2),
  top: Math.floor((area.height - inner.height) / 2),
  width: inner.width,
  height: inner.height,
})

/** How an upright picture comes to the size asked for. No side of the result is below 1 pixel. */
export function planResize(source: Size, request: ResizeRequest): ResizePlan {
  const { width, height, percent, longEdge, keepRatio, fit, enlarge, background } = request
  const most = enlarge ? Infinity : 1
  if (percent !== undefined) return scaled(source, percent / 100)
  if (longEdge !== undefined) return scaled(source, Math.min(most, longEdge / Math.max(source.width, source.height)))
  if (!keepRatio || fit === 'stretch') return stretched(source, request)
  const scale = Math.min(most, (width ?? Infinity) / source.width, (height ?? Infinity) / source.height)
  const whole = Number.isFinite(scale) ? scaled(source, scale) : { width: source.width, height: source.height }
  if (width === undefined || height === undefined) return whole
  if (fit === 'cover') return covering(source, { width, height }, enlarge)
  const isPadded = fit === 'pad' && (whole.width !== width || whole.height !== height)
  return isPadded ? { ...whole, canvas: { width, height, background } } : whole
}

function stretched(source: Size, { width = source.width, height = source.height, enlarge }: ResizeRequest): ResizePlan {
  if (enlarge) return { width, height }
  return { width: Math.min(width, source.width), height: Math.min(height, source.height) }
}

/** The middle of the source in the box's proportions; where that is smaller than the box and may not grow, it stays as it is. */
function covering(source: Size, box: Size, enlarge: boolean): ResizePlan {
  const scale = Math.max(box.width / source.width, box.height / source.height)
  const part = {
    width: Math.min(source.width, wholeSide(box.width / scale)),
    height: Math.min(source.height, wholeSide(box.height / scale)),
  }
  const size = scale > 1 && !enlarge ? part : box
  const isWhole = part.width === source.width && part.height === source.height
  return { ...size, ...(!isWhole && { crop: centred(part, source) }) }
}
