import type { GraphicsState, TextPlace } from './graphics-state.ts'
import { mapped, times } from './matrix.ts'
import type { Glyph } from './page-model.ts'

/** A glyph as pdf.js's evaluator hands it over. */
interface RawGlyph {
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

function rawGlyph(value: unknown): RawGlyph | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const [unicode, width, vmetric] = [Reflect.get(value, 'unicode'), Reflect.get(value, 'width'), Reflect.get(value, 'vmetric')]
  const [advance, vx, vy] = Array.isArray(vmetric) ? vmetric.map(Number) : []
  return {
    unicode: typeof unicode === 'string' ? unicode : '',
    width: typeof width === 'number' ? width : 0,
    isSpace: Reflect.get(value, 'isSpace') === true,
    ...(advance !== undefined && vx !== undefined && vy !== undefined && { vmetric: [advance, vx, vy] as const }),
  }
}

/** Glyphs that say nothing: those without Unicode, and control characters. */
const isSilent = (text: string): boolean => /^\p{Cc}*$/u.test(text) && !/[\t\n\r]/.test(text)

/**
 * The glyphs of one string and how far text goes on after it (ISO 32000-1 §9.4.4, vertical writing §9.7.4.3). `items` are pdf.js's: glyphs, and
 * numbers that move on by thousandths of the size.
 */
export function shown(items: readonly unknown[], state: GraphicsState, place: TextPlace): Glyph[] {
  const { font, size } = state
  if (!font) return []
  const map = times(state.map, place.matrix)
  const along = font.isVertical ? Math.hypot(map[2], map[3]) : Math.hypot(map[0], map[1]) * state.horizontalScale
  const across = Math.hypot(map[2], map[3])
  const unit = font.unit * size
  const angle = Math.atan2(map[1], map[0])
  const glyphs: Glyph[] = []
  let moved = 0
  for (const item of items) {
    if (typeof item === 'number') {
      moved += ((font.isVertical ? 1 : -1) * item * size) / 1000
      continue
    }
    const glyph = rawGlyph(item)
    if (!glyph) continue
    const { unicode: text, width, vmetric } = glyph
    const length = (font.isVertical ? -(vmetric?.[0] ?? -1000) : width) * unit
    const [dx, dy] = font.isVertical ? [-(vmetric?.[1] ?? width / 2) * unit, -(vmetric?.[2] ?? 880) * unit] : [0, 0]
    const [x, y] = font.isVertical
      ? mapped(map, place.x + dx, place.y + state.rise - moved + dy)
      : mapped(map, place.x + moved * state.horizontalScale, place.y + state.rise)
    if (!isSilent(text) && state.mode !== CLIP_ONLY) {
      const look = { colour: state.fill, isHidden: state.mode === HIDDEN, isOutlined: state.mode === OUTLINED }
      glyphs.push({ text, x, y, advance: length * along, size: Math.abs(size) * across, angle, font, ...look })
    }
    moved += length + state.characterSpacing + (glyph.isSpace ? state.wordSpacing : 0)
  }
  if (font.isVertical) place.y -= moved
  else place.x += moved * state.horizontalScale
  return glyphs
}
