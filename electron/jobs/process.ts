import { mkdir, rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { earlierFinding } from './earlier.ts'
import type { JobFacts, LocalInput, LocalJob, LocalOutput, LocalPart, StagedOutput } from './job.ts'
import type { JobQueue } from './queue.ts'
import { openOutputFolder, type OutputFolder } from '../files/output-folder.ts'
import { partialName, placeFailure, settleAll, stageAll } from '../files/place-results.ts'
import { sameFile } from '../files/real-path.ts'
import type { Watch } from '#engine/lane'
import { isForNothing } from '#engine/output-file'
import type { EnginePool } from '#engine/pool'
import type { InputFile, Job, OutputFile } from '#engine/processor'
import { AppError } from '#shared/errors/app-error'
import { findingOf } from '#shared/tools/finding'
import { costOf, leavesParts, parseOptions, toolOf } from '#shared/tools/index'

/** What processing a job takes. */
export interface ProcessSettings {
  readonly queue: JobQueue
  readonly pool: EnginePool
  /** Where jobs have their private folders, … */
  readonly workFolder: string
  /** … and where what editors work on lies. */
  readonly partsFolder: string
  /** The folder for results of a file that lies nowhere a person looks; undefined for all others. */
  readonly instead: (path: string) => string | undefined
}

/** What is heard of a job while it is processed, and how it is stopped. */
export type JobWatch = Watch & { readonly signal: AbortSignal }

/** How a job ended well: what is noted of it, and what it leaves for editors. */
export interface Done {
  readonly facts: Pick<JobFacts, 'outputs'>
  readonly parts: readonly LocalPart[]
}

/** Has the engine do a job in an empty folder, and puts what came of it where it belongs. Throws AppError for a job that fails. */
export async function processJob(settings: ProcessSettings, job: LocalJob, watch: JobWatch): Promise<Done> {
  // An earlier start had all of it, and was on its way to put it into its folder.
  if (job.staged?.length) return { facts: await place(settings.queue, job.id, job.staged), parts: [] }
  const { queue, pool, workFolder, partsFolder } = settings
  const out = join(workFolder, job.id)
  await rm(out, { recursive: true, force: true })
  await mkdir(out, { recursive: true })
  try {
    const options = parseOptions(job.tool, job.options)
    const finding = findingOf(job.tool, options, job.attachment?.tag)
    const found = finding === undefined ? undefined : earlierFinding(queue, finding, job.inputs[0])
    const work: Job = { tool: job.tool, options, ...(await filesOf(job)), ...fileOf(found), wantsParts: leavesParts(job.tool, options) }
    const made = await pool.run(work, out, watch)
    const results = made.filter(({ part }) => part === undefined)
    // Whoever was asked to pay before it was found gets it back.
    const isCharged = costOf(job.tool, options) !== 'free' && !found && !results.every(isForNothing)
    // What nothing was paid for serves no other job, which would cost nothing either.
    const parts = await keepParts(partsFolder, job.id, made, isCharged || found ? finding : undefined)
    const staged = await stageResults(settings, job, results)
    const note = results[0]?.note
    // From the next line on it is too late.
    if (watch.signal.aborted) throw new AppError('job.cancelled', {})
    await queue.keep(job.id, { staged, isCharged, ...(note && { note }) }, 'written')
    return { facts: await place(queue, job.id, staged), parts }
  } finally {
    await rm(out, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }).catch(() => {}) // the next start removes it
  }
}

const fileOf = (found: ReturnType<typeof earlierFinding>): Pick<Job, 'matte' | 'chroma'> => {
  if (!found?.part) return {}
  const { part, path } = found.part
  return { [part === 'chroma' ? 'chroma' : 'matte']: { path, name: `${part}.png` } }
}

/** A job's files where they are: they are only read. */
async function filesOf({ tool, inputs, attachment }: LocalJob): Promise<Pick<Job, 'inputs' | 'attachment'>> {
  const [first, ...others] = inputs
  const files: Job['inputs'] = [await fileThere(first), ...(await Promise.all(others.map(fileThere)))]
  if (!attachment) return { inputs: files }
  const background = await fileThere(attachment).catch((cause: unknown) => {
    const label = toolOf(tool).attachment?.label
    throw new AppError('options.background-lost', label === undefined ? {} : { label }, { cause })
  })
  return { inputs: files, attachment: background }
}

async function fileThere({ path, name, folder, place: nth }: LocalInput): Promise<InputFile> {
  await sameFile(path)
  return { path, name, ...(folder !== undefined && { folder }), ...(nth !== undefined && { place: nth }) }
}

/** Every part says what was found: an editor of colours may be left its source alone. */
async function keepParts(
  partsFolder: string,
  jobId: string,
  made: readonly OutputFile[],
  finding: string | undefined,
): Promise<readonly LocalPart[]> {
  const kept: LocalPart[] = []
  for (const { part, format, path: from } of made) {
    if (part === undefined) continue
    const path = join(partsFolder, jobId, part)
    await mkdir(join(partsFolder, jobId), { recursive: true })
    await rename(from, path)
    kept.push({ part, format, path, ...(finding !== undefined && { finding }) })
  }
  return kept
}

/** Copies results to the folder they are for, under names that are nobody's; noted before, so that a crash leaves none of them lying there. */
async function stageResults(
  { queue, instead }: ProcessSettings,
  { id, tool, inputs, output }: LocalJob,
  results: readonly OutputFile[],
): Promise<readonly StagedOutput[]> {
  const [{ path, folder: pickedFrom }] = inputs
  const source = { path, ...(pickedFrom !== undefined && { folder: pickedFrom }) }
  const isTogether = toolOf(tool).takes === 'all'
  const folder: OutputFolder = await openOutputFolder({ ...output, source, isTogether, instead: instead(path) }).catch((error: unknown) => {
    throw placeFailure(error)
  })
  const files = results.map(({ path: made, note: _note, part: _part, ...facts }, n) => {
    const staged: StagedOutput = { ...facts, folder: folder.path, partial: join(folder.path, partialName(id, n)) }
    return { source: made, partial: staged.partial, staged }
  })
  try {
    await queue.keep(id, { stagedIn: [folder.path] }, 'written')
    await stageAll(files)
    return files.map(({ staged }) => staged)
  } catch (error) {
    await folder.undo()
    throw error
  }
}

/** Gives staged results their names. Each is noted before it is tried, so that no start after a crash gives one twice. */
async function place(queue: JobQueue, id: string, staged: readonly StagedOutput[]): Promise<Pick<JobFacts, 'outputs'>> {
  let noted = staged
  const paths = await settleAll(staged, (n, path) => {
    noted = noted.map((one, index) => (index === n ? { ...one, path } : one))
    return queue.keep(id, { staged: noted }, 'synced')
  })
  const outputs = staged.map(({ folder: _folder, partial: _partial, path: _tried, ...facts }, n): LocalOutput => {
    const path = paths[n] ?? ''
    // Numbered, perhaps: people look for it by the name it has.
    return { ...facts, name: basename(path), path }
  })
  return { outputs }
}
