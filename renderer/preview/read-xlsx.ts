import { formatOf, numberText } from './number-text.ts'
import type { OfficePackage } from './package.ts'
import { at, elements, every, numberOf, textIn, type XmlElement } from './xml.ts'

/** How a cell looks. */
export interface CellLook {
  readonly isBold: boolean
  readonly isItalic: boolean
  readonly colour: string | undefined
  readonly size: number
  readonly fill: string | undefined
  readonly align: 'left' | 'center' | 'right' | undefined
  readonly vertical: 'top' | 'middle' | 'bottom'
  readonly isWrapped: boolean
  readonly hasBorder: readonly [top: boolean, right: boolean, bottom: boolean, left: boolean]
  readonly format: string
}

/** A cell; a merged one stands once. */
export interface GridCell {
  readonly column: number
  readonly columns: number
  readonly rows: number
  readonly text: string
  readonly isNumber: boolean
  readonly look: CellLook
}

/** A sheet, its first rows and columns. */
export interface Grid {
  readonly name: string
  /** In points. */
  readonly widths: readonly number[]
  readonly rows: readonly { readonly height: number; readonly cells: readonly GridCell[] }[]
  /** How many of its rows and columns are left out. */
  readonly moreRows: number
  readonly moreColumns: number
}

const MAX_ROWS = 200
const MAX_COLUMNS = 60
/** Of 7 px to a digit, at 96 px an inch. */
const DIGIT_POINTS = (7 * 72) / 96
const USUAL_HEIGHT = 15

const colourOf = (element: XmlElement | undefined): string | undefined => {
  const rgb = element?.attributes['rgb']
  return rgb !== undefined && /^[0-9a-f]{8}$/i.test(rgb) ? `#${rgb.slice(2)}` : undefined
}

const has = (element: XmlElement | undefined, name: string): boolean => {
  const found = at(element, name)
  return found !== undefined && found.attributes['val'] !== '0'
}

const list = (root: XmlElement | undefined, name: string): readonly XmlElement[] => {
  const found = at(root, name)
  return found ? elements(found) : []
}

function looksOf(root: XmlElement | undefined): readonly CellLook[] {
  const [fonts, fills, borders] = [list(root, 'fonts'), list(root, 'fills'), list(root, 'borders')]
  const own = new Map(list(root, 'numFmts').map((one) => [numberOf(one, 'numFmtId') ?? 0, one.attributes['formatCode'] ?? '']))
  return list(root, 'cellXfs').map((xf) => {
    const [font, border] = [fonts[numberOf(xf, 'fontId') ?? 0], borders[numberOf(xf, 'borderId') ?? 0]]
    const { horizontal, vertical, wrapText } = at(xf, 'alignment')?.attributes ?? {}
    const isDrawn = (side: string): boolean => at(border, side)?.attributes['style'] !== undefined
    return {
      isBold: has(font, 'b'),
      isItalic: has(font, 'i'),
      colour: colourOf(at(font, 'color')),
      size: numberOf(at(font, 'sz'), 'val') ?? 11,
      fill: colourOf(at(fills[numberOf(xf, 'fillId') ?? 0], 'patternFill', 'fgColor')),
      align: horizontal === 'center' || horizontal === 'right' || horizontal === 'left' ? horizontal : undefined,
      vertical: vertical === 'top' ? 'top' : vertical === 'center' ? 'middle' : 'bottom',
      isWrapped: wrapText === '1',
      hasBorder: [isDrawn('top'), isDrawn('right'), isDrawn('bottom'), isDrawn('left')],
      format: formatOf(numberOf(xf, 'numFmtId') ?? 0, own),
    }
  })
}

/** `BC12`, from 0. */
function placeOf(reference: string): { readonly column: number; readonly row: number } {
  const [, letters = 'A', row = '1'] = /^([A-Z]+)(\d+)$/.exec(reference) ?? []
  return { column: [...letters].reduce((sum, one) => sum * 26 + (one.codePointAt(0) ?? 65) - 64, 0) - 1, row: Number(row) - 1 }
}

interface Span {
  readonly columns: number
  readonly rows: number
}

