import sharp from 'sharp'
import { affordablePixels, encodePlan, samplePlan, sampleOf, thinned, timingOf, wholePlan, type Part, type Plan } from './plan.ts'
import { readBlocks, type Timing } from './gif-file.ts'
import type { Fitted } from '../fit-picture.ts'
import { memoised } from '../memoised.ts'
import { fitQuality, predictQuality, type Aim, type QualityScale } from '../quality-search.ts'
import { pictureError, planes } from '#engine/image/picture-error'
import { area, resized, samplesOf, type Pixels } from '#engine/image/pixels'

/** Steps of the scale the search works on: each is 7 % of lambda, about 3 % of the bytes. */
const STEPS = 120
const MOST_LAMBDA = 4e3
/** Above this, noise is plain to see: fewer frames or pixels may look better. */
const WORST_LAMBDA = 400
/** Fewer frames or pixels must be clearly better. */
const CLEARLY_LESS = 0.92
const LEAST_SHORT_SIDE_PX = 8
const LOOKED_AT_FRAMES = 5
const SCALES = [0.8, 0.6, 0.42, 0.3]
const SMALL_PIXELS = 0.5e6
/** What following more strings saves in the end over a draft. */
const DRAFT_GAIN = 0.94
const LARGE_PIXELS = 20e6
/** Twice this is still seen as movement. */
const SMOOTH_CS = 7
/** Of an animation too large to be tried several ways, this much more is written where pixels are to be kept: once, then. */
const ONCE = 1.5
/** Estimates miss by some percents, and there is no time to miss. */
const HURRIED_AIM = 0.93
const HURRY_MS = 8_000

const lambdaOf = (step: number): number => MOST_LAMBDA ** ((STEPS - step) / (STEPS - 1))

/** Squared error a bit is worth at a quality of 1..100; 100 loses nothing. */
const lambdaAt = (quality: number): number => 0.7 * (100 - quality) ** 1.5

/** A plan, the same for a part of its frames, and how it is written at each step. */
interface Candidate {
  readonly plan: Plan
  readonly sample: Plan
  readonly scale: QualityScale
  readonly step: number | undefined
}

const framesOf = ({ animation }: Pixels): number => animation?.frames ?? 1

/** Bytes over quality of a plan; estimates come from its sample. */
function scaleOf(plan: Plan, sample: Plan): QualityScale {
  const isWhole = sample === plan
  const encode = memoised(async (step: number) => encodePlan(plan, lambdaOf(step)).bytes)
  const sampled = memoised(async (step: number) => {
    const { bytes, firstBytes } = encodePlan(sample, lambdaOf(step), true)
    const rows = (DRAFT_GAIN * plan.pixels.height) / sample.pixels.height
    if (sample.kept.length < 2) return bytes.length * plan.kept.length * rows
    return rows * (firstBytes + ((bytes.length - firstBytes) * (plan.kept.length - 1)) / (sample.kept.length - 1))
  })
  const estimate = async (step: number): Promise<number> => (isWhole ? (await encode(step)).length : sampled(step))
  return { lowest: 1, highest: STEPS, fullEnough: 0.93, variants: [], estimate, sharpen: async () => {}, encode, preview: encode }
}

/** Everything a search keeps in view. */
interface Search extends Aim {
  readonly timing: Timing
  readonly part: Part
  readonly keepsPixels: boolean
}

async function candidateOf(plan: Plan, part: Part, { timing, ...aim }: Search): Promise<Candidate> {
  const sample = part.first === 0 && framesOf(part.pixels) === framesOf(plan.pixels) ? plan : samplePlan(plan, part, timing)
  const scale = scaleOf(plan, sample)
  return { plan, sample, scale, step: await predictQuality(scale, aim.limitBytes) }
}

/** The candidate with as few colours as pay at its own exchange of errors for bits. */
async function withFewerColours(candidate: Candidate, part: Part, search: Search): Promise<Candidate> {
  const { plan, sample, step = 1 } = candidate
  const lambda = lambdaOf(step)
  const { width, height } = sample.pixels
  const cost = (colours: number): number => {
    const { bytes, meanSquaredError } = encodePlan({ ...sample, colours }, lambda, true)
    return meanSquaredError * 3 * width * height * sample.kept.length + lambda * 8 * bytes.length
  }
  let best = { colours: plan.colours, cost: cost(plan.colours) }
  for (const colours of [64, 32]) {
    const at = cost(colours)
    if (at > best.cost * 1.01) break
    if (at < best.cost) best = { colours, cost: at }
  }
  return best.colours === plan.colours ? candidate : candidateOf({ ...plan, colours: best.colours }, part, search)
}

