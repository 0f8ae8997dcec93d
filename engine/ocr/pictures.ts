import { greyOf, type Bitmap, type Quad } from './bitmap.ts'
import type { Ruling } from './rulings.ts'
import type { Rect } from '#shared/resize'

/** A part of a page that is no text. */
export interface PictureArea extends Rect {
  /** A seal is what of it is red; the rest of its area belongs to the text under it. */
  readonly isSeal: boolean
}

/** Pictures are looked for in squares of this side. */
const CELL_PX = 8
/** A pixel this much darker than paper is something, and a square with this share of such. */
const PAPER = 205
const BUSY = 0.2
/** So much redder than green and blue is a seal's ink. */
const RED = 55
const RED_SHARE = 0.06

interface Cells {
  readonly marks: Uint8Array
  readonly width: number
  readonly height: number
}

/** Which squares hold enough of what `isMarked` finds at a pixel. */
function cellsOf({ width, height }: Bitmap, share: number, isMarked: (at: number) => boolean): Cells {
  const [wide, high] = [Math.ceil(width / CELL_PX), Math.ceil(height / CELL_PX)]
  const counts = new Uint16Array(wide * high)
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++, at++) {
      const cell = Math.floor(y / CELL_PX) * wide + Math.floor(x / CELL_PX)
      if (isMarked(at)) counts[cell] = (counts[cell] ?? 0) + 1
    }
  return { marks: Uint8Array.from(counts, (count) => Number(count > share * CELL_PX * CELL_PX)), width: wide, height: high }
}

/** Where marked squares hang together across gaps of less than `gap` squares; with the share of the area that is marked. */
function areasOf({ marks, width, height }: Cells, gap: number): (Rect & { readonly share: number })[] {
  const seen = new Uint8Array(marks.length)
  return Array.from(marks.keys()).flatMap((start) => {
    if (marks[start] === 0 || seen[start] !== 0) return []
    const stack = [start]
    seen[start] = 1
    let [left, right, top, bottom, count] = [width, 0, height, 0, 0]
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      const [x, y] = [at % width, Math.floor(at / width)]
      ;[left, right, top, bottom, count] = [Math.min(left, x), Math.max(right, x), Math.min(top, y), Math.max(bottom, y), count + 1]
      for (let ny = Math.max(0, y - gap); ny <= Math.min(height - 1, y + gap); ny++)
        for (let nx = Math.max(0, x - gap); nx <= Math.min(width - 1, x + gap); nx++) {
          const next = ny * width + nx
          if (marks[next] === 0 || seen[next] !== 0) continue
          seen[next] = 1
          stack.push(next)
        }
    }
    const [wide, high] = [right - left + 1, bottom - top + 1]
    const rect = { left: left * CELL_PX, top: top * CELL_PX, width: wide * CELL_PX, height: high * CELL_PX }
    return [{ ...rect, share: count / (wide * high) }]
  })
}

/** Paints boxes white in a grey picture. */
function withoutBoxes(grey: Uint8Array, { width, height }: Bitmap, boxes: readonly Rect[]): void {
  for (const { left, top, width: wide, height: high } of boxes) {
    const [from, to] = [Math.max(0, Math.floor(left)), Math.min(width, Math.ceil(left + wide))]
    for (let y = Math.max(0, Math.floor(top)); y < Math.min(height, Math.ceil(top + high)); y++)
      if (to > from) grey.fill(255, y * width + from, y * width + to)
  }
}

const boundsOf = ({ x, y, width, height, angle }: Quad): Rect => {
  const [cos, sin] = [Math.abs(Math.cos(angle)), Math.abs(Math.sin(angle))]
  const [wide, high] = [width * cos + height * sin, width * sin + height * cos]
  return { left: x - wide / 2, top: y - high / 2, width: wide, height: high }
}

const rulingBounds = ({ isHorizontal, from, to, at, width }: Ruling): Rect => {
  const [start, thick] = [at - width / 2 - 3, width + 6]
  return isHorizontal
    ? { left: from - 3, top: start, width: to - from + 6, height: thick }
    : { left: start, top: from - 3, width: thick, height: to - from + 6 }
}

const within = ({ left, top, width, height }: Rect, page: Bitmap): Rect => {
  const [x, y] = [Math.max(0, left), Math.max(0, top)]
  return { left: x, top: y, width: Math.min(page.width, left + width) - x, height: Math.min(page.height, top + height) - y }
}

/** How red a pixel is beyond its other colours, in levels. */
export const redness = ({ data }: Bitmap, at: number): number =>
  (data[at * 4] ?? 0) - Math.max(data[at * 4 + 1] ?? 0, data[at * 4 + 2] ?? 0)

/** The seals and pictures on a page whose lines and rulings are known; `inchPx` is an inch. */
export function picturesOf(bitmap: Bitmap, boxes: readonly Quad[], rulings: readonly Ruling[], inchPx: number): readonly PictureArea[] {
  const seals = areasOf(
    cellsOf(bitmap, RED_SHARE, (at) => redness(bitmap, at) > RED),
    2,
  )
    .filter(({ width, height }) => Math.min(width, height) > 0.7 * inchPx && Math.max(width, height) < 3 * inchPx)
    .filter(({ width, height, share }) => width / height > 0.6 && width / height < 1.7 && share > 0.2)
    .map((rect) => ({ ...within(rect, bitmap), isSeal: true }))
  const grey = greyOf(bitmap)
  withoutBoxes(grey, bitmap, [...boxes.map(boundsOf), ...rulings.map(rulingBounds), ...seals])
  const photos = areasOf(
    cellsOf(bitmap, BUSY, (at) => (grey[at] ?? 0) < PAPER),
    2,
  )
    .filter(({ width, height, share }) => Math.min(width, height) > 0.4 * inchPx && share > 0.3)
    // What is dark along all of a page's edge is the scanner's lid.
    .filter(({ width, height }) => width * height < 0.9 * bitmap.width * bitmap.height)
    .map((rect) => ({ ...within(rect, bitmap), isSeal: false }))
  return [...photos, ...seals]
}
