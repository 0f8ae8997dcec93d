import { createHash } from 'node:crypto'
import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { models, type Digest, type Model } from './models.ts'
import { AppError } from '#shared/errors/app-error'
import type { Subject } from '#shared/tools/define'

const besideSources = fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? '../../dist/models' : '../../models', import.meta.url))

/**
 * Where the models lie that ship, whether these sources run or the compiled ones. Of a packed client they lie beside its archive: the runtime
 * opens a model by itself, and knows nothing of archives.
 */
export const shippedFolder = besideSources.replace(/([/\\]app\.asar)([/\\])/, '$1.unpacked$2')

/** The list of SHA-256 digests beside an operator's models: those of the files that were accepted. */
export const RECORD = 'models.json'

/** What is to be said of a model's file; `unknown` is one that nothing is known to check it by, since nobody has added it. */
export type State = 'shipped' | 'installed' | 'missing' | 'changed' | 'unknown'

/** What of a model tells where it is looked for and whether it is itself. */
export type ModelFile = Pick<Model, 'tier' | 'file' | 'digest'>

/** A model with the file it is in. */
export interface Installed<M extends ModelFile = Model> {
  readonly model: M
  readonly path: string
}

/** The digest of a file, in hex. */
export async function digestOf(path: string, algorithm: Digest['algorithm']): Promise<string> {
  const hash = createHash(algorithm)
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

/** The digests of the files an operator has added, by file name; none where nothing was added. Throws when the record is no record. */
export function recordOf(folder: string): Record<string, string> {
  const file = join(folder, RECORD)
  if (!existsSync(file)) return {}
  const record: unknown = JSON.parse(readFileSync(file, 'utf8'))
  if (typeof record !== 'object' || record === null) throw new Error(`${file} is not a list of digests`)
  return Object.fromEntries(Object.entries(record).filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}

/** Digests need seconds for a large file, so what was found good is known by the file's size and time as long as the process lives. */
const verdicts = new Map<string, boolean>()

/** Whether a file is the model: by the digest that was recorded when it was added, else by the one its source publishes. */
export async function isGenuine(path: string, digest: Digest): Promise<boolean> {
  const { size, mtimeMs } = statSync(path)
  const key = `${path} ${size} ${mtimeMs} ${digest.hex}`
  const verdict = verdicts.get(key) ?? (await digestOf(path, digest.algorithm)) === digest.hex
  verdicts.set(key, verdict)
  return verdict
}

/** Where a model lies that ships. Throws `model.missing` where it is not there or is not itself. */
export async function shippedPath({ file, digest }: Pick<Model, 'file' | 'digest'>): Promise<string> {
  const path = join(shippedFolder, file)
  if (!digest || !existsSync(path) || !(await isGenuine(path, digest))) throw new AppError('model.missing', {})
  return path
}

const folderOf = (model: ModelFile, modelsFolder: string | undefined): string | undefined =>
  model.tier === 'default' ? shippedFolder : modelsFolder

/** What is to be said of a model: an HD one lies in the operator's folder or is missing. */
export async function stateOf(model: ModelFile, modelsFolder: string | undefined): Promise<State> {
  const folder = folderOf(model, modelsFolder)
  if (folder === undefined) return 'missing'
  const path = join(folder, model.file)
  if (!existsSync(path)) return 'missing'
  const recorded = model.tier === 'hd' ? recordOf(folder)[model.file] : undefined
  const digest: Digest | undefined = recorded === undefined ? model.digest : { algorithm: 'sha256', hex: recorded }
  if (!digest) return 'unknown'
  if (!(await isGenuine(path, digest))) return 'changed'
  return model.tier === 'default' ? 'shipped' : 'installed'
}

/** Of each tier the first model of a list that is there and is what it should be. */
export async function presentOf<M extends ModelFile>(
  list: readonly M[],
  modelsFolder: string | undefined,
): Promise<readonly Installed<M>[]> {
  const found: Installed<M>[] = []
  for (const model of list) {
    if (found.some((better) => better.model.tier === model.tier)) continue
    const folder = folderOf(model, modelsFolder)
    const state = await stateOf(model, modelsFolder)
    if (folder !== undefined && (state === 'shipped' || state === 'installed')) found.push({ model, path: join(folder, model.file) })
  }
  return found
}

/** Of each tier the best model for a subject, best first, of those that are there and are what they should be. Throws `model.missing`. */
export async function modelsFor(subject: Subject, modelsFolder: string | undefined): Promise<readonly [Installed, ...Installed[]]> {
  const fitting = models.filter(({ subjects }) => subjects.includes(subject))
  const [best, ...others] = await presentOf(fitting, modelsFolder)
  if (!best) throw new AppError('model.missing', {})
  return [best, ...others]
}

/** The best model for a subject. Throws `model.missing`. */
export const modelFor = async (subject: Subject, modelsFolder: string | undefined): Promise<Installed> =>
  (await modelsFor(subject, modelsFolder))[0]
