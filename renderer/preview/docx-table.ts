import type { DocxBlock, DocxCell, DocxTable, Side } from './docx-model.ts'
import { fillOf, points } from './docx-text.ts'
import { at, elements, numberOf, type XmlElement } from './xml.ts'

function sideOf(borders: XmlElement | undefined, name: string): Side {
  const side = at(borders, `w:${name}`)
  const kind = side?.attributes['w:val']
  if (!side || kind === undefined || kind === 'nil' || kind === 'none') return undefined
  const colour = side.attributes['w:color'] ?? ''
  return {
    // Word counts borders in eighths of a point.
    width: (numberOf(side, 'w:sz') ?? 4) / 8,
    colour: /^[0-9a-f]{6}$/i.test(colour) ? `#${colour}` : '#000000',
    isDashed: kind === 'dashed' || kind === 'dotted',
  }
}

const verticals: Readonly<Record<string, DocxCell['vertical']>> = { center: 'middle', bottom: 'bottom' }

function cellOf(cell: XmlElement, own: XmlElement | undefined, blocksOf: (of: XmlElement) => readonly DocxBlock[]): DocxCell {
  const properties = at(cell, 'w:tcPr')
  const borders = at(properties, 'w:tcBorders') ?? own
  const turn = at(properties, 'w:textDirection')?.attributes['w:val']
  return {
    columns: numberOf(at(properties, 'w:gridSpan'), 'w:val') ?? 1,
    rows: 1,
    sides: [sideOf(borders, 'top'), sideOf(borders, 'right'), sideOf(borders, 'bottom'), sideOf(borders, 'left')],
    fill: fillOf(properties),
    vertical: verticals[at(properties, 'w:vAlign')?.attributes['w:val'] ?? ''] ?? 'top',
    turn: turn === 'tbRl' || turn === 'btLr' ? turn : undefined,
    blocks: blocksOf(cell),
  }
}

/** A table; a cell that goes on in the row below stands once, as many rows high. */
export function tableOf(table: XmlElement, blocksOf: (of: XmlElement) => readonly DocxBlock[]): DocxTable {
  const properties = at(table, 'w:tblPr')
  const grid = at(table, 'w:tblGrid')
  /** By their first column, cells that may go on. */
  const above = new Map<number, DocxCell>()
  const rows = elements(table, 'w:tr').map((row) => {
    const cells: DocxCell[] = []
    let column = 0
    for (const one of elements(row, 'w:tc')) {
      const merge = at(one, 'w:tcPr', 'w:vMerge')
      const known = merge && merge.attributes['w:val'] !== 'restart' ? above.get(column) : undefined
      if (known) known.rows += 1
      const cell = known ?? cellOf(one, at(properties, 'w:tblBorders'), blocksOf)
      if (!known) cells.push(cell)
      if (merge) above.set(column, cell)
      else above.delete(column)
      column += cell.columns
    }
    return { height: points(at(row, 'w:trPr', 'w:trHeight'), 'w:val'), cells }
  })
  return {
    kind: 'table',
    left: points(at(properties, 'w:tblInd'), 'w:w'),
    widths: grid ? elements(grid, 'w:gridCol').map((one) => points(one, 'w:w')) : [],
    rows,
  }
}
