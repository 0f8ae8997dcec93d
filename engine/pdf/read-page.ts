import { mappedBox } from './box.ts'
import { boxOfClip } from './clip.ts'
import { writtenDownwards } from './downwards.ts'
import { fontOf } from './font.ts'
import { colourOf, initialState, textStart, type GraphicsState, type Pattern } from './graphics-state.ts'
import { legible } from './legible.ts'
import { matrixOf, times, type Matrix } from './matrix.ts'
import type { Glyph, PdfFont } from './page-model.ts'
import { Painter } from './painter.ts'
import { maskSource, type DrawnImage } from './pictures/drawn-image.ts'
import type { Painted } from './painted.ts'
import type { Operators, Reading, ReadPage } from './reading.ts'
import { colourFor, patternInk, patternOf } from './shading.ts'
import { addPath, addShading, addSquare, wayOf, type Shapes } from './show-path.ts'
import { shown } from './show-text.ts'
import { setText } from './text-state.ts'
import { drawnGlyphs } from './type3.ts'

/** A file may nest drawings without end. */
const MAX_DEPTH = 400

/** A page being read: what is on it so far, and what the next instruction goes by. */
class PageReader {
  readonly glyphs: Glyph[] = []
  readonly shapes: Shapes = { rules: [], fills: [], slants: [] }
  readonly drawn: DrawnImage[] = []
  readonly #fonts = new Map<string, PdfFont>()
  readonly #saved: GraphicsState[] = []
  readonly #layers: boolean[] = []
  readonly #reading: Reading
  readonly #painter: Painter
  #state: GraphicsState
  readonly #place = textStart()

  get painted(): readonly Painted[] {
    return this.#painter.painted
  }

