import { markOf } from '../pdf/legible.ts'
import type { Matrix } from '../pdf/matrix.ts'
import { mapped } from '../pdf/matrix.ts'
import type { PaintedGlyph, PaintedText } from '../pdf/painted.ts'

/** One glyph as it is written: its character, or several it stands for, and the glyph that shows it. */
export interface WrittenGlyph {
  readonly text: string
  readonly code: number | undefined
  /** Along the baseline and down from the run's origin, in points of the run's own space. */
  readonly x: number
  readonly y: number
}

/** Glyphs in a row that one object holds. */
export interface TextRun extends Pick<PaintedText, 'font' | 'program' | 'fill' | 'stroke' | 'clip'> {
  /** The em, in points on the page, measured across the baseline. */
  readonly size: number
  /** From the run's own space (points, its y axis down) to the page; what is left where the size is taken out. */
  readonly map: Matrix
  readonly glyphs: readonly WrittenGlyph[]
  /** Where the last glyph ends along the baseline. */
  readonly end: number
}

/** How far from its baseline a glyph may stand to be of the same run, in ems. */
const OFF_LINE = 0.002
/** The most characters of one object: readers go through them again and again. */
const LONGEST = 400
/** A gap that parts runs, in ems. */
const GAP = 30

/** Characters that XML or readers lose. */
const UNSAFE = /[\p{Cc}\p{Cs}\ufffe\uffff]/u

/** What stands for a glyph that says nothing. */
const NOTHING_SAID = '\ufffd'

/** What is written for a glyph: a line of characters, as many as UTF-16 counts. */
const characters = (text: string): string => (text === '' || UNSAFE.test(text) ? NOTHING_SAID : text.replaceAll('\u00a0', ' '))

/** Glyphs of a piece of text from its own origin, in points across the baseline. */
interface Piece {
  readonly text: PaintedText
  readonly size: number
  readonly linear: readonly [number, number, number, number]
  readonly origin: readonly [number, number]
  readonly scale: number
}

function pieceOf(text: PaintedText, first: PaintedGlyph): Piece | undefined {
  const { map, size } = text
  const scale = Math.hypot(map[2], map[3])
  if (!(scale > 0) || !(size * scale > 0.01)) return undefined
  const linear = [map[0] / scale, map[1] / scale, -map[2] / scale, -map[3] / scale] as const
  return { text, size: size * scale, linear, origin: mapped(map, first.x, first.y), scale }
}

const isClose = (a: number, b: number, by: number): boolean => Math.abs(a - b) <= by

/** Whether two pieces look alike, so that one object can hold both. */
const isAlike = (a: Piece, b: Piece): boolean =>
  a.text === b.text ||
  (a.text.font === b.text.font &&
    a.text.program === b.text.program &&
    a.text.clip === b.text.clip &&
    isClose(a.size, b.size, a.size * 1e-4) &&
    a.linear.every((value, at) => isClose(value, b.linear[at] ?? 0, 1e-4)) &&
    JSON.stringify([a.text.fill, a.text.stroke]) === JSON.stringify([b.text.fill, b.text.stroke]))

/** Collects glyphs into runs. */
class Runs {
  readonly runs: TextRun[] = []
  #piece: Piece | undefined
  #glyphs: WrittenGlyph[] = []
  #end = 0

  add(text: PaintedText): void {
    for (const glyph of text.glyphs) this.#addGlyph(text, glyph)
  }

  #addGlyph(text: PaintedText, glyph: PaintedGlyph): void {
    const blank = glyph.text.trim() === '' ? text.program?.blank : undefined
    const code = glyph.code ?? blank
    // What a font does not hold is not shown; the space it takes is in the places of the others.
    if (text.program && code === undefined) return
    const piece = pieceOf(text, glyph)
    if (!piece) return
    const [x, y] = this.#placeOf(piece)
    const { isVertical } = text.font
    const [along, beside] = isVertical ? [y, x] : [x, y]
    const last = this.#glyphs.at(-1)
    const goesOn =
      this.#piece !== undefined &&
      last !== undefined &&
      isAlike(this.#piece, piece) &&
      isClose(beside, 0, piece.size * OFF_LINE) &&
      along >= (isVertical ? last.y : last.x) &&
      along < this.#end + piece.size * GAP &&
      this.#glyphs.length < LONGEST
    if (!goesOn) this.#begin(piece)
    this.#push({ ...glyph, ...(code !== undefined && { code }) }, goesOn ? x : 0, goesOn ? y : 0, piece)
  }

  /** Where a piece begins in the space of the run that is being made. */
  #placeOf({ origin }: Piece): readonly [number, number] {
    if (!this.#piece) return [0, 0]
    const [a, b, c, d] = this.#piece.linear
    const [dx, dy] = [origin[0] - this.#piece.origin[0], origin[1] - this.#piece.origin[1]]
    const area = a * d - b * c
    return area === 0 ? [Infinity, Infinity] : [(d * dx - c * dy) / area, (a * dy - b * dx) / area]
  }

  #push(glyph: PaintedGlyph, x: number, y: number, { text, scale }: Piece): void {
    const written = characters(markOf(glyph.text, text.font) ?? glyph.text)
    const advance = glyph.advance * scale
    const { isVertical } = text.font
    this.#end = (isVertical ? y : x) + advance
    const blank = text.program?.blank
    if (written.length > 1 && text.program && blank === undefined) {
      this.#glyphs.push({ text: written, code: glyph.code, x, y })
      // Readers do not agree on the place of what follows one glyph for several characters.
      this.end()
      return
    }
    for (const [at, letter] of written.split('').entries()) {
      const step = text.program ? 0 : (advance * at) / written.length
      const code = at === 0 ? glyph.code : blank
      this.#glyphs.push({ text: letter, code, x: x + (isVertical ? 0 : step), y: y + (isVertical ? step : 0) })
    }
  }

  #begin(piece: Piece): void {
    this.end()
    this.#piece = piece
  }

  /** Ends the run that is being made. */
  end(): void {
    const piece = this.#piece
    const glyphs = this.#glyphs
    this.#piece = undefined
    this.#glyphs = []
    if (!piece || glyphs.every(({ text }) => text.trim() === '' && !piece.text.program)) return
    const { font, program, fill, stroke, clip } = piece.text
    const map: Matrix = [...piece.linear, ...piece.origin]
    const ink = { ...(fill && { fill }), ...(stroke && { stroke }) }
    this.runs.push({ font, program, clip, ...ink, size: piece.size, map, glyphs, end: this.#end })
  }
}

/** Pieces of text that follow each other as runs: what goes on in the same line and looks the same is one. */
export function textRuns(texts: readonly PaintedText[]): readonly TextRun[] {
  const runs = new Runs()
  for (const text of texts) runs.add(text)
  runs.end()
  return runs.runs
}