/** 1 - SSIM of what is on the screen, mean over some of the sample's frames, dropped ones included. */
async function seenError({ sample, step }: Candidate, { pixels }: Part): Promise<number> {
  const { bytes } = encodePlan(sample, lambdaOf(step ?? 1), true)
  const decoded = await samplesOf(sharp(bytes, { animated: true, limitInputPixels: false }).toColourspace('srgb').ensureAlpha())
  const { width, height } = pixels
  const frames = framesOf(pixels)
  const frameHeight = sample.pixels.height
  let sum = 0
  const looked = Array.from({ length: Math.min(frames, LOOKED_AT_FRAMES) }, (_, at, all = Math.min(frames, LOOKED_AT_FRAMES)) =>
    Math.floor(((at + 0.5) * frames) / all),
  )
  for (const frame of looked) {
    const shown = Math.max(
      0,
      sample.kept.findLastIndex((kept) => kept <= frame),
    )
    const one = frameAt({ ...decoded, height: frameHeight }, shown)
    const enlarged = one.width === width && one.height === height ? one : await resized(one, width, height)
    sum += pictureError(planes(frameAt(pixels, frame)), planes(enlarged))
  }
  return sum / looked.length
}

function frameAt({ data, width, height, channels }: Pixels, frame: number): Pixels {
  const bytes = width * height * channels
  return { data: data.subarray(frame * bytes, (frame + 1) * bytes), width, height, channels }
}

const shrunk = (pixels: Pixels, factor: number): Promise<Pixels> => {
  const kept = Math.max(factor, Math.min(1, LEAST_SHORT_SIDE_PX / Math.min(pixels.width, pixels.height)))
  const { reopen: _, ...plain } = pixels
  return resized(plain, Math.max(1, Math.round(pixels.width * kept)), Math.max(1, Math.round(pixels.height * kept)))
}

const halved = (plan: Plan, { timing }: Search, every = 2): Plan => {
  const frames = framesOf(plan.pixels)
  const kept = thinned(timing, plan.kept, every, frames)
  return { ...plan, kept, timing: timingOf(timing, kept, frames) }
}

/** Whether every other frame is enough to see a movement. */
const isSmooth = ({ kept, timing: { delaysCs } }: Plan): boolean =>
  kept.length >= 8 && delaysCs.every((delay) => delay > 1 && delay <= SMOOTH_CS)

/** Fewer frames or pixels, if what is seen is then clearly nearer to the source than noise at full size. */
async function bestSeen(full: Candidate, search: Search): Promise<Candidate> {
  const { part, keepsPixels } = search
  let best = { candidate: full, error: full.step === undefined ? Infinity : (await seenError(full, part)) * CLEARLY_LESS }
  const consider = async (plan: Plan, over: Part): Promise<boolean> => {
    const candidate = await candidateOf(plan, over, search)
    if (candidate.step === undefined) return best.candidate.step === undefined
    const error = await seenError(candidate, part)
    const isBetter = error < best.error
    if (isBetter) best = { candidate, error }
    return isBetter
  }
  if (isSmooth(full.plan) || (keepsPixels && full.step === undefined)) await consider(halved(full.plan, search), part)
  if (keepsPixels) return best.candidate
  const { kept } = best.candidate.plan
  const atScale = async (factor: number): Promise<boolean> => {
    const pixels = await shrunk(full.plan.pixels, factor)
    const sample = { first: part.first, pixels: part.pixels === full.plan.pixels ? pixels : await shrunk(part.pixels, factor) }
    return consider({ ...full.plan, pixels, kept, timing: best.candidate.plan.timing }, sample)
  }
  let chosen = 1
  for (const factor of SCALES) {
    // The error over the scale has one valley, but its rim may be rough.
    if (search.msLeft() < 15_000 || factor < chosen * 0.5) break
    if (await atScale(factor)) chosen = factor
  }
  if (chosen < 1 && search.msLeft() > 15_000) await atScale(chosen * 1.2)
  return best.candidate
}

