import { element } from '../office/xml.ts'
import { levelsOf } from '../pdf/colour.ts'
import type { Gradient, Ink } from '../pdf/painted.ts'
import { inMm, list, written } from './units.ts'

/** A colour's channels as OFD's own RGB space has them. */
const channels = (colour: string): string =>
  levelsOf(colour)
    .map((level) => level || 0)
    .join(' ')

/** An opacity as OFD counts it: 255 hides everything below. */
export const alphaOf = (opacity: number): number => Math.max(0, Math.min(255, Math.round(opacity * 255)))

/** OFD names what goes on beyond a gradient's ends by a number: 1 its start, 2 its end. */
const extendOf = ([start, end]: Gradient['extends']): number => (start ? 1 : 0) + (end ? 2 : 0)

/** A gradient, its places counted from the corner of the object that it fills. */
function gradientXml({ from, to, radii, stops, extends: goesOn }: Gradient, left: number, top: number): string {
  const place = ([x, y]: readonly [number, number]): string => list(inMm(x - left), inMm(y - top))
  const segments = stops.map(([position, colour]) =>
    element('ofd:Segment', { Position: written(position, 4) }, element('ofd:Color', { Value: channels(colour) })),
  )
  const [startRadius, endRadius] = radii ?? []
  return element(
    radii ? 'ofd:RadialShd' : 'ofd:AxialShd',
    {
      MapType: 'Direct',
      Extend: extendOf(goesOn),
      StartPoint: place(from),
      StartRadius: startRadius === undefined ? undefined : written(inMm(startRadius)),
      EndPoint: place(to),
      EndRadius: endRadius === undefined ? undefined : written(inMm(endRadius)),
    },
    ...segments,
  )
}

/** What an object is filled or stroked with; `left` and `top` are the object's corner on the page, in points. */
export function inkXml(name: 'ofd:FillColor' | 'ofd:StrokeColor', ink: Ink, left: number, top: number): string {
  const alpha = alphaOf(ink.opacity)
  const value = ink.gradient ? {} : { Value: channels(ink.colour) }
  return element(name, { ...value, Alpha: alpha === 255 ? undefined : alpha }, ink.gradient && gradientXml(ink.gradient, left, top))
}
