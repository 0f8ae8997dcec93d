import { clippedBy, clippedByBox, isOpen } from './clip.ts'
import { programOf } from './font-program.ts'
import type { GraphicsState, Pattern, TextPlace } from './graphics-state.ts'
import { scaleOf } from './matrix.ts'
import type { OperatorCodes } from './open-pdf.ts'
import { mappedOutline, rectangle, type Outline } from './outline.ts'
import type { PlacedImage } from './page-model.ts'
import type { Composed, Ink, Paint, Painted, PaintedGlyph, Pen } from './painted.ts'
import { wayOf } from './show-path.ts'
import { colourFor } from './shading.ts'
import { placedGlyphs } from './show-text.ts'
import { textMap } from './type3.ts'

const CAPS = ['butt', 'round', 'square'] as const
const JOINS = ['miter', 'round', 'bevel'] as const

/** Drawn as 0, a line is as thin as a device can; this is what screens show, in points. */
const THINNEST = 0.5

const isNormal = (blendMode: string): boolean => blendMode === 'source-over' || blendMode === 'normal'
const isKnown = (pattern: Pattern | undefined): boolean => !pattern || 'gradient' in pattern

/** Whether what these patterns are painted with comes out as it is told. */
function composedBy({ isMasked, blendMode }: GraphicsState, ...patterns: readonly (Pattern | undefined)[]): { composed?: Composed } {
  if (isMasked || !patterns.every(isKnown)) return { composed: 'by itself' }
  return isNormal(blendMode) ? {} : { composed: 'with what is below' }
}

function inkOf(colour: string, pattern: Pattern | undefined, opacity: number, blendMode: string): Ink {
  // What multiplies or darkens lets what lies below shine through.
  const seen = isNormal(blendMode) ? opacity : opacity * 0.5
  return { colour, opacity: seen, ...(pattern && 'gradient' in pattern && { gradient: pattern.gradient }) }
}

const numbers = (value: unknown): readonly number[] =>
  Array.isArray(value) || ArrayBuffer.isView(value) ? Array.from(value as ArrayLike<unknown>, Number) : [] // either has a length

function penOf(state: GraphicsState): Pen {
  const scale = scaleOf(state.map)
  return {
    width: state.lineWidth > 0 ? state.lineWidth * scale : THINNEST,
    cap: state.cap,
    join: state.join,
    miterLimit: state.miterLimit,
    dashes: state.dashes.map((length) => length * scale),
    dashPhase: state.dashPhase * scale,
  }
}

/** Writes down what a page's instructions paint, exactly and in its order, and keeps what only painting depends on in the state. */
export class Painter {
  readonly painted: Painted[] = []
  readonly #codes: OperatorCodes
  readonly #most: number
  #nextClip: 'nonzero' | 'evenodd' | undefined

  /** Keeps so many things at most; clips are told in any case. */
  constructor(codes: OperatorCodes, most: number) {
    this.#codes = codes
    this.#most = most
  }

