import type { OutlineEntry, PageLayout } from '#engine/document/document-model'
import { createPackage, type OfficePackage, type Part } from '../package.ts'
import { writeProperties } from '../properties.ts'
import { Body } from './body.ts'
import type { DocxContext, PartContext } from './context.ts'
import { Footnotes } from './footnotes.ts'
import { furnitureOf } from './furniture.ts'
import { createNumbering } from './numbering.ts'
import { NAMES, rootTag, settingsXml, stylesXml } from './static-parts.ts'

const TYPE = 'application/vnd.openxmlformats-officedocument.wordprocessingml'

/** What is known of a document beside its pages. */
export interface DocxFacts {
  readonly title?: string | undefined
  readonly outline?: readonly OutlineEntry[]
  readonly madeAt: Date
}

/** How many pages before and after one are kept while it is written. */
const REACH = 2

/** Each page with those around it; no more of them are kept. */
async function* inContext(pages: AsyncIterable<PageLayout> | Iterable<PageLayout>) {
  const kept: PageLayout[] = []
  let first = 0
  let next = 0
  const at = (place: number): PageLayout | undefined => kept[place - first]
  const step = () => {
    const place = next++
    for (; first < place - REACH; first++) kept.shift()
    return { page: kept[place - first], around: (by: number) => at(place + by) }
  }
  for await (const page of pages) {
    kept.push(page)
    if (first + kept.length > next + REACH) yield step()
  }
  while (next < first + kept.length) yield step()
}

function writePart(office: OfficePackage, document: Part, kind: string, xml: string | undefined): void {
  if (xml === undefined) return
  const path = `word/${kind}.xml`
  const part = office.part(path, `${TYPE}.${kind}+xml`)
  part.write(xml)
  part.end()
  document.relations.part(kind, path)
}

/** Writes pages as a Word document (ISO/IEC 29500-1) into a file, one after the other; answers how many bytes it has. */
export async function writeDocx(
  path: string,
  pages: AsyncIterable<PageLayout> | Iterable<PageLayout>,
  { title, outline = [], madeAt }: DocxFacts,
): Promise<number> {
  const office = createPackage(path)
  const part = office.part('word/document.xml', `${TYPE}.document.main+xml`)
  office.relations.part('officeDocument', 'word/document.xml')
  let id = 0
  const shared: DocxContext = {
    office,
    numbering: createNumbering(NAMES),
    nextId: () => ++id,
    anchorOf: ({ page }) => `_page${page}`,
  }
  const notes = new Footnotes(shared, (to) => void part.relations.part('footnotes', to))
  const context: PartContext = { ...shared, relations: part.relations, note: notes.call }
  const root = rootTag('w:document')
  part.write(`${root.open}<w:body>`)
  const body = new Body(part.write, context, notes, outline)
  for await (const { page, around } of inContext(pages)) if (page) body.page(page, furnitureOf(page, around), around(1))
  body.end()
  part.write(`</w:body>${root.close}`)
  part.end()
  notes.end()
  writePart(office, part, 'styles', stylesXml())
  writePart(office, part, 'settings', settingsXml(notes.properties(true)))
  writePart(office, part, 'numbering', shared.numbering.xml())
  writeProperties(office, { title, madeAt })
  return office.close()
}
