import { candidatesAt, byError, explore, scaled, timeShare, type Candidate, type Search } from './explore.ts'
import { nearLossless, paletteFamily, type Family } from './families.ts'
import { encodeLossless } from './lossless.ts'
import { recompress } from './oxipng.ts'
import { bandsOf, solveLoss, type Solved } from './solve-loss.ts'
import type { Fitted } from '../fit-picture.ts'
import type { Aim } from '../quality-search.ts'
import { crops } from '#engine/image/crops'
import { pictureError, planes } from '#engine/image/picture-error'
import { area, simplify, type Pixels } from '#engine/image/pixels'

/** oxipng takes about 1 s for 3 MP of indices, 2 s for 3 MP of truecolour, and gains about 9 %. */
const INDICES_RECOMPRESSED = 6e6
const BEST_LEVEL_PIXELS = 2.5e6
const LARGE_PIXELS = 3e6
const REFERENCE_PIXELS = 1.5e6
const QUICK_PIXELS = 0.25e6

/**
 * A PNG within a byte limit with the least measured error: lossless if that fits, else the better of near-lossless
 * truecolour and a palette, at the scale (unless `keepsPixels`) that measures best after enlarging back. Colours under
 * full transparency may change; alpha 0 and 255 never do. `isWithin` is false when nothing tried was within the limit.
 */
export async function fitPng(pixels: Pixels, { limitBytes, keepsPixels, msLeft }: Aim & { keepsPixels: boolean }): Promise<Fitted> {
  const startedMs = msLeft()
  const original = simplify(pixels)
  const lossless = await encodeLossless(original, limitBytes)
  const { width, height } = original
  if (lossless.file && lossless.file.length <= limitBytes) return { bytes: lossless.file, width, height, isWithin: true }
  const isLarge = area(original) > LARGE_PIXELS
  const reference = isLarge ? crops(original) : await scaled(original, Math.min(1, Math.sqrt(REFERENCE_PIXELS / area(original))))
  const losslessBytes = lossless.expectedBytes
  const search: Search = {
    limitBytes,
    keepsPixels,
    msLeft,
    startedMs,
    original,
    isLarge,
    reference,
    referencePlanes: planes(reference),
    losslessBytes,
  }
  const candidates = await explore(search)
  const [best] = candidates.filter(({ fits }) => fits).toSorted(byError)
  const [smallest] = candidates.toSorted((left, right) => left.expectedBytes - right.expectedBytes)
  const chosen = best ?? smallest
  if (!chosen) throw new RangeError('picture without pixels')
  const { bytes, pixels: sized } = await fill(chosen, await finish(chosen, search), search)
  return { bytes, width: sized.width, height: sized.height, isWithin: bytes.length <= limitBytes }
}

/** What may differ at a quality of 1..100, as pictureError: 0.003 at 95, 0.02 at 80, 0.09 at 50. */
const allowedError = (quality: number): number => 0.25 * (1 - quality / 100) ** 1.5

/**
 * The smallest PNG of a quality, 1..100, at full size: for both families the loss is raised until crops of the picture
 * differ as much as the quality allows; the one whose bands weigh less is encoded. Lossless at 100, or where that is smaller.
 */
export async function reducePng(pixels: Pixels, quality: number): Promise<Buffer> {
  const original = simplify(pixels)
  const bands = bandsOf(original)
  const sample = crops(original)
  const samplePlanes = planes(sample)
  let lightest: { family: Family; loss: number; bytes: number } | undefined
  for (const family of quality === 100 ? [] : [nearLossless, await paletteFamily(original)]) {
    const errorAt = (loss: number): number => pictureError(samplePlanes, planes(family.encode(sample, loss).decode()))
    if (errorAt(family.least) > allowedError(quality)) continue
    const loss = highestLoss(family, (at) => errorAt(at) <= allowedError(quality))
    const bytes = (family.encode(bands, loss).file.length * area(original)) / area(bands)
    if (!lightest || bytes < lightest.bytes) lightest = { family, loss, bytes }
  }
  const { file: lossless } = await encodeLossless(original, lightest?.bytes ?? Infinity)
  const lossy = lightest && (await squeeze(lightest.family.encode(original, lightest.loss).file, original))
  if (lossy && (!lossless || lossy.length < lossless.length)) return lossy
  if (!lossless) throw new RangeError('picture without pixels')
  return lossless
}

