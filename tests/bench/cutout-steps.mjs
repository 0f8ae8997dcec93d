import { ask } from '#engine/ai/ask'
import { modelFor } from '#engine/ai/installed'
import { findFaces } from '#engine/ai/faces'
import { predictMatte } from '#engine/ai/predict'
import { sessionOf } from '#engine/ai/session'
import { stretched } from '#engine/ai/soft-map'
import { pipelineOf, samplesOf } from '#engine/image/pixels'
import { estimateForeground } from '#engine/matte/foreground'
import { refineMatte } from '#engine/matte/refine'

/**
 * @typedef {import('#engine/image/pixels').Pixels} Pixels
 * @typedef {import('#shared/matte/matte').Matte} Matte
 * @typedef {import('#shared/tools/define').Subject} Subject
 */

/**
 * The model's own answer and no more: asked once about the whole picture, its answer brought to the picture's size.
 * @returns {Promise<Matte>}
 */
export async function rawMatte(
  /** @type {Pixels} */ pixels,
  /** @type {Subject} */ subject,
  /** @type {string | undefined} */ modelsFolder,
) {
  const { model, path } = await modelFor(subject, modelsFolder)
  const { inputPx, answer } = model
  const fitted = pipelineOf(pixels).resize(inputPx, inputPx, { fit: 'fill', kernel: 'lanczos3' })
  const seen = await ask(await sessionOf(path, !model.isQuick), model, (await samplesOf(fitted)).data, false)
  const { data } = answer === 'stretched' ? stretched(seen) : seen
  const small = {
    data: Buffer.from(Uint8Array.from(data, (value) => Math.round(255 * value))),
    width: inputPx,
    height: inputPx,
    channels: /** @type {const} */ (1),
  }
  const { width, height } = pixels
  const { data: full } = await samplesOf(pipelineOf(small).resize(width, height, { fit: 'fill', kernel: 'cubic' }))
  return { data: full, width, height }
}

/** Where the faces are, as a job of persons has them looked for. */
export async function facesIn(
  /** @type {Pixels} */ pixels,
  /** @type {Subject} */ subject,
  /** @type {string | undefined} */ modelsFolder,
) {
  if (subject !== 'person') return []
  const faces = await findFaces(pixels, modelsFolder === undefined ? {} : { modelsFolder })
  return faces.map(({ box }) => box)
}

/** Processor time of this process in seconds. */
const busySeconds = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

/**
 * A picture through all steps, with the processor's seconds of each.
 */
export async function steps(/** @type {Pixels} */ pixels, /** @type {Subject} */ subject, /** @type {string | undefined} */ modelsFolder) {
  const folder = modelsFolder === undefined ? {} : { modelsFolder }
  const startedAt = busySeconds()
  const raw = await rawMatte(pixels, subject, modelsFolder)
  const rawAt = busySeconds()
  const faces = await facesIn(pixels, subject, modelsFolder)
  const { matte, confidence } = await predictMatte(pixels, subject, { ...folder, faces })
  const predictedAt = busySeconds()
  const refined = refineMatte(pixels, matte, subject, faces)
  const refinedAt = busySeconds()
  const foreground = estimateForeground(pixels, refined)
  const doneAt = busySeconds()
  const seconds = {
    raw: rawAt - startedAt,
    passes: predictedAt - rawAt,
    refinement: refinedAt - predictedAt,
    foreground: doneAt - refinedAt,
  }
  return { raw, matte, confidence, refined, foreground, seconds }
}
