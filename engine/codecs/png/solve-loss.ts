import type { Encoding, Family } from './families.ts'
import { area, sampleRows, type Pixels } from '#engine/image/pixels'

/** An encoding with its loss; `fits` when its file, recompressed as usual, is at most the target. */
export type Solved = Encoding & { loss: number; fits: boolean }

interface Point {
  loss: number
  size: number
}

/** Pixels of the bands a large picture is searched on, and rows of one band. */
const SAMPLE_PIXELS = 500_000
const BAND_ROWS = 32

/** `tolerance` = share of the target that may stay free; `most` = encodings of a small picture or of bands, `whole` = of a larger picture. */
export interface Effort {
  tolerance: number
  most: number
  whole: number
  mayGoOn: () => boolean
}

/** The bands that stand for a picture, themselves a picture; the picture itself when it is not much larger. */
export const bandsOf = (pixels: Pixels): Pixels => sampleRows(pixels, SAMPLE_PIXELS, BAND_ROWS)

/**
 * The encoding whose file has just under `targetBytes`. Large pictures are searched on bands of about 0.5 MP; a whole
 * encoding then tells how far off the bands were, and others follow as the effort allows.
 */
export function solveLoss(family: Family, pixels: Pixels, targetBytes: number, start: number, effort: Effort): Solved {
  const bands = bandsOf(pixels)
  if (bands === pixels) return search(family, pixels, targetBytes, start, effort)
  const aimBytes = targetBytes * (1 - effort.tolerance / 2)
  let bandTarget = (aimBytes * area(bands)) / area(pixels)
  let loss = start
  let best: Solved | undefined
  for (let round = 1; ; round++) {
    const onBands = search(family, bands, bandTarget, loss, effort)
    loss = onBands.loss
    const encoding = family.encode(pixels, loss)
    const solved = { ...encoding, loss, fits: encoding.file.length <= targetBytes }
    if (!best || isNearer(solved, best)) best = solved
    const isClose = solved.fits && encoding.file.length >= targetBytes * (1 - effort.tolerance)
    const isAtEnd = solved.fits ? loss <= family.least : loss >= family.most
    if (isClose || isAtEnd || round >= effort.whole || (best.fits && !effort.mayGoOn())) return best
    // What the bands weighed at this loss against what the whole weighed tells how far the bands are from typical.
    bandTarget = (onBands.file.length * aimBytes) / encoding.file.length
  }
}

/** Whether a file uses more of the target, or, as long as none fits, is smaller. */
const isNearer = (one: Solved, other: Solved): boolean =>
  one.fits ? !other.fits || one.file.length > other.file.length : !other.fits && one.file.length < other.file.length

/** Regula falsi with bisection on ln(bytes) inside a bracket. */
function search(family: Family, pixels: Pixels, targetBytes: number, start: number, { tolerance, most, mayGoOn }: Effort): Solved {
  const aim = Math.log(targetBytes * (1 - tolerance / 2))
  let best: Solved | undefined
  let low: Point | undefined
  let last: boolean | undefined
  let sameSide = 0
  let high: Point | undefined
  let loss = Math.min(family.most, Math.max(family.least, start))
  for (let encodes = 1; ; encodes++) {
    const encoding = family.encode(pixels, loss)
    const bytes = encoding.file.length
    const fits = bytes <= targetBytes
    const solved = { ...encoding, loss, fits }
    if (!best || isNearer(solved, best)) best = solved
    const point = { loss, size: Math.log(bytes) - aim }
    sameSide = fits === (last ?? !fits) ? sameSide + 1 : 0
    last = fits
    if (fits) high = point
    else low = point
    const isClose = fits && bytes >= targetBytes * (1 - tolerance)
    const isAtEnd = fits ? loss <= family.least : loss >= family.most
    if (
      isClose ||
      isAtEnd ||
      (encodes >= most && best.fits) ||
      encodes >= most + 3 ||
      (best.fits && (encodes > 3 || best.file.length > targetBytes * 0.9) && !mayGoOn())
    )
      return best
    const next = nextLoss(low, high, family, sameSide > 0)
    if (Math.abs(next - loss) < 1e-3) return best
    loss = next
  }
}

/** `low` is too large a file, `high` fits. With one of them a usual slope serves: bytes fall by half in about 1.5 units of loss. */
const nextLoss = (low: Point | undefined, high: Point | undefined, family: Family, isStuck: boolean): number => {
  const clamp = (loss: number): number => Math.min(family.most, Math.max(family.least, loss))
  if (low && high) {
    const share = low.size / (low.size - high.size)
    // Two guesses on one side mean a bent curve: the middle is safer than the secant.
    return low.loss + (high.loss - low.loss) * (isStuck ? 0.5 : Math.min(0.9, Math.max(0.1, share)))
  }
  const known = low ?? high
  return clamp(known ? known.loss + known.size * 2 + Math.sign(known.size) * 0.05 : family.start)
}
