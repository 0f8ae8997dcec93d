import { areaOf, aroundFace, grownWhereCut, nearFaces, padded, possibleBox, underFace } from './closer.ts'
import { modelsFor, type Installed } from './installed.ts'
import { look, together, type Asked } from './look.ts'
import type { Model } from './models.ts'
import { seePeople, withPeopleSeen } from './people.ts'
import { sessionOf } from './session.ts'
import { blended, cropped, highest, laidOver, meanOf, overlap, raised, resampled, type SoftMap } from './soft-map.ts'
import { pipelineOf, samplesOf, type Pixels } from '../image/pixels.ts'
import { AppError } from '#shared/errors/app-error'
import { matteOf, type Matte } from '#shared/matte/matte'
import type { Rect, Size } from '#shared/resize'
import type { Subject } from '#shared/tools/define'

/** A subject's matte and how sure the model is of it. */
export interface Prediction {
  readonly matte: Matte
  /** 0..1. */
  readonly confidence: number
  /** Whether a person need not look at it. */
  readonly isSure: boolean
}

/** What predicting may be told beside the picture. */
export interface PredictOptions {
  /** Where an operator's models lie, if there are any. */
  readonly modelsFolder?: string
  /** Where people's faces are, if that is known: of several people each is looked at. */
  readonly faces?: readonly Rect[]
  /** How far it is, 0..1. */
  readonly progress?: (share: number) => void
}

/** More people than this are not looked at one by one. */
const MOST_PEOPLE = 6

/** What is decided on is no larger than this many times the model's input: a closer look at a quarter of the picture then still counts in full. */
const WORK_TIMES_INPUT = 4
const WORK_MAX_PX = 1600
/** So much of a chest has to be seen for a model to be as sure as it says; and what its word is worth that lost all of one. */
const CHEST = { whole: 0.9, least: 0.1 }
/** How a dark picture is lit for another look. */
const GAMMA = 3
/** From here on nobody else need look, neither a person nor another model. */
const SURE = 0.5
/** Pictures of nothing stay below 0.06, pictures with a subject above 0.8. */
const LEAST_PEAK = 0.2
/** The part of the picture, by area, up to which a closer look shows more than the first one did; of a slow model it must show much more. */
const WORTHWHILE = { quick: 0.6, slow: 0.25 }

/** Up to this part of the picture's sides a closer look counts in full, where it is as sure as can be. */
const FULL_SCALE = 0.6

async function fullSize({ data, width, height }: SoftMap, pixels: Pixels): Promise<Matte> {
  const small = { data: Buffer.from(Uint8Array.from(data, (value) => Math.round(value * 255))), width, height, channels: 1 } as const
  const full = await samplesOf(pipelineOf(small).resize(pixels.width, pixels.height, { fit: 'fill', kernel: 'cubic' }))
  return matteOf(full.data, pixels)
}

/** The picture in red, green and blue, no larger than what is decided on. */
async function workingCopy(pixels: Pixels, longestPx: number): Promise<Pixels> {
  const size = { width: longestPx, height: longestPx, fit: 'inside', withoutEnlargement: true } as const
  return samplesOf(pipelineOf(pixels).flatten({ background: '#fff' }).resize(size).toColourspace('srgb'))
}

interface Seen {
  readonly map: SoftMap
  readonly confidence: number
}

const isSure = ({ confidence }: Seen): boolean => confidence >= SURE

/** What was seen from closer by, at a part's own size. */
interface Closer {
  readonly part: Rect
  readonly map: SoftMap
  readonly peak: number
}

async function lookCloser(asked: Asked, picture: Pixels, part: Rect): Promise<Closer> {
  const { map, peak } = await look(asked, picture, part)
  return { part, map: resampled(map, part.width, part.height), peak }
}

/** What a closer look at a part adds to what was seen of the whole. */
function withCloser(whole: Seen, { part, map, peak }: Closer, picture: Size): Seen {
  const former = cropped(whole.map, part)
  const scale = Math.max(part.width / picture.width, part.height / picture.height)
  const share = peak * Math.min(1, FULL_SCALE / scale)
  const confidence = whole.confidence * (0.5 + 0.5 * overlap(former, map))
  return { map: laidOver(whole.map, blended(former, map, share), part), confidence }
}

/** The part of a picture to look at from closer by, where that shows more. */
function partOf({ isQuick }: Model, picture: Size, map: SoftMap): Rect | undefined {
  const box = possibleBox(map)
  const part = box && padded(box, picture)
  const worthwhile = (isQuick ? WORTHWHILE.quick : WORTHWHILE.slow) * picture.width * picture.height
  return part && part.width * part.height <= worthwhile ? part : undefined
}

const scaled = ({ left, top, width, height }: Rect, by: number): Rect => ({
  left: left * by,
  top: top * by,
  width: width * by,
  height: height * by,
})

/**
 * What a closer look at each of several people adds: of a group a model half overlooks dark shoulders and white collars. Only what it took for a part of
 * somebody becomes more so; a face's surroundings show too little of the picture to find somebody else in them.
 */
