import type { DocxBlock, DocxFloat, DocxPage, DocxPart } from './docx-model.ts'
import { NoteCounter } from './docx-notes.ts'
import { createMarks } from './docx-numbering.ts'
import { tableOf } from './docx-table.ts'
import { paragraphOf, points, type Told } from './docx-text.ts'
import type { OfficePackage } from './package.ts'
import { EMU_TO_POINTS } from './units.ts'
import { at, elements, numberOf, textIn, type XmlElement } from './xml.ts'

const DOCUMENT = 'word/document.xml'
const NOTES = 'word/footnotes.xml'

const offset = (anchor: XmlElement, name: string): number => {
  const place = at(anchor, name, 'wp:posOffset')
  return place ? Number(textIn(place)) * EMU_TO_POINTS : 0
}

/** Reads one part: the document, its notes, a header or a footer. */
class PartReader {
  /** The mark of the note at hand. */
  noteMark = ''
  readonly #pictures: ReadonlyMap<string, string>
  readonly #mark: Told['mark']
  readonly #notes: NoteCounter | undefined
  #floats: DocxFloat[] = []
  #breaks = 0

  constructor(office: OfficePackage, path: string, mark: Told['mark'], notes?: NoteCounter) {
    this.#pictures = office.relations(path)
    this.#mark = mark
    this.#notes = notes
  }

  blocks = (of: XmlElement): readonly DocxBlock[] => elements(of).flatMap((one) => this.block(one) ?? [])

  block(one: XmlElement): DocxBlock | undefined {
    if (one.name === 'w:tbl') return tableOf(one, this.blocks)
    if (one.name !== 'w:p') return undefined
    return paragraphOf(one, {
      mark: this.#mark,
      picture: (id) => this.#pictures.get(id),
      float: (anchor) => this.#float(anchor),
      pageBreak: () => (this.#breaks += 1),
      noteCall: (id, isWritten) => this.#notes?.call(id, isWritten) ?? '',
      noteMark: () => this.noteMark,
    })
  }

  /** What was met since this was last asked: things beside the text, and whether a page ends. */
  taken(): { readonly floats: readonly DocxFloat[]; readonly isPageOver: boolean } {
    const taken = { floats: this.#floats, isPageOver: this.#breaks > 0 }
    this.#floats = []
    this.#breaks = 0
    return taken
  }

  #float(anchor: XmlElement): void {
    const extent = at(anchor, 'wp:extent')
    const data = at(anchor, 'a:graphic', 'a:graphicData')
    const path = this.#pictures.get(at(data, 'pic:pic', 'pic:blipFill', 'a:blip')?.attributes['r:embed'] ?? '')
    const text = at(data, 'wps:wsp', 'wps:txbx', 'w:txbxContent')
    const place = {
      left: offset(anchor, 'wp:positionH'),
      top: offset(anchor, 'wp:positionV'),
      width: (numberOf(extent, 'cx') ?? 0) * EMU_TO_POINTS,
      height: (numberOf(extent, 'cy') ?? 0) * EMU_TO_POINTS,
      isBehind: anchor.attributes['behindDoc'] === '1',
    }
    if (path !== undefined) this.#floats.push({ ...place, content: { path } })
    if (!text) return
    const direction = at(data, 'wps:wsp', 'wps:bodyPr')?.attributes['vert'] ?? 'horz'
    const isUpsideDown = at(data, 'wps:wsp', 'wps:spPr', 'a:xfrm')?.attributes['rot'] === '10800000'
    this.#floats.push({ ...place, content: { blocks: this.blocks(text), direction, isUpsideDown } })
  }
}

interface Section {
  readonly properties: XmlElement
  readonly blocks: readonly XmlElement[]
}

/** The body by sections: each ends with the paragraph that has its properties. */
function sectionsOf(body: XmlElement): readonly Section[] {
  const sections: Section[] = []
  let blocks: XmlElement[] = []
  for (const one of elements(body)) {
    if (one.name === 'w:sectPr') sections.push({ properties: one, blocks })
    else blocks.push(one)
    const properties = at(one, 'w:pPr', 'w:sectPr')
    if (!properties) continue
    sections.push({ properties, blocks })
    blocks = []
  }
  return sections
}

function partOf(properties: XmlElement): DocxPart {
  const columns = at(properties, 'w:cols')
  const gap = points((columns && elements(columns, 'w:col')[0]) ?? columns, 'w:space')
  const isVertical = at(properties, 'w:textDirection')?.attributes['w:val'] === 'tbRl'
  return { columns: numberOf(columns, 'w:num') ?? 1, gap, isVertical, blocks: [] }
}

/** The pages of a Word document, as many as are asked for, and how many there are; text that overflows stays on its page. */
export function readDocx(office: OfficePackage, maxPages: number): { readonly pages: readonly DocxPage[]; readonly count: number } {
  const body = at(office.xml(DOCUMENT), 'w:document', 'w:body')
  if (!body) throw new TypeError('no document')
  const mark = createMarks(office.xml('word/numbering.xml'))
  const notes = new NoteCounter(office.xml(NOTES), office.xml('word/settings.xml'))
  const reader = new PartReader(office, DOCUMENT, mark, notes)
  const noteReader = new PartReader(office, NOTES, mark)
  const relations = office.relations(DOCUMENT)
  const pages: DocxPage[] = []
  const furniture = (properties: XmlElement, name: string): readonly DocxBlock[] => {
    const path = relations.get(at(properties, `w:${name}Reference`)?.attributes['r:id'] ?? '')
    const part = path === undefined ? undefined : at(office.xml(path), name === 'header' ? 'w:hdr' : 'w:ftr')
    return part && path !== undefined ? new PartReader(office, path, mark).blocks(part) : []
  }
  const begin = (properties: XmlElement, isFirst: boolean): void => {
    const [size, margin] = [at(properties, 'w:pgSz'), at(properties, 'w:pgMar')]
    notes.page()
    const start = isFirst ? numberOf(at(properties, 'w:pgNumType'), 'w:start') : undefined
    pages.push({
      number: start ?? (pages.at(-1)?.number ?? 0) + 1,
      width: points(size, 'w:w') || 595,
      height: points(size, 'w:h') || 842,
      margin: {
        top: points(margin, 'w:top'),
        right: points(margin, 'w:right'),
        bottom: points(margin, 'w:bottom'),
        left: points(margin, 'w:left'),
      },
      header: { from: points(margin, 'w:header'), blocks: furniture(properties, 'header') },
      footer: { from: points(margin, 'w:footer'), blocks: furniture(properties, 'footer') },
      parts: [partOf(properties)],
      notes: [],
      floats: [],
    })
  }
  for (const { properties, blocks } of sectionsOf(body)) {
    if (pages.length === 0 || at(properties, 'w:type')?.attributes['w:val'] !== 'continuous') begin(properties, true)
    else pages.at(-1)?.parts.push(partOf(properties))
    for (const one of blocks) {
      const part = pages.at(-1)?.parts
      if (at(one, 'w:pPr', 'w:pageBreakBefore') && (part?.at(-1)?.blocks.length ?? 0) > 0) begin(properties, false)
      const block = reader.block(one)
      const { floats, isPageOver } = reader.taken()
      const page = pages.at(-1)
      page?.floats.push(...floats)
      for (const { body: note, mark: own } of notes.taken()) {
        noteReader.noteMark = own
        page?.notes.push(noteReader.blocks(note))
      }
      if (block) page?.parts.at(-1)?.blocks.push(block)
      if (isPageOver) begin(properties, false)
    }
  }
  return { pages: pages.slice(0, maxPages), count: pages.length }
}
