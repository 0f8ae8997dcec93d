/** A Word document as its preview shows it. Lengths are points. */
export interface TextLook {
  readonly fonts: readonly string[]
  readonly size: number
  readonly isBold: boolean
  readonly isItalic: boolean
  readonly isUnderlined: boolean
  readonly isStruck: boolean
  readonly colour: string | undefined
  readonly fill: string | undefined
  readonly script: 'super' | 'sub' | undefined
  readonly spacing: number
}

/** What stands in a line. */
export type Inline =
  | { readonly kind: 'text'; readonly text: string; readonly look: TextLook }
  | { readonly kind: 'tab' }
  | { readonly kind: 'break' }
  | { readonly kind: 'page-number'; readonly look: TextLook }
  | { readonly kind: 'picture'; readonly path: string; readonly width: number; readonly height: number }

/** Where text goes on after a tab, from its column's side. */
export interface TabStop {
  readonly at: number
  readonly align: 'left' | 'center' | 'right'
  readonly hasDots: boolean
}

/** A paragraph. */
export interface DocxParagraph {
  readonly kind: 'paragraph'
  readonly level: number | undefined
  readonly align: 'left' | 'center' | 'right' | 'justify'
  readonly before: number
  readonly after: number
  /** From baseline to baseline; undefined where it follows from the letters. */
  readonly line: number | undefined
  readonly left: number
  readonly right: number
  readonly first: number
  readonly mark: string | undefined
  readonly stops: readonly TabStop[]
  readonly inlines: readonly Inline[]
  readonly beginsColumn: boolean
}

/** A cell's side; none where nothing is drawn. */
export type Side = { readonly width: number; readonly colour: string; readonly isDashed: boolean } | undefined

/** A cell with what is in it. */
export interface DocxCell {
  readonly columns: number
  rows: number
  readonly sides: readonly [top: Side, right: Side, bottom: Side, left: Side]
  readonly fill: string | undefined
  readonly vertical: 'top' | 'middle' | 'bottom'
  readonly turn: 'tbRl' | 'btLr' | undefined
  readonly blocks: readonly DocxBlock[]
}

/** A table. */
export interface DocxTable {
  readonly kind: 'table'
  readonly left: number
  readonly widths: readonly number[]
  readonly rows: readonly { readonly height: number; readonly cells: readonly DocxCell[] }[]
}

/** What follows one another. */
export type DocxBlock = DocxParagraph | DocxTable

/** What stands at its place on a page, whatever flows around it. */
export interface DocxFloat {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
  readonly isBehind: boolean
  readonly content:
    { readonly path: string } | { readonly blocks: readonly DocxBlock[]; readonly direction: string; readonly isUpsideDown: boolean }
}

/** A part of a page whose text stands in so many columns. */
export interface DocxPart {
  readonly columns: number
  readonly gap: number
  readonly isVertical: boolean
  readonly blocks: DocxBlock[]
}

/** A footnote; its own mark is among its text. */
export type DocxNote = readonly DocxBlock[]

/** A page, as its breaks tell. */
export interface DocxPage {
  readonly number: number
  readonly width: number
  readonly height: number
  readonly margin: { readonly top: number; readonly right: number; readonly bottom: number; readonly left: number }
  readonly header: { readonly from: number; readonly blocks: readonly DocxBlock[] }
  readonly footer: { readonly from: number; readonly blocks: readonly DocxBlock[] }
  readonly parts: DocxPart[]
  /** Those that its text calls. */
  readonly notes: DocxNote[]
  readonly floats: DocxFloat[]
}
