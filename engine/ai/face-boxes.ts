import type { Frame, Sides } from '#shared/id-photo-crop'

/** Where a detector sees a face, in pixels of what it looked at, and how sure it is (0..1). */
export interface Detection {
  readonly box: Frame
  readonly score: number
}

/** What is less sure is no face: pictures without one reached 0.50. (face-api.js takes 0.5.) */
const LEAST_SCORE = 0.55
/** Boxes that share more than this part of what both cover are of one face. */
const SAME_FACE = 0.5

/** The part two boxes share of what both cover (intersection over union). */
function overlap(one: Frame, other: Frame): number {
  const width = Math.min(one.left + one.width, other.left + other.width) - Math.max(one.left, other.left)
  const height = Math.min(one.top + one.height, other.top + other.height) - Math.max(one.top, other.top)
  if (width <= 0 || height <= 0) return 0
  return (width * height) / (one.width * one.height + other.width * other.height - width * height)
}

/** The surest box of each face (non-maximum suppression), the surest first. */
export function withoutDoubles(detections: readonly Detection[]): readonly Detection[] {
  const kept: Detection[] = []
  for (const candidate of detections.toSorted((one, other) => other.score - one.score)) {
    if (candidate.score < LEAST_SCORE) break
    if (kept.every(({ box }) => overlap(box, candidate.box) <= SAME_FACE)) kept.push(candidate)
  }
  return kept
}

/** The boxes of the shipped detector: rows of top, left, bottom and right as parts of its input's side, and a score each. */
export function detectionsOf(boxes: Float32Array, scores: Float32Array, sidePx: number): readonly Detection[] {
  const found: Detection[] = []
  for (const [at, score] of scores.entries()) {
    if (score < LEAST_SCORE) continue
    const [top = 0, left = 0, bottom = 0, right = 0] = boxes.subarray(at * 4, at * 4 + 4).map((part) => part * sidePx)
    found.push({ box: { left, top, width: right - left, height: bottom - top }, score })
  }
  return withoutDoubles(found)
}

/** YuNet's answers, by the names of its outputs (`cls_8`, `obj_8`, `bbox_8` and so on for strides of 8, 16 and 32). */
export type YunetAnswers = Readonly<Record<string, Float32Array | undefined>>

const STRIDES = [8, 16, 32] as const
const within = (value: number): number => Math.min(1, Math.max(0, value))

/** The boxes of YuNet 2023mar: each cell of a grid says where a face's middle lies from it and, as logarithms, how large it is (OpenCV, face_detect.cpp). */
export function yunetDetections(answers: YunetAnswers, sidePx: number): readonly Detection[] {
  const found: Detection[] = []
  for (const stride of STRIDES) {
    const [classes, objects, boxes] = [answers[`cls_${stride}`], answers[`obj_${stride}`], answers[`bbox_${stride}`]]
    if (!classes || !objects || !boxes) throw new Error(`a model that gives no boxes at a stride of ${stride}`)
    const columns = sidePx / stride
    for (const [at, value] of classes.entries()) {
      const score = Math.sqrt(within(value) * within(objects[at] ?? 0))
      if (score < LEAST_SCORE) continue
      const [right = 0, down = 0, wide = 0, high = 0] = boxes.subarray(at * 4, at * 4 + 4)
      const [width, height] = [Math.exp(wide) * stride, Math.exp(high) * stride]
      const left = ((at % columns) + right) * stride - width / 2
      const top = (Math.floor(at / columns) + down) * stride - height / 2
      found.push({ box: { left, top, width, height }, score })
    }
  }
  return withoutDoubles(found)
}

/** A box in whole pixels, as far as it lies in a picture; undefined where next to nothing of it does. */
export function boxInside({ left, top, width, height }: Frame, picture: Sides): Frame | undefined {
  const [from, above] = [Math.max(0, Math.round(left)), Math.max(0, Math.round(top))]
  const inside = {
    left: from,
    top: above,
    width: Math.min(picture.width, Math.round(left + width)) - from,
    height: Math.min(picture.height, Math.round(top + height)) - above,
  }
  return inside.width > 1 && inside.height > 1 ? inside : undefined
}
