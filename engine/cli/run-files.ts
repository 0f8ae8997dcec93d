import { setMaxListeners } from 'node:events'
import { mkdir, stat } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { basename, resolve } from 'node:path'
import { progressBar, reportLine, type FileReport } from './report.ts'
import { UsageError, type RunRequest } from './arguments.ts'
import { translate } from '../failures.ts'
import { filesIn } from '../gather.ts'
import { localLimits } from '../limits.ts'
import { place } from '../place.ts'
import { EnginePool } from '../pool.ts'
import type { InputFile } from '../processor.ts'
import { openWorkspace, sweepWorkspaces } from '../workspace.ts'
import { toWire, type AppError } from '#shared/errors/app-error'
import { remakes, toolOf } from '#shared/tools/index'

/** Where lines and the progress bar go; the bar only where a person watches. */
export interface Terminal {
  readonly out: (line: string) => void
  readonly status: (text: string) => void
  /** What a person can't use but support can: the cause of a failure that is ours. */
  readonly log: (text: string) => void
}

/**
 * Runs a request's files through the engine, as many at a time as there are cores, and puts results into its folder as they
 * finish. A file's failure is its own report, never an end of the batch. Returns the reports in the order of the files.
 */
export async function runFiles(request: RunRequest, terminal: Terminal, signal: AbortSignal): Promise<readonly FileReport[]> {
  const { files, isJson, outFolder } = request
  await mkdir(outFolder, { recursive: true }).catch((cause: unknown) => {
    throw new UsageError(`无法使用文件夹 ${outFolder}，请换一个保存位置。`, { cause })
  })
  const { attachment, ...asked } = request
  const call: Call = attachment === undefined ? asked : { ...asked, attachment: await readable(attachment) }
  await sweepWorkspaces()
  // One listener a file that waits or runs.
  setMaxListeners(0, signal)
  const { section, takes, options } = toolOf(request.tool)
  const how = { keepsFormat: !('format' in options) && section !== 'pdf', savesBytes: !remakes(request.tool) }
  const works =
    takes === 'all' ? [await gather(files)] : files.map((path, index): Work => [{ path, name: basename(path), place: index + 1 }])
  const modelsFolder = process.env['MODELS_DIR']
  const size = Math.min(works.length, availableParallelism())
  using pool = new EnginePool({ size, limits: localLimits, ...(modelsFolder && { modelsFolder: resolve(modelsFolder) }) })
  const shares = new Map<number, number>()
  const showProgress = (index: number, share: number): void => {
    shares.set(index, share)
    terminal.status(
      progressBar(
        [...shares.values()].reduce((sum, one) => sum + one, 0),
        works.length,
      ),
    )
  }
  return await Promise.all(
    works.map(async (work, index) => {
      const watch = { signal, progress: (share: number) => showProgress(index, share), log: terminal.log }
      const report = await runWork(pool, call, work, watch)
      showProgress(index, 1)
      terminal.out(isJson ? JSON.stringify(report) : reportLine(report, await bytesOf(work), how))
      return report
    }),
  )
}

/** A file all jobs share. Throws UsageError where there is none: it is the call's fault and no single file's. */
async function readable(path: string): Promise<InputFile> {
  const isFile = await stat(path).then(
    (entry) => entry.isFile(),
    () => false,
  )
  if (!isFile) throw new UsageError(`找不到文件 ${path}，请检查路径。`)
  return { path: resolve(path), name: basename(path) }
}

/** The files of one job. */
type Work = readonly [InputFile, ...InputFile[]]

/** Files and what lies in folders, as one piece of work; each knows the folder it lay in. */
async function gather(paths: readonly string[]): Promise<Work> {
  const found: InputFile[] = []
  for (const path of paths) {
    const isFolder = await stat(path).then(
      (entry) => entry.isDirectory(),
      () => false,
    )
    if (!isFolder) found.push({ path, name: basename(path) })
    else found.push(...(await filesIn(path)))
  }
  const [first, ...others] = found
  if (!first) throw new UsageError('文件夹里没有文件。')
  return [first, ...others]
}

async function bytesOf(work: Work): Promise<number> {
  let sum = 0
  for (const { path } of work)
    sum += await stat(path).then(
      ({ size }) => size,
      () => 0,
    )
  return sum
}

interface FileWatch {
  readonly signal: AbortSignal
  readonly progress: (share: number) => void
  readonly log: (text: string) => void
}

const isOurs = ({ code }: AppError): boolean => code === 'internal' || code === 'job.failed'

/** What is asked for, the file that all jobs share found. */
interface Call extends Omit<RunRequest, 'attachment'> {
  readonly attachment?: InputFile
}

async function runWork(pool: EnginePool, call: Call, work: Work, { signal, progress, log }: FileWatch): Promise<FileReport> {
  const { tool, options, outFolder, attachment } = call
  const [{ path }] = work
  let startedAt: number | undefined
  const elapsed = (): number => (startedAt === undefined ? 0 : Math.round(performance.now() - startedAt))
  try {
    await using workspace = await openWorkspace()
    const [first, ...others] = work.map((file) => ({ ...file, path: resolve(file.path) }))
    if (!first) throw new RangeError('a job without files')
    const inputs = [first, ...others] as const
    const watch = (share: number): void => {
      startedAt ??= performance.now() // waiting for a free process is not this file's time
      progress(share)
    }
    const job = { tool, options, inputs, ...(attachment && { attachment }) }
    const results = await pool.run(job, workspace.folder, { signal, progress: watch })
    const outputs = []
    for (const { path: source, name, note: _note, ...facts } of results) {
      outputs.push({ path: await place(source, outFolder, name), ...facts })
    }
    const note = results[0]?.note
    return { input: path, outputs, ...(note && { note }), ms: elapsed() }
  } catch (error) {
    const failure = translate(error)
    if (isOurs(failure)) log(`${path}: ${failure.code} ${String(failure.cause)}`)
    return { input: path, outputs: [], error: toWire(failure), ms: elapsed() }
  }
}