  get #isKept(): boolean {
    return this.painted.length < this.#most
  }

  /** How lines are drawn, and which path is to clip; whether it was such an instruction. */
  set(code: number, args: readonly unknown[], state: GraphicsState): boolean {
    const codes = this.#codes
    const [first, second] = args
    if (code === codes.clip) this.#nextClip = 'nonzero'
    else if (code === codes.eoClip) this.#nextClip = 'evenodd'
    else if (code === codes.setLineCap) state.cap = CAPS[Number(first)] ?? 'butt'
    else if (code === codes.setLineJoin) state.join = JOINS[Number(first)] ?? 'miter'
    else if (code === codes.setMiterLimit) state.miterLimit = Number(first)
    else if (code === codes.setDash) this.#setDash(first, second, state)
    else return false
    return true
  }

  /** One entry of an extended graphics state. */
  setEntry(key: unknown, value: unknown, state: GraphicsState): void {
    if (key === 'CA') state.strokeOpacity = Number(value)
    if (key === 'LC') state.cap = CAPS[Number(value)] ?? 'butt'
    if (key === 'LJ') state.join = JOINS[Number(value)] ?? 'miter'
    if (key === 'ML') state.miterLimit = Number(value)
    if (key === 'D' && Array.isArray(value)) this.#setDash(value[0], value[1], state)
    if (key === 'BM' && typeof value === 'string') state.blendMode = value
    if (key === 'SMask') state.isMasked = value !== false
  }

  #setDash(dashes: unknown, phase: unknown, state: GraphicsState): void {
    const lengths = numbers(dashes)
    state.dashes = lengths.every((length) => length >= 0) && lengths.some((length) => length > 0) ? lengths : []
    state.dashPhase = Number(phase) || 0
  }

  /** Clips what follows by a box of the space that is drawn in. */
  clipBy(box: unknown, state: GraphicsState): void {
    const [left, top, right, bottom] = numbers(box)
    if (left === undefined || top === undefined || right === undefined || bottom === undefined) return
    state.clip = clippedByBox(state.clip, [left, top, right, bottom], state.map)
  }

  /** A path's end: it is painted, it clips, or both. */
  path(how: unknown, data: Outline | undefined, state: GraphicsState, isVisible: boolean): void {
    const { isFilled, isStroked, isEvenOdd } = wayOf(this.#codes, how)
    if (!this.#isKept && !this.#nextClip) return
    const outline = data ? mappedOutline(data, state.map) : []
    if (this.#isKept && data && isVisible && (isFilled || isStroked) && isOpen(state.clip)) {
      const composed = composedBy(state, isFilled ? state.fillPattern : undefined, isStroked ? state.strokePattern : undefined)
      this.painted.push({ kind: 'path', outline, isEvenOdd, clip: state.clip, ...composed, ...this.#paint(state, isFilled, isStroked) })
    }
    if (this.#nextClip) state.clip = clippedBy(state.clip, outline, this.#nextClip === 'evenodd')
    this.#nextClip = undefined
  }

  #paint(state: GraphicsState, isFilled: boolean, isStroked: boolean): Paint {
    const { fill, fillPattern, fillOpacity, stroke, strokePattern, strokeOpacity, groupOpacity, blendMode } = state
    return {
      ...(isFilled && { fill: inkOf(fill, fillPattern, fillOpacity * groupOpacity, blendMode) }),
      ...(isStroked && {
        stroke: { ...inkOf(stroke, strokePattern, strokeOpacity * groupOpacity, blendMode), pen: penOf(state) },
      }),
    }
  }

  /** Colours that run over all that may be painted on. */
  shading(pattern: Pattern, state: GraphicsState): void {
    const { clip, fillOpacity, groupOpacity, blendMode } = state
    if (!this.#isKept || !isOpen(clip)) return
    const fill = inkOf(colourFor(pattern), pattern, fillOpacity * groupOpacity, blendMode)
    this.painted.push({ kind: 'path', outline: rectangle(clip.within), isEvenOdd: false, clip, ...composedBy(state, pattern), fill })
  }

  /** A string, before text goes on after it. `isSeen` tells whether its glyphs are painted by themselves. */
  text(items: readonly unknown[], state: GraphicsState, place: TextPlace, isSeen = true): void {
    const { font, size, mode, clip } = state
    if (!this.#isKept || !font || size === 0 || !isOpen(clip)) return
    const program = programOf(state.loadedFont)
    const turned = Math.sign(size)
    const glyphs = placedGlyphs(items, font, state).glyphs.map(({ raw, text, x, y, length }): PaintedGlyph => {
      const letter: unknown = Reflect.get(raw, 'fontChar')
      const code = typeof letter === 'string' ? program?.glyphs.get(letter.codePointAt(0) ?? 0) : undefined
      return { text, x: x * turned, y: y * turned, advance: length * turned, ...(code !== undefined && { code }) }
    })
    const map = textMap(state, place)
    const way = mode & 3
    const paint = isSeen ? this.#paint(state, way === 0 || way === 2, way === 1 || way === 2) : {}
    if (glyphs.length > 0) this.painted.push({ kind: 'text', font, program, size: Math.abs(size), map, glyphs, clip, ...paint })
  }

  /** The unit square. */
  square(state: GraphicsState): void {
    const outline = mappedOutline(rectangle([0, 0, 1, 1]), state.map)
    if (!this.#isKept || !isOpen(state.clip)) return
    this.painted.push({ kind: 'path', outline, isEvenOdd: false, clip: state.clip, ...this.#paint(state, true, false) })
  }

  /** A picture. */
  picture(image: PlacedImage, state: GraphicsState): void {
    const { clip, fillOpacity, groupOpacity } = state
    if (!this.#isKept || !isOpen(clip)) return
    this.painted.push({ kind: 'picture', image, opacity: fillOpacity * groupOpacity, clip, ...composedBy(state) })
  }
}
