import type { FontProgram } from './font-program.ts'
import type { Matrix } from './matrix.ts'
import type { Bounds, Outline } from './outline.ts'
import type { PdfFont, PlacedImage } from './page-model.ts'

/*
 * What is painted on a page, exactly and in its order: for formats that show a page as it is. Lengths are points, places are counted from the
 * left top corner of the page as a reader sees it.
 */

/** What of a page may be painted on: within a rectangle, and within each of the shapes. */
export interface Clip {
  readonly within: Bounds
  readonly shapes: readonly { readonly outline: Outline; readonly isEvenOdd: boolean }[]
}

/** Colours along a line, or from one circle to another. */
export interface Gradient {
  /** The line's ends; the circles' centres. */
  readonly from: readonly [number, number]
  readonly to: readonly [number, number]
  /** The circles' radii; left out for a line. */
  readonly radii?: readonly [number, number]
  /** Places from 0 to 1 with their colours, `#rrggbb`. */
  readonly stops: readonly (readonly [number, string])[]
  readonly extends: readonly [boolean, boolean]
}

/** What paint is made of. */
export interface Ink {
  /** `#rrggbb`. Where a gradient stands beside it, what a reader without gradients may show. */
  readonly colour: string
  /** From 0 to 1. */
  readonly opacity: number
  readonly gradient?: Gradient
}

/** How a line is drawn, after all maps. */
export interface Pen {
  readonly width: number
  readonly cap: 'butt' | 'round' | 'square'
  readonly join: 'miter' | 'round' | 'bevel'
  readonly miterLimit: number
  /** Lengths of dashes and gaps in turn; empty for an unbroken line. */
  readonly dashes: readonly number[]
  readonly dashPhase: number
}

/** What is painted with: inside, along the outline, or both. */
export interface Paint {
  readonly fill?: Ink
  readonly stroke?: Ink & { readonly pen: Pen }
}

/**
 * That how something comes out only a renderer can tell: it is seen through a mask or made of tiles, or it is mixed with what lies below it, where
 * something does.
 */
export type Composed = 'by itself' | 'with what is below'

/** A path that is filled, stroked, or both. */
export interface PaintedPath extends Paint {
  readonly kind: 'path'
  readonly outline: Outline
  readonly isEvenOdd: boolean
  readonly clip: Clip
  readonly composed?: Composed
}

/** One glyph of a piece of text; its origin is in the text's own space. */
export interface PaintedGlyph {
  readonly text: string
  /** Its number in the font's program; left out where the font has no program or not this glyph. */
  readonly code?: number
  readonly x: number
  readonly y: number
  /** How far the line goes on for it. */
  readonly advance: number
}

/** Glyphs of one font, shown together. Neither fill nor stroke: text that is there to be found but not seen. */
export interface PaintedText extends Paint {
  readonly kind: 'text'
  readonly font: PdfFont
  readonly program: FontProgram | undefined
  /** The font's em in the text's own space. */
  readonly size: number
  /** From the text's own space, whose y axis goes up, to the page. */
  readonly map: Matrix
  readonly glyphs: readonly PaintedGlyph[]
  readonly clip: Clip
}

/** A picture in its place. */
export interface PaintedPicture {
  readonly kind: 'picture'
  readonly image: PlacedImage
  readonly opacity: number
  readonly clip: Clip
  readonly composed?: Composed
}

/** One thing that is painted. */
export type Painted = PaintedPath | PaintedText | PaintedPicture
