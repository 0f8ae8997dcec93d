import type { Size } from '#shared/resize'

/** An opaque picture: 8-bit red, green and blue interleaved, rows from the top, in sRGB or whatever profile its file says. */
export interface Rgb extends Size {
  readonly data: Uint8Array
}

/** Where a part lies in the picture that was measured: its left top pixel, and the size of the whole. */
export interface Place {
  readonly left: number
  readonly top: number
  readonly whole: Size
}

/** What an effect may know of the file beside its pixels. */
export interface Source {
  /** The file itself, where it is a JPEG: its tables say how it was compressed. */
  readonly jpeg?: Uint8Array
}

/**
 * An effect of which any part of a picture can be had by itself, once the whole has been measured: the engine makes a picture of strips, the page's
 * preview only what is looked at, both by the same functions, and no seam shows because a strip is given what lies around it.
 */
export interface Effect<Options, Measure> {
  /** Whether `measure` asks what the file says; else nobody reads it for that. */
  readonly readsFile?: true
  /**
   * What the whole picture tells under these options, as plain data: found once, then used for every part. Of a large picture samples are enough;
   * at most about 0.3 s a megapixel. `undefined` where nothing is to be done: the picture stays as it is.
   */
  readonly measure: (picture: Rgb, options: Options, source: Source) => Measure | undefined
  /** How far around a pixel its result depends on others, in pixels; 0 where each pixel stands alone. */
  readonly reach: (measure: Measure) => number
  /**
   * The result of a part, of the same size. It is right wherever `reach` pixels lie around it in `part` or the picture ends there; what is nearer
   * to a cut edge is thrown away by the caller.
   */
  readonly apply: (part: Rgb, measure: Measure, place: Place) => Uint8Array
}
