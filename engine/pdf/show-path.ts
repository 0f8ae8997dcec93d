import { boxAround, mappedBox, overlap, type Box } from './box.ts'
import { boxOfClip } from './clip.ts'
import type { GraphicsState } from './graphics-state.ts'
import { mapped, scaleOf } from './matrix.ts'
import type { OperatorCodes } from './open-pdf.ts'
import type { Fill, Rule } from './page-model.ts'

/** pdf.js's codes in a path's data. */
const [MOVE, LINE, CURVE, QUADRATIC, CLOSE] = [0, 1, 2, 3, 4]

/** A rectangle no thicker than this is a rule, in points. */
const THIN = 3
/** How far an end may lie beside the axis, in points. */
const SLANT = 0.3
/** What is fainter is no ink. */
const FAINTEST = 0.02

/** How a path's last instruction paints it. */
export function wayOf(codes: OperatorCodes, how: unknown): { isFilled: boolean; isStroked: boolean; isEvenOdd: boolean } {
  const { fill, eoFill, fillStroke, eoFillStroke, closeFillStroke, closeEOFillStroke, stroke, closeStroke } = codes
  const both = [fillStroke, eoFillStroke, closeFillStroke, closeEOFillStroke]
  return {
    isFilled: [fill, eoFill, ...both].some((one) => one === how),
    isStroked: [stroke, closeStroke, ...both].some((one) => one === how),
    isEvenOdd: [eoFill, eoFillStroke, closeEOFillStroke].some((one) => one === how),
  }
}

interface Outline {
  readonly points: (readonly [number, number])[]
  isCurved: boolean
}

/** A path's outlines in page space; of curves only the ends. */
function outlinesOf(data: ArrayLike<number>, { map }: GraphicsState): readonly Outline[] {
  const outlines: Outline[] = []
  const number = (at: number): number => data[at] ?? 0
  const add = (at: number): void => void outlines.at(-1)?.points.push(mapped(map, number(at), number(at + 1)))
  for (let at = 0; at < data.length;) {
    const code = data[at]
    if (code === MOVE) {
      outlines.push({ points: [mapped(map, number(at + 1), number(at + 2))], isCurved: false })
      at += 3
    } else if (code === LINE) {
      add(at + 1)
      at += 3
    } else if (code === CURVE || code === QUADRATIC) {
      const last = outlines.at(-1)
      if (last) last.isCurved = true
      add(at + (code === CURVE ? 5 : 3))
      at += code === CURVE ? 7 : 5
    } else if (code === CLOSE) {
      const first = outlines.at(-1)?.points[0]
      if (first) outlines.at(-1)?.points.push(first)
      at += 1
    } else break
  }
  return outlines.filter(({ points }) => points.length > 1)
}

const isUpright = ({ points }: Outline): boolean =>
  points.length >= 4 &&
  points.every(
    ([x, y], at) => at === 0 || Math.abs(x - (points[at - 1]?.[0] ?? x)) < 0.05 || Math.abs(y - (points[at - 1]?.[1] ?? y)) < 0.05,
  )

/** What a filled rectangle is to a layout: a rule where it is thin. */
export function rectangle({ left, top, right, bottom }: Box, colour: string): { rule?: Rule; fill?: Fill } {
  const [wide, high] = [right - left, bottom - top]
  if (high <= THIN && wide > high * 2)
    return { rule: { isHorizontal: true, from: left, to: right, at: (top + bottom) / 2, width: high, colour } }
  if (wide <= THIN && high > wide * 2)
    return { rule: { isHorizontal: false, from: top, to: bottom, at: (left + right) / 2, width: wide, colour } }
  return { fill: { left, top, right, bottom, colour } }
}

/** What a filled outline is to a layout: a rule where it is thin, else a rectangle, or nothing. */
function filled(outline: Outline, colour: string): { rule?: Rule; fill?: Fill } {
  const box = boxAround(outline.points)
  if (!isUpright(outline) && box.right - box.left > THIN && box.bottom - box.top > THIN) return {}
  return rectangle(box, colour)
}

/** The sides of an outline that lie along an axis. */
function stroked({ points }: Outline, colour: string, width: number): Rule[] {
  return points.flatMap(([x, y], at): Rule[] => {
    const before = points[at - 1]
    if (!before) return []
    const [fromX, fromY] = before
    if (Math.abs(y - fromY) < SLANT && Math.abs(x - fromX) > 1)
      return [{ isHorizontal: true, from: Math.min(x, fromX), to: Math.max(x, fromX), at: (y + fromY) / 2, width, colour }]
    if (Math.abs(x - fromX) < SLANT && Math.abs(y - fromY) > 1)
      return [{ isHorizontal: false, from: Math.min(y, fromY), to: Math.max(y, fromY), at: (x + fromX) / 2, width, colour }]
    return []
  })
}

/** Whether some side runs along no axis. */
const isSlanted = ({ points, isCurved }: Outline): boolean =>
  isCurved ||
  points.some(([x, y], at) => at > 0 && Math.abs(x - (points[at - 1]?.[0] ?? x)) > 1 && Math.abs(y - (points[at - 1]?.[1] ?? y)) > 1)

/** What paths come to for a layout. */
export interface Shapes {
  readonly rules: Rule[]
  readonly fills: Fill[]
  /** Around what runs aslant or curved; a map has far more than anybody asks for. */
  readonly slants: Box[]
}

const MOST_SLANTS = 5000
/** More rules or rectangles on a page are no table, and not kept. */
const MOST_RULES = 50_000

const patterned = (fill: Fill, { fillPattern }: GraphicsState): Fill => (fillPattern ? { ...fill, isPatterned: true } : fill)

/** Adds the rules and rectangles of a painted path, and where it runs aslant or curved. */
export function addPath(
  { rules, fills, slants }: Shapes,
  data: ArrayLike<number>,
  state: GraphicsState,
  isFilled: boolean,
  isStroked: boolean,
): void {
  if ((!isFilled && !isStroked) || Math.max(rules.length, fills.length) > MOST_RULES) return
  for (const outline of outlinesOf(data, state)) {
    if (isSlanted(outline) && slants.length < MOST_SLANTS) slants.push(boxAround(outline.points))
    if (outline.isCurved) continue
    if (isFilled && state.fillOpacity > FAINTEST) {
      const { rule, fill } = filled(outline, state.fill)
      if (rule) rules.push(rule)
      if (fill) fills.push(patterned(fill, state))
    }
    if (isStroked) rules.push(...stroked(outline, state.stroke, state.lineWidth * scaleOf(state.map)))
  }
}

/** Adds what colours run over that fill all that may be painted on, where that is a rectangle. */
export function addShading({ fills }: Shapes, { clip, fillOpacity }: GraphicsState, colour: string): void {
  const { fill } = clip.shapes.length === 0 && fillOpacity > FAINTEST ? rectangle(boxOfClip(clip), colour) : {}
  if (fill) fills.push({ ...fill, isPatterned: true })
}

/** Adds the unit square, filled. */
export function addSquare({ rules, fills }: Shapes, state: GraphicsState): void {
  const { map, fill, clip } = state
  const { rule, fill: square } = rectangle(overlap(mappedBox(map, 0, 0, 1, 1), boxOfClip(clip)), fill)
  if (rule) rules.push(rule)
  if (square) fills.push(patterned(square, state))
}