  constructor(reading: Reading) {
    this.#reading = reading
    this.#state = initialState(reading.map, reading.width, reading.height)
    this.#painter = new Painter(reading.codes, reading.keeps)
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
        this.#save()
        this.#painter.clipBy(second, this.#state)
        return [args[2], args[3]].forEach((map) => this.#transform(map))
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
        return this.#drawImage(first)
      case codes.paintImageMaskXObject:
        return this.#drawImage(maskSource(first), this.#state.fill)
      case codes.paintSolidColorImageMask:
        return this.#fillSquare()
      case codes.shadingFill:
        return this.#paintShading(first)
      default:
        if (setText(codes, code, args, this.#state, this.#place)) return undefined
        return this.#painter.set(code, args, this.#state) ? undefined : this.#set(code, args)
    }
  }

  /** Goes through instructions. */
  run({ fnArray, argsArray }: Operators): void {
    for (const [at, code] of fnArray.entries()) this.take(code, Array.isArray(argsArray[at]) ? argsArray[at] : [])
  }

  #draw(operators: Operators, map: Matrix): void {
    const depth = this.#saved.length
    if (depth > MAX_DEPTH) return
    const place = { ...this.#place }
    this.#save()
    this.#state.map = map
    this.run(operators)
    while (this.#saved.length > depth) this.#restore()
    Object.assign(this.#place, place)
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
    this.#painter.clipBy(box, this.#state)
  }

  /** What a group holds is painted as one; that of a soft mask is not painted at all. */
  #beginGroup(group: unknown): void {
    this.#save()
    const { matrix, bbox, smask } = Object(group) as Record<string, unknown> // pdf.js's own description of it
    this.#layers.push(!smask)
    const { map, groupOpacity, fillOpacity } = this.#state
    this.#transform(matrix)
    this.#painter.clipBy(bbox, this.#state)
    Object.assign(this.#state, { map, groupOpacity: groupOpacity * fillOpacity, fillOpacity: 1, strokeOpacity: 1 })
  }

  #paintShading(id: unknown): void {
    const pattern = patternOf(['Shading', id], this.#state.map, this.#reading.objectAt)
    if (!pattern || !this.#isVisible()) return
    addShading(this.shapes, this.#state, colourFor(pattern))
    this.#painter.shading(pattern, this.#state)
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
    const { keeps, paintsText } = this.#reading
    const drawings = keeps === Infinity && this.#isVisible() ? drawnGlyphs(items, this.#state, this.#place) : []
    if (this.#isVisible() && paintsText) this.#painter.text(items, this.#state, this.#place, drawings.length === 0)
    // Where text is written, not painted, what has some is not there twice.
    for (const { operators, map, text } of drawings) if (paintsText || text.trim() === '') this.#draw(operators, map)
    const glyphs = shown(items, this.#state, this.#place)
    if (this.#isVisible()) this.glyphs.push(...glyphs)
  }

  #paint(how: unknown, data: unknown): void {
    const { codes } = this.#reading
    const path: unknown = Array.isArray(data) ? data[0] : undefined
    this.#painter.path(how, path instanceof Float32Array ? path : undefined, this.#state, this.#isVisible())
    if (!(path instanceof Float32Array) || !this.#isVisible()) return
    const { isFilled, isStroked } = wayOf(codes, how)
    addPath(this.shapes, path, this.#state, isFilled, isStroked)
  }

  #drawImage(source: unknown, colour?: string): void {
    if (!this.#isVisible()) return
    const { map, clip, fillOpacity, groupOpacity } = this.#state
    const place = mappedBox(map, 0, 0, 1, 1)
    this.drawn.push({
      source,
      map,
      place,
      clip: boxOfClip(clip),
      over: this.glyphs.length,
      opacity: fillOpacity * groupOpacity,
      ...(colour !== undefined && { colour }),
    })
    this.#painter.picture(place, this.#state)
  }

  /** An image mask of a single pixel. */
  #fillSquare(): void {
    if (!this.#isVisible()) return
    addSquare(this.shapes, this.#state)
    this.#painter.square(this.#state)
  }

  #setFont(id: unknown, size: number): void {
    this.#state.font = this.#fontOf(id)
    this.#state.loadedFont = typeof id === 'string' ? this.#reading.fontAt(id) : undefined
    this.#state.size = size || 0
  }

  #set(code: number, args: readonly unknown[]): void {
    const { codes, objectAt } = this.#reading
    const state = this.#state
    const [first] = args
    if (code === codes.setFont) this.#setFont(first, Number(args[1]))
    else if (code === codes.setFillRGBColor) this.#setFill(colourOf(first), undefined)
    else if (code === codes.setStrokeRGBColor) this.#setStroke(colourOf(first), undefined)
    else if (code === codes.setFillColorN) this.#setFill(...patternInk(args, state.base, objectAt))
    else if (code === codes.setStrokeColorN) this.#setStroke(...patternInk(args, state.base, objectAt))
    else if (code === codes.setLineWidth) state.lineWidth = Number(first)
    else if (code === codes.setGState && Array.isArray(first)) for (const entry of first) this.#setEntry(entry)
  }

  #setFill(fill: string, fillPattern: Pattern | undefined): void {
    Object.assign(this.#state, { fill, fillPattern })
  }

  #setStroke(stroke: string, strokePattern: Pattern | undefined): void {
    Object.assign(this.#state, { stroke, strokePattern })
  }

  #setEntry(entry: unknown): void {
    if (!Array.isArray(entry)) return
    const [key, value]: unknown[] = entry
    this.#painter.setEntry(key, value, this.#state)
    if (key === 'LW') this.#state.lineWidth = Number(value)
    if (key === 'ca') this.#state.fillOpacity = Number(value)
    if (key === 'Font' && Array.isArray(value)) this.#setFont(value[0], Number(value[1]))
  }
}

/** Reads a page's instructions; no picture is decoded. Glyphs that say nothing are among the others, without text. */
export function readPage(operators: Operators, reading: Reading): ReadPage {
  const reader = new PageReader(reading)
  reader.run(operators)
  const { shapes, drawn, painted: inOrder } = reader
  const { number, width, height } = reading
  const { glyphs, garbled } = legible(writtenDownwards(reader.glyphs))
  return { number, width, height, glyphs, garbled, ...shapes, images: drawn.map(({ place }) => place), drawn, painted: inOrder }
}
