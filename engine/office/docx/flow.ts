import type { PartContext } from './context.ts'
import { inlinePicture } from './drawing.ts'
import type { Sides } from './fit.ts'
import { emptyParagraph, paragraphXml, pictureParagraph, type ParagraphChange } from './paragraph.ts'
import { placed } from './place.ts'
import { twips } from '../units.ts'
import type { Block, Paragraph, Picture, Table } from '#engine/document/document-model'

/** What stands between two things where nothing else can, in twentieths of a point. */
const HAIR = 20

/** A table's XML. */
export type TableWriter = (table: Table, column: Sides, context: PartContext) => string

/** What the next paragraph begins with. */
type Lead = Pick<ParagraphChange, 'beginsPage' | 'head' | 'isKept'>

/** What a table ends with; it waits, as rows may follow. */
const TABLE_END = '</w:tbl>'

/** Stand in a paragraph that waits: only what follows tells what is below it, and whether a section ends with it. */
const [AFTER, SECTION] = [-1, '<w:sectPr/>']

/** Blocks as they are written one under the other. */
export class Flow {
  /** How far down it has come, in twentieths of a point from the page's top. */
  y = 0
  readonly #write: (xml: string) => void
  readonly #context: PartContext
  readonly #tableXml: TableWriter
  #waiting: string | undefined
  #lead: Lead = {}
  #isInTable = false

  constructor(write: (xml: string) => void, context: PartContext, writeTable: TableWriter) {
    this.#write = write
    this.#context = context
    this.#tableXml = writeTable
  }

  /** Has the next paragraph begin with something, or on a new page. */
  lead({ beginsPage, isKept, head = '' }: Lead): void {
    this.#lead = {
      beginsPage: beginsPage ?? this.#lead.beginsPage,
      isKept: isKept ?? this.#lead.isKept,
      head: (this.#lead.head ?? '') + head,
    }
  }

  /** Whether a table is the last that was written. */
  get isInTable(): boolean {
    return this.#isInTable
  }

  /** Writes rows into the table that is the last that was written, down to `bottom`, in points. */
  rows(xml: string, bottom: number): void {
    this.#write(xml)
    this.y = twips(bottom)
  }

  /** Writes a block; `column` is where Word sets it, `limits` are the sides it has itself. */
  block(block: Block, column: Sides, limits: Sides): void {
    if (block.kind === 'paragraph') this.#paragraph(block, column, limits)
    else if (block.kind === 'table') this.#table(block, column)
    else this.#picture(block, column)
  }

  /** A paragraph with no text, as low as one can be. */
  hair(height = HAIR, before = 0): void {
    this.#next(emptyParagraph({ before, line: height }, this.#late()))
    this.y += before + height
  }

  /** Writes what waits, at the end of a section, a cell or a part: there a paragraph must stand. */
  end(section = '', after = 0): void {
    const isBare = this.#waiting === undefined || this.#lead.beginsPage !== undefined || this.#lead.head !== undefined
    // LibreOffice drops an empty paragraph that a section ends with, and the room below it: that takes one of its own.
    const own = isBare && section !== '' && after > 2 * HAIR ? after - HAIR : 0
    if (own > 0) this.hair(own)
    if (isBare) this.hair()
    const rest = own > 0 ? 0 : after
    this.#flush(rest, section)
    this.y += rest
  }

  #late(): ParagraphChange {
    const lead = this.#lead
    this.#lead = {}
    return { ...lead, after: AFTER, section: SECTION }
  }

  #flush(after = 0, section = ''): void {
    if (this.#isInTable) this.#write(TABLE_END)
    this.#isInTable = false
    if (this.#waiting !== undefined)
      this.#write(this.#waiting.replace(`w:after="${AFTER}"`, `w:after="${after}"`).replace(SECTION, section))
    this.#waiting = undefined
  }

  #next(xml: string): void {
    this.#flush()
    this.#waiting = xml
  }

  #paragraph(paragraph: Paragraph, column: Sides, limits: Sides): void {
    const { end, ...place } = placed(paragraph, this.y)
    this.#next(paragraphXml(paragraph, { column, limits }, place, this.#context, this.#late()))
    this.y = end
  }

  #table(table: Table, column: Sides): void {
    const gap = Math.max(0, twips(table.top) - this.y)
    if (this.#waiting !== undefined && this.#lead.beginsPage === undefined && this.#lead.head === undefined) {
      this.#flush(gap)
      this.y += gap
    } else {
      this.hair(HAIR, Math.max(0, gap - HAIR))
      this.#flush()
    }
    this.#write(this.#tableXml(table, column, this.#context).slice(0, -TABLE_END.length))
    this.#isInTable = true
    this.y += twips((table.rows.at(-1) ?? 0) - (table.rows[0] ?? 0))
  }

  #picture(picture: Picture, column: Sides): void {
    const before = Math.max(0, twips(picture.top) - this.y)
    const { head = '', ...late } = this.#late()
    this.#next(pictureParagraph(picture, column, before, { ...late, head: head + inlinePicture(picture, this.#context) }))
    this.y += before + twips(picture.bottom - picture.top)
  }
}