/** Writes a candidate; while that is above the limit, and may be, ever fewer pixels and then frames; many fewer when time is short. */
async function finish(candidate: Candidate, search: Search): Promise<Fitted> {
  let { plan, scale, step } = candidate
  for (;;) {
    const startedWith = search.msLeft()
    // The strongest loss first is the surest way to a result.
    const { bytes, isWithin } = await fitQuality(scale, startedWith < HURRY_MS ? undefined : step, search)
    const isShort = search.msLeft() < 2 * (startedWith - search.msLeft())
    const { width, height } = plan.pixels
    const isLeast = Math.min(width, height) <= LEAST_SHORT_SIDE_PX
    if (isWithin || search.keepsPixels || (isLeast && plan.kept.length === 1)) return { bytes, width, height, isWithin }
    const factor = Math.min(isShort ? 0.5 : 0.8, Math.sqrt(search.limitBytes / bytes.length))
    plan = isLeast ? halved(plan, search) : { ...plan, pixels: await shrunk(plan.pixels, factor) }
    scale = scaleOf(plan, plan)
    step = await predictQuality(scale, search.limitBytes)
  }
}

/** What can be done of an animation too large to be tried several ways: part of its pixels, or of its frames where pixels are kept. */
async function hurried(plan: Plan, share: number, search: Search): Promise<Candidate> {
  const aim = { ...search, limitBytes: search.limitBytes * HURRIED_AIM }
  if (search.keepsPixels) return candidateOf(halved({ ...plan, colours: 64 }, search, Math.ceil(1 / (share * ONCE))), search.part, aim)
  const factor = Math.sqrt(share)
  const pixels = await shrunk(plan.pixels, factor)
  return candidateOf(
    { ...plan, pixels, colours: 64 },
    { first: search.part.first, pixels: await shrunk(search.part.pixels, factor) },
    search,
  )
}

/**
 * A GIF within a byte limit, of the least error found: without loss where that fits, else by noise, fewer colours, fewer
 * frames (times kept in sum) and, unless `keepsPixels`, fewer pixels. `isWithin` is false when nothing tried was within the limit.
 */
export async function fitGif(pixels: Pixels, source: Buffer | undefined, aim: Aim & { keepsPixels: boolean }): Promise<Fitted> {
  const timing = timingFor(pixels, source)
  const plan = wholePlan(pixels, timing)
  const { width, height } = pixels
  if (area(pixels) <= SMALL_PIXELS || (aim.limitBytes > 0.85 * (source?.length ?? Infinity) && area(pixels) <= LARGE_PIXELS)) {
    const { bytes, meanSquaredError } = encodePlan(plan, 0)
    if (bytes.length <= aim.limitBytes && meanSquaredError === 0) return { bytes, width, height, isWithin: true }
  }
  const part = sampleOf(pixels)
  const search: Search = { ...aim, timing, part }
  if (part.pixels !== pixels) {
    const affordable = affordablePixels(samplePlan(plan, part, timing), aim.msLeft)
    if (affordable < area(pixels)) return finish(await hurried(plan, affordable / area(pixels), search), search)
  }
  const first = await candidateOf(plan, part, search)
  const full = await withFewerColours(first, part, search)
  const isFine = full.step !== undefined && lambdaOf(full.step) <= WORST_LAMBDA
  return finish(isFine ? full : await bestSeen(full, search), search)
}

/** A GIF at a quality of 1..100; at 100 nothing is lost. */
export function reduceGif(pixels: Pixels, source: Buffer, quality: number): Buffer {
  const plan = wholePlan(pixels, timingFor(pixels, source))
  const lambda = lambdaAt(quality)
  const { bytes, meanSquaredError } = encodePlan(
    { ...plan, colours: lambda > WORST_LAMBDA / 2 || area(pixels) > LARGE_PIXELS ? 64 : 256 },
    lambda,
  )
  if (lambda === 0) return meanSquaredError === 0 ? bytes : source
  if (area(pixels) > SMALL_PIXELS) return bytes
  // Of flat drawings near matches can cost more than they save.
  const exact = encodePlan(plan, 0)
  return exact.meanSquaredError === 0 && exact.bytes.length <= bytes.length ? exact.bytes : bytes
}

/** Times as the file stores them; where there is none, or it was read otherwise than by us, as the decoder tells them. */
function timingFor({ animation }: Pixels, source: Buffer | undefined): Timing {
  const { delaysCs, repeats } = source ? readBlocks(source) : { delaysCs: [], repeats: animation?.loop }
  if (!animation || delaysCs.length === animation.frames) return { delaysCs: delaysCs.slice(0, animation?.frames ?? 1), repeats }
  return { delaysCs: Array.from({ length: animation.frames }, (_, frame) => Math.round((animation.delaysMs[frame] ?? 100) / 10)), repeats }
}
