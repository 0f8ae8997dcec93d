import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { resultKey } from './keys.ts'
import { earlierFindings } from './earlier.ts'
import type { Patience } from './patience.ts'
import type { JobRow, Outcome } from './queue.ts'
import { unsealOptions } from './sealed-options.ts'
import type { DatabaseConnection } from '../database/open.ts'
import type { StoredInput, StoredOutput } from '../database/schema.ts'
import type { ObjectStore } from '../storage/object-store.ts'
import type { Watch } from '#engine/lane'
import { isForNothing } from '#engine/output-file'
import type { EnginePool } from '#engine/pool'
import type { InputFile, Job, OutputFile } from '#engine/processor'
import { AppError } from '#shared/errors/app-error'
import { findingOf } from '#shared/tools/finding'
import { costOf, isToolId, leavesParts, parseOptions, toolOf } from '#shared/tools/index'

/** What processing a job takes. */
export interface ProcessSettings {
  readonly connection: DatabaseConnection
  readonly store: ObjectStore
  readonly pool: EnginePool
  readonly now: () => number
  /** With a storage that is away. */
  readonly patience: Patience
  /** What the secrets of options were sealed with. */
  readonly secretKey: Buffer
}

/** What is heard of a job while it is processed, and how it is stopped. */
export type JobWatch = Watch & { readonly signal: AbortSignal }

/** Brings a job's files to an empty folder, has the engine do it there, and stores what came of it. Throws AppError for a job that fails. */
export async function processJob(settings: ProcessSettings, row: JobRow, folder: string, watch: JobWatch): Promise<Outcome> {
  const { pool, store, patience, secretKey } = settings
  const { id, identityId, tool } = row
  if (!isToolId(tool)) throw new AppError('tool.unavailable', {})
  const out = join(folder, 'out')
  await mkdir(out)
  const options = parseOptions(tool, unsealOptions(secretKey, row.options))
  const files = await fetchInputs(settings, row, folder, watch.signal)
  const attachment = row.inputs.find(({ isAttachment }) => isAttachment)
  const finding = findingOf(tool, options, attachment?.etag)
  const found = finding === undefined ? undefined : await fetchFound(settings, row, finding, join(folder, 'found'), watch.signal)
  const job: Job = { tool, options, ...files, ...found, wantsParts: leavesParts(tool, options) }
  const made = await pool.run(job, out, watch)
  const results = made.filter(({ part }) => part === undefined)
  // Whoever was asked to pay before it was found gets it back.
  const isCharged = costOf(tool, options) !== 'free' && !found && !results.every(isForNothing)
  // What nothing was paid for serves no other job, which would cost nothing either.
  const reusable = isCharged || found ? finding : undefined
  const outputs: StoredOutput[] = []
  for (const [n, output] of made.entries()) {
    const key = resultKey(identityId, id, n)
    await patience.try(watch.signal, () => store.writeFile(key, output.path))
    outputs.push(storedOutput(key, output, reusable))
  }
  return { state: 'done', outputs, note: results[0]?.note, isCharged }
}

type Source = Pick<ProcessSettings, 'store' | 'patience'>

async function fetchInputs(
  source: Source,
  { tool, inputs }: Pick<JobRow, 'tool' | 'inputs'>,
  folder: string,
  signal: AbortSignal,
): Promise<Pick<Job, 'inputs' | 'attachment'>> {
  const files: InputFile[] = []
  let attachment: InputFile | undefined
  for (const [n, input] of inputs.entries()) {
    const target = join(folder, `source-${n}`)
    if (input.isAttachment) attachment = await fetchAttachment(source, input, target, tool, signal)
    else files.push(await fetchInput(source, input, target, signal))
  }
  const [first, ...others] = files
  if (!first) throw new AppError('upload.missing', {})
  return { inputs: [first, ...others], ...(attachment && { attachment }) }
}

/** The same of a second file, whose loss is told in words that tell it from the inputs. */
async function fetchAttachment(source: Source, input: StoredInput, target: string, tool: string, signal: AbortSignal): Promise<InputFile> {
  try {
    return await fetchInput(source, input, target, signal)
  } catch (thrown) {
    if (!(thrown instanceof AppError && thrown.code === 'upload.missing')) throw thrown
    const label = isToolId(tool) ? toolOf(tool).attachment?.label : undefined
    throw new AppError('options.background-lost', label === undefined ? {} : { label })
  }
}

/** Brings an input to a file of its own. Replaced since it was checked, it is not what was accepted; and no more is read than was, however fast it grows. */
async function fetchInput({ store, patience }: Source, input: StoredInput, target: string, signal: AbortSignal): Promise<InputFile> {
  const { name, path, place } = input
  await patience.try(signal, () => copyInput(store, input, target, signal))
  return { path: target, name, ...(path !== undefined && { folder: path }), ...(place !== undefined && { place }) }
}

async function copyInput(store: ObjectStore, { key, bytes, etag }: StoredInput, target: string, signal: AbortSignal): Promise<void> {
  const object = await store.head(key)
  const isSame = object?.bytes === bytes && (etag === undefined || object.etag === etag)
  if (!isSame) throw new AppError('upload.missing', {})
  const content = bytes === 0 ? [] : await store.read(key, { from: 0, to: bytes - 1 })
  await pipeline(content, createWriteStream(target), { signal })
}

/** What an earlier job found in the same picture; undefined where there was none, or its job was removed in this moment. */
async function fetchFound(
  { connection, store, now, patience }: ProcessSettings,
  { identityId, inputs }: JobRow,
  finding: string,
  target: string,
  signal: AbortSignal,
): Promise<Pick<Job, 'matte' | 'chroma'> | undefined> {
  const [source] = inputs
  if (!source) return undefined
  const earlier = (await earlierFindings(connection.db, { identityId, finding, inputs: [source], now: now() })).get(source.key)
  if (!earlier?.part) return earlier && {}
  const { key, name, part } = earlier.part
  try {
    await patience.try(signal, async () => pipeline(await store.read(key), createWriteStream(target), { signal }))
    return { [part === 'chroma' ? 'chroma' : 'matte']: { path: target, name } }
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'file.missing') return undefined
    throw thrown
  }
}

/** Every part says what was found: an editor of colours may be left its source alone. */
const storedOutput = (key: string, { path: _path, note: _note, ...facts }: OutputFile, finding: string | undefined): StoredOutput => ({
  key,
  ...facts,
  ...(facts.part !== undefined && finding !== undefined && { subject: finding }),
})
