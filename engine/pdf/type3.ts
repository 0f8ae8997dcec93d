import type { GraphicsState, TextPlace } from './graphics-state.ts'
import { matrixOf, times, type Matrix } from './matrix.ts'
import type { Operators } from './reading.ts'
import { isSilent, placedGlyphs } from './show-text.ts'

/** A glyph that is a drawing of its own (ISO 32000-1 §9.6.5), and where it goes. */
export interface DrawnGlyph {
  readonly operators: Operators
  readonly map: Matrix
  /** What it stands for; empty where its font does not say that. */
  readonly text: string
}

const isOperators = (value: unknown): value is Operators =>
  typeof value === 'object' && value !== null && 'fnArray' in value && 'argsArray' in value

/** From the space of a string's glyphs to the page. A negative size turns glyphs upside down. */
export function textMap(state: GraphicsState, place: TextPlace): Matrix {
  const turned = state.size < 0 ? -1 : 1
  return times(times(state.map, place.matrix), [state.horizontalScale * turned, 0, 0, turned, place.x, place.y + state.rise])
}

/** The drawings of a string's glyphs, before text goes on after it; none where its font is no Type 3 font or the text has no ink. */
export function drawnGlyphs(items: readonly unknown[], state: GraphicsState, place: TextPlace): DrawnGlyph[] {
  const { font, loadedFont, size, mode } = state
  if (!font || mode === 3 || typeof loadedFont !== 'object' || loadedFont === null) return []
  if (Reflect.get(loadedFont, 'isType3Font') !== true) return []
  const procedures: unknown = Reflect.get(loadedFont, 'charProcOperatorList')
  const own = matrixOf(Reflect.get(loadedFont, 'fontMatrix'))
  if (typeof procedures !== 'object' || procedures === null || !own) return []
  const map = textMap(state, place)
  const turned = Math.sign(size)
  return placedGlyphs(items, font, state).glyphs.flatMap(({ raw, text, x, y }) => {
    const operators: unknown = Reflect.get(procedures, String(Reflect.get(raw, 'operatorListId')))
    const em: Matrix = [Math.abs(size), 0, 0, Math.abs(size), x * turned, y * turned]
    return isOperators(operators) ? [{ operators, map: times(times(map, em), own), text: isSilent(text) ? '' : text }] : []
  })
}
