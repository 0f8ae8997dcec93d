import type { LinkTarget } from '#engine/document/document-model'
import type { OfficePackage, Relations } from '../package.ts'
import type { Numbering } from './numbering.ts'

/** A note's mark as runs: its place among its page's notes, what it says, and how it looks as run properties. */
export type NoteRun = (place: number, says: string, properties: string) => string

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
  readonly note: NoteRun
}
