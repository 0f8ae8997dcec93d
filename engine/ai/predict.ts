import { modelFor } from './installed.ts'
import { look, overlap } from './look.ts'
import { sessionOf } from './session.ts'
import { cropped, resampled, type Region, type SoftMap } from './soft-map.ts'
import { pipelineOf, samplesOf, type Pixels } from '../image/pixels.ts'
import { AppError } from '#shared/errors/app-error'
import type { Matte } from '#shared/matte/matte'
import type { Subject } from '#shared/tools/define'

/** A subject's matte and how sure the model is of it. */
export interface Prediction {
  readonly matte: Matte
  /** 0..1; below 0.5 a person should look at it. */
  readonly confidence: number
}

/** What predicting may be told beside the picture. */
export interface PredictOptions {
  /** Where an operator's models lie, if there are any. */
  readonly modelsFolder?: string
  /** How far it is, 0..1. */
  readonly progress?: (share: number) => void
}

/** What is decided on is no larger than this many times the model's input: a closer look at a quarter of the picture then still counts in full. */
const WORK_TIMES_INPUT = 4
const WORK_MAX_PX = 1600
/** Empty pictures stay below 0.06, pictures with a subject above 0.8. */
const LEAST_PEAK = 0.2
const SUBJECT = 0.5
/** Ground that is left around the subject for the second look, as a part of its longer side. */
const PADDING = 0.12
/** A second look at nearly everything would show nothing new. */
const WORTHWHILE = 0.85

/** The part of a map that holds its subject; none where nothing is more subject than ground. */
function subjectBox({ data, width, height }: SoftMap): Region | undefined {
  let [left, top, right, bottom] = [width, height, -1, -1]
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if ((data[y * width + x] ?? 0) < SUBJECT) continue
      left = Math.min(left, x)
      right = Math.max(right, x)
      top = Math.min(top, y)
      bottom = y
    }
  }
  return right < 0 ? undefined : { left, top, width: right - left + 1, height: bottom - top + 1 }
}

function padded(box: Region, width: number, height: number): Region {
  const border = Math.round(PADDING * Math.max(box.width, box.height))
  const left = Math.max(0, box.left - border)
  const top = Math.max(0, box.top - border)
  return {
    left,
    top,
    width: Math.min(width, box.left + box.width + border) - left,
    height: Math.min(height, box.top + box.height + border) - top,
  }
}

/** Lays what a closer look saw over what the first one did, fading at the region's own edges. */
function overlaid(whole: SoftMap, close: SoftMap, region: Region): SoftMap {
  const data = Float32Array.from(whole.data)
  for (let y = 0; y < region.height; y++) {
    const row = (region.top + y) * whole.width + region.left
    data.set(close.data.subarray(y * region.width, (y + 1) * region.width), row)
  }
  return { ...whole, data }
}

async function fullSize({ data, width, height }: SoftMap, pixels: Pixels): Promise<Matte> {
  const small = { data: Buffer.from(Uint8Array.from(data, (value) => Math.round(value * 255))), width, height, channels: 1 } as const
  const full = await samplesOf(pipelineOf(small).resize(pixels.width, pixels.height, { fit: 'fill', kernel: 'cubic' }))
  return { data: full.data, width: pixels.width, height: pixels.height }
}

/** The picture in red, green and blue, no larger than what is decided on. */
async function workingCopy(pixels: Pixels, longestPx: number): Promise<Pixels> {
  const size = { width: longestPx, height: longestPx, fit: 'inside', withoutEnlargement: true } as const
  return samplesOf(pipelineOf(pixels).flatten({ background: '#fff' }).resize(size).toColourspace('srgb'))
}

/**
 * Which pixels of a still picture are its subject, by the best model that is installed. Looks twice: at the whole picture, then at
 * its subject from closer by. Throws `model.missing`, and `cutout.no-subject` where there is none.
 */
export async function predictMatte(
  pixels: Pixels,
  subject: Subject,
  { modelsFolder, progress = () => {} }: PredictOptions = {},
): Promise<Prediction> {
  const { model, path } = await modelFor(subject, modelsFolder)
  const asked = { model, session: await sessionOf(path) }
  const picture = await workingCopy(pixels, Math.min(WORK_MAX_PX, WORK_TIMES_INPUT * model.inputPx))
  const { width, height } = picture
  progress(0.1)
  const first = await look(asked, picture, { left: 0, top: 0, width, height })
  const whole = resampled(first.map, width, height)
  const box = subjectBox(whole)
  if (first.peak < LEAST_PEAK || !box) throw new AppError('cutout.no-subject', {})
  progress(0.5)
  const region = padded(box, width, height)
  if (region.width * region.height > WORTHWHILE * width * height) {
    return { matte: await fullSize(whole, pixels), confidence: first.agreement * first.peak }
  }
  const second = await look(asked, picture, region)
  const close = resampled(second.map, region.width, region.height)
  progress(0.9)
  const confidence = Math.min(first.agreement, second.agreement) * first.peak * overlap(cropped(whole, region), close)
  return { matte: await fullSize(overlaid(whole, close, region), pixels), confidence }
}
