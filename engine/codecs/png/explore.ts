import { nearLossless, paletteFamily, type Encoding, type Family } from './families.ts'
import { bandsOf, solveLoss } from './solve-loss.ts'
import { pictureError, planes } from '#engine/image/picture-error'
import { area, resized, simplify, type Pixels } from '#engine/image/pixels'

/** One family at one scale with the loss that fits the limit; `error` as pictureError, against the source. */
export interface Candidate {
  readonly family: Family
  readonly scale: number
  readonly pixels: Pixels
  readonly loss: number
  /** How far the loss lies above what is usual in the family, 0 when it does not. */
  readonly excessLoss: number
  readonly fits: boolean
  readonly expectedBytes: number
  readonly error: number
  /** The encoding itself; of a large picture only bands were encoded. */
  readonly encoding?: Encoding
}

/** A search for one picture and limit. */
export interface Search {
  readonly limitBytes: number
  readonly keepsPixels: boolean
  readonly msLeft: () => number
  readonly startedMs: number
  readonly original: Pixels
  /** Too large to be encoded whole for every candidate: bands tell the bytes, crops the error. */
  readonly isLarge: boolean
  /** What errors are measured against: the original, or its crops when it is large. */
  readonly reference: Pixels
  readonly referencePlanes: ReturnType<typeof planes>
  readonly losslessBytes: number
}

/** Truecolour candidates need several bytes a pixel of working memory; above this only palettes are tried. */
const TRUECOLOUR_PIXELS = 32e6
/** As pictureError. */
const HARDLY_SEEN = 0.02
const SCALE_STEP = 0.8
const LEAST_LONG_SIDE_PX = 16
/** So near its least loss a family has no bytes to spend: it cannot fill the target at this scale. */
const NEAR_LEAST = 0.3
/** A single whole encoding may miss its target by so much and still count as fitting: the chosen candidate is solved again. */
const NEARLY = 1.03

/** The picture at a share of its sides. */
export async function scaled(pixels: Pixels, scale: number): Promise<Pixels> {
  const [width, height] = [Math.max(1, Math.round(pixels.width * scale)), Math.max(1, Math.round(pixels.height * scale))]
  return width === pixels.width && height === pixels.height ? pixels : simplify(await resized(pixels, width, height))
}

/** How far what a viewer sees is from the source. */
async function measure({ reference, referencePlanes }: Search, decoded: Pixels): Promise<number> {
  const { width, height } = reference
  const shown = decoded.width === width && decoded.height === height ? decoded : await resized(decoded, width, height)
  return pictureError(referencePlanes, planes(shown))
}

/** What is left, 0 to 1, of the caller's time or of what a picture of this size is worth: 4 s + 1 s per MP, at most 45 s. */
export const timeShare = ({ original, startedMs, msLeft }: Search): number => {
  const budgetMs = Math.min(startedMs, 45_000, 4000 + area(original) / 1000)
  return 1 - (startedMs - msLeft()) / budgetMs
}

/** Both families at one scale, the loss started from `near`, the candidates of a neighbouring scale; `only` leaves the other family out. */
export async function candidatesAt(
  search: Search,
  scale: number,
  near: Candidate[],
  only: Family['name'] | undefined,
): Promise<Candidate[]> {
  const pixels = await scaled(search.original, scale)
  const isHuge = area(pixels) > TRUECOLOUR_PIXELS
  const families: Family[] = []
  if (only !== 'palette' && !isHuge) families.push(nearLossless)
  if (only !== 'near-lossless' || isHuge) families.push(await paletteFamily(pixels))
  const found: Candidate[] = []
  for (const usual of families) {
    const family = { ...usual, most: usual.utmost }
    const before = near.find((c) => c.family.name === family.name)
    // A scale of 0.8 leaves 0.64 of the pixels, which frees about one unit of loss.
    const start = before ? before.loss + Math.log(scale / before.scale) * 4.5 : family.start
    const target = search.limitBytes / family.gain
    const bands = search.isLarge ? bandsOf(pixels) : pixels
    const bandTarget = (target * area(bands)) / area(pixels)
    const { file, loss, decode } = solveLoss(family, bands, bandTarget, start, {
      tolerance: 0.06,
      most: 4,
      whole: 2,
      mayGoOn: () => timeShare(search) > 0.3,
    })
    const expectedBytes = (file.length * area(pixels)) / area(bands)
    const decoded = search.isLarge ? family.encode(await scaled(search.reference, scale), loss).decode() : decode()
    // Candidates are compared as if each had filled the target: the error falls with about the 1.7th power of the bytes.
    const fill = Math.min(1, expectedBytes / target)
    const damage = await measure(search, decoded)
    const error = damage * (loss > family.least + NEAR_LEAST ? fill ** 1.7 : 1)
    // So much loss is right where it hardly shows (drawings of few colours); elsewhere fewer pixels are.
    const isPresentable = search.keepsPixels || loss <= usual.most || damage <= HARDLY_SEEN
    found.push({
      family,
      scale,
      pixels,
      loss,
      excessLoss: Math.max(0, loss - usual.most),
      fits: file.length <= bandTarget * NEARLY && isPresentable,
      expectedBytes,
      error,
      ...(!search.isLarge && { encoding: { file, decode } }),
    })
  }
  return found
}