/** The highest loss of a family that is still allowed, by bisection to a tenth. */
function highestLoss({ least, most }: Family, isAllowed: (loss: number) => boolean): number {
  let [low, high] = [least, most]
  while (high - low > 0.1) {
    const middle = (low + high) / 2
    if (isAllowed(middle)) low = middle
    else high = middle
  }
  return low
}

/** A shrunk picture whose best encoding leaves room is tried again a little larger, at most twice. */
async function fill(chosen: Candidate, bytes: Buffer, search: Search): Promise<{ bytes: Buffer; pixels: Pixels }> {
  const kept = { bytes, pixels: chosen.pixels }
  let scale = chosen.scale
  for (let tries = 0; tries < 2; tries++) {
    const room = search.limitBytes / kept.bytes.length
    if (scale === 1 || room < 1.05 || isHurried(chosen.pixels, search)) return kept
    scale = Math.min(1, scale * Math.sqrt(room))
    const [larger] = await candidatesAt(search, scale, [chosen], chosen.family.name)
    if (!larger?.fits || larger.error > chosen.error * 1.02) return kept
    const largerBytes = await finish(larger, search)
    if (largerBytes.length > search.limitBytes || largerBytes.length < kept.bytes.length) return kept
    kept.bytes = largerBytes
    kept.pixels = larger.pixels
  }
  return kept
}

/** Whether the time left forbids one more round; of a small picture a round takes a tenth of a second. */
const isHurried = (pixels: Pixels, search: Search): boolean => timeShare(search) < (area(pixels) < QUICK_PIXELS ? -0.3 : 0.15)

/** What share of its bytes oxipng leaves an encoding, measured on bands of a picture that is much larger than they are. */
async function measureGain({ family, pixels, loss }: Candidate): Promise<number> {
  const bands = bandsOf(pixels)
  if (bands === pixels) return family.gain
  const { file } = family.encode(bands, loss)
  const level = levelFor(pixels)
  return (await recompress(file, level)).length / file.length
}

const levelFor = (pixels: Pixels): 1 | 2 => (area(pixels) > BEST_LEVEL_PIXELS ? 1 : 2)

async function squeeze(file: Buffer, pixels: Pixels): Promise<Buffer> {
  if (area(pixels) > INDICES_RECOMPRESSED) return file
  return recompress(file, levelFor(pixels))
}

/** Recompresses, then corrects the loss by what oxipng really gained until the file fits and is nearly full. */
async function finish(candidate: Candidate, search: Search): Promise<Buffer> {
  const { family, pixels, loss, encoding } = candidate
  const { limitBytes } = search
  const solve = (target: number, start: number): Solved =>
    solveLoss(family, pixels, target, start, {
      tolerance: search.isLarge ? 0.04 : 0.015,
      most: 7,
      whole: 3,
      mayGoOn: () => !isHurried(pixels, search),
    })
  const isRecompressed = area(pixels) <= INDICES_RECOMPRESSED
  const target = isRecompressed ? limitBytes / (await measureGain(candidate)) : limitBytes
  const isNear = encoding && encoding.file.length <= target && encoding.file.length >= target * 0.97
  let at: Solved = isNear ? { ...encoding, loss, fits: true } : solve(target, loss)
  let file = await squeeze(at.file, pixels)
  let best = file
  for (let round = 0; round < 3; round++) {
    const fits = best.length <= limitBytes
    const isFull = best.length >= limitBytes * ((search.isLarge ? 0.95 : 0.975) - 0.01 * round) || (at.fits && at.loss <= family.least)
    if (fits && (isFull || isHurried(pixels, search))) return best
    if (!fits && isHurried(pixels, search)) break
    at = solve((limitBytes * (1 - 0.003 * round) * at.file.length) / file.length, at.loss)
    file = await squeeze(at.file, pixels)
    if (file.length <= limitBytes ? !fits || file.length > best.length : !fits && file.length < best.length) best = file
  }
  // Of coarse steps (1-bit indices, few colours) none may lie near the limit: more loss reaches the step below.
  for (let more = at.loss + 0.3; best.length > limitBytes && more < family.utmost + 1; more += search.isLarge ? 2 : 0.3) {
    const { file: lower } = family.encode(pixels, Math.min(family.utmost, more))
    if (lower.length < best.length) best = lower
  }
  return best
}
