import { clipOf } from './clip.ts'
import { encodeGif, type EncodedGif } from './encode-gif.ts'
import type { Timing } from './gif-file.ts'
import { area, type Pixels } from '#engine/image/pixels'

/** The most frames' pixels that speak for a whole clip. */
const SAMPLE_PIXELS = 0.25e6
/** One encode of all may take this part of the time that is left. */
const TIME_SHARE = 0.2
const USUAL_LAMBDA = 200
const SAMPLE_FRAMES = 4
/** Strings of each length the encoder follows: more is better and slower; by pixels of the clip. */
const beamFor = (pixels: number): number => (pixels > 60e6 ? 4 : pixels > 20e6 ? 8 : pixels > 6e6 ? 20 : 48)
/** Players show these as a tenth of a second. */
const SLOWED_CS = 1
const SLOWED_TO_CS = 10
const LONGEST_CS = 0xffff

/** What is written of an animation: its pixels (perhaps fewer), the frames kept, and their times. */
export interface Plan {
  readonly pixels: Pixels
  readonly kept: readonly number[]
  readonly timing: Timing
  readonly colours: number
}

const framesOf = ({ animation }: Pixels): number => animation?.frames ?? 1

const isSame = ({ data, width, height, channels }: Pixels, left: number, right: number): boolean => {
  const bytes = width * height * channels
  return data.compare(data, left * bytes, (left + 1) * bytes, right * bytes, (right + 1) * bytes) === 0
}

const shownCs = (delayCs: number): number => (delayCs <= SLOWED_CS ? SLOWED_TO_CS : delayCs)

/** The kept frames with the times of those dropped behind each added, as players show them; others keep theirs as stored. */
export function timingOf(timing: Timing, kept: readonly number[], frames: number): Timing {
  const delaysCs = kept.map((frame, at) => {
    const dropped = timing.delaysCs.slice(frame + 1, kept[at + 1] ?? frames)
    const own = timing.delaysCs[frame] ?? 0
    return dropped.length === 0 ? own : dropped.reduce((sum, delay) => sum + shownCs(delay), shownCs(own))
  })
  return { delaysCs, repeats: timing.repeats }
}

/** Every n-th of some frames, and one more where a time would grow too long to store. */
export function thinned(timing: Timing, candidates: readonly number[], every: number, frames: number): number[] {
  const kept: number[] = []
  let sumCs = 0
  candidates.forEach((frame, at) => {
    const until = candidates[at + 1] ?? frames
    const lengthCs = timing.delaysCs.slice(frame, until).reduce((sum, delay) => sum + shownCs(delay), 0)
    if (at % every === 0 || sumCs + lengthCs > LONGEST_CS) {
      kept.push(frame)
      sumCs = 0
    }
    sumCs += lengthCs
  })
  return kept
}

/** The whole animation, but for frames equal to the one before. */
export function wholePlan(pixels: Pixels, timing: Timing): Plan {
  const frames = framesOf(pixels)
  const distinct = Array.from({ length: frames }, (_, frame) => frame).filter((frame) => frame === 0 || !isSame(pixels, frame - 1, frame))
  // Each frame left out is one whose time goes to the frame before, as long as that can be stored.
  const isStorable = timingOf(timing, distinct, frames).delaysCs.every((delay) => delay <= LONGEST_CS)
  const kept = isStorable ? distinct : Array.from({ length: frames }, (_, frame) => frame)
  return { pixels, kept, timing: timingOf(timing, kept, frames), colours: 256 }
}

/** Writes a plan; `isDraft` for an estimate of it in less time. */
export function encodePlan({ pixels, kept, timing, colours }: Plan, lambda: number, isDraft = false): EncodedGif {
  const clip = clipOf(pixels, kept)
  const beam = isDraft ? 16 : beamFor(kept.length * pixels.width * pixels.height)
  return encodeGif(clip, timing, { lambda, colours, beam })
}

/** The part of an animation that estimates are made on. */
export interface Part {
  readonly first: number
  readonly pixels: Pixels
}

/** A band of rows of some frames from the middle, as much as makes a good sample; the whole of a small animation. */
export function sampleOf(pixels: Pixels): Part {
  const { data, width, height, channels, animation } = pixels
  if (area(pixels) <= 2 * SAMPLE_PIXELS) return { first: 0, pixels }
  const frames = framesOf(pixels)
  const count = Math.min(frames, Math.max(SAMPLE_FRAMES, Math.floor(SAMPLE_PIXELS / (width * height))))
  const rows = Math.min(height, Math.max(16, Math.ceil(SAMPLE_PIXELS / (width * count))))
  const [first, top] = [(frames - count) >> 1, (height - rows) >> 1]
  const rowBytes = width * channels
  const bands = Array.from({ length: count }, (_, at) => {
    const from = ((first + at) * height + top) * rowBytes
    return data.subarray(from, from + rows * rowBytes)
  })
  return {
    first,
    pixels: { data: Buffer.concat(bands), width, height: rows, channels, ...(animation && { animation: { ...animation, frames: count } }) },
  }
}

/** A plan's frames that lie in a part, on that part's own pixels. */
export function samplePlan({ kept, colours }: Plan, { first, pixels }: Part, timing: Timing): Plan {
  const frames = framesOf(pixels)
  const inside = kept.filter((frame) => frame > first && frame < first + frames).map((frame) => frame - first)
  const own = [0, ...inside]
  return {
    pixels,
    kept: own,
    timing: timingOf({ ...timing, delaysCs: timing.delaysCs.slice(first, first + frames) }, own, frames),
    colours,
  }
}

/** How many pixels can be written a few times over in the time that is left, by the time a sample takes. */
export function affordablePixels(sample: Plan, msLeft: () => number): number {
  // The first run of a process is several times slower than those that follow.
  encodePlan({ ...sample, colours: 64 }, USUAL_LAMBDA, true)
  const startedWith = msLeft()
  encodePlan({ ...sample, colours: 64 }, USUAL_LAMBDA, true)
  const elapsedMs = Math.max(1, startedWith - msLeft())
  return (sample.kept.length * sample.pixels.width * sample.pixels.height * TIME_SHARE * msLeft()) / elapsedMs
}
