import { officeFont } from '../fonts.ts'
import { isWide } from '../text-width.ts'
import { officeColour } from '../units.ts'
import { element } from '../xml.ts'
import type { SheetCell } from './sheet.ts'
import type { Border, Run, TextStyle } from '#engine/document/document-model'

/** Excel takes no more formats than this in one workbook; what comes later looks like the first. */
const MOST_FORMATS = 60_000
/** Formats of one's own begin with this number. */
const FIRST_OWN_FORMAT = 164
const TEXT_FORMAT = 49

/** Things that are there once each, in the order in which they were first asked for. */
class Shared {
  readonly #places: Map<string, number>

  constructor(...first: readonly string[]) {
    this.#places = new Map(first.map((xml, at) => [xml, at]))
  }

  at(xml: string): number {
    const known = this.#places.get(xml)
    if (known !== undefined) return known
    if (this.#places.size >= MOST_FORMATS) return 0
    this.#places.set(xml, this.#places.size)
    return this.#places.size - 1
  }

  list(name: string): string {
    return element(name, { count: this.#places.size }, ...this.#places.keys())
  }

  keys(): readonly string[] {
    return [...this.#places.keys()]
  }
}

const flagElement = (name: string, isSet: boolean): string | undefined => (isSet ? element(name) : undefined)
const colourOf = (colour: string): string => element('color', { rgb: `FF${officeColour(colour)}` })
/** Sizes in quarters: more would make fonts that differ in nothing one sees. */
const sizeOf = (size: number): number => Math.max(1, Math.min(409, Math.round(size * 4) / 4))

/** What a run of rich text and a font have in common, in the order of the schema. */
function fontParts(style: TextStyle): readonly (string | undefined)[] {
  return [
    flagElement('b', style.isBold),
    flagElement('i', style.isItalic),
    flagElement('strike', style.isStruck),
    colourOf(style.colour),
    element('sz', { val: sizeOf(style.size) }),
    flagElement('u', style.isUnderlined),
    style.script && element('vertAlign', { val: style.script === 'super' ? 'superscript' : 'subscript' }),
  ]
}

/** A cell has one family for all its characters. */
function familyOf({ text, style }: Run): string {
  const { latin, eastAsia } = officeFont(style.font)
  return [...text].some(isWide) ? eastAsia : latin
}

/** A run's look within a cell of several looks. */
export const runProperties = (run: Run): string => element('rPr', {}, element('rFont', { val: familyOf(run) }), ...fontParts(run.style))

const fontXml = (run: Run): string => element('font', {}, ...fontParts(run.style), element('name', { val: familyOf(run) }))

function sideXml(name: string, border: Border | undefined): string {
  if (!border) return element(name)
  const weight = border.width < 1.1 ? 'thin' : border.width < 2.2 ? 'medium' : 'thick'
  const style = border.isDashed ? (weight === 'thin' ? 'dashed' : 'mediumDashed') : weight
  return element(name, { style }, colourOf(border.colour))
}

const borderXml = ({ left, right, top, bottom }: SheetCell['borders']): string =>
  element('border', {}, sideXml('left', left), sideXml('right', right), sideXml('top', top), sideXml('bottom', bottom), element('diagonal'))

const fillXml = (colour: string): string =>
  element('fill', {}, element('patternFill', { patternType: 'solid' }, element('fgColor', { rgb: `FF${officeColour(colour)}` })))

const PLAIN_FONT = element('font', {}, element('sz', { val: 11 }), element('name', { val: 'Calibri' }))
const NO_FILLS = ['none', 'gray125'].map((patternType) => element('fill', {}, element('patternFill', { patternType })))
const ACROSS = { left: 'left', centre: 'center', right: 'right' } as const
const DOWN = { top: 'top', middle: 'center', bottom: 'bottom' } as const
/** Excel counts degrees upwards from the line, and those downwards from 90 on. */
const ROTATION = { 0: undefined, 1: 180, 3: 90 } as const

/** What a program reading the file must not take for anything but text, should somebody edit it. */
const MAY_BE_MISREAD = /^[=+\-@\t\r\n'\d.,(]/

/** How a cell looks, beside its borders, which differ within a merged one. */
export type Look = Pick<SheetCell, 'content' | 'value' | 'isWrapped' | 'fill' | 'vertical' | 'turn'>

/** A workbook's styles, each of them once. */
export class Styles {
  readonly #formats = new Shared()
  readonly #fonts = new Shared(PLAIN_FONT)
  readonly #fills = new Shared(...NO_FILLS)
  readonly #borders = new Shared(borderXml({}))
  readonly #cells = new Shared(element('xf', { numFmtId: 0, fontId: 0, fillId: 0, borderId: 0, xfId: 0 }))

  /** The number of a cell's style. */
  of({ content, value, isWrapped, fill, vertical, turn }: Look, borders: SheetCell['borders']): number {
    const [first] = content.runs
    const isText = value.kind === 'text' && first !== undefined && MAY_BE_MISREAD.test(first.text)
    const format = value.kind === 'number' ? this.#format(value.format) : isText ? TEXT_FORMAT : 0
    const alignment = element('alignment', {
      horizontal: ACROSS[content.align],
      vertical: DOWN[vertical],
      textRotation: ROTATION[turn],
      wrapText: isWrapped ? 1 : undefined,
    })
    const ids = {
      numFmtId: format,
      fontId: first ? this.#fonts.at(fontXml(first)) : 0,
      fillId: fill === undefined ? 0 : this.#fills.at(fillXml(fill)),
      borderId: this.#borders.at(borderXml(borders)),
      xfId: 0,
    }
    const applied = { applyNumberFormat: 1, applyFont: 1, applyFill: 1, applyBorder: 1, applyAlignment: 1 }
    return this.#cells.at(element('xf', { ...ids, quotePrefix: isText ? 1 : undefined, ...applied }, alignment))
  }

  /** Excel's own numbers where it has the format, as other readers know those best. */
  #format(code: string): number {
    const known = ['General', '0', '0.00', '#,##0', '#,##0.00', undefined, undefined, undefined, undefined, '0%', '0.00%'].indexOf(code)
    return known > 0 ? known : FIRST_OWN_FORMAT + this.#formats.at(code)
  }

  /** The part as XML. */
  xml(): string {
    const formats = this.#formats.keys().map((formatCode, at) => element('numFmt', { numFmtId: FIRST_OWN_FORMAT + at, formatCode }))
    return element(
      'styleSheet',
      { xmlns: 'http://schemas.openxmlformats.org/spreadsheetml/2006/main' },
      formats.length > 0 ? element('numFmts', { count: formats.length }, ...formats) : undefined,
      this.#fonts.list('fonts'),
      this.#fills.list('fills'),
      this.#borders.list('borders'),
      element('cellStyleXfs', { count: 1 }, element('xf', { numFmtId: 0, fontId: 0, fillId: 0, borderId: 0 })),
      this.#cells.list('cellXfs'),
      element('cellStyles', { count: 1 }, element('cellStyle', { name: 'Normal', xfId: 0, builtinId: 0 })),
    )
  }
}
