import { fontOf } from './font.ts'
import { initialState, textStart, type GraphicsState, type Pattern } from './graphics-state.ts'
import { identity, mapped, matrixOf, times } from './matrix.ts'
import type { Fill, Glyph, PageModel, PdfFont, PlacedImage, Rule } from './page-model.ts'
import { Painter } from './painter.ts'
import type { Operators, Reading } from './reading.ts'
import { gradientOf } from './shading.ts'
import { painted } from './show-path.ts'
import { shown } from './show-text.ts'
import { setText } from './text-state.ts'

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
  readonly #painter: Painter | undefined
  #state: GraphicsState
  readonly #place = textStart()

  get painted(): PageModel['painted'] {
    return this.#painter?.painted
  }

  constructor(reading: Reading) {
    this.#reading = reading
    this.#state = initialState(reading.map, reading.width, reading.height)
    this.#painter = reading.paints ? new Painter(reading.codes) : undefined
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
        return this.#beginForm(first, second)
      case codes.beginAnnotation:
        this.#beginForm(args[2], undefined)
        this.#transform(args[3])
        return this.#painter?.clipBy(second, this.#state)
      case codes.beginGroup:
        return this.#beginGroup(first)
      case codes.endGroup:
        this.#layers.pop()
        return this.#restore()
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
      case codes.shadingFill:
        return this.#paintShading(first)
      default:
        if (setText(codes, code, args, this.#state, this.#place)) return undefined
        return this.#painter?.set(code, args, this.#state) ? undefined : this.#set(code, args)
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

  #beginForm(map: unknown, box: unknown): void {
    this.#save()
    this.#transform(map)
    this.#state.base = this.#state.map
    this.#painter?.clipBy(box, this.#state)
  }

  /** What a group holds is painted as one; that of a soft mask is not painted at all. */
  #beginGroup(group: unknown): void {
    this.#save()
    const { matrix, bbox, smask } = Object(group) as Record<string, unknown> // pdf.js's own description of it
    this.#layers.push(!smask)
    const { map } = this.#state
    this.#transform(matrix)
    this.#painter?.clipBy(bbox, this.#state)
    this.#state.map = map
    this.#state.groupOpacity *= this.#state.fillOpacity
    this.#state.fillOpacity = 1
    this.#state.strokeOpacity = 1
  }

  #paintShading(id: unknown): void {
    const gradient = typeof id === 'string' ? gradientOf(this.#reading.objectAt(id), this.#state.map) : undefined
    if (gradient && this.#isVisible()) this.#painter?.shading({ gradient }, this.#state)
  }

  /** A pattern in place of a colour. */
  #patternOf([kind, id, map]: readonly unknown[]): Pattern | undefined {
    if (kind !== 'Shading' || typeof id !== 'string') return undefined
    const gradient = gradientOf(this.#reading.objectAt(id), times(this.#state.base, matrixOf(map) ?? identity))
    return gradient && { gradient }
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
    if (this.#isVisible()) this.#painter?.text(items, this.#state, this.#place)
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
    this.#painter?.path(how, path instanceof Float32Array ? path : undefined, this.#state, this.#isVisible())
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
    const image = { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) }
    this.images.push(image)
    this.#painter?.picture(image, this.#state)
  }

  #setFont(id: unknown, size: number): void {
    this.#state.font = this.#fontOf(id)
    this.#state.loadedFont = typeof id === 'string' ? this.#reading.fontAt(id) : undefined
    this.#state.size = size || 0
  }

  #set(code: number, args: readonly unknown[]): void {
    const { codes } = this.#reading
    const [first] = args
    if (code === codes.setFont) this.#setFont(first, Number(args[1]))
    else if (code === codes.setFillRGBColor) this.#setFill(colourOf(first), undefined)
    else if (code === codes.setStrokeRGBColor) this.#setStroke(colourOf(first), undefined)
    else if (code === codes.setFillColorN) this.#setFill(PATTERN, this.#patternOf(args))
    else if (code === codes.setStrokeColorN) this.#setStroke(PATTERN, this.#patternOf(args))
    else if (code === codes.setLineWidth) this.#state.lineWidth = Number(first)
    else if (code === codes.setGState && Array.isArray(first)) for (const entry of first) this.#setEntry(entry)
  }

  #setFill(colour: string, pattern: Pattern | undefined): void {
    this.#state.fill = colour
    this.#state.fillPattern = pattern
  }

  #setStroke(colour: string, pattern: Pattern | undefined): void {
    this.#state.stroke = colour
    this.#state.strokePattern = pattern
  }

  #setEntry(entry: unknown): void {
    if (!Array.isArray(entry)) return
    const [key, value]: unknown[] = entry
    this.#painter?.setEntry(key, value, this.#state)
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
  const { glyphs, rules, fills, images, painted: inOrder } = reader
  const { number, width, height } = reading
  return { number, width, height, glyphs, rules, fills, images, ...(inOrder && { painted: inOrder }) }
}
