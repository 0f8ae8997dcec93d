import { randomUUID } from 'node:crypto'
import { element, escapedText } from '../office/xml.ts'
import type { Link, OutlineEntry, PageModel } from '../pdf/page-model.ts'
import { createZip, type ZipFile } from '../zip-file.ts'
import { FontResources } from './font-resources.ts'
import { MediaResources } from './media-resources.ts'
import { linksXml, outlineXml } from './navigation.ts'
import { pageBox, pageXml } from './page-xml.ts'
import { DECLARATION, OFD } from './units.ts'

/** An OFD file (GB/T 33190-2016) on its way to disk, page by page. */
export interface OfdPackage {
  readonly page: (page: PageModel) => void
  /** Writes what all pages share, and answers how many bytes the file has. */
  readonly close: (outline: readonly OutlineEntry[]) => number
}

const DOCUMENT = 'Doc_0'
const CREATOR = '轻图'

function entry(zip: ZipFile, path: string, pieces: Iterable<string>): void {
  const text = zip.text(path)
  text.write(DECLARATION)
  for (const piece of pieces) text.write(piece)
  text.end()
}

function rootXml(title: string | undefined, date: string): string {
  const info = element(
    'ofd:DocInfo',
    {},
    element('ofd:DocID', {}, randomUUID().replaceAll('-', '')),
    title === undefined ? undefined : element('ofd:Title', {}, escapedText(title)),
    element('ofd:CreationDate', {}, date),
    element('ofd:Creator', {}, CREATOR),
  )
  const body = element('ofd:DocBody', {}, info, element('ofd:DocRoot', {}, `${DOCUMENT}/Document.xml`))
  return element('ofd:OFD', { ...OFD, Version: '1.0', DocType: 'OFD' }, body)
}

/** Pages by their numbers in the source. */
class Pages {
  readonly ids = new Map<number, number>()
  readonly links = new Map<number, readonly Link[]>()
  #elements = ''
  #firstBox: string | undefined

  /** Where the page goes that is added. */
  add(page: PageModel, id: number): string {
    const place = `Pages/Page_${this.ids.size}/Content.xml`
    this.ids.set(page.number, id)
    if (page.links) this.links.set(page.number, page.links)
    this.#firstBox ??= pageBox(page)
    this.#elements += element('ofd:Page', { ID: id, BaseLoc: place })
    return `${DOCUMENT}/${place}`
  }

  get xml(): string {
    return element('ofd:Pages', {}, this.#elements)
  }

  get area(): string {
    return element('ofd:PageArea', {}, this.#firstBox)
  }
}

/** Writes links as notes of their pages, and answers what refers to them. */
function writeLinks(zip: ZipFile, { ids, links }: Pages, date: string, nextId: () => number): string | undefined {
  let listed = ''
  for (const [number, id] of ids) {
    const notes = linksXml(links.get(number) ?? [], ids, { creator: CREATOR, date }, nextId)
    if (notes === undefined) continue
    const place = `Page_${id}/Annotation.xml`
    entry(zip, `${DOCUMENT}/Annots/${place}`, [element('ofd:PageAnnot', OFD, notes)])
    listed += element('ofd:Page', { PageID: id }, element('ofd:FileLoc', {}, place))
  }
  if (listed === '') return undefined
  entry(zip, `${DOCUMENT}/Annots/Annotations.xml`, [element('ofd:Annotations', OFD, listed)])
  return element('ofd:Annotations', {}, 'Annots/Annotations.xml')
}

/** Writes resources as a part of the package, and answers what refers to it. */
function writeResources(zip: ZipFile, name: 'PublicRes' | 'DocumentRes', xml: string | undefined): string | undefined {
  if (xml === undefined) return undefined
  entry(zip, `${DOCUMENT}/${name}.xml`, [element('ofd:Res', { ...OFD, BaseLoc: 'Res' }, xml)])
  return element(`ofd:${name}`, {}, `${name}.xml`)
}

/** Begins an OFD in a file of its own. */
export function createOfd(path: string, title?: string): OfdPackage {
  const zip = createZip(path)
  let lastId = 0
  const nextId = (): number => (lastId += 1)
  const fonts = new FontResources(zip, `${DOCUMENT}/Res`, nextId)
  const media = new MediaResources(zip, `${DOCUMENT}/Res`, nextId)
  const pages = new Pages()
  const date = new Date().toISOString().slice(0, 10)
  entry(zip, 'OFD.xml', [rootXml(title, date)])
  return {
    page: (page) => entry(zip, pages.add(page, nextId()), pageXml(page, { fonts, media, nextId })),
    close(outline) {
      const resources = [writeResources(zip, 'PublicRes', fonts.close()), writeResources(zip, 'DocumentRes', media.xml())]
      const annotations = writeLinks(zip, pages, date, nextId)
      const common = element('ofd:CommonData', {}, element('ofd:MaxUnitID', {}, String(lastId)), pages.area, ...resources)
      const document = element('ofd:Document', OFD, common, pages.xml, outlineXml(outline, pages.ids), annotations)
      entry(zip, `${DOCUMENT}/Document.xml`, [document])
      return zip.close()
    },
  }
}
