/** Lengths are CSS px unless a name says image pixels; points are offsets from the centre, x to the right and y downwards. */
export interface Size {
  readonly width: number
  readonly height: number
}

export interface Point {
  readonly x: number
  readonly y: number
}

export type Zoom = 'fit' | 1 | 2

export const zooms: readonly { readonly zoom: Zoom; readonly label: string }[] = [
  { zoom: 'fit', label: '适应' },
  { zoom: 1, label: '100%' },
  { zoom: 2, label: '200%' },
]

/** Any zoom: pixels of the screen for one of the picture, or so that all of it is seen. */
export type Scale = 'fit' | number

export const centre: Point = { x: 0, y: 0 }

const PAN_STEP_PX = 48
const WIDE_PAN_STEP_PX = 240
const WHEEL_STEP_PX = 40

const clamp = (value: number, low: number, high: number): number => Math.min(Math.max(value, low), high)

/** CSS px for one image pixel: 100% is one pixel of the screen, and fitting never makes a pixel larger than one CSS px. */
function pixelScale(zoom: Scale, natural: Size, room: Size, devicePixelRatio: number): number {
  if (zoom === 'fit') return Math.min(room.width / natural.width, room.height / natural.height, 1)
  return zoom / devicePixelRatio
}

export interface View {
  readonly scale: number
  /** The whole picture at this scale, and where its corner lies in the frame. */
  readonly shown: Size
  readonly corner: Point
  /** What of it can be seen: a window centred in the room, and where its corner lies there. */
  readonly frame: Size
  readonly frameCorner: Point
  readonly pan: Point
  readonly canPan: boolean
}

/** Lays a picture out in its room; corners sit on whole pixels of the screen, so that 100% is sharp. `panned` is in image pixels. */
export function layOut(natural: Size, room: Size, zoom: Scale, panned: Point, devicePixelRatio: number): View {
  const scale = pixelScale(zoom, natural, room, devicePixelRatio)
  const shown = { width: natural.width * scale, height: natural.height * scale }
  const frame = { width: Math.min(shown.width, room.width), height: Math.min(shown.height, room.height) }
  const slack = { x: (shown.width - frame.width) / 2, y: (shown.height - frame.height) / 2 }
  const pan = { x: clamp(panned.x * scale, -slack.x, slack.x), y: clamp(panned.y * scale, -slack.y, slack.y) }
  const snap = (lengthPx: number): number => Math.round(lengthPx * devicePixelRatio) / devicePixelRatio
  return {
    scale,
    shown,
    corner: { x: snap(pan.x - slack.x), y: snap(pan.y - slack.y) },
    frame,
    frameCorner: { x: snap((room.width - frame.width) / 2), y: snap((room.height - frame.height) / 2) },
    pan,
    canPan: slack.x > 0.5 || slack.y > 0.5,
  }
}

/** The pan, in image pixels, that leaves what lies under `anchor` where it is when the zoom changes. */
export function panAround(anchor: Point, view: View, next: Scale, devicePixelRatio: number): Point {
  if (next === 'fit') return centre
  const scale = next / devicePixelRatio
  return {
    x: anchor.x / scale - (anchor.x - view.pan.x) / view.scale,
    y: anchor.y / scale - (anchor.y - view.pan.y) / view.scale,
  }
}

/** The pan, in image pixels, after moving the picture by some CSS px. */
export function panBy(view: View, move: Point): Point {
  return { x: (view.pan.x + move.x) / view.scale, y: (view.pan.y + move.y) / view.scale }
}

/** How far an arrow key moves the picture: → looks further right, so the picture goes left. */
export function panForKey(key: string, isShifted: boolean): Point | undefined {
  const stepPx = isShifted ? WIDE_PAN_STEP_PX : PAN_STEP_PX
  switch (key) {
    case 'ArrowLeft':
      return { x: stepPx, y: 0 }
    case 'ArrowRight':
      return { x: -stepPx, y: 0 }
    case 'ArrowUp':
      return { x: 0, y: stepPx }
    case 'ArrowDown':
      return { x: 0, y: -stepPx }
  }
  return undefined
}

/** Where the split stands, in percent of the frame's width, for a point that many px from its left edge. */
export const splitAt = (offsetPx: number, frameWidthPx: number): number => clamp((offsetPx / frameWidthPx) * 100, 0, 100)

/** The split in percent after a key of the slider; undefined for any other key. */
export function splitForKey(key: string, isShifted: boolean, splitPercent: number): number | undefined {
  const step = isShifted ? 10 : 1
  const here = Math.round(splitPercent)
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowDown':
      return clamp(here - step, 0, 100)
    case 'ArrowRight':
    case 'ArrowUp':
      return clamp(here + step, 0, 100)
    case 'Home':
      return 0
    case 'End':
      return 100
  }
  return undefined
}

/** The zoom a number of steps nearer (+) or further (−), staying at the ends. */
export function zoomAfter(zoom: Zoom, steps: number): Zoom {
  const index = zooms.findIndex((one) => one.zoom === zoom)
  return zooms[clamp(index + steps, 0, zooms.length - 1)]?.zoom ?? zoom
}

/** A wheel notch is one step, and so is a pinch on a touchpad, which comes as many small moves: what is left is kept for the next. */
export function wheelStep(leftPx: number, deltaPx: number): { readonly steps: -1 | 0 | 1; readonly leftPx: number } {
  const sumPx = leftPx * deltaPx < 0 ? deltaPx : leftPx + deltaPx
  if (Math.abs(sumPx) < WHEEL_STEP_PX) return { steps: 0, leftPx: sumPx }
  return { steps: sumPx < 0 ? 1 : -1, leftPx: 0 }
}

/** Whether two sizes differ by no more than the rounding of a scaled picture; a cropped one must not be stretched over its source. */
export function isSameShape(one: Size, other: Size): boolean {
  return Math.abs((one.width * other.height) / (one.height * other.width) - 1) < 0.02
}

/** `−89%`, `+3%`, `大小不变`; a tenth where a whole number would say nothing or everything is gone; undefined without a source size. */
export function changeText(beforeBytes: number, afterBytes: number): string | undefined {
  if (beforeBytes <= 0) return undefined
  if (beforeBytes === afterBytes) return '大小不变'
  const percent = (Math.abs(beforeBytes - afterBytes) / beforeBytes) * 100
  const shown = percent < 1 || percent > 99 ? Math.max(Math.floor(percent * 10) / 10, 0.1) : Math.round(percent)
  return `${afterBytes < beforeBytes ? '−' : '+'}${shown}%`
}
