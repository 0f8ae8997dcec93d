import { numbered } from './docx-numbering.ts'
import { at, elements, numberOf, type XmlElement } from './xml.ts'

/** A note that a page calls: where it lies, and the mark it is given. */
export interface CalledNote {
  readonly body: XmlElement
  readonly mark: string
}

/** Counts a document's footnotes as its settings say: through, or from 1 on each page. */
export class NoteCounter {
  readonly #bodies: ReadonlyMap<string, XmlElement>
  readonly #format: string | undefined
  readonly #start: number
  readonly #restarts: boolean
  #next: number
  #called: CalledNote[] = []

  constructor(notes: XmlElement | undefined, settings: XmlElement | undefined) {
    const root = at(notes, 'w:footnotes')
    this.#bodies = new Map((root ? elements(root, 'w:footnote') : []).map((note) => [note.attributes['w:id'] ?? '', note]))
    const properties = at(settings, 'w:settings', 'w:footnotePr')
    this.#format = at(properties, 'w:numFmt')?.attributes['w:val']
    this.#start = numberOf(at(properties, 'w:numStart'), 'w:val') ?? 1
    this.#restarts = at(properties, 'w:numRestart')?.attributes['w:val'] === 'eachPage'
    this.#next = this.#start
  }

  /** A page begins. */
  page(): void {
    if (this.#restarts) this.#next = this.#start
  }

  /** The mark of a note that is called; one that is written out has none here, and takes no number. */
  call(id: string, isWritten: boolean): string {
    const mark = isWritten ? '' : numbered(this.#next++, this.#format)
    const body = this.#bodies.get(id)
    if (body) this.#called.push({ body, mark })
    return mark
  }

  /** The notes that were called since this was last asked. */
  taken(): readonly CalledNote[] {
    const taken = this.#called
    this.#called = []
    return taken
  }
}
