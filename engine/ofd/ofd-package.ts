import { randomUUID } from 'node:crypto'
import { element, escapedText } from '../office/xml.ts'
import type { PageModel } from '../pdf/page-model.ts'
import { createZip, type ZipFile } from '../zip-file.ts'
import { FontResources } from './font-resources.ts'
import { MediaResources } from './media-resources.ts'
import { pageBox, pageXml } from './page-xml.ts'
import { DECLARATION, OFD } from './units.ts'

/** What a document says of itself. */
export interface OfdFacts {
  readonly title?: string
  readonly author?: string
  readonly subject?: string
  readonly keywords?: readonly string[]
  readonly created?: Date
}

/** An OFD file (GB/T 33190-2016) on its way to disk, page by page. */
export interface OfdPackage {
  readonly page: (page: PageModel) => void
  /** Writes what all pages share, and answers how many bytes the file has. */
  readonly close: () => number
}

const DOCUMENT = 'Doc_0'
const CREATOR = '轻图'

const day = (date: Date): string => date.toISOString().slice(0, 10)

function entry(zip: ZipFile, path: string, pieces: Iterable<string>): void {
  const text = zip.text(path)
  text.write(DECLARATION)
  for (const piece of pieces) text.write(piece)
  text.end()
}

const fact = (name: string, value: string | undefined): string | undefined =>
  value === undefined || value.trim() === '' ? undefined : element(name, {}, escapedText(value.trim()))

function rootXml({ title, author, subject, keywords = [], created }: OfdFacts): string {
  const now = new Date()
  const info = element(
    'ofd:DocInfo',
    {},
    element('ofd:DocID', {}, randomUUID().replaceAll('-', '')),
    fact('ofd:Title', title),
    fact('ofd:Author', author),
    fact('ofd:Subject', subject),
    element('ofd:CreationDate', {}, day(created ?? now)),
    element('ofd:ModDate', {}, day(now)),
    keywords.length > 0 ? element('ofd:Keywords', {}, ...keywords.map((word) => fact('ofd:Keyword', word))) : undefined,
    fact('ofd:Creator', CREATOR),
  )
  const body = element('ofd:DocBody', {}, info, element('ofd:DocRoot', {}, `${DOCUMENT}/Document.xml`))
  return element('ofd:OFD', { ...OFD, Version: '1.0', DocType: 'OFD' }, body)
}

/** Begins an OFD in a file of its own. */
export function createOfd(path: string, facts: OfdFacts): OfdPackage {
  const zip = createZip(path)
  let lastId = 0
  const nextId = (): number => (lastId += 1)
  const fonts = new FontResources(zip, `${DOCUMENT}/Res`, nextId)
  const media = new MediaResources(zip, `${DOCUMENT}/Res`, nextId)
  const resources = { fonts, media, nextId }
  const pages: string[] = []
  let firstBox: string | undefined
  entry(zip, 'OFD.xml', [rootXml(facts)])
  /** Writes resources as a part of the package, and answers what refers to it. */
  const resourcesPart = (name: 'PublicRes' | 'DocumentRes', xml: string | undefined): string | undefined => {
    if (xml === undefined) return undefined
    entry(zip, `${DOCUMENT}/${name}.xml`, [element('ofd:Res', { ...OFD, BaseLoc: 'Res' }, xml)])
    return element(`ofd:${name}`, {}, `${name}.xml`)
  }
  return {
    page(page) {
      const place = `Pages/Page_${pages.length}/Content.xml`
      firstBox ??= pageBox(page)
      entry(zip, `${DOCUMENT}/${place}`, pageXml(page, resources))
      pages.push(element('ofd:Page', { ID: nextId(), BaseLoc: place }))
    },
    close() {
      const fontsPart = resourcesPart('PublicRes', fonts.close())
      const mediaPart = resourcesPart('DocumentRes', media.xml())
      const common = element(
        'ofd:CommonData',
        {},
        element('ofd:MaxUnitID', {}, String(lastId)),
        element('ofd:PageArea', {}, firstBox),
        fontsPart,
        mediaPart,
      )
      const document = element('ofd:Document', OFD, common, element('ofd:Pages', {}, ...pages))
      entry(zip, `${DOCUMENT}/Document.xml`, [document])
      return zip.close()
    },
  }
}
