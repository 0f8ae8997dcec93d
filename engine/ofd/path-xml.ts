import { element } from '../office/xml.ts'
import { asRectangle, boundsOf, common, isWithin, rectangle, segments, type Bounds, type Outline } from '../pdf/outline.ts'
import type { Clip, PaintedPath, Pen } from '../pdf/painted.ts'
import { inkXml } from './ink-xml.ts'
import { inMm, list, written } from './units.ts'

/** OFD's letters for pdf.js's codes of segments. */
const LETTERS = ['M', 'L', 'B', 'Q', 'C']
/** What is filled and thinner than this shows as a hairline all the same, in points. */
const HAIRLINE = 0.24
const CAPS = { butt: undefined, round: 'Round', square: 'Square' } as const
const JOINS = { miter: undefined, round: 'Round', bevel: 'Bevel' } as const

/** An outline, its places counted from a corner on the page. */
const dataOf = (outline: Outline, left: number, top: number): string =>
  segments(outline, (code, points) =>
    [LETTERS[code], ...points.map((value, at) => written(inMm(value - (at % 2 === 0 ? left : top))))].join(' '),
  ).join(' ')

/** A box as an attribute. */
export const boxOf = ([left, top, right, bottom]: Bounds): string => list(inMm(left), inMm(top), inMm(right - left), inMm(bottom - top))

/** What a clip leaves of something within bounds: nothing is cut off, it is cut, or nothing is left. */
export function cutBy({ within, shapes }: Clip, bounds: Bounds): 'whole' | 'cut' | 'gone' {
  if (!common(within, bounds)) return 'gone'
  return shapes.length === 0 && isWithin(bounds, within) ? 'whole' : 'cut'
}

/** A clip, its places counted from the corner of the object that it cuts; every Clip cuts what the others left. */
export function clipsXml({ within, shapes }: Clip, bounds: Bounds): string {
  const [left, top] = bounds
  const outlines = shapes.map(({ outline, isEvenOdd }) => ({ outline, isEvenOdd }))
  if (!isWithin(bounds, within)) outlines.unshift({ outline: rectangle(within), isEvenOdd: false })
  const clips = outlines.map(({ outline, isEvenOdd }) => {
    const [x0, y0, x1, y1] = boundsOf(outline) ?? within
    const path = element(
      'ofd:Path',
      {
        Boundary: boxOf([x0 - left, y0 - top, x1 - left, y1 - top]),
        Stroke: 'false',
        Fill: 'true',
        Rule: isEvenOdd ? 'Even-Odd' : undefined,
      },
      element('ofd:AbbreviatedData', {}, dataOf(outline, x0, y0)),
    )
    return element('ofd:Clip', {}, element('ofd:Area', {}, path))
  })
  return element('ofd:Clips', {}, ...clips)
}

function penAttributes({ width, cap, join, miterLimit, dashes, dashPhase }: Pen): Record<string, string | undefined> {
  // A pattern of an odd length is gone through twice before it repeats; some readers know pairs only.
  const pairs = dashes.length % 2 === 0 ? dashes : [...dashes, ...dashes]
  return {
    LineWidth: written(inMm(width)),
    Cap: CAPS[cap],
    Join: JOINS[join],
    MiterLimit: join === 'miter' ? written(miterLimit) : undefined,
    DashOffset: pairs.length > 0 && dashPhase !== 0 ? written(inMm(dashPhase)) : undefined,
    DashPattern: pairs.length > 0 ? list(...pairs.map(inMm)) : undefined,
  }
}

const widened = (from: number, to: number): readonly [number, number] =>
  to - from >= HAIRLINE ? [from, to] : [(from + to - HAIRLINE) / 2, (from + to + HAIRLINE) / 2]

/** A filled rectangle is cut by hand, which every reader shows. */
function cutRectangle(path: PaintedPath): PaintedPath {
  const box = path.stroke ? undefined : asRectangle(path.outline)
  if (!box) return path
  const cut = common(box, path.clip.within)
  if (!cut) return path
  const [[left, right], [top, bottom]] = [widened(cut[0], cut[2]), widened(cut[1], cut[3])]
  const bounds: Bounds = [left, top, right, bottom]
  return { ...path, outline: rectangle(bounds), clip: { within: bounds, shapes: path.clip.shapes } }
}

/** How far a pen reaches beyond an outline. */
const reachOf = ({ width, join, cap }: Pen): number => (width / 2) * (join === 'miter' ? 2 : cap === 'square' ? Math.SQRT2 : 1)

/** A path as an object of a page; undefined where nothing of it is seen. */
export function pathXml(painted: PaintedPath, nextId: () => number): string | undefined {
  const path = cutRectangle(painted)
  const { outline, fill, stroke, isEvenOdd, clip } = path
  const tight = boundsOf(outline)
  if (!tight) return undefined
  const reach = stroke ? reachOf(stroke.pen) : 0
  const bounds: Bounds = [tight[0] - reach, tight[1] - reach, tight[2] + reach, tight[3] + reach]
  const cut = cutBy(clip, bounds)
  if (cut === 'gone') return undefined
  const [left, top] = bounds
  return element(
    'ofd:PathObject',
    {
      ID: nextId(),
      Boundary: boxOf(bounds),
      ...(stroke && penAttributes(stroke.pen)),
      Stroke: String(stroke !== undefined),
      Fill: String(fill !== undefined),
      Rule: isEvenOdd ? 'Even-Odd' : undefined,
    },
    cut === 'cut' ? clipsXml(clip, bounds) : undefined,
    stroke && inkXml('ofd:StrokeColor', stroke, left, top),
    fill && inkXml('ofd:FillColor', fill, left, top),
    element('ofd:AbbreviatedData', {}, dataOf(outline, left, top)),
  )
}
