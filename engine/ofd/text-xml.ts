import { element, escapedText } from '../office/xml.ts'
import { mappedBounds } from '../pdf/clip.ts'
import type { Bounds } from '../pdf/outline.ts'
import { inkXml } from './ink-xml.ts'
import { boxOf, clipsXml, cutBy } from './path-xml.ts'
import type { TextRun, WrittenGlyph } from './text-runs.ts'
import { inMm, list, written } from './units.ts'

/** How far glyphs reach at least above, below and beside what they take of the line, in ems: readers cut off what is outside an object's box. */
const REACH = { above: 0.9, below: 0.3, beside: 0.15 } as const
/** Fonts that claim more than this lie. */
const FARTHEST = 4
/** A hidden text's colour, for it needs one. */
const HIDDEN = { colour: '#000000', opacity: 0 } as const

const isSeen = ({ text }: WrittenGlyph): boolean => text.trim() !== ''

/** A run without the spaces around it, which readers lose. */
const trimmed = (glyphs: readonly WrittenGlyph[]): readonly WrittenGlyph[] =>
  glyphs.slice(Math.max(0, glyphs.findIndex(isSeen)), glyphs.findLastIndex(isSeen) + 1)

/** The box of a run in its own space. */
function boxIn({ font, program, size, end }: TextRun, glyphs: readonly WrittenGlyph[]): Bounds {
  const xs = glyphs.map(({ x }) => x)
  const ys = glyphs.map(({ y }) => y)
  const above = Math.min(FARTHEST, Math.max(REACH.above, program?.reach.above ?? 0)) * size
  const below = Math.min(FARTHEST, Math.max(REACH.below, program?.reach.below ?? 0)) * size
  const beside = REACH.beside * size
  const [right, bottom] = font.isVertical ? [Math.max(...xs) + size, Math.max(end, ...ys)] : [Math.max(end, ...xs), Math.max(...ys)]
  return [Math.min(...xs) - beside, Math.min(...ys) - above, right + beside, bottom + below]
}

const transformXml = (position: number, codes: number, glyphs: readonly WrittenGlyph[]): string =>
  element(
    'ofd:CGTransform',
    { CodePosition: position, CodeCount: codes, GlyphCount: glyphs.length },
    element('ofd:Glyphs', {}, glyphs.map(({ code = 0 }) => code).join(' ')),
  )

/** Which glyphs show which characters; one for one as far as that goes. */
function glyphsXml(glyphs: readonly WrittenGlyph[]): string {
  const last = glyphs.at(-1)
  if (last === undefined || last.text.length <= 1) return transformXml(0, glyphs.length, glyphs)
  const plain = glyphs.slice(0, -1)
  return (plain.length > 0 ? transformXml(0, plain.length, plain) : '') + transformXml(plain.length, last.text.length, [last])
}

/** How far a glyph may stand from its place, in millimetres: less than half a printer's dot. */
const TOLERANCE = 0.015

const rounded = (millimetres: number): number => Math.round(millimetres * 100) / 100

/**
 * How far from each glyph to the next, in millimetres. What a step is by itself goes as long as its glyph comes near its place: then the same
 * letters take the same steps, which a zip makes little of.
 */
function steps(places: readonly number[]): string | undefined {
  let at = places[0] ?? 0
  const moves = places.slice(1).map((place, nth) => {
    const own = rounded(place - (places[nth] ?? 0))
    const move = Math.abs(at + own - place) <= TOLERANCE ? own : rounded(place - at)
    at += move
    return move
  })
  return moves.some((move) => move !== 0) ? list(...moves) : undefined
}

const isPlain = ([a, b, c, d]: readonly number[]): boolean =>
  [(a ?? 0) - 1, b ?? 0, c ?? 0, (d ?? 0) - 1].every((value) => Math.abs(value) < 1e-4)

/** A run as an object of a page, in a font by its id; undefined where nothing of it is seen. */
export function textXml(run: TextRun, fontId: number, nextId: () => number): string | undefined {
  const glyphs = trimmed(run.glyphs)
  const [first] = glyphs
  if (!first) return undefined
  const { map, size, clip, program } = run
  const bounds = mappedBounds(boxIn(run, glyphs), map)
  const cut = cutBy(clip, bounds)
  // Text that is cut off can be found all the same.
  const { fill, stroke } = cut === 'gone' ? {} : run
  const isHidden = !fill && !stroke
  const [left, top] = bounds
  const [a, b, c, d, e, f] = map
  const ctm = isPlain(map)
    ? undefined
    : [a, b, c, d].map((value) => written(value, 5)).join(' ') + ` ${list(inMm(e - left), inMm(f - top))}`
  const [startX, startY] = ctm === undefined ? [e - left + first.x, f - top + first.y] : [first.x, first.y]
  return element(
    'ofd:TextObject',
    {
      ID: nextId(),
      Boundary: boxOf(bounds),
      CTM: ctm,
      ...(stroke && { LineWidth: written(inMm(stroke.pen.width)) }),
      Font: fontId,
      Size: written(inMm(size), 4),
      Stroke: stroke ? 'true' : undefined,
      Fill: stroke && !fill ? 'false' : undefined,
    },
    cut === 'cut' && !isHidden ? clipsXml(clip, bounds) : undefined,
    fill || isHidden ? inkXml('ofd:FillColor', fill ?? HIDDEN, left, top) : undefined,
    stroke && inkXml('ofd:StrokeColor', stroke, left, top),
    program && glyphsXml(glyphs),
    element(
      'ofd:TextCode',
      {
        X: written(inMm(startX)),
        Y: written(inMm(startY)),
        DeltaX: steps(glyphs.map(({ x }) => inMm(x))),
        DeltaY: steps(glyphs.map(({ y }) => inMm(y))),
      },
      escapedText(glyphs.map(({ text }) => text).join('')),
    ),
  )
}
