import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Tensor, type InferenceSession } from 'onnxruntime-node'
import { boxInside, detectionsOf, yunetDetections, type Detection } from './face-boxes.ts'
import { shippedFaceModels, yunet, type FaceModel } from './face-models.ts'
import { isGenuine, shippedPath } from './installed.ts'
import { keptSession } from './session.ts'
import { onGround } from '../image/framing.ts'
import type { Point } from '../image/head-lines.ts'
import { pipelineOf, samplesOf, type Pixels } from '../image/pixels.ts'
import type { Frame } from '#shared/id-photo-crop'

/** A face: from brows or forehead to chin, and its 68 points in the order of iBUG 300-W (jaw 0–16, brows, nose, eyes 36–47, mouth). */
export interface Face {
  readonly box: Frame
  /** How sure the detector is, 0..1. */
  readonly score: number
  readonly landmarks: readonly Point[]
}

/** What faces are looked for with. */
export interface FaceOptions {
  /** Where an operator's models lie, if there are any. */
  readonly modelsFolder?: string
}

const DETECTOR_PX = 512
/** Works whether a copy of YuNet takes any size or, as some do, only this one. */
const YUNET_PX = 640
const LANDMARKS_PX = 112

/** Faces as a detector saw them in a copy of the picture whose longer side has `longest` pixels. */
interface Detections {
  readonly found: readonly Detection[]
  readonly longest: number
}

const shipped = async (model: FaceModel): Promise<InferenceSession> => keptSession(await shippedPath(model))

/** A picture fitted into a square's middle, on black; interleaved RGB. */
const inSquare = (pixels: Pixels, side: number): Promise<Buffer> =>
  pipelineOf(pixels).resize({ width: side, height: side, fit: 'contain', background: '#000000' }).raw().toBuffer()

/** A picture no larger than `longest` in a square's upper left corner, on black; interleaved RGB. */
async function inCorner(pixels: Pixels, side: number, longest: number): Promise<Buffer> {
  const small = await samplesOf(
    pipelineOf(pixels).resize({ width: longest, height: longest, fit: 'contain', position: 'left top', background: '#000000' }),
  )
  return longest === side
    ? small.data
    : pipelineOf(small)
        .extend({ right: side - longest, bottom: side - longest, background: '#000000' })
        .raw()
        .toBuffer()
}

const floatsOf = (tensor: Tensor | undefined): Float32Array => {
  if (!(tensor?.data instanceof Float32Array)) throw new Error('a model of faces that does not answer in 32-bit floats')
  return tensor.data
}

/** Looks at the picture at full input size or at a part of it; boxes are in pixels of the input. */
async function look(pixels: Pixels, longest: number): Promise<readonly Detection[]> {
  const session = await shipped(shippedFaceModels.detector)
  const image = await inCorner(pixels, DETECTOR_PX, longest)
  const { boxes, scores } = await session.run({ image: new Tensor('uint8', image, [1, DETECTOR_PX, DETECTOR_PX, 3]) })
  return detectionsOf(floatsOf(boxes), floatsOf(scores), DETECTOR_PX)
}

async function byDetector(pixels: Pixels): Promise<Detections> {
  const found = await look(pixels, DETECTOR_PX)
  if (found.length > 0) return { found, longest: DETECTOR_PX }
  // A face that fills its picture, a grey one above all, is surer seen smaller: 0.28 became 0.91.
  return { found: await look(pixels, DETECTOR_PX / 2), longest: DETECTOR_PX / 2 }
}

/** YuNet takes planes of blue, green and red, as they are. */
async function byYunet(path: string, pixels: Pixels): Promise<Detections> {
  const session = await keptSession(path)
  const image = await inCorner(pixels, YUNET_PX, YUNET_PX)
  const area = YUNET_PX * YUNET_PX
  const planes = new Float32Array(3 * area)
  for (let at = 0; at < area; at++) for (let plane = 0; plane < 3; plane++) planes[plane * area + at] = image[at * 3 + 2 - plane] ?? 0
  const [name = ''] = session.inputNames
  const answers = await session.run({ [name]: new Tensor('float32', planes, [1, 3, YUNET_PX, YUNET_PX]) })
  const outputs = Object.fromEntries(Object.entries(answers).map(([key, tensor]) => [key, floatsOf(tensor)]))
  return { found: yunetDetections(outputs, YUNET_PX), longest: YUNET_PX }
}

async function yunetPath(modelsFolder: string | undefined): Promise<string | undefined> {
  if (modelsFolder === undefined) return undefined
  const path = join(modelsFolder, yunet.file)
  return existsSync(path) && (await isGenuine(path, yunet.digest)) ? path : undefined
}

async function landmarksIn(pixels: Pixels, box: Frame): Promise<readonly Point[]> {
  const session = await shipped(shippedFaceModels.landmarks)
  const { left, top, width, height } = box
  const face = await inSquare(await samplesOf(pipelineOf(pixels).extract(box)), LANDMARKS_PX)
  const { points } = await session.run({ face: new Tensor('uint8', face, [1, LANDMARKS_PX, LANDMARKS_PX, 3]) })
  const side = Math.max(width, height)
  const [x0, y0] = [left - (side - width) / 2, top - (side - height) / 2]
  const parts = floatsOf(points)
  return Array.from({ length: parts.length / 2 }, (_, at) => ({
    x: x0 + (parts[at * 2] ?? 0) * side,
    y: y0 + (parts[at * 2 + 1] ?? 0) * side,
  }))
}

/**
 * The faces in an upright sRGB picture, the surest first; none of them upside down or in profile. By SSD on MobileNet V1, or YuNet where an
 * operator has added it; landmarks by face-api.js's net. Throws `model.missing`.
 */
export async function findFaces(pixels: Pixels, { modelsFolder }: FaceOptions = {}): Promise<readonly Face[]> {
  const picture = await onGround(pixels, '#ffffff')
  const path = await yunetPath(modelsFolder)
  const { found, longest } = path === undefined ? await byDetector(picture) : await byYunet(path, picture)
  const scale = Math.max(picture.width, picture.height) / longest
  const faces: Face[] = []
  for (const { box, score } of found) {
    const { left, top, width, height } = box
    const inside = boxInside({ left: left * scale, top: top * scale, width: width * scale, height: height * scale }, picture)
    if (inside) faces.push({ box: inside, score, landmarks: await landmarksIn(picture, inside) })
  }
  return faces
}
