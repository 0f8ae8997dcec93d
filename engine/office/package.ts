import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { element, XML_DECLARATION } from './xml.ts'
import type { StoredPicture } from '../pdf/page-model.ts'
import { createZip, type TextEntry } from '../zip-file.ts'

const OFFICE_RELATIONSHIPS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'

/** What a part relates to; answers are ids: `rId1`, `rId2`, … A kind is the last word of its type (`styles`), or a whole type of another vocabulary. */
export interface Relations {
  /** Relates to a part of the package by its path from the root (`word/styles.xml`). The same pair twice is one relation. */
  readonly part: (kind: string, path: string) => string
  /** Relates to an address outside. */
  readonly address: (kind: string, url: string) => string
}

/** A part whose XML is written piece by piece. */
export interface Part {
  readonly relations: Relations
  readonly write: (xml: string) => void
  readonly end: () => void
}

/** An Open Packaging file (ISO/IEC 29500-2) on its way to disk. */
export interface OfficePackage {
  readonly relations: Relations
  /** Begins a part; several may be open at a time. Its XML declaration is written already. */
  readonly part: (path: string, contentType: string) => Part
  /** A picture's path in the package; a picture that is used often is there once. */
  readonly media: (folder: string, picture: StoredPicture) => string
  /** Writes pictures, relationships and content types, and answers how many bytes the file has. */
  readonly close: () => number
}

interface Relation {
  readonly type: string
  readonly target: string
  readonly isOutside: boolean
}

function relationsIn(kept: Map<string, Relation[]>, owner: string): Relations {
  const list: Relation[] = []
  const ids = new Map<string, string>()
  kept.set(owner, list)
  const relate = (kind: string, target: string, isOutside: boolean): string => {
    const key = `${kind} ${target}`
    const known = ids.get(key)
    if (known !== undefined) return known
    list.push({ type: kind.includes(':') ? kind : `${OFFICE_RELATIONSHIPS}/${kind}`, target, isOutside })
    const id = `rId${list.length}`
    ids.set(key, id)
    return id
  }
  const folder = posix.dirname(owner)
  // Not all readers know targets from the root.
  return { part: (kind, path) => relate(kind, posix.relative(folder, path), false), address: (kind, url) => relate(kind, url, true) }
}

const relationsXml = (relations: readonly Relation[]): string =>
  element(
    'Relationships',
    { xmlns: `${PACKAGE}/relationships` },
    ...relations.map(({ type, target, isOutside }, at) =>
      element('Relationship', { Id: `rId${at + 1}`, Type: type, Target: target, TargetMode: isOutside ? 'External' : undefined }),
    ),
  )

/** `word/document.xml` has its relationships in `word/_rels/document.xml.rels`; the package itself in `_rels/.rels`. */
const relationsPath = (owner: string): string => owner.replace(/[^/]*$/, (name) => `_rels/${name}.rels`)

const DEFAULT_TYPES = {
  rels: 'application/vnd.openxmlformats-package.relationships+xml',
  xml: 'application/xml',
  jpeg: 'image/jpeg',
  png: 'image/png',
}

const typesXml = (parts: ReadonlyMap<string, string>): string =>
  element(
    'Types',
    { xmlns: `${PACKAGE}/content-types` },
    ...Object.entries(DEFAULT_TYPES).map(([Extension, ContentType]) => element('Default', { Extension, ContentType })),
    ...[...parts].map(([path, ContentType]) => element('Override', { PartName: `/${path}`, ContentType })),
  )

/** Begins a package in a file of its own. */
export function createPackage(path: string): OfficePackage {
  const zip = createZip(path)
  const types = new Map<string, string>()
  const relations = new Map<string, Relation[]>()
  const pictures = new Map<string, string>()
  const begin = (name: string): TextEntry => {
    const entry = zip.text(name)
    entry.write(XML_DECLARATION)
    return entry
  }
  // Readers that tell a file by its first bytes look for this one there.
  const typesEntry = begin('[Content_Types].xml')
  return {
    relations: relationsIn(relations, ''),
    part(name, contentType) {
      types.set(name, contentType)
      return { relations: relationsIn(relations, name), ...begin(name) }
    },
    media(folder, picture) {
      const known = pictures.get(picture.path)
      const name = known ?? `${folder}/image${pictures.size + 1}.${picture.format}`
      pictures.set(picture.path, name)
      return name
    },
    close() {
      typesEntry.write(typesXml(types))
      typesEntry.end()
      for (const [owner, list] of relations) {
        if (list.length === 0) continue
        const entry = begin(relationsPath(owner))
        entry.write(relationsXml(list))
        entry.end()
      }
      for (const [source, name] of pictures) zip.stored(name, readFileSync(source))
      return zip.close()
    },
  }
}
