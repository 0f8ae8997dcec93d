import { plainText } from './content.ts'
import { legible, type Sheet, type SheetCell } from './sheet.ts'
import { sheetNames } from './sheet-name.ts'
import { runProperties, Styles } from './styles.ts'
import { createPackage } from '../package.ts'
import { writeProperties } from '../properties.ts'
import { element, escapedText } from '../xml.ts'

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONSHIPS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** A column's letters: A, …, Z, AA, … from 0. */
export function columnName(column: number): string {
  const letter = String.fromCharCode(65 + (column % 26))
  return column < 26 ? letter : columnName(Math.floor(column / 26) - 1) + letter
}

const place = (row: number, column: number): string => `${columnName(column)}${row + 1}`

/** `_x0041_` would be read as A. */
const written = (text: string): string => escapedText(text.replace(/_(?=x[0-9a-f]{4}_)/gi, '_x005F_'))

const textElement = (text: string): string => element('t', { 'xml:space': 'preserve' }, written(text))

/** The workbook's texts, each of them once. Text is never a formula here, whatever it begins with. */
class Texts {
  readonly #places = new Map<string, number>()
  #uses = 0

  at({ runs }: SheetCell['content']): number {
    const isRich = runs.some(({ style }) => style !== runs[0]?.style)
    const parts = isRich ? runs.map((run) => element('r', {}, runProperties(run), textElement(run.text))) : [textElement(plainText(runs))]
    const xml = element('si', {}, ...parts)
    const at = this.#places.get(xml) ?? this.#places.size
    this.#places.set(xml, at)
    this.#uses += 1
    return at
  }

