import { fontOf } from './font.ts'
import { initialState, nextLine, textStart, type GraphicsState } from './graphics-state.ts'
import { mapped, matrixOf, times, type Matrix } from './matrix.ts'
import type { Fill, Glyph, PageModel, PdfFont, PlacedImage, Rule } from './page-model.ts'
import { painted } from './show-path.ts'
import { shown } from './show-text.ts'
import type { OperatorCodes } from './open-pdf.ts'

/** The instructions of a page as pdf.js lists them. */
export interface Operators {
  readonly fnArray: readonly number[]
  readonly argsArray: readonly unknown[]
}

/** What a page's instructions are read with. */
export interface Reading {
  readonly codes: OperatorCodes
  /** From the page's own space, which begins at the left bottom corner, to the one it is seen in. */
  readonly map: Matrix
  readonly width: number
  readonly height: number
  readonly number: number
  /** What pdf.js loaded under a font's id. */
  readonly fontAt: (id: string) => unknown
  /** Whether a layer is shown. */
  readonly isShown: (layer: unknown) => boolean
}

/** A page being read: what is on it so far, and what the next instruction goes by. */
class PageReader {
  readonly glyphs: Glyph[] = []
  readonly rules: Rule[] = []
  readonly fills: Fill[] = []
  readonly images: PlacedImage[] = []
  readonly #fonts = new Map<string, PdfFont>()
  readonly #saved: GraphicsState[] = []
  readonly #layers: boolean[] = []
  readonly #reading: Reading
  #state: GraphicsState
  #place = textStart()

  constructor(reading: Reading) {
    this.#reading = reading
    this.#state = initialState(reading.map)
  }

  /** One instruction. What a layout has no use for is left out. */
  take(code: number, args: readonly unknown[]): void {
    const { codes } = this.#reading
    const [first, second] = args
    switch (code) {
      case codes.save:
        return this.#save()
      case codes.restore:
      case codes.paintFormXObjectEnd:
      case codes.endAnnotation:
        return this.#restore()
      case codes.transform:
        return this.#transform(args)
      case codes.paintFormXObjectBegin:
        this.#save()
        return this.#transform(first)
      case codes.beginAnnotation:
        this.#save()
        this.#transform(args[2])
        return this.#transform(args[3])
      case codes.beginMarkedContent:
        return void this.#layers.push(true)
      case codes.beginMarkedContentProps:
        return void this.#layers.push(first !== 'OC' || this.#reading.isShown(second))
      case codes.endMarkedContent:
        return void this.#layers.pop()
      case codes.showText:
        return this.#showText(first)
      case codes.constructPath:
        return this.#paint(first, second)
      case codes.paintImageXObject:
      case codes.paintInlineImageXObject:
      case codes.paintImageMaskXObject:
        return this.#placeImage()
      default:
        return this.#setText(code, args) ? undefined : this.#set(code, args)
    }
  }