/** Merged cells by the reference of their first place, and the references they cover beside it. */
function mergesOf(sheet: XmlElement): { readonly spans: ReadonlyMap<string, Span>; readonly covered: ReadonlySet<string> } {
  const spans = new Map<string, Span>()
  const covered = new Set<string>()
  for (const { attributes } of every(sheet, 'mergeCell')) {
    const [first = '', last = ''] = (attributes['ref'] ?? '').split(':')
    const [from, to] = [placeOf(first), placeOf(last)]
    spans.set(`${from.row} ${from.column}`, { columns: to.column - from.column + 1, rows: to.row - from.row + 1 })
    for (let row = from.row; row <= Math.min(to.row, MAX_ROWS); row++) {
      for (let column = from.column; column <= Math.min(to.column, MAX_COLUMNS); column++) covered.add(`${row} ${column}`)
    }
    covered.delete(`${from.row} ${from.column}`)
  }
  return { spans, covered }
}

const noLook: CellLook = {
  isBold: false,
  isItalic: false,
  colour: undefined,
  size: 11,
  fill: undefined,
  align: undefined,
  vertical: 'bottom',
  isWrapped: false,
  hasBorder: [false, false, false, false],
  format: 'General',
}

function cellText(cell: XmlElement, texts: readonly string[], format: string): { readonly text: string; readonly isNumber: boolean } {
  const value = at(cell, 'v')
  const written = value ? textIn(value) : ''
  switch (cell.attributes['t']) {
    case 's':
      return { text: texts[Number(written)] ?? '', isNumber: false }
    case 'inlineStr':
      return { text: [...every(cell, 't')].map(textIn).join(''), isNumber: false }
    case 'str':
      return { text: written, isNumber: false }
    case 'b':
      return { text: written === '1' ? 'TRUE' : 'FALSE', isNumber: false }
    default:
      return { text: written === '' ? '' : numberText(written, format), isNumber: written !== '' }
  }
}

function gridOf(name: string, sheet: XmlElement, texts: readonly string[], looks: readonly CellLook[]): Grid {
  const { spans, covered } = mergesOf(sheet)
  const data = at(sheet, 'sheetData')
  const all = data ? elements(data, 'row') : []
  const widths: number[] = []
  for (const one of list(sheet, 'cols')) {
    const [min, max] = [numberOf(one, 'min') ?? 1, numberOf(one, 'max') ?? 1]
    for (let column = min; column <= Math.min(max, MAX_COLUMNS); column++) widths[column - 1] = (numberOf(one, 'width') ?? 9) * DIGIT_POINTS
  }
  let most = widths.length
  const rows = all.slice(0, MAX_ROWS).map((row) => {
    const cells = elements(row, 'c').flatMap((cell): GridCell[] => {
      const place = placeOf(cell.attributes['r'] ?? '')
      most = Math.max(most, place.column + 1)
      const key = `${place.row} ${place.column}`
      if (covered.has(key) || place.column >= MAX_COLUMNS) return []
      const look = looks[numberOf(cell, 's') ?? 0] ?? noLook
      const { columns, rows: high } = spans.get(key) ?? { columns: 1, rows: 1 }
      return [{ column: place.column, columns, rows: high, look, ...cellText(cell, texts, look.format) }]
    })
    return { height: numberOf(row, 'ht') ?? USUAL_HEIGHT, cells }
  })
  const count = Math.min(most, MAX_COLUMNS)
  return {
    name,
    widths: Array.from({ length: count }, (_, column) => widths[column] ?? 9 * DIGIT_POINTS),
    rows,
    moreRows: Math.max(0, all.length - MAX_ROWS),
    moreColumns: most - count,
  }
}

/** The sheets of a workbook. */
export function readXlsx(office: OfficePackage, maxSheets: number): { readonly grids: readonly Grid[]; readonly count: number } {
  const book = at(office.xml('xl/workbook.xml'), 'workbook')
  if (!book) throw new TypeError('no workbook')
  const relations = office.relations('xl/workbook.xml')
  const shared = at(office.xml('xl/sharedStrings.xml'), 'sst')
  const texts = (shared ? elements(shared, 'si') : []).map((si) => [...every(si, 't')].map(textIn).join(''))
  const looks = looksOf(at(office.xml('xl/styles.xml'), 'styleSheet'))
  const sheets = list(book, 'sheets')
  const grids = sheets.slice(0, maxSheets).flatMap(({ attributes }): Grid[] => {
    const sheet = at(office.xml(relations.get(attributes['r:id'] ?? '') ?? ''), 'worksheet')
    return sheet ? [gridOf(attributes['name'] ?? '', sheet, texts, looks)] : []
  })
  return { grids, count: sheets.length }
}
