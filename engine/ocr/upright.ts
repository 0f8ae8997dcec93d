import { cropped, turnedBitmap, type Bitmap, type Quad } from './bitmap.ts'
import { findLines } from './find-lines.ts'
import type { Networks } from './networks.ts'
import { readBox, turnedBox } from './read-lines.ts'
import { readColumn } from './vertical-lines.ts'

/** A page as it is read: upright, its lines level. */
export interface UprightPage {
  readonly bitmap: Bitmap
  readonly boxes: readonly Quad[]
  /** How far it was turned, in quarters clockwise. */
  readonly quarters: 0 | 1 | 2 | 3
  /** Its lines run downwards, their letters upright (竖排). */
  readonly isVertical: boolean
}

/** So many of its longest lines tell how a page lies. */
const ASKED = 5
/** Their middles, so many times longer than high. */
const PART = 8
/** Read so surely a page lies right. */
const SURE = 0.9
/** Read so surely letters are known. */
const KNOWN = 0.75
/** A line tells of the page's skew when it is so many times longer than high. */
const LONG = 5
/** Less than this is no skew to speak of, and more is no skew (in radians). */
const LEAST_SKEW = 0.0025
const MOST_SKEW = 0.35

const longest = (boxes: readonly Quad[]): readonly Quad[] =>
  boxes.toSorted((a, b) => Math.max(b.width, b.height) - Math.max(a.width, a.height)).slice(0, ASKED)

/** How surely parts of lines are read when they are turned by quarters clockwise. */
async function surenessOf(bitmap: Bitmap, boxes: readonly Quad[], quarters: number, networks: Networks): Promise<number> {
  let sum = 0
  for (const box of boxes) {
    const turned = turnedBox(box, quarters)
    const part = { ...turned, width: Math.min(turned.width, PART * turned.height) }
    sum += (await readBox(bitmap, part, networks)).confidence
  }
  return boxes.length === 0 ? 1 : sum / boxes.length
}

/** How surely the beginnings of lines are read as running downwards. */
async function verticalSureness(bitmap: Bitmap, boxes: readonly Quad[], networks: Networks): Promise<number> {
  let sum = 0
  for (const box of boxes) sum += (await readColumn(bitmap, box, networks, PART)).confidence
  return sum / Math.max(1, boxes.length)
}

type Way = Pick<UprightPage, 'quarters' | 'isVertical'>

/** How far a page must be turned clockwise to stand upright, or whether its lines run downwards: as its longest lines are read best. */
async function wayOf(bitmap: Bitmap, boxes: readonly Quad[], networks: Networks): Promise<Way> {
  const asked = longest(boxes)
  const length = (isTall: boolean): number =>
    boxes
      .filter(({ width, height }) => height > 1.5 * width === isTall)
      .reduce((sum, { width, height }) => sum + Math.max(width, height), 0)
  const isSideways = length(true) > length(false)
  const ways = isSideways ? ([1, 3] as const) : ([0, 2] as const)
  const [way, other] = ways
  const first = await surenessOf(bitmap, asked, way, networks)
  const second = first < SURE ? await surenessOf(bitmap, asked, other, networks) : 0
  const tall = asked.filter(({ width, height }) => height > 1.5 * width)
  // The recogniser knows letters that lie on their left sides as well: columns of upright letters are read so, and as well as they stand. A page that lies is not.
  if (isSideways && first > KNOWN && (await verticalSureness(bitmap, tall, networks)) > KNOWN) return { quarters: 0, isVertical: true }
  // Lines turned clockwise to be read lie as they would on the page turned the other way.
  const quarters = ((4 - (second > first ? other : way)) % 4) as 0 | 1 | 2 | 3 // a remainder of 4 is one of them
  return { quarters, isVertical: false }
}

/** The angle of a page's lines: the median of the long ones, each weighed by its length. */
export function skewOf(boxes: readonly Quad[]): number {
  const long = boxes.filter(({ width, height }) => width > LONG * height).toSorted((a, b) => a.angle - b.angle)
  const half = long.reduce((sum, { width }) => sum + width, 0) / 2
  let passed = 0
  for (const { width, angle } of long) {
    passed += width
    if (passed >= half) return angle
  }
  return 0
}

/** A box on the page after the page was turned about its middle against an angle. */
function levelled(box: Quad, angle: number, { width, height }: Bitmap): Quad {
  const [cos, sin] = [Math.cos(-angle), Math.sin(-angle)]
  const [u, v] = [box.x - width / 2, box.y - height / 2]
  return { ...box, x: width / 2 + u * cos - v * sin, y: height / 2 + u * sin + v * cos, angle: box.angle - angle }
}

/** Turns a page so that it stands upright and its lines are level; boxes of its lines come with it. */
export async function upright(bitmap: Bitmap, networks: Networks): Promise<UprightPage> {
  const found = await findLines(bitmap, networks)
  const { quarters, isVertical } = await wayOf(bitmap, found, networks)
  const turned = turnedBitmap(bitmap, quarters)
  const boxes = quarters === 0 ? found : await findLines(turned, networks)
  const skew = isVertical ? 0 : skewOf(boxes)
  if (Math.abs(skew) < LEAST_SKEW || Math.abs(skew) > MOST_SKEW) return { bitmap: turned, boxes, quarters, isVertical }
  const { width, height } = turned
  const whole = { x: width / 2, y: height / 2, width, height, angle: skew }
  return { bitmap: cropped(turned, whole, turned), boxes: boxes.map((box) => levelled(box, skew, turned)), quarters, isVertical }
}
