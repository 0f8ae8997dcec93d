import { continuedTable, fits, openTable, sharedGeometry, withHeads, type OpenTable } from './across.ts'
import type { PartContext } from './context.ts'
import { decorationRuns } from './decorate.ts'
import type { Sides } from './fit.ts'
import { floatingXml } from './floating.ts'
import { Flow } from './flow.ts'
import type { Footnotes } from './footnotes.ts'
import type { Furniture } from './furniture.ts'
import { isAlike, roomTop, columnSides, sectionXml, type Geometry, type Section } from './section.ts'
import { withOutline } from './outline.ts'
import { rootTag } from './static-parts.ts'
import { moreRowsXml, tableXml } from './table.ts'
import { twips } from '../units.ts'
import { element } from '../xml.ts'
import type { Block, Column, Note, OutlineEntry, PageLayout } from '#engine/document/document-model'

const TYPE = 'application/vnd.openxmlformats-officedocument.wordprocessingml'

/** Takes what follows to the next column. */
const COLUMN_BREAK = '<w:r><w:br w:type="column"/></w:r>'

/** A header or a footer as it is related to, and where it stands, in points. */
interface Band {
  readonly id: string
  readonly top: number
  readonly bottom: number
}

function writeBand(kind: 'header' | 'footer', blocks: readonly Block[], sides: Sides, context: PartContext, at: number): Band | undefined {
  const [first] = blocks
  if (!first) return undefined
  const path = `word/${kind}${at}.xml`
  const part = context.office.part(path, `${TYPE}.${kind}+xml`)
  const root = rootTag(kind === 'header' ? 'w:hdr' : 'w:ftr')
  part.write(root.open)
  const flow = new Flow(part.write, { ...context, relations: part.relations }, tableXml)
  flow.y = twips(first.top)
  for (const block of blocks) flow.block(block, sides, sides)
  flow.end()
  part.write(root.close)
  part.end()
  return { id: context.relations.part(kind, path), top: first.top, bottom: flow.y / 20 }
}

/** A bookmark that holds nothing: a place to go to. */
const bookmark = (name: string, id: number): string =>
  element('w:bookmarkStart', { 'w:id': id, 'w:name': name }) + element('w:bookmarkEnd', { 'w:id': id })

/** The section that is open while pages come. */
interface Open {
  readonly section: Section
  /** Its furniture's. */
  readonly key: string
}

/** What a page begins with besides its text: a place to go to, and what stands where it stands. */
interface Head {
  readonly mark: string
  readonly painted: string
}

/** A document's body, written page by page. */
export class Body {
  readonly #write: (xml: string) => void
  readonly #context: PartContext
  readonly #flow: Flow
  readonly #outline: readonly OutlineEntry[]
  readonly #notes: Footnotes
  #open: Open | undefined
  #table: OpenTable | undefined
  #bands = 0
  /** What the next page's number is where it just follows. */
  #number = 1

  constructor(write: (xml: string) => void, context: PartContext, notes: Footnotes, outline: readonly OutlineEntry[]) {
    this.#write = write
    this.#notes = notes
    this.#context = context
    this.#outline = outline
    this.#flow = new Flow(write, context, tableXml)
  }

