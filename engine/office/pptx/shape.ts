import type { SlideSpace } from './slide-space.ts'
import { officeColour } from '../units.ts'
import { element } from '../xml.ts'
import type { Box } from '#engine/document/document-model'
import type { Gradient, Ink, PaintedPath, Pen } from '#engine/pdf/painted'
import { asRectangle, boundsOf, common, isWithin, rectangle, segments, type Bounds, type Outline } from '#engine/pdf/outline'

const alphaXml = (opacity: number): string | undefined =>
  opacity > 0.995 ? undefined : element('a:alpha', { val: Math.round(Math.max(0, opacity) * 100_000) })

const colourXml = (colour: string, opacity: number): string => element('a:srgbClr', { val: officeColour(colour) }, alphaXml(opacity))

/** Degrees in sixty-thousandths, clockwise from the right. */
function angleOf({ from, to }: Gradient): number {
  const degrees = (Math.atan2(to[1] - from[1], to[0] - from[0]) * 180) / Math.PI
  return Math.round(((degrees + 360) % 360) * 60_000)
}

function gradientXml(gradient: Gradient, opacity: number): string {
  // Here circles are told from the inner one outwards.
  const [first, last] = gradient.radii ?? [0, 0]
  const stops = first > last ? gradient.stops.map(([at, colour]) => [1 - at, colour] as const).toReversed() : gradient.stops
  const list = stops.map(([at, colour]) => element('a:gs', { pos: Math.round(at * 100_000) }, colourXml(colour, opacity)))
  const way = gradient.radii
    ? element('a:path', { path: 'circle' }, element('a:fillToRect', { l: 50_000, t: 50_000, r: 50_000, b: 50_000 }))
    : element('a:lin', { ang: angleOf(gradient), scaled: 0 })
  return element('a:gradFill', { rotWithShape: 1 }, element('a:gsLst', {}, ...list), way)
}

function fillXml(ink: Ink | undefined): string {
  if (!ink) return element('a:noFill')
  if (ink.gradient && ink.gradient.stops.length > 1) return gradientXml(ink.gradient, ink.opacity)
  return element('a:solidFill', {}, colourXml(ink.colour, ink.opacity))
}

const CAPS = { butt: 'flat', round: 'rnd', square: 'sq' } as const
const JOINS = { miter: element('a:miter', { lim: 800_000 }), round: element('a:round'), bevel: element('a:bevel') }
/** What PDF draws as thin as can be is as thin as one sees it. */
const THINNEST = 0.25

/** Dashes in thousandths of a percent of the line's width. */
function dashXml({ dashes, width }: Pen): string | undefined {
  const [dash, gap = dash] = dashes
  if (dash === undefined || gap === undefined || dash + gap <= 0) return undefined
  const part = (length: number): number => Math.max(1, Math.round((length / Math.max(THINNEST, width)) * 100_000))
  return element('a:custDash', {}, element('a:ds', { d: part(dash), sp: part(gap) }))
}

function lineXml(stroke: PaintedPath['stroke'], space: Pick<SlideSpace, 'length'>): string {
  if (!stroke) return element('a:ln', {}, element('a:noFill'))
  const { pen } = stroke
  return element(
    'a:ln',
    { w: Math.min(20_116_800, space.length(Math.max(THINNEST, pen.width))), cap: CAPS[pen.cap] },
    element('a:solidFill', {}, colourXml(stroke.colour, stroke.opacity)),
    dashXml(pen),
    JOINS[pen.join],
  )
}

const COMMANDS = ['a:moveTo', 'a:lnTo', 'a:cubicBezTo', 'a:quadBezTo'] as const

/** Outlines as one geometry of their own, in a frame that holds them. */
function geometryXml(outlines: readonly Outline[], [left, top, right, bottom]: Bounds, space: Pick<SlideSpace, 'length'>): string {
  const point = (x: number, y: number): string => element('a:pt', { x: space.length(x - left), y: space.length(y - top) })
  const commands = outlines.flatMap((outline) =>
    segments(outline, (code, points) => {
      const command = COMMANDS[code]
      if (command === undefined) return element('a:close')
      const list = Array.from({ length: points.length / 2 }, (_, at) => point(points[at * 2] ?? 0, points[at * 2 + 1] ?? 0))
      return element(command, {}, ...list)
    }),
  )
  const size = { w: space.length(right - left), h: space.length(bottom - top) }
  return element(
    'a:custGeom',
    {},
    element('a:avLst'),
    element('a:gdLst'),
    element('a:ahLst'),
    element('a:cxnLst'),
    element('a:rect', { l: 'l', t: 't', r: 'r', b: 'b' }),
    element('a:pathLst', {}, element('a:path', size, ...commands)),
  )
}

/** A painted path as it is seen: what its clip leaves of it, where that can be said by an outline. */
export function seenOutline({ outline, clip }: PaintedPath): Outline | undefined {
  const bounds = boundsOf(outline)
  const seen = bounds && common(bounds, clip.within)
  if (!bounds || !seen) return undefined
  const [shape] = clip.shapes
  // Colour poured over all that a shape lets through has that shape.
  if (shape && clip.shapes.length === 1 && asRectangle(outline)) {
    const inner = boundsOf(shape.outline)
    if (inner && isWithin(common(inner, clip.within) ?? inner, bounds, 0.5)) return shape.outline
  }
  return asRectangle(outline) ? rectangle(seen) : outline
}

/** Lengths and places of a page in another format. */
type Space = Pick<SlideSpace, 'length' | 'place'>

/** The box and the looks of paths painted alike: what a shape's properties hold, in the schema's order. */
export function shapeProperties(
  outlines: readonly Outline[],
  { fill, stroke }: Pick<PaintedPath, 'fill' | 'stroke'>,
  space: Space,
): { readonly box: Box; readonly xml: string } | undefined {
  const bounds = boundsOf(outlines.flatMap((outline) => Array.from(outline)))
  if (!bounds) return undefined
  const [left, top, right, bottom] = bounds
  const box = { left, top, right, bottom }
  const { off, ext } = space.place(box)
  const [only] = outlines
  const isPlain = outlines.length === 1 && only !== undefined && asRectangle(only) !== undefined
  const parts = [
    element('a:xfrm', {}, element('a:off', off), element('a:ext', ext)),
    isPlain ? element('a:prstGeom', { prst: 'rect' }, element('a:avLst')) : geometryXml(outlines, bounds, space),
    fillXml(fill),
    lineXml(stroke, space),
  ]
  return { box, xml: parts.join('') }
}

/** Paths painted alike as one shape (`p:sp`). */
export function shapeXml(outlines: readonly Outline[], paint: Pick<PaintedPath, 'fill' | 'stroke'>, space: SlideSpace): string {
  const properties = shapeProperties(outlines, paint, space)
  if (!properties) return ''
  const id = space.nextId()
  return element(
    'p:sp',
    {},
    element('p:nvSpPr', {}, element('p:cNvPr', { id, name: `图形 ${id}` }), element('p:cNvSpPr'), element('p:nvPr')),
    element('p:spPr', {}, properties.xml),
  )
}
