import { jpegTables, type JpegTables, type Steps } from './jpeg-tables.ts'
import { latticeFit, squaresOf, type Origin } from './lattice.ts'
import type { Rgb } from '../effect.ts'
import { chromaSteps, lumaSteps } from '../math/jpeg-steps.ts'

/** How an upright picture was compressed. */
export interface Layout {
  readonly luma: Steps
  readonly chroma?: JpegTables['chroma'] | undefined
  /** Where squares of 16 × 16 begin, modulo 16: two of 8 each way, or one of chroma that is sampled at every second pixel. */
  readonly origin: Origin
  /** Whether the picture's frequencies do lie at multiples of the steps. */
  readonly isSure: boolean
  /** Whether no file said so: then nothing is known of how chroma was sampled. */
  readonly isGuessed: boolean
}

/** Squares that are looked at, and how many frequencies must tell before a fit counts. */
const [SQUARES, TELLING] = [2000, 60]
/** The least fit of frequencies that were quantised by these steps. */
const LEAST_FIT = 0.4

const turned = (steps: Steps): Steps => steps.map((_, at) => steps[(at % 8) * 8 + (at >> 3)] ?? 1)

/** Tables as they are when the stored picture was turned by a quarter. */
const turnedTables = ({ width, height, luma, chroma }: JpegTables): JpegTables => ({
  width: height,
  height: width,
  luma: turned(luma),
  ...(chroma && { chroma: { steps: turned(chroma.steps), across: chroma.down, down: chroma.across } }),
})

/** Both ways a side may lie: a mirrored one has its first square at its end. */
const starts = (side: number): readonly number[] => (side % 16 === 0 ? [0] : [0, side % 16])

/**
 * How a picture was compressed, as its file tells. Which way it was turned upright shows in its samples: only where squares and tables lie as they did
 * do frequencies come in whole steps.
 */
function fromFile(picture: Rgb, tables: JpegTables): Layout | undefined {
  const { width, height } = picture
  const ways = [tables, turnedTables(tables)].filter((way) => way.width === width && way.height === height)
  const layouts = ways.flatMap(({ luma, chroma }) =>
    starts(width).flatMap((left) => starts(height).map((top) => ({ luma, chroma, origin: { left, top } }))),
  )
  const fits = layouts.map((layout) => {
    const { left, top } = layout.origin
    const { fit, count } = latticeFit(squaresOf(picture, { left: left % 8, top: top % 8 }, SQUARES), layout.luma)
    return { ...layout, fit, isSure: count >= TELLING && fit >= LEAST_FIT, isGuessed: false }
  })
  return fits.toSorted((a, b) => b.fit - a.fit)[0]
}

/** At which of eight columns (or rows) steps between neighbours are largest, as where squares begin. */
function seamOf({ data, width, height }: Rgb, isAcross: boolean): number {
  const sums = new Float64Array(8)
  const gap = isAcross ? 3 : width * 3
  const [long, short] = isAcross ? [width, height] : [height, width]
  const skip = Math.max(1, Math.floor(short / 256))
  for (let line = 0; line < short; line += skip)
    for (let at = 2; at < long - 1; at++) {
      const from = (isAcross ? line * width + at : at * width + line) * 3 + 1
      const [a = 0, b = 0, c = 0, d = 0] = [data[from - 2 * gap], data[from - gap], data[from], data[from + gap]]
      // What the step is more than the slopes beside it: an edge of the picture counts little, being anywhere.
      sums[at % 8] = (sums[at % 8] ?? 0) + Math.min(8, Math.max(0, Math.abs(c - b) - (Math.abs(b - a) + Math.abs(d - c)) / 2))
    }
  return sums.indexOf(Math.max(...sums))
}

/** How a picture that is no JPEG any more was compressed when it was one, by Annex K's tables, if its frequencies say so. */
function guessed(picture: Rgb): Layout | undefined {
  const origin = { left: seamOf(picture, true), top: seamOf(picture, false) }
  const squares = squaresOf(picture, origin, SQUARES)
  const fits = Array.from({ length: 85 }, (_, at) => {
    const luma = lumaSteps(at + 5)
    return { quality: at + 5, luma, ...latticeFit(squares, luma) }
  }).filter(({ count }) => count >= TELLING * 3)
  const best = Math.max(...fits.map(({ fit }) => fit))
  // Finer steps that divide the true ones fit as well: the coarsest counts.
  const found = fits.find(({ fit }) => fit > 0.9 * best)
  if (!found || best < 0.6) return undefined
  const chroma = { steps: chromaSteps(found.quality), across: 1, down: 1 } as const
  return { luma: found.luma, chroma, origin, isSure: true, isGuessed: true }
}

/** How a picture was compressed: as its file says, else as its samples do; undefined where neither tells. */
export function layoutOf(picture: Rgb, jpeg: Uint8Array | undefined): Layout | undefined {
  if (!jpeg) return guessed(picture)
  const tables = jpegTables(jpeg)
  return tables && fromFile(picture, tables)
}
