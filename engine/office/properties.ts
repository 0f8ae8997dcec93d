import type { OfficePackage } from './package.ts'
import { element, escapedText } from './xml.ts'

const CORE = 'http://schemas.openxmlformats.org/package/2006/metadata/core-properties'

/** What a file says of itself. */
export interface Properties {
  readonly title?: string | undefined
  readonly madeAt: Date
}

/** Writes the core properties (ISO/IEC 29500-2 §11); the title only where there is one. */
export function writeProperties(office: OfficePackage, { title, madeAt }: Properties): void {
  const path = 'docProps/core.xml'
  const part = office.part(path, 'application/vnd.openxmlformats-package.core-properties+xml')
  const time = `${madeAt.toISOString().slice(0, 19)}Z`
  const names = {
    'xmlns:cp': CORE,
    'xmlns:dc': 'http://purl.org/dc/elements/1.1/',
    'xmlns:dcterms': 'http://purl.org/dc/terms/',
    'xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance',
  }
  const date = { 'xsi:type': 'dcterms:W3CDTF' }
  part.write(
    element(
      'cp:coreProperties',
      names,
      title === undefined ? undefined : element('dc:title', {}, escapedText(title)),
      element('dcterms:created', date, time),
      element('dcterms:modified', date, time),
    ),
  )
  part.end()
  office.relations.part('http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties', path)
}