  write(write: (xml: string) => void): void {
    write(`<sst xmlns="${MAIN}" count="${this.#uses}" uniqueCount="${this.#places.size}">`)
    for (const xml of this.#places.keys()) write(xml)
    write('</sst>')
  }
}

/** A merged cell's borders belong to the places along its sides. */
function bordersAt(cell: SheetCell, row: number, column: number): SheetCell['borders'] {
  const { left, right, top, bottom } = cell.borders
  return {
    ...(left && column === cell.firstColumn && { left }),
    ...(right && column === cell.lastColumn && { right }),
    ...(top && row === cell.firstRow && { top }),
    ...(bottom && row === cell.lastRow && { bottom }),
  }
}

interface Shared {
  readonly styles: Styles
  readonly texts: Texts
}

function placeXml(cell: SheetCell, row: number, column: number, { styles, texts }: Shared): string {
  const s = styles.of(cell, bordersAt(cell, row, column))
  const r = place(row, column)
  const isFirst = row === cell.firstRow && column === cell.firstColumn
  if (!isFirst || cell.content.runs.length === 0) return element('c', { r, s })
  const { value } = cell
  if (value.kind === 'number') return element('c', { r, s }, element('v', {}, value.digits))
  return element('c', { r, s, t: 's' }, element('v', {}, String(texts.at(cell.content))))
}

/** The places of each row, from the left; of cells that overlap the first has the place. */
function rowsOf(cells: readonly SheetCell[]): ReadonlyMap<number, ReadonlyMap<number, SheetCell>> {
  const rows = new Map<number, Map<number, SheetCell>>()
  for (const cell of cells) {
    for (let row = cell.firstRow; row <= cell.lastRow; row++) {
      const places = rows.get(row) ?? new Map<number, SheetCell>()
      rows.set(row, places)
      for (let column = cell.firstColumn; column <= cell.lastColumn; column++) if (!places.has(column)) places.set(column, cell)
    }
  }
  return rows
}

/** Of 7 px to a digit of the workbook's own font, at 96 px an inch. */
const columnWidth = (points: number): string => Math.min(255, Math.max(1, (points * 96) / 72 / 7)).toFixed(2)
/** Excel's highest row. */
const HIGHEST = 409

function rowXml(row: number, height: number | undefined, places: ReadonlyMap<number, SheetCell> | undefined, shared: Shared): string {
  const cells = [...(places ?? [])].toSorted(([a], [b]) => a - b).map(([column, cell]) => placeXml(cell, row, column, shared))
  const ht = height === undefined ? {} : { ht: Math.min(HIGHEST, height).toFixed(2), customHeight: 1 }
  return element('row', { r: row + 1, ...ht }, ...cells)
}

const rangeOf = (cell: SheetCell): string => `${place(cell.firstRow, cell.firstColumn)}:${place(cell.lastRow, cell.lastColumn)}`
const isMerged = (cell: SheetCell): boolean => cell.lastRow > cell.firstRow || cell.lastColumn > cell.firstColumn

/** Numbers that are texts on purpose need no green corner. */
const noCorners = ({ columns, rows }: Sheet): string =>
  element(
    'ignoredErrors',
    {},
    element('ignoredError', { sqref: `A1:${place(Math.max(0, rows.length - 1), Math.max(0, columns.length - 1))}`, numberStoredAsText: 1 }),
  )

/** A sheet, row by row, in the order of the schema (ISO/IEC 29500-1 §18.3.1.99). */
function writeSheet(sheet: Sheet, write: (xml: string) => void, shared: Shared): void {
  const rows = rowsOf(sheet.cells.map(legible))
  write(`<worksheet xmlns="${MAIN}">`)
  write(element('sheetPr', {}, element('pageSetUpPr', { fitToPage: 1 })))
  write(element('sheetViews', {}, element('sheetView', { workbookViewId: 0 })))
  write(element('sheetFormatPr', { defaultRowHeight: 15 }))
  const columns = sheet.columns.map((points, at) =>
    element('col', { min: at + 1, max: at + 1, width: columnWidth(points), customWidth: 1 }),
  )
  if (columns.length > 0) write(element('cols', {}, ...columns))
  write('<sheetData>')
  for (let row = 0; row < sheet.rows.length; row++) write(rowXml(row, sheet.rows[row], rows.get(row), shared))
  write('</sheetData>')
  const merged = sheet.cells.filter(isMerged)
  if (merged.length > 0)
    write(element('mergeCells', { count: merged.length }, ...merged.map((cell) => element('mergeCell', { ref: rangeOf(cell) }))))
  write(element('pageMargins', { left: 0.4, right: 0.4, top: 0.5, bottom: 0.5, header: 0.3, footer: 0.3 }))
  write(element('pageSetup', { paperSize: 9, orientation: sheet.isLandscape ? 'landscape' : 'portrait', fitToHeight: 0 }))
  write(noCorners(sheet))
  write('</worksheet>')
}

/** What a workbook is made of. */
export interface Workbook {
  readonly madeAt: Date
  readonly sheets: readonly [Sheet, ...Sheet[]]
}

/** Writes a workbook (SpreadsheetML, ISO/IEC 29500-1) into a file of its own and answers how many bytes it has. */
export function writeWorkbook(path: string, { madeAt, sheets }: Workbook): number {
  const office = createPackage(path)
  const book = office.part('xl/workbook.xml', `${TYPE}.sheet.main+xml`)
  office.relations.part('officeDocument', 'xl/workbook.xml')
  const shared = { styles: new Styles(), texts: new Texts() }
  const names = sheetNames(sheets.map(({ name }) => name))
  const entries = sheets.map((sheet, at) => {
    const sheetPath = `xl/worksheets/sheet${at + 1}.xml`
    const part = office.part(sheetPath, `${TYPE}.worksheet+xml`)
    writeSheet(sheet, part.write, shared)
    part.end()
    return element('sheet', { name: names[at], sheetId: at + 1, 'r:id': book.relations.part('worksheet', sheetPath) })
  })
  const styles = office.part('xl/styles.xml', `${TYPE}.styles+xml`)
  styles.write(shared.styles.xml())
  styles.end()
  book.relations.part('styles', 'xl/styles.xml')
  const texts = office.part('xl/sharedStrings.xml', `${TYPE}.sharedStrings+xml`)
  shared.texts.write(texts.write)
  texts.end()
  book.relations.part('sharedStrings', 'xl/sharedStrings.xml')
  book.write(element('workbook', { xmlns: MAIN, 'xmlns:r': RELATIONSHIPS }, element('sheets', {}, ...entries)))
  book.end()
  writeProperties(office, { madeAt })
  return office.close()
}
