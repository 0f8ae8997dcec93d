import type { Matrix } from './matrix.ts'
import type { OperatorCodes } from './open-pdf.ts'
import type { PageModel } from './page-model.ts'
import type { Painted } from './painted.ts'
import type { DrawnImage } from './pictures/drawn-image.ts'

/** The instructions of a page as pdf.js lists them. */
export interface Operators {
  readonly fnArray: readonly number[]
  readonly argsArray: readonly unknown[]
}

/** What a page's instructions are read with. */
export interface Reading {
  readonly codes: OperatorCodes
  /** From the page's own space, which begins at the left bottom corner, to the one it is seen in. */
  readonly map: Matrix
  readonly width: number
  readonly height: number
  readonly number: number
  /** What pdf.js loaded under a font's id. */
  readonly fontAt: (id: string) => unknown
  /** Whether a layer is shown. */
  readonly isShown: (layer: unknown) => boolean
  /** What pdf.js keeps under another id. */
  readonly objectAt: (id: string) => unknown
  /** How much of what is painted is written down exactly. */
  readonly keeps: number
  /** Whether text is among it; else only such of it is drawn as nothing tells otherwise. */
  readonly paintsText: boolean
}

/** What stands on a page, by its instructions; its pictures are still to be decoded. */
export interface ReadPage extends Omit<PageModel, 'painted'> {
  readonly drawn: readonly DrawnImage[]
  readonly painted: readonly Painted[]
}
