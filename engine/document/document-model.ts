import type { Painted } from '../pdf/painted.ts'
import type { LinkTarget, OutlineEntry, PdfFont, StoredPicture } from '../pdf/page-model.ts'

export type { LinkTarget, OutlineEntry } from '../pdf/page-model.ts'

/*
 * What a PDF's pages say, between reading them and writing them as something else. All lengths are points; boxes are counted from the left top
 * corner of the page as a reader sees it.
 */

/** Where something stands on its page. */
export interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** How letters look. */
export interface TextStyle {
  readonly font: PdfFont
  readonly size: number
  readonly isBold: boolean
  readonly isItalic: boolean
  readonly isUnderlined: boolean
  readonly isStruck: boolean
  /** `#rrggbb`. */
  readonly colour: string
  /** The colour behind the letters alone, `#rrggbb`. */
  readonly highlight?: string
  readonly script?: 'super' | 'sub'
  /** Drawn by no ink: a scan beneath shows what the letters say. */
  readonly isHidden?: true
}

/** Letters of one style. */
export interface Run {
  readonly text: string
  readonly style: TextStyle
  /** How far they reached on the page. */
  readonly width: number
  readonly target?: LinkTarget
  /** The place among its page's notes of the one it calls; in a note, of the note whose mark it is. */
  readonly note?: number
}

/** A line as it stood on the page. Its runs hold `\t` where a gap parted it, at `stops`. */
export interface Line extends Box {
  /** The baseline. */
  readonly base: number
  readonly runs: readonly Run[]
}

/** Where text goes on after a tab, from the left of the page. */
export interface TabStop {
  readonly at: number
  readonly align: 'left' | 'right' | 'centre' | 'decimal'
  /** What fills the way there (the dots of a table of contents). */
  readonly leader?: '.' | '-'
  /** The letters that filled it. */
  readonly fill?: string
}

/** How a list's item is marked; the mark itself is not in the runs. */
export interface ListMark {
  /** As it is written: `•`, `1.`, `（一）`, `a)`. */
  readonly text: string
  /** From 0. */
  readonly level: number
  /** Its number where it counts: `3` of `3.` and of `（三）`. */
  readonly number?: number
  readonly style: TextStyle
  /** Where the mark begins. */
  readonly left: number
}

/** Lines that read as one. */
export interface Paragraph extends Box {
  readonly kind: 'paragraph'
  /** What it says, its lines joined (no hyphens of lines' ends, spaces between words only). */
  readonly runs: readonly Run[]
  /** The same as it stood. */
  readonly lines: readonly [Line, ...Line[]]
  readonly align: 'left' | 'centre' | 'right' | 'justify'
  /** Where its first line begins and where the others do. */
  readonly firstLeft: number
  readonly left: number
  /** From baseline to baseline; for a single line what its letters need. */
  readonly pitch: number
  /** A heading's level, from 1. */
  readonly heading?: number
  readonly list?: ListMark
  readonly stops: readonly TabStop[]
}

/** A cell's side as it is drawn. */
export interface Border {
  readonly width: number
  readonly colour: string
  readonly isDashed?: boolean
}

/** A cell: its first and last row and column from 0 (a merged one stands once), and what is in it. */
export interface TableCell {
  readonly firstRow: number
  readonly lastRow: number
  readonly firstColumn: number
  readonly lastColumn: number
  readonly blocks: readonly Block[]
  readonly borders: { readonly top?: Border; readonly right?: Border; readonly bottom?: Border; readonly left?: Border }
  /** `#rrggbb`. */
  readonly fill?: string
  /** Its ground is a gradient or a pattern; `fill` is what that comes to on the whole. */
  readonly isPatterned?: true
  readonly vertical: 'top' | 'middle' | 'bottom'
  /** How its text is turned, in quarters clockwise; its paragraphs are counted as a floating one's are. */
  readonly turn: 0 | 1 | 3
}

/** A table with rules or without; `columns` and `rows` are the places of the lines of its grid, one more than there are columns and rows. */
export interface Table extends Box {
  readonly kind: 'table'
  readonly columns: readonly number[]
  readonly rows: readonly number[]
  readonly cells: readonly TableCell[]
  /** Rows at its head that say what columns hold; of one that goes on, those that say it again. */
  readonly headRows: number
  /** It goes on from the last page's last table. */
  readonly isContinued: boolean
}

/** A picture: of the file, or drawn from the page where the file drew. */
export interface Picture extends Box {
  readonly kind: 'picture'
  readonly picture: StoredPicture
  /** Text stands on it, or beside it in the same place. */
  readonly isBehind: boolean
}

/** What follows one another in a column. */
export type Block = Paragraph | Table | Picture

/** Blocks one under the other, between a column's sides. */
export interface Column {
  readonly left: number
  readonly right: number
  readonly blocks: readonly Block[]
}

/** A part of a page, from its top down, in one column or in several side by side. */
export interface Section {
  readonly top: number
  readonly bottom: number
  readonly columns: readonly [Column, ...Column[]]
}

/** Text that runs another way than its page's (turned, written downwards) or stands over other things. */
export interface Floating {
  /** Counted as for a page turned so that its lines run to the right. */
  readonly paragraph: Paragraph
  /** On the page as it is. */
  readonly box: Box
  /** Quarters clockwise. */
  readonly turn: 0 | 1 | 2 | 3
  readonly isVertical: boolean
  /** Where it runs aslant, clockwise in radians: its paragraph is counted along its lines, and its box about its middle as if it were not. */
  readonly slant?: number
}

/** A footnote, or a part of one, between its column's sides: its mark is the head of its first paragraph. */
export interface Note extends Box {
  readonly paragraphs: readonly [Paragraph, ...Paragraph[]]
}

/** The notes at a page's foot. */
export interface PageNotes {
  /** Those that the page's text calls. */
  readonly own: readonly Note[]
  /** The end of the last note of the page before. */
  readonly carried?: Note
  /** The rules that part them from the text. */
  readonly rules: readonly Box[]
}

/** A page as it reads. */
export interface PageLayout {
  /** From 1, in the PDF. */
  readonly number: number
  readonly width: number
  readonly height: number
  /** What repeats at the top and the foot of pages, or stands there like it. */
  readonly header: readonly Block[]
  readonly footer: readonly Block[]
  readonly sections: readonly Section[]
  /** Left out where there are none. */
  readonly notes?: PageNotes
  readonly floating: readonly Floating[]
  /** Pictures that stand where they stand, whatever flows around them; in the order they are painted. */
  readonly pictures: readonly Picture[]
  /** All of it exactly as it is painted; left out where nobody asked for it. */
  readonly painted?: readonly Painted[]
  /**
   * The page's text runs downwards, its lines from the right (竖排). Header, footer and sections are then counted as for a page turned by a quarter against
   * the clock: `left` is how far from the page's top, `top` how far from its right side.
   */
  readonly isVertical: boolean
}

/** A whole document. */
export interface DocumentModel {
  readonly title?: string
  readonly pages: readonly PageLayout[]
  readonly outline: readonly OutlineEntry[]
}
