import type { Sides } from './align.ts'
import type { Block, Box, Column, Section } from './document-model.ts'
import { filledTable, isWithin } from './fill-table.ts'
import { bottomOf, topOf } from './lines.ts'
import type { PieceRow } from './paragraphs.ts'
import type { Piece } from './pieces.ts'
import { pictureOf } from './place-pictures.ts'
import { readingOrder, type Flow } from './reading-order.ts'
import { pieceRows, type Item, type Row } from './rows.ts'
import type { TableShell } from './tables/table-shell.ts'
import { textBlocks } from './text-blocks.ts'
import type { TurnedCells } from './turned-cells.ts'
import type { PlacedImage } from '../pdf/page-model.ts'

/** What is not taken apart: a table, or a picture in the way of text. */
type Whole = { readonly table: TableShell } | { readonly image: PlacedImage }
type WholeFlow = Flow<Whole>

/** A page's text and what stands in it. */
export interface Contents {
  readonly pieces: readonly Piece[]
  readonly tables: readonly TableShell[]
  readonly turned: TurnedCells['blocks']
  readonly images: readonly PlacedImage[]
  readonly pageWidth: number
}

/** Sections, and pictures that text stands beside. */
export interface Sectioned {
  readonly sections: readonly Section[]
  readonly beside: readonly PlacedImage[]
}

const itemOf = (piece: Piece): Item<Whole> => ({
  left: piece.left,
  right: piece.right,
  top: topOf(piece),
  bottom: bottomOf(piece),
  piece,
})
const itemOfWhole = (whole: Whole): Item<Whole> => {
  const { left, right, top, bottom } = 'table' in whole ? whole.table : whole.image
  return { left, right, top, bottom, whole }
}

/** The items of a flow, in its order. */
const itemsOf = (flow: WholeFlow): Item<Whole>[] => flow.flatMap((part) => ('columns' in part ? part.columns.flatMap(itemsOf) : part.items))

const boxOf = (boxes: readonly Box[]): Box => ({
  left: Math.min(...boxes.map(({ left }) => left)),
  top: Math.min(...boxes.map(({ top }) => top)),
  right: Math.max(...boxes.map(({ right }) => right)),
  bottom: Math.max(...boxes.map(({ bottom }) => bottom)),
})

/** Columns that are nothing but columns are columns of their parent. */
const flattened = (columns: readonly WholeFlow[]): WholeFlow[] =>
  columns.flatMap((flow) => {
    const [only, ...others] = flow
    return only && others.length === 0 && 'columns' in only ? flattened(only.columns) : [flow]
  })

/** Puts what stands in a page in the order in which it is read. */
class Sectioner {
  readonly beside: PlacedImage[] = []
  readonly #inTable: ReadonlyMap<TableShell, readonly Piece[]>
  readonly #turned: TurnedCells['blocks']

  constructor(inTable: ReadonlyMap<TableShell, readonly Piece[]>, turned: TurnedCells['blocks']) {
    this.#inTable = inTable
    this.#turned = turned
  }

  column(flow: WholeFlow, sides: Sides = boxOf(itemsOf(flow))): Column {
    return { left: sides.left, right: sides.right, blocks: this.#blocks(flow, sides) }
  }

  /** The blocks of rows one under the other; columns within are read one after the other. */
  #blocks(flow: WholeFlow, sides: Sides): Block[] {
    const blocks: Block[] = []
    let rows: PieceRow[] = []
    const flush = (): void => {
      if (rows.length > 0) blocks.push(...textBlocks(rows, sides))
      rows = []
    }
    for (const part of flow) {
      if ('columns' in part) {
        flush()
        for (const column of part.columns) blocks.push(...this.#blocks(column, boxOf(itemsOf(column))))
        continue
      }
      rows.push(...pieceRows(part.items.flatMap(({ piece }) => piece ?? [])))
      const wholes = this.#wholes(part)
      if (wholes.length > 0) flush()
      blocks.push(...wholes)
    }
    flush()
    return blocks
  }

  /** A row's tables; its picture too where that stands alone. */
  #wholes({ items }: Row<Whole>): Block[] {
    return items.flatMap(({ whole }): Block[] => {
      if (!whole) return []
      if ('table' in whole) return [filledTable(whole.table, this.#inTable.get(whole.table) ?? [], this.#turned)]
      if (items.length === 1) return pictureOf(whole.image, [])
      this.beside.push(whole.image)
      return []
    })
  }
}

/** So many lines that end, or begin, at one place, tell a side of the text; places no further apart are one, in points. */
const TELL = { lines: 2, near: 1.6 }

/** The sides of a page's text: where its lines don't tell them, its margins are alike. */
function textSides(pieces: readonly Piece[], { left, right }: Box, pageWidth: number): Sides {
  const isLeftTold = pieces.filter((piece) => Math.abs(piece.left - left) < TELL.near).length >= TELL.lines
  const isRightTold = pieces.filter((piece) => Math.abs(piece.right - right) < TELL.near).length >= TELL.lines
  return { left: isLeftTold ? left : Math.min(left, pageWidth - right), right: isRightTold ? right : Math.max(right, pageWidth - left) }
}

/** A page's text, tables and pictures from its top down, in sections of one or more columns. */
export function sectionsOf({ pieces, tables, turned, images, pageWidth }: Contents): Sectioned {
  const inTable = new Map<TableShell, Piece[]>(tables.map((table) => [table, []]))
  const free = pieces.filter((piece) => {
    const table = tables.find((one) => isWithin(piece, one))
    if (table) inTable.get(table)?.push(piece)
    return !table
  })
  const isFilled = (table: TableShell): boolean => (inTable.get(table)?.length ?? 0) > 0 || table.cells.some((cell) => turned.has(cell))
  const wholes: Whole[] = [...tables.filter(isFilled).map((table) => ({ table })), ...images.map((image) => ({ image }))]
  const items = [...free.map(itemOf), ...wholes.map(itemOfWhole)]
  if (items.length === 0) return { sections: [], beside: [] }
  const page = textSides(free, boxOf(items), pageWidth)
  const sectioner = new Sectioner(inTable, turned)
  const sections: Section[] = []
  let rows: Row<Whole>[] = []
  const add = (flows: readonly WholeFlow[], sides?: Sides): void => {
    const [first, ...others] = flattened(flows)
    if (!first || first.length === 0) return
    const { top, bottom } = boxOf(flows.flatMap(itemsOf))
    sections.push({ top, bottom, columns: [sectioner.column(first, sides), ...others.map((flow) => sectioner.column(flow))] })
  }
  for (const part of readingOrder(items)) {
    if ('columns' in part) {
      add([rows], page)
      rows = []
      add(part.columns)
    } else rows.push(part)
  }
  add([rows], page)
  return { sections, beside: sectioner.beside }
}
