import type { DocxContext, NoteRun, PartContext } from './context.ts'
import type { Sides } from './fit.ts'
import { emptyParagraph, paragraphXml } from './paragraph.ts'
import { placed } from './place.ts'
import { roomTop } from './section.ts'
import { rootTag } from './static-parts.ts'
import { twips } from '../units.ts'
import { element, escapedText } from '../xml.ts'
import type { Part } from '../package.ts'
import type { Block, Note, PageLayout, PageNotes, Run } from '#engine/document/document-model'
import { numberOf } from '#engine/document/notes/note-marks'

const PATH = 'word/footnotes.xml'
const TYPE = 'application/vnd.openxmlformats-officedocument.wordprocessingml.footnotes+xml'
/** Word's own numbers of what parts notes from text. */
const [SEPARATOR, CONTINUATION] = [-1, 0]
/** How high the line is that parts them, in twentieths of a point. */
const SEPARATOR_LINE = 160

/** A mark that counts: what Word writes by itself, and what stands around it. */
interface Counted {
  readonly format: 'decimal' | 'decimalEnclosedCircle'
  readonly number: number
  readonly before: string
  readonly after: string
}

function countedOf(mark: string): Counted | undefined {
  const number = numberOf(mark)
  const [, before = '', digits = '', after = ''] = /^(\D*)(\d+)(\D*)$/.exec(mark) ?? []
  if (number === undefined) return undefined
  return digits === '' ? { format: 'decimalEnclosedCircle', number, before: '', after: '' } : { format: 'decimal', number, before, after }
}

/** How a document's notes count: through, or from 1 on each page; unknown while both say the same. */
class Counter {
  #format: Counted['format'] | undefined
  #start = 1
  #count = 0
  #onPage = 0
  #restarts: boolean | undefined

  page(): void {
    this.#onPage = 0
  }

