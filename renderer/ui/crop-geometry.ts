/** A width and a height in pixels of the picture. */
export interface Size {
  readonly width: number
  readonly height: number
}

/** A rectangle on a picture, in its pixels. */
export interface Box extends Size {
  readonly left: number
  readonly top: number
}

/** What of a box is held: a side, a corner (by compass), or all of it. */
export type Handle = 'n' | 's' | 'e' | 'w' | 'ne' | 'nw' | 'se' | 'sw' | 'move'

/** How a box may change: within its picture, not below a side, in a ratio of width over height where there is one. */
export interface Bounds {
  readonly picture: Size
  readonly leastSide: number
  readonly ratio?: number | undefined
}

const clamp = (value: number, least: number, most: number): number => Math.min(Math.max(value, least), Math.max(least, most))

/** A box after its handle was dragged by some pixels. The opposite side or corner stays where it is. */
export function dragged(box: Box, handle: Handle, dx: number, dy: number, bounds: Bounds): Box {
  if (handle === 'move') return moved(box, dx, dy, bounds.picture)
  const free = pulled(box, handle, dx, dy, bounds)
  return bounds.ratio === undefined ? free : inRatio(box, free, handle, bounds.ratio, bounds)
}

const moved = (box: Box, dx: number, dy: number, picture: Size): Box => ({
  ...box,
  left: clamp(box.left + dx, 0, picture.width - box.width),
  top: clamp(box.top + dy, 0, picture.height - box.height),
})

function pulled(box: Box, handle: Handle, dx: number, dy: number, { picture, leastSide }: Bounds): Box {
  let { left, top } = box
  let right = box.left + box.width
  let bottom = box.top + box.height
  if (handle.includes('w')) left = clamp(left + dx, 0, right - leastSide)
  if (handle.includes('e')) right = clamp(right + dx, left + leastSide, picture.width)
  if (handle.includes('n')) top = clamp(top + dy, 0, bottom - leastSide)
  if (handle.includes('s')) bottom = clamp(bottom + dy, top + leastSide, picture.height)
  return { left, top, width: right - left, height: bottom - top }
}

/** A pulled box brought back to its ratio: the side that was pulled further leads, the fixed edge or middle stays, the picture's edge ends it. */
function inRatio(before: Box, { width, height }: Box, handle: Handle, ratio: number, { picture, leastSide }: Bounds): Box {
  const leads = handle === 'n' || handle === 's' || (handle.length === 2 && height * ratio > width) ? height * ratio : width
  const [x, y] = [anchor(handle, 'w', 'e'), anchor(handle, 'n', 's')]
  const fixedX = before.left + before.width * x
  const fixedY = before.top + before.height * y
  const roomX = Math.min(x > 0 ? fixedX / x : Infinity, x < 1 ? (picture.width - fixedX) / (1 - x) : Infinity)
  const roomY = Math.min(y > 0 ? fixedY / y : Infinity, y < 1 ? (picture.height - fixedY) / (1 - y) : Infinity)
  const most = Math.min(roomX, roomY * ratio)
  const wide = clamp(leads, Math.min(most, Math.max(leastSide, leastSide * ratio)), most)
  return { left: fixedX - wide * x, top: fixedY - (wide / ratio) * y, width: wide, height: wide / ratio }
}

/** The part of a box, 0..1, that stays put while a handle is pulled: the side across from it, else the middle. */
const anchor = (handle: Handle, near: string, far: string): number => (handle.includes(near) ? 1 : handle.includes(far) ? 0 : 0.5)