async function withPeople(asked: Asked, picture: Size & Pixels, seen: Seen, faces: readonly Rect[]): Promise<Seen> {
  if (faces.length < 2 || !asked.model.isQuick) return seen
  let { map } = seen
  for (const face of faces.toSorted((one, other) => areaOf(other) - areaOf(one)).slice(0, MOST_PEOPLE)) {
    const part = aroundFace(face, picture)
    if (areaOf(part) === 0 || areaOf(part) > WORTHWHILE.quick * areaOf({ left: 0, top: 0, ...picture })) continue
    const { map: close, peak } = await look(asked, picture, part)
    map = laidOver(map, raised(cropped(map, part), resampled(close, part.width, part.height), peak), part)
  }
  return { ...seen, map }
}

/**
 * Less sure by what is seen under faces: models are sure of a face whose hair and dark shirt they took for ground, and a face alone is no cut-out of
 * a person.
 */
function asWhole(seen: Seen, faces: readonly Rect[]): Seen {
  const chests = nearFaces(faces).flatMap((face) => underFace(face, seen.map) ?? [])
  const least = Math.min(CHEST.whole, ...chests.map((chest) => meanOf(cropped(seen.map, chest))))
  return { ...seen, confidence: seen.confidence * Math.max(CHEST.least, (least / CHEST.whole) ** 2) }
}

/** A copy with its shadows lit. */
function lit(picture: Pixels): Pixels {
  const levels = Uint8Array.from({ length: 256 }, (_, level) => 255 * (level / 255) ** (1 / GAMMA) + 0.5)
  return { ...picture, data: Buffer.from(picture.data.map((level) => levels[level] ?? 0)) }
}

/** What is seen of the whole picture, or nothing where there is no subject: a quick model looks at its mirror image, too. */
async function seenAsAWhole(asked: Asked, picture: Pixels): Promise<Seen | undefined> {
  const { model } = asked
  const { width, height } = picture
  const everything = { left: 0, top: 0, width, height }
  const first = await look(asked, picture, everything)
  if (first.peak < LEAST_PEAK) return undefined
  if (!model.isQuick) return { map: resampled(first.map, width, height), confidence: first.peak }
  const both = together(first, await look(asked, picture, everything, true), model)
  return { map: resampled(both.map, width, height), confidence: both.peak * both.agreement }
}

/** What one model sees, or nothing where it finds no subject: looks at the whole, then at its subject from closer by where that shows more. */
async function seenBy(asked: Asked, picture: Pixels, progress: (share: number) => void): Promise<Seen | undefined> {
  const { model } = asked
  progress(0.1)
  const whole = await seenAsAWhole(asked, picture)
  const part = whole && partOf(model, picture, whole.map)
  progress(0.6)
  if (!part) return whole
  const close = await lookCloser(asked, picture, part)
  const seen = withCloser(whole, close, picture)
  const larger = grownWhereCut(close.map, part, picture)
  progress(0.8)
  const isCut = areaOf(larger) > areaOf(part)
  return isCut && model.isQuick ? withCloser(seen, await lookCloser(asked, picture, larger), picture) : seen
}

/** What the net for people adds to what a model saw of a person. */
const withNet = async ({ model }: Asked, picture: Pixels, seen: Seen, faces: readonly Rect[]): Promise<Seen> => ({
  ...seen,
  map: withPeopleSeen(seen.map, await seePeople(picture), faces, model.isQuick ? 0.5 : 0),
})

/** What one model sees of everybody, or nothing where it finds no subject. */
async function seenInAll(
  { model, path }: Installed,
  pixels: Pixels,
  subject: Subject,
  faces: readonly Rect[],
  progress: (share: number) => void,
): Promise<Seen | undefined> {
  const asked = { model, session: await sessionOf(path, !model.isQuick) }
  const picture = await workingCopy(pixels, Math.min(WORK_MAX_PX, WORK_TIMES_INPUT * model.inputPx))
  const seen = await seenBy(asked, picture, progress)
  if (!seen) return undefined
  const people = faces.map((face) => scaled(face, picture.width / pixels.width))
  const group = await withPeople(asked, picture, seen, people)
  const whole = asWhole(subject === 'person' ? await withNet(asked, picture, group, people) : group, people)
  const isLost = whole.confidence < seen.confidence && !isSure(whole)
  const again = isLost && model.isQuick ? await seenBy(asked, lit(picture), progress) : undefined
  // What shows only when lit should be looked at by somebody.
  return again ? asWhole({ map: highest(whole.map, again.map), confidence: seen.confidence * SURE }, people) : whole
}

/**
 * Which pixels of a still picture are its subject, by the best model that is installed; where that is unsure, by the surer one of it and the
 * next tier's. Looks at the whole picture, then at its subject from closer by. Throws `model.missing`, and `cutout.no-subject` where there is none.
 */
export async function predictMatte(
  pixels: Pixels,
  subject: Subject,
  { modelsFolder, faces = [], progress = () => {} }: PredictOptions = {},
): Promise<Prediction> {
  const installed = await modelsFor(subject, modelsFolder)
  let best: Seen | undefined
  for (const [n, one] of installed.entries()) {
    const seen = await seenInAll(one, pixels, subject, faces, (share) => progress((n + share) / installed.length))
    if (seen && seen.confidence > (best?.confidence ?? 0)) best = seen
    if (best && isSure(best)) break
  }
  if (!best) throw new AppError('cutout.no-subject', {})
  progress(0.9)
  return { matte: await fullSize(best.map, pixels), confidence: best.confidence, isSure: isSure(best) }
}
