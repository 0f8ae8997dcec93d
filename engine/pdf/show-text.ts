import { colourOfLevels, levelsOf } from './colour.ts'
import type { GraphicsState, TextPlace } from './graphics-state.ts'
import { capitalOf, saidCodes } from './font.ts'
import { mapped, times } from './matrix.ts'
import type { Glyph, PdfFont } from './page-model.ts'
import type { Clip } from './painted.ts'

/** A glyph as pdf.js's evaluator hands it over. */
interface RawGlyph {
  readonly raw: object
  readonly code: number
  readonly unicode: string
  /** In glyph space. */
  readonly width: number
  readonly isSpace: boolean
  /** Vertical advance and the vector from the horizontal to the vertical origin, in glyph space. */
  readonly vmetric?: readonly [number, number, number]
}

const HIDDEN = 3
const OUTLINED = 2
const CLIP_ONLY = 7
/** What is fainter is not seen. */
const FAINTEST = 0.02
/** How far the middle of a glyph may lie outside of a clip, in parts of its size. */
const EDGE = 0.15

/** pdf.js hands over one object for all places of a glyph. */
const known = new WeakMap<object, RawGlyph>()

function rawGlyph(value: unknown): RawGlyph | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const before = known.get(value)
  if (before) return before
  const [unicode, width, vmetric] = [Reflect.get(value, 'unicode'), Reflect.get(value, 'width'), Reflect.get(value, 'vmetric')]
  const [advance, vx, vy] = Array.isArray(vmetric) ? vmetric.map(Number) : []
  const glyph = {
    raw: value,
    code: Number(Reflect.get(value, 'originalCharCode')),
    unicode: typeof unicode === 'string' ? unicode : '',
    width: typeof width === 'number' ? width : 0,
    isSpace: Reflect.get(value, 'isSpace') === true,
    ...(advance !== undefined && vx !== undefined && vy !== undefined && { vmetric: [advance, vx, vy] as const }),
  }
  known.set(value, glyph)
  return glyph
}

/** Glyphs that say nothing: those without Unicode, and control characters. */
export const isSilent = (text: string): boolean => /^\p{Cc}*$/u.test(text) && !/[\t\n\r]/.test(text)

/** A glyph in its place: its origin counts from where the text has come to, along the baseline and up, before horizontal scaling. */
export interface PlacedGlyph {
  readonly raw: object
  readonly code: number
  readonly text: string
  readonly x: number
  readonly y: number
  /** How far the line goes on for it; down where the font is vertical. */
  readonly length: number
}

/**
 * Where the glyphs of one string stand and how far text goes on after it (ISO 32000-1 §9.4.4, vertical writing §9.7.4.3). `items` are pdf.js's:
 * glyphs, and numbers that move on by thousandths of the size.
 */
export function placedGlyphs(items: readonly unknown[], font: PdfFont, state: GraphicsState): { glyphs: PlacedGlyph[]; moved: number } {
  const { size } = state
  const unit = font.unit * size
  const glyphs: PlacedGlyph[] = []
  let moved = 0
  for (const item of items) {
    if (typeof item === 'number') {
      moved += ((font.isVertical ? 1 : -1) * item * size) / 1000
      continue
    }
    const glyph = rawGlyph(item)
    if (!glyph) continue
    const { raw, code, unicode: text, width, vmetric } = glyph
    const length = (font.isVertical ? -(vmetric?.[0] ?? -1000) : width) * unit
    const [x, y] = font.isVertical ? [-(vmetric?.[1] ?? width / 2) * unit, -moved - (vmetric?.[2] ?? 880) * unit] : [moved, 0]
    glyphs.push({ raw, code, text, x, y, length })
    moved += length + state.characterSpacing + (glyph.isSpace ? state.wordSpacing : 0)
  }
  return { glyphs, moved }
}

/** What a glyph says, and whether that is known. */
interface Said {
  readonly text: string
  readonly isMute: boolean
  readonly isGarbled: boolean
}

const saidBy = new WeakMap<object, Said>()

/** What a glyph of a font says, as far as its font tells it. */
function saidOf({ raw, code, text: told }: PlacedGlyph, font: unknown): Said {
  const before = saidBy.get(raw)
  if (before) return before
  const codes = saidCodes(font)
  const isMute = isSilent(told)
  const isGarbled = isMute || (codes !== undefined && !(code in codes) && told.trim() !== '')
  const said = { text: isMute ? '' : capitalOf(font, code, told), isMute, isGarbled }
  saidBy.set(raw, said)
  return said
}

/** Whether something of a glyph can be seen through a clip; its middle tells. */
function isWithin({ x, y, advance, size, angle }: Glyph, { within: [left, top, right, bottom] }: Clip): boolean {
  const [ahead, up] = [advance / 2, size * 0.35]
  const middleX = x + Math.cos(angle) * ahead + Math.sin(angle) * up
  const middleY = y + Math.sin(angle) * ahead - Math.cos(angle) * up
  const margin = size * EDGE
  return middleX > left - margin && middleX < right + margin && middleY > top - margin && middleY < bottom + margin
}

/** A colour as it is seen on paper where that shows through it. */
const seenThrough = (colour: string, opacity: number): string =>
  opacity > 0.995 || !/^#[\da-f]{6}$/i.test(colour)
    ? colour
    : colourOfLevels(levelsOf(colour).map((level) => 255 - opacity * (255 - level)))

/** The glyphs of one string where they can be seen. Those whose codes say nothing have no text. */
export function shown(items: readonly unknown[], state: GraphicsState, place: TextPlace): Glyph[] {
  const { font, size, clip, loadedFont } = state
  if (!font) return []
  const map = times(state.map, place.matrix)
  const along = font.isVertical ? Math.hypot(map[2], map[3]) : Math.hypot(map[0], map[1]) * state.horizontalScale
  const across = Math.abs(size) * Math.hypot(map[2], map[3])
  const angle = Math.atan2(map[1], map[0])
  const { glyphs: placed, moved } = placedGlyphs(items, font, state)
  const glyphs: Glyph[] = []
  const opacity = state.fillOpacity * state.groupOpacity
  const isHidden = state.mode === HIDDEN || opacity <= FAINTEST
  const colour = seenThrough(state.fill, isHidden ? 1 : opacity)
  const isOutlined = state.mode === OUTLINED
  for (const one of placed) {
    const { code, x: dx, y: dy, length } = one
    const { text, isMute, isGarbled } = saidOf(one, loadedFont)
    if ((isMute && length <= 0) || state.mode === CLIP_ONLY) continue
    const [x, y] = mapped(map, place.x + dx * (font.isVertical ? 1 : state.horizontalScale), place.y + state.rise + dy)
    const glyph = { text, code, x, y, advance: length * along, size: across, angle, font, colour, isHidden, isOutlined }
    if (across > 0 && isWithin(glyph, clip)) glyphs.push(isGarbled ? { ...glyph, isGarbled } : glyph)
  }
  if (font.isVertical) place.y -= moved
  else place.x += moved * state.horizontalScale
  return glyphs
}