  /** Writes the next page; `next` is the one after it. */
  page(given: PageLayout, furniture: Furniture, next?: PageLayout): void {
    const page = withHeads(given, next)
    const context = this.#context
    const geometry = sharedGeometry(page, next)
    const floating = page.floating.map((one) => floatingXml(one, context))
    this.#notes.begin(page)
    const head = { mark: bookmark(`_page${page.number}`, context.nextId()), painted: decorationRuns(page, context) + floating.join('') }
    const [first = [], ...others] = withOutline(page, this.#outline).map(({ columns }) => columns)
    this.#columns(this.#begin(page, furniture, geometry, first, head), geometry)
    for (const columns of others) {
      if (columns.length > 1 || (this.#open?.section.columns.length ?? 0) > 1) this.#part(geometry, columns)
      this.#columns(columns, geometry)
    }
    this.#notes.write(page.notes, (note) => this.#sidesOf(note, geometry))
    this.#number = (furniture.pageNumber ?? this.#number) + 1
    this.#table = openTable(page)
  }

  /** The sides of the column that a note stands in. */
  #sidesOf({ left, right }: Note, geometry: Geometry): Sides {
    const { columns, geometry: page } = this.#open?.section ?? { columns: [], geometry }
    return columns.find((column) => column.left < (left + right) / 2 && column.right > (left + right) / 2) ?? page
  }

  /** Ends the last section, whose properties stand for themselves. */
  end(): void {
    this.#flow.end()
    if (this.#open) this.#write(sectionXml(this.#open.section, this.#notes.properties(false)))
  }

  /** Begins a page: on a new page of the section that is open where they are alike, else in a section of its own. Answers what is left of its columns. */
  #begin(page: PageLayout, furniture: Furniture, geometry: Geometry, columns: readonly Column[], head: Head): readonly Column[] {
    const open = this.#open
    const goesOn =
      open !== undefined &&
      columns.length < 2 &&
      open.section.columns.length < 2 &&
      open.key === furniture.key &&
      open.section.isVertical === page.isVertical &&
      isAlike(open.section.geometry, geometry)
    if (goesOn) {
      const { geometry: own } = open.section
      const both = { ...own, bottom: Math.max(own.bottom, geometry.bottom), hasNotes: own.hasNotes || geometry.hasNotes }
      this.#open = { ...open, section: { ...open.section, geometry: both } }
    } else {
      this.#close()
      this.#open = { key: furniture.key, section: this.#section(page, furniture, geometry, columns, open) }
    }
    const rest = goesOn ? this.#more(columns, open.section.geometry, head) : undefined
    if (rest) return rest
    this.#flow.lead({ ...(goesOn && { beginsPage: true }), head: head.mark + head.painted })
    this.#flow.y = twips(this.#open?.section.geometry.top ?? 0)
    if (columns.every(({ blocks }) => blocks.length === 0)) this.#flow.hair()
    return columns
  }

  /** Goes on with the last page's table, which takes the text to the new page by itself; answers what is left of the columns, or undefined where it cannot. */
  #more(columns: readonly Column[], geometry: Geometry, { mark, painted }: Head): readonly Column[] | undefined {
    const [last, table, column] = [this.#table, continuedTable(columns), columns[0]]
    if (!last || !table || !column || !this.#flow.isInTable || !fits(last, table, geometry)) return undefined
    const blocks = column.blocks.slice(1)
    // What is placed on a page is not held by a cell: Word would count from that.
    if (painted !== '' && !blocks.some(({ kind }) => kind === 'paragraph')) return undefined
    this.#flow.rows(moreRowsXml(table, mark, last.room, this.#context), table.bottom)
    if (painted !== '') this.#flow.lead({ head: painted })
    return [{ ...column, blocks }]
  }

  #section(page: PageLayout, furniture: Furniture, geometry: Geometry, columns: readonly Column[], last: Open | undefined): Section {
    const shape = { geometry, columns: columnSides(columns, geometry), type: 'nextPage' as const, isVertical: page.isVertical }
    const isCounted = furniture.pageNumber !== undefined && furniture.pageNumber !== this.#number
    const number = isCounted ? { pageNumber: furniture.pageNumber } : {}
    if (last?.key === furniture.key) {
      const { header, footer, headerFrom, footerFrom } = last.section
      return { ...shape, ...number, headerFrom, footerFrom, ...(header && { header }), ...(footer && { footer }) }
    }
    this.#bands += 1
    const header = writeBand('header', furniture.header, geometry, this.#context, this.#bands)
    const footer = writeBand('footer', furniture.footer, geometry, this.#context, this.#bands)
    return {
      ...shape,
      ...number,
      headerFrom: header?.top ?? geometry.top / 2,
      footerFrom: footer ? page.height - footer.bottom : 0,
      ...(header && { header: header.id }),
      ...(footer && { footer: footer.id }),
    }
  }

  /** Begins another section on the same page. */
  #part(geometry: Geometry, columns: readonly Column[]): void {
    const open = this.#open
    // Word and others do not agree where columns begin whose first paragraph has room above it.
    this.#close(Math.max(0, twips(Math.min(...columns.flatMap(({ blocks }) => blocks.slice(0, 1).map(roomTop)))) - this.#flow.y))
    if (!open) return
    const { pageNumber: _, ...section } = open.section
    this.#open = { ...open, section: { ...section, geometry, columns: columnSides(columns, geometry), type: 'continuous' } }
  }

  #close(after = 0): void {
    if (this.#open) this.#flow.end(sectionXml(this.#open.section, this.#notes.properties(false)), after)
    this.#open = undefined
  }

  #columns(columns: readonly Column[], geometry: Geometry): void {
    const flow = this.#flow
    const top = flow.y
    let end = top
    for (const [at, column] of columns.entries()) {
      if (at > 0) {
        flow.y = top
        flow.lead({ head: COLUMN_BREAK })
      }
      if (columns.length > 1) flow.hair()
      const place = this.#open?.section.columns[at] ?? this.#open?.section.geometry ?? geometry
      for (const block of column.blocks) flow.block(block, place, column)
      end = Math.max(end, flow.y)
    }
    flow.y = end
  }
}
