import type { Box } from './box.ts'
import type { Matrix } from './matrix.ts'
import type { Painted } from './painted.ts'
import type { Size } from '#shared/resize'

/** A font as a page uses it. */
export interface PdfFont {
  /** The PostScript or family name without its subset tag, in Unicode (宋体, TimesNewRomanPS-BoldMT). */
  readonly name: string
  readonly isBold: boolean
  readonly isItalic: boolean
  readonly isSerif: boolean
  readonly isMonospace: boolean
  readonly isVertical: boolean
  /** Nothing in the file says what its glyphs stand for, and their numbers were taken for it. */
  readonly isUnmapped?: boolean
  /** Width of a glyph space unit in text space: 0.001, save in Type 3 fonts. */
  readonly unit: number
  /** The same all over a document; only for a font that the file holds, whose glyphs look as they were meant to. */
  readonly id?: string
  /** The number that a code's glyph has in the font's file. */
  readonly glyphOf?: (code: number) => number | undefined
  /** As the file names it, its subset tag included. */
  readonly fullName?: string
}

/** One glyph with what it stands for. Lengths are points from the left top corner of the page as a reader sees it. */
export interface Glyph {
  /** In Unicode; a ligature stands for several characters. */
  readonly text: string
  /** Its code in its font, of which that has one for each of its glyphs. */
  readonly code?: number
  /** Where it begins on its baseline. */
  readonly x: number
  readonly y: number
  /** How far the line goes on for it. */
  readonly advance: number
  readonly size: number
  /** Of its baseline, in radians clockwise. */
  readonly angle: number
  readonly font: PdfFont
  /** `#rrggbb`. */
  readonly colour: string
  /** Drawn by no ink, or covered by a picture: the text layer of a scan. */
  readonly isHidden: boolean
  /** What it stands for is not known; `text` is a guess. */
  readonly isGarbled?: boolean
  /** Filled and outlined, which makes a font bold that is not. */
  readonly isOutlined: boolean
}

/** A straight line along one axis, or a rectangle as thin as one. */
export interface Rule {
  readonly isHorizontal: boolean
  readonly from: number
  readonly to: number
  /** Its place on the other axis: the middle of its width. */
  readonly at: number
  readonly width: number
  readonly colour: string
  /** Made of dots. */
  readonly isDashed?: boolean
}

/** A rectangle of one colour. */
export interface Fill {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
  readonly colour: string
  /** It is painted with colours that run into each other, or with tiles or a mesh; `colour` is what they come to on the whole. */
  readonly isPatterned?: true
}

/** A picture of the document as a file: its own JPEG where it holds one, else a PNG, with what masks it as alpha. */
export interface StoredPicture extends Size {
  readonly path: string
  readonly format: 'jpeg' | 'png'
  readonly bytes: number
}

/** Where a picture stands, or what of it is seen. */
export interface PlacedImage {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
  /**
   * From the unit square of the picture as the PDF holds it (its left bottom corner the origin) to the page; left out where nobody asked for
   * pictures. The stored file is upright already: turned, mirrored and cut to what is seen, it fills the box.
   */
  readonly map?: Matrix
  /** Left out where nobody asked for pictures, or where it can't be decoded. */
  readonly picture?: StoredPicture
}

/** Where a link leads: an address, or a page of the same document (from 1) and how far down it. */
export type LinkTarget = { readonly url: string } | { readonly page: number; readonly top: number }

/** A part of a page that leads somewhere; a link over several lines is several. */
export interface Link extends Box {
  readonly target: LinkTarget
}

/** An entry of a document's outline (its bookmarks). */
export interface OutlineEntry {
  readonly title: string
  /** From 1. */
  readonly page: number
  readonly top: number
  /** From 1. */
  readonly level: number
}

/** What stands on a page, in the order in which it is painted. */
export interface PageModel extends Size {
  /** From 1. */
  readonly number: number
  readonly glyphs: readonly Glyph[]
  readonly rules: readonly Rule[]
  readonly fills: readonly Fill[]
  readonly images: readonly PlacedImage[]
  /** Around each path that runs aslant or curved: what charts, maps and diagrams are drawn of. Left out where there are none. */
  readonly slants?: readonly Box[]
  /** Share of the glyphs of which it is not known what they stand for, from 0 to 1. */
  readonly garbled?: number
  /** Left out where there are none. */
  readonly links?: readonly Link[]
  /** All of it exactly as it is painted; left out where nobody asked for it. */
  readonly painted?: readonly Painted[]
}