  #save(): void {
    this.#saved.push({ ...this.#state })
  }

  #restore(): void {
    this.#state = this.#saved.pop() ?? this.#state
  }

  #transform(value: unknown): void {
    const map = matrixOf(value)
    if (map) this.#state.map = times(this.#state.map, map)
  }

  #isVisible(): boolean {
    return this.#layers.every(Boolean)
  }

  #fontOf(id: unknown): PdfFont | undefined {
    if (typeof id !== 'string') return undefined
    const known = this.#fonts.get(id)
    if (known) return known
    const font = fontOf(this.#reading.fontAt(id))
    this.#fonts.set(id, font)
    return font
  }

  #showText(items: unknown): void {
    if (!Array.isArray(items)) return
    const glyphs = shown(items, this.#state, this.#place)
    if (!this.#isVisible()) return
    const { width, height } = this.#reading
    for (const glyph of glyphs) {
      const margin = glyph.size
      const isOnPage = glyph.x > -margin && glyph.x < width + margin && glyph.y > -margin && glyph.y < height + margin
      if (isOnPage && glyph.size > 0) this.glyphs.push(glyph)
    }
  }

  #paint(how: unknown, data: unknown): void {
    const { codes } = this.#reading
    const path: unknown = Array.isArray(data) ? data[0] : undefined
    if (!(path instanceof Float32Array) || !this.#isVisible()) return
    const { fill, eoFill, fillStroke, eoFillStroke, closeFillStroke, closeEOFillStroke, stroke, closeStroke } = codes
    const both = [fillStroke, eoFillStroke, closeFillStroke, closeEOFillStroke]
    const isFilled = [fill, eoFill, ...both].some((one) => one === how)
    const isStroked = [stroke, closeStroke, ...both].some((one) => one === how)
    const { rules, fills } = painted(path, this.#state, isFilled, isStroked)
    this.rules.push(...rules)
    this.fills.push(...fills)
  }

  #placeImage(): void {
    if (!this.#isVisible()) return
    const corners = [
      mapped(this.#state.map, 0, 0),
      mapped(this.#state.map, 1, 0),
      mapped(this.#state.map, 0, 1),
      mapped(this.#state.map, 1, 1),
    ]
    const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)]
    this.images.push({ left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) })
  }

  /** Text state and where text goes on; whether it was such an instruction. */
  #setText(code: number, args: readonly unknown[]): boolean {
    const { codes } = this.#reading
    const state = this.#state
    const [first, second] = args.map(Number)
    if (code === codes.beginText) this.#place = textStart()
    else if (code === codes.setTextMatrix) this.#place = textStart(matrixOf(args[0]) ?? matrixOf(args))
    else if (code === codes.moveText) nextLine(this.#place, first ?? 0, second ?? 0)
    else if (code === codes.setLeadingMoveText) {
      state.leading = second ?? 0
      nextLine(this.#place, first ?? 0, second ?? 0)
    } else if (code === codes.nextLine) nextLine(this.#place, 0, state.leading)
    else if (code === codes.setFont) this.#setFont(args[0], second)
    else if (code === codes.setCharSpacing) state.characterSpacing = first ?? 0
    else if (code === codes.setWordSpacing) state.wordSpacing = first ?? 0
    else if (code === codes.setHScale) state.horizontalScale = (first ?? 100) / 100
    else if (code === codes.setLeading) state.leading = -(first ?? 0)
    else if (code === codes.setTextRise) state.rise = first ?? 0
    else if (code === codes.setTextRenderingMode) state.mode = first ?? 0
    else return false
    return true
  }

  #setFont(id: unknown, size: number | undefined): void {
    this.#state.font = this.#fontOf(id)
    this.#state.size = size ?? 0
  }

  #set(code: number, args: readonly unknown[]): void {
    const { codes } = this.#reading
    const [first] = args
    if (code === codes.setFillRGBColor) this.#state.fill = colourOf(first)
    else if (code === codes.setStrokeRGBColor) this.#state.stroke = colourOf(first)
    else if (code === codes.setFillColorN) this.#state.fill = PATTERN
    else if (code === codes.setLineWidth) this.#state.lineWidth = Number(first)
    else if (code === codes.setGState && Array.isArray(first)) for (const entry of first) this.#setEntry(entry)
  }

  #setEntry(entry: unknown): void {
    if (!Array.isArray(entry)) return
    const [key, value]: unknown[] = entry
    if (key === 'LW') this.#state.lineWidth = Number(value)
    if (key === 'ca') this.#state.fillOpacity = Number(value)
    if (key === 'Font' && Array.isArray(value)) this.#setFont(value[0], Number(value[1]))
  }
}

/** Where a pattern stands for a colour. */
const PATTERN = '#808080'
const colourOf = (value: unknown): string => (typeof value === 'string' && value.startsWith('#') ? value : '#000000')

/** What stands on a page, by its instructions; no picture is decoded. */
export function readPage({ fnArray, argsArray }: Operators, reading: Reading): PageModel {
  const reader = new PageReader(reading)
  for (const [at, code] of fnArray.entries()) {
    const args = argsArray[at]
    reader.take(code, Array.isArray(args) ? args : [])
  }
  const { glyphs, rules, fills, images } = reader
  const { number, width, height } = reading
  return { number, width, height, glyphs, rules, fills, images }
}
