import type { Face } from '../ai/faces.ts'
import { pipelineOf, samplesOf, type Pixels } from '../image/pixels.ts'
import { AppError } from '#shared/errors/app-error'
import type { Plane } from '#shared/matte/blur'

/** Levels of brightness that a seam through a face or a subject costs a pixel. */
const FACE = 400
const SUBJECT = 60
/** How much more than its box a face takes, to both sides and upwards: hair and ears. */
const AROUND = 0.25

/** The subject as the model sees it, at a small picture's size; nothing where it sees none. */
async function subjectOf(pixels: Pixels, { width, height }: Plane, modelsFolder: string | undefined): Promise<Uint8Array | undefined> {
  const { predictMatte } = await import('../ai/predict.ts')
  try {
    const small = await samplesOf(
      pipelineOf(pixels).flatten({ background: '#fff' }).resize(width, height, { fit: 'fill' }).toColourspace('srgb'),
    )
    const { matte } = await predictMatte(small, 'general', modelsFolder === undefined ? {} : { modelsFolder })
    return matte.data
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'cutout.no-subject') return undefined
    throw thrown
  }
}

/** What seams should keep off, in levels for each pixel of a small copy: the faces above all, then the subject. */
export async function shieldOf(
  pixels: Pixels,
  small: Plane,
  faces: readonly Face[],
  modelsFolder: string | undefined,
): Promise<Float32Array> {
  const { width, height } = small
  const subject = await subjectOf(pixels, small, modelsFolder)
  const shield = Float32Array.from({ length: width * height }, (_, at) => ((subject?.[at] ?? 0) / 255) * SUBJECT)
  const scale = width / pixels.width
  for (const { box } of faces) {
    const wide = box.width * AROUND
    const left = Math.max(0, Math.floor((box.left - wide) * scale))
    const right = Math.min(width, Math.ceil((box.left + box.width + wide) * scale))
    const top = Math.max(0, Math.floor((box.top - box.height * AROUND) * scale))
    const bottom = Math.min(height, Math.ceil((box.top + box.height) * scale))
    for (let y = top; y < bottom; y++) shield.fill(FACE, y * width + left, y * width + right)
  }
  return shield
}