/** Orders candidates, the most similar to the source first. */
export const byError = (a: Candidate, b: Candidate): number => a.error - b.error

interface Visit {
  /** The scale is 0.8 to this power. */
  readonly at: number
  readonly found: Candidate[]
  /** Of the best candidate that fits; infinite when none does. */
  readonly error: number
}

/** What a candidate would weigh without the loss beyond its family's usual most; there bytes fall by half in about 3.5 units. */
const bytesAtUsualLoss = ({ expectedBytes, excessLoss }: Candidate): number => expectedBytes * 2 ** (excessLoss / 3.5)

/** How many steps down the scales free the bytes that are missing; files shrink with the pixels. */
const stepsToFit = (found: readonly Candidate[], limitBytes: number): number => {
  const smallest = Math.min(...found.map(bytesAtUsualLoss))
  return Math.max(1, Math.round(Math.log(Math.sqrt(limitBytes / smallest)) / Math.log(SCALE_STEP)))
}

/**
 * Walks the scales 0.8^k: from full size when that is hopeful, else from the scale that leaves 2 bits a pixel; down until
 * something fits, then on while the error falls and time allows.
 */
export async function explore(search: Search): Promise<Candidate[]> {
  const { width, height } = search.original
  const bitsPerPixel = (search.limitBytes * 8) / (width * height)
  const last = Math.max(0, Math.floor(Math.log(LEAST_LONG_SIDE_PX / Math.max(width, height)) / Math.log(SCALE_STEP)))
  const hopeful = Math.min(last, Math.max(0, Math.round(Math.log(Math.sqrt(bitsPerPixel / 2)) / Math.log(SCALE_STEP))))
  const all: Candidate[] = []
  const visit = async (at: number, near: Candidate[]): Promise<Visit> => {
    const found = await candidatesAt(search, SCALE_STEP ** at, near, clearWinner(near))
    all.push(...found)
    return { at, found, error: found.filter((c) => c.fits).toSorted(byError)[0]?.error ?? Infinity }
  }
  let here = await visit(search.keepsPixels || bitsPerPixel > 1.5 || search.losslessBytes < search.limitBytes * 6 ? 0 : hopeful, [])
  if (search.keepsPixels || (here.at === 0 && here.error < 0.02)) return all
  while (here.error === Infinity && here.at < last) {
    here = await visit(Math.min(last, here.at + stepsToFit(here.found, search.limitBytes)), here.found)
  }
  const up = here.at > 0 && isTimely(search) ? await visit(here.at - 1, here.found) : undefined
  const direction = up && up.error < here.error ? -1 : 1
  if (up && direction < 0) here = up
  while (isTimely(search) && here.at + direction >= 0 && here.at + direction <= last) {
    const next = await visit(here.at + direction, here.found)
    if (next.error >= here.error) break
    here = next
  }
  return all
}

const isTimely = (search: Search): boolean => timeShare(search) > 0.4

/** The family that beats the other at a neighbouring scale by so much that the other need not be tried, or that stood alone there. */
const clearWinner = (near: Candidate[]): Family['name'] | undefined => {
  const [best, rival] = near.filter((c) => c.fits).toSorted(byError)
  if (!best) return undefined
  return !rival || rival.error > best.error * 1.25 ? best.family.name : undefined
}