  /** Whether Word's own count comes to this mark. */
  takes({ format, number }: Counted): boolean {
    if (this.#format === undefined) [this.#format, this.#start] = [format, number]
    const [through, onPage] = [this.#start + this.#count, this.#onPage + 1]
    const restarts =
      this.#restarts ?? (number === through ? (number === onPage ? undefined : false) : this.#start === 1 && number === onPage)
    const isNext = format === this.#format && number === (restarts === true ? onPage : through)
    if (!isNext) return false
    this.#restarts = restarts
    this.#count++
    this.#onPage++
    return true
  }

  /** The same as properties (CT_FtnProps), in the schema's order. */
  get xml(): string {
    return [
      element('w:numFmt', { 'w:val': this.#format ?? 'decimal' }),
      this.#start === 1 ? '' : element('w:numStart', { 'w:val': this.#start }),
      this.#restarts === true ? element('w:numRestart', { 'w:val': 'eachPage' }) : '',
    ].join('')
  }
}

const blocksOf = ({ sections }: PageLayout): readonly Block[] => sections.flatMap(({ columns }) => columns.flatMap(({ blocks }) => blocks))

/** The notes that blocks call, in the order in which they do. */
const callsIn = (blocks: readonly Block[]): number[] =>
  blocks.flatMap((block) => {
    if (block.kind === 'table') return block.cells.flatMap((cell) => callsIn(cell.blocks))
    return block.kind === 'paragraph' ? block.runs.flatMap(({ note }) => note ?? []) : []
  })

const markOf = ({ paragraphs: [first] }: Note): string => first.runs.find(({ note }: Run) => note !== undefined)?.text.trim() ?? ''

/** How a note is numbered in the file. */
interface Numbered {
  readonly id: number
  /** Undefined where Word's count would say something else: then the mark is written. */
  readonly counted: Counted | undefined
}

const run = (properties: string, ...content: readonly string[]): string => element('w:r', {}, properties, ...content)
const letters = (says: string): string => `<w:t xml:space="preserve">${escapedText(says)}</w:t>`
const text = (properties: string, says: string): string => (says === '' ? '' : run(properties, letters(says)))

/** Writes a document's footnotes, page by page, into the part that holds them. */
export class Footnotes {
  readonly #context: DocxContext
  readonly #relate: (path: string) => void
  readonly #counter = new Counter()
  #part: Part | undefined
  #ids = 0
  #page: readonly Numbered[] = []

  /** `relate` has the document know the part. */
  constructor(context: DocxContext, relate: (path: string) => void) {
    this.#context = context
    this.#relate = relate
  }

  /** Takes a page's notes, before its text is written. */
  begin(page: PageLayout): void {
    this.#page = []
    const own = page.notes?.own ?? []
    if (own.length === 0) return
    this.#counter.page()
    const calls = callsIn(blocksOf(page))
    const isInOrder = calls.every((call, at) => call === at)
    this.#page = own.map((note) => {
      const counted = isInOrder ? countedOf(markOf(note)) : undefined
      return { id: ++this.#ids, counted: counted && this.#counter.takes(counted) ? counted : undefined }
    })
  }

  /** A call in the page's text, as runs. */
  readonly call: NoteRun = (place, says, properties) => {
    const { id, counted } = this.#page[place] ?? {}
    if (id === undefined) return text(properties, says)
    if (!counted) return run(properties, element('w:footnoteReference', { 'w:customMarkFollows': 1, 'w:id': id }), letters(says))
    const reference = run(properties, element('w:footnoteReference', { 'w:id': id }))
    return text(properties, counted.before) + reference + text(properties, counted.after)
  }

  /** Writes the bodies of the page's notes, between the sides that Word gives them. */
  write(notes: PageNotes | undefined, sidesOf: (note: Note) => Sides): void {
    if (!notes || this.#page.length === 0) return
    const part = (this.#part ??= this.#open(notes.rules.length > 0))
    const context: PartContext = { ...this.#context, relations: part.relations, note: this.#mark }
    let y: number | undefined
    for (const [at, note] of notes.own.entries()) {
      const column = sidesOf(note)
      const limits = { left: note.left, right: note.right }
      let xml = ''
      for (const paragraph of note.paragraphs) {
        const top = twips(roomTop(paragraph))
        const { end, ...place } = placed(paragraph, y === undefined || y > top + twips(paragraph.pitch) ? top : y)
        xml += paragraphXml(paragraph, { column, limits }, place, context, { style: 'FootnoteText' })
        y = end
      }
      part.write(element('w:footnote', { 'w:id': this.#page[at]?.id }, xml))
    }
  }

  /** Properties of notes in the settings or, without what parts them, in a section; undefined where there are none. */
  properties(inSettings: boolean): string | undefined {
    if (!this.#part) return undefined
    const parts = [SEPARATOR, CONTINUATION].map((id) => element('w:footnote', { 'w:id': id }))
    return element('w:footnotePr', {}, this.#counter.xml, ...(inSettings ? parts : []))
  }

  /** Ends the part. */
  end(): void {
    if (!this.#part) return
    this.#part.write(rootTag('w:footnotes').close)
    this.#part.end()
  }

  /** A note's own mark. */
  readonly #mark: NoteRun = (place, says, properties) => {
    const counted = this.#page[place]?.counted
    if (!counted) return text(properties, says)
    return text(properties, counted.before) + run(properties, element('w:footnoteRef')) + text(properties, counted.after)
  }

  #open(hasRule: boolean): Part {
    const part = this.#context.office.part(PATH, TYPE)
    this.#relate(PATH)
    part.write(rootTag('w:footnotes').open)
    const own = (type: string, id: number, sign: string): string => {
      const line = emptyParagraph({ before: 0, line: SEPARATOR_LINE }, { head: hasRule ? run('', element(sign)) : undefined })
      return element('w:footnote', { 'w:type': type, 'w:id': id }, line)
    }
    part.write(own('separator', SEPARATOR, 'w:separator') + own('continuationSeparator', CONTINUATION, 'w:continuationSeparator'))
    return part
  }
}
