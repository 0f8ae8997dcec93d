import { nearFaces } from './closer.ts'
import { shippedPath } from './installed.ts'
import { look } from './look.ts'
import { personModel } from './models.ts'
import { keptSession } from './session.ts'
import { highest, meanOf, cropped, resampled, type SoftMap } from './soft-map.ts'
import type { Pixels } from '../image/pixels.ts'
import { boxMean } from '#shared/effects/math/box'
import type { Rect, Size } from '#shared/resize'

/** Faces must be seen as a person's by so much; where none is known, so much of what another model saw. */
const TRUSTED = { face: 0.8, share: 0.5 }
/** A person whose face takes a smaller part of the picture's height is too small to be seen whole. */
const CLOSE_FACE = 0.1
/** How far around a place both sights are compared, as a part of a side. */
const AROUND = 0.025
/** From where to where a difference decides, and from where to where being sure does: 0 is undecided, 1 is certain. */
const DIFFERENT = [0.3, 0.7] as const
const CERTAIN = [0.7, 0.95] as const
/** Things that somebody holds are smaller than this part of the person, and are kept: what the other model is sure of may be a guitar. */
const HELD = { unsure: 0.03, sure: 0.2 }
/** A model is sure of a thing whose mean is so much. */
const SURE_OF_THING = 0.9

/** How much the second sight counts where both agree: of a quick model's edges it knows as much, of a large one's nothing. */
export type Share = 0.5 | 0

/** What a net for people sees of a picture of three channels, squashed into its square. Throws `model.missing`. */
export async function seePeople(picture: Pixels): Promise<SoftMap> {
  const session = await keptSession(await shippedPath(personModel))
  const everything = { left: 0, top: 0, width: picture.width, height: picture.height }
  return (await look({ model: personModel, session }, picture, everything)).map
}

const ramp = (value: number, [from, to]: readonly [number, number]): number => {
  const t = Math.min(1, Math.max(0, (value - from) / (to - from)))
  return t * t * (3 - 2 * t)
}

/** The cells of a smaller map in which a part of the picture lies. */
function onGrid({ left, top, width, height }: Rect, picture: Size, map: Size): Rect {
  const [x, y] = [Math.floor((left / picture.width) * map.width), Math.floor((top / picture.height) * map.height)]
  const right = Math.ceil(((left + width) / picture.width) * map.width)
  const bottom = Math.ceil(((top + height) / picture.height) * map.height)
  const [x0, y0] = [Math.max(0, x), Math.max(0, y)]
  return { left: x0, top: y0, width: Math.min(map.width, right) - x0, height: Math.min(map.height, bottom) - y0 }
}

/** Whether people were seen where there are faces, given on their map: of several people the net may see one. */
function isTrusted(subject: SoftMap, people: SoftMap, faces: readonly Rect[]): boolean {
  if (faces.length > 0) return faces.every((face) => meanOf(cropped(people, face)) >= TRUSTED.face)
  let [inside, all] = [0, 0]
  subject.data.forEach((value, at) => {
    inside += Math.min(value, people.data[at] ?? 0)
    all += value
  })
  return all > 0 && inside >= TRUSTED.share * all
}

/** Marks the cells of smaller parts of a subject that are no part of a person: what somebody holds. */
function heldThings(subject: SoftMap, people: SoftMap): Uint8Array {
  const { width, height } = people
  const person = meanOf(people) * width * height
  const isOver = Uint8Array.from(subject.data, (value, at) => (value - (people.data[at] ?? 0) > 0.5 ? 1 : 0))
  const held = new Uint8Array(isOver.length)
  for (let start = 0; start < isOver.length; start++) {
    if (isOver[start] !== 1) continue
    const part = [start]
    isOver[start] = 2
    for (let at = part[0], next = 1; at !== undefined; at = part[next++]) {
      const x = at % width
      for (const beside of [x > 0 ? at - 1 : -1, x < width - 1 ? at + 1 : -1, at - width, at + width]) {
        if (isOver[beside] !== 1) continue
        isOver[beside] = 2
        part.push(beside)
      }
    }
    const mean = part.reduce((sum, at) => sum + (subject.data[at] ?? 0), 0) / part.length
    if (part.length < (mean >= SURE_OF_THING ? HELD.sure : HELD.unsure) * person) for (const at of part) held[at] = 1
  }
  return held
}

/**
 * A person's matte with what a net for people saw of the whole picture: where both differ over more than a rim, or the net is certain, it counts, and in the
 * rest by `share`. It may take away only of people who are near. `faces` in pixels of the subject's map.
 */
export function withPeopleSeen(subject: SoftMap, people: SoftMap, faces: readonly Rect[], share: Share): SoftMap {
  const { width, height } = people
  const small = resampled(subject, width, height)
  const near = nearFaces(faces).map((face) => onGrid(face, subject, people))
  if (!isTrusted(small, people, near)) return subject
  const mayTakeAway = faces.some((face) => face.height >= CLOSE_FACE * subject.height)
  const radius = Math.round(AROUND * width)
  const difference = boxMean(
    Float32Array.from(people.data, (value, at) => value - (small.data[at] ?? 0)),
    width,
    height,
    radius,
  )
  const around = boxMean(people.data, width, height, radius)
  const held = heldThings(small, people)
  const weights = people.data.map((_, at) => {
    if (held[at] === 1) return 0
    const isCertain = ramp(Math.abs(2 * (around[at] ?? 0) - 1), CERTAIN)
    return Math.max(share, ramp(Math.abs(difference[at] ?? 0), DIFFERENT), isCertain)
  })
  const whole = resampled(people, subject.width, subject.height)
  const weight = resampled({ data: weights, width, height }, subject.width, subject.height)
  const data = subject.data.map((value, at) => value + (weight.data[at] ?? 0) * ((whole.data[at] ?? 0) - value))
  return mayTakeAway ? { ...subject, data } : highest(subject, { ...subject, data })
}
