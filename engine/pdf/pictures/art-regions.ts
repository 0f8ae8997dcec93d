import { areaOf, isEmpty, overlap, type Box } from '../box.ts'
import { boxOfClip } from '../clip.ts'
import { boundsOf, segments } from '../outline.ts'
import type { PageModel, Rule } from '../page-model.ts'
import type { Painted, PaintedPath } from '../painted.ts'

/** Drawings are told apart by squares of this side, in points: what shares one, or touches, is one drawing. */
const CELL = 6
/** What is smaller on both sides is a mark in the text; smaller on one, a line. */
const SMALLEST = { long: 14, short: 4 }
/** What takes more of its page is its ground. */
const WHOLE = 0.85
/** So many slanted strokes are a drawing; fewer may strike a cell through. */
const STROKES = 6
const FAINTEST = 0.02
/** A gradient lower than this is the ground of a line of text. */
const BAND = 30
/** One between rules is the ground of a table's cell: so near to each side, in points, there is a rule along so much of it. */
const BESIDE = 2
const ALONG = 0.9
const [LINE, CUBIC, QUADRATIC] = [1, 2, 3]

/** A path that is no rule and no plain rectangle. */
interface Art {
  readonly box: Box
  readonly hasCurves: boolean
  readonly slanted: number
}

/** Whether rules run along all sides of a box. */
function isBetweenRules({ left, top, right, bottom }: Box, rules: readonly Rule[]): boolean {
  const isAlong = (isHorizontal: boolean, side: number, from: number, to: number): boolean =>
    rules.some(
      (rule) =>
        rule.isHorizontal === isHorizontal &&
        Math.abs(rule.at - side) < BESIDE &&
        Math.min(rule.to, to) - Math.max(rule.from, from) > ALONG * (to - from),
    )
  return (
    isAlong(true, top, left, right) &&
    isAlong(true, bottom, left, right) &&
    isAlong(false, left, top, bottom) &&
    isAlong(false, right, top, bottom)
  )
}

function artOf(path: PaintedPath, page: Box, rules: readonly Rule[]): Art | undefined {
  const bounds = boundsOf(path.outline)
  const opacity = Math.max(path.fill?.opacity ?? 0, path.stroke?.opacity ?? 0)
  if (!bounds || opacity < FAINTEST) return undefined
  const margin = (path.stroke?.pen.width ?? 0) / 2
  const [left, top, right, bottom] = bounds
  const whole = { left: left - margin, top: top - margin, right: right + margin, bottom: bottom + margin }
  const box = overlap(overlap(whole, boxOfClip(path.clip)), page)
  if (isEmpty(box)) return undefined
  let [hasCurves, slanted, fromX, fromY] = [false, 0, 0, 0]
  segments(path.outline, (code, points) => {
    const [x = fromX, y = fromY] = points.slice(-2)
    if (code === CUBIC || code === QUADRATIC) hasCurves = true
    if (code === LINE && Math.abs(x - fromX) > 1 && Math.abs(y - fromY) > 1) slanted++
    ;[fromX, fromY] = [x, y]
  })
  const isGradient = (path.fill?.gradient ?? path.stroke?.gradient) !== undefined
  const hasGradient = isGradient && box.bottom - box.top > BAND && !isBetweenRules(box, rules)
  return hasCurves || slanted > 0 || hasGradient ? { box, hasCurves: hasCurves || hasGradient, slanted } : undefined
}

/** Numbers of the drawings that squares belong to: squares that touch have the same one. */
function componentsOf(taken: ReadonlySet<number>, columns: number): ReadonlyMap<number, number> {
  const numbers = new Map<number, number>()
  let number = 0
  for (const start of taken) {
    if (numbers.has(start)) continue
    number++
    const open = [start]
    numbers.set(start, number)
    for (let cell = open.pop(); cell !== undefined; cell = open.pop())
      for (const step of [-columns - 1, -columns, -columns + 1, -1, 1, columns - 1, columns, columns + 1]) {
        const next = cell + step
        if (!taken.has(next) || numbers.has(next)) continue
        numbers.set(next, number)
        open.push(next)
      }
  }
  return numbers
}

/**
 * Where a page is drawn on by more than rules and rectangles (charts, logos, maps, letters as outlines), as boxes that hold all of a drawing. A path
 * over nearly all of the page is its ground, and none.
 */
export function artRegions(
  painted: readonly Painted[],
  { width, height, rules }: Pick<PageModel, 'width' | 'height' | 'rules'>,
): readonly Box[] {
  const page = { left: 0, top: 0, right: width, bottom: height }
  const arts = painted
    .flatMap((one) => (one.kind === 'path' ? (artOf(one, page, rules) ?? []) : []))
    .filter(({ box }) => areaOf(box) < width * height * WHOLE)
  if (arts.length === 0) return []
  // A column to spare on each side, so that the last square of a row does not touch the first of the next.
  const columns = Math.ceil(width / CELL) + 3
  const cellOf = (x: number, y: number): number => (Math.floor(y / CELL) + 1) * columns + Math.floor(x / CELL) + 1
  const taken = new Set<number>()
  for (const { box } of arts)
    for (let y = box.top; y < box.bottom + CELL; y += CELL)
      for (let x = box.left; x < box.right + CELL; x += CELL) taken.add(cellOf(Math.min(x, box.right), Math.min(y, box.bottom)))
  const components = componentsOf(taken, columns)
  const drawings = new Map<number, { box: Box; hasCurves: boolean; slanted: number }>()
  for (const { box, hasCurves, slanted } of arts) {
    const number = components.get(cellOf(box.left, box.top)) ?? 0
    const known = drawings.get(number)
    drawings.set(number, {
      box: known ? around(known.box, box) : box,
      hasCurves: hasCurves || known?.hasCurves === true,
      slanted: slanted + (known?.slanted ?? 0),
    })
  }
  return [...drawings.values()].filter(isDrawing).map(({ box }) => box)
}

const around = (one: Box, other: Box): Box => ({
  left: Math.min(one.left, other.left),
  top: Math.min(one.top, other.top),
  right: Math.max(one.right, other.right),
  bottom: Math.max(one.bottom, other.bottom),
})

function isDrawing({ box, hasCurves, slanted }: { box: Box; hasCurves: boolean; slanted: number }): boolean {
  const [wide, high] = [box.right - box.left, box.bottom - box.top]
  const isLarge = Math.max(wide, high) >= SMALLEST.long && Math.min(wide, high) >= SMALLEST.short
  return isLarge && (hasCurves || slanted >= STROKES)
}
