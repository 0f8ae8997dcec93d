import type { LinkTarget } from '#engine/document/document-model'
import type { OfficePackage, Relations } from '../package.ts'
import type { Numbering } from './numbering.ts'

/** What a document's parts share while they are written. */
export interface DocxContext {
  readonly office: OfficePackage
  readonly numbering: Numbering
  /** Of drawings and bookmarks: no two are alike in a document. */
  readonly nextId: () => number
  /** The bookmark a link within the document leads to. */
  readonly anchorOf: (target: LinkTarget & { readonly page: number }) => string | undefined
}

/** The same with what the part at hand relates to. */
export interface PartContext extends DocxContext {
  readonly relations: Relations
}
