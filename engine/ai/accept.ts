import { copyFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ask } from './ask.ts'
import { askForColours, inputSize } from './colours.ts'
import type { ColourModel } from './colour-models.ts'
import { digestOf, RECORD, recordOf } from './installed.ts'
import type { Model } from './models.ts'
import type { OcrModel } from './ocr-models.ts'
import { openSession } from './session.ts'
import { answerOf, classesOf, detectBy } from '../ocr/networks.ts'

/** Why a file was not taken for a model. */
export class Refused extends Error {}

type AnyModel = Model | ColourModel | OcrModel

/** A line of text without any, and what a list of characters must have at least. */
const LINE = { width: 320, height: 48, characters: 1000 }

async function checkOcr({ part }: OcrModel, path: string): Promise<void> {
  const { width, height, characters } = LINE
  if (part === 'characters') {
    if (classesOf(await readFile(path, 'utf8')).length < characters) throw new Error(`fewer than ${characters} characters`)
    return
  }
  const session = await openSession(path)
  if (part === 'detector') await detectBy(session, { data: new Uint8Array(64 * 64 * 4).fill(255), width: 64, height: 64 })
  else await answerOf(session, { data: new Uint8Array(width * height * 4).fill(255), width, height })
  await session.release()
}

/** Asks the file about a plain grey picture: whatever else it may be, it must answer as the model does. */
async function checkAnswers(model: AnyModel, path: string): Promise<void> {
  try {
    if ('part' in model) return await checkOcr(model, path)
    const session = await openSession(path)
    if ('takes' in model) {
      const size = inputSize(model, { width: 1, height: 1 })
      await askForColours(session, model, { data: new Uint8Array(size.width * size.height).fill(128), ...size })
    } else await ask(session, model, Buffer.alloc(model.inputPx ** 2 * 3, 128), false)
    await session.release()
  } catch (cause) {
    throw new Refused(`该文件不能作为模型 ${model.id} 运行：${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}

/**
 * Takes a file into an operator's folder as a model and records its SHA-256, so that it is refused once it changes; returns that digest.
 * A model whose source publishes a digest must have it; of the others the file that is added is the one that counts. Throws `Refused`.
 */
export async function acceptModel(model: AnyModel, path: string, modelsFolder: string): Promise<string> {
  const { digest, file } = model
  if (digest && (await digestOf(path, digest.algorithm)) !== digest.hex) {
    throw new Refused(`该文件的 ${digest.algorithm.toUpperCase()} 不是 ${digest.hex}，不是模型 ${model.id} 发布的文件`)
  }
  await checkAnswers(model, path)
  await mkdir(modelsFolder, { recursive: true })
  // Under another name until it is whole: a server may be looking.
  const arriving = join(modelsFolder, `${file}.part`)
  try {
    await copyFile(path, arriving)
    const sha256 = await digestOf(arriving, 'sha256')
    const record = { ...recordOf(modelsFolder), [file]: sha256 }
    await writeFile(join(modelsFolder, `${RECORD}.part`), `${JSON.stringify(record, undefined, 2)}\n`)
    await rename(arriving, join(modelsFolder, file))
    await rename(join(modelsFolder, `${RECORD}.part`), join(modelsFolder, RECORD))
    return sha256
  } finally {
    await rm(arriving, { force: true })
  }
}
