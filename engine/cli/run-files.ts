import { setMaxListeners } from 'node:events'
import { mkdir, stat } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { basename, resolve } from 'node:path'
import { place } from './place.ts'
import { progressBar, reportLine, type FileReport } from './report.ts'
import { UsageError, type RunRequest } from './arguments.ts'
import { translate } from '../failures.ts'
import { localLimits } from '../limits.ts'
import { EnginePool } from '../pool.ts'
import { openWorkspace, sweepWorkspaces } from '../workspace.ts'
import { toWire, type AppError } from '#shared/errors/app-error'

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
  await sweepWorkspaces()
  // One listener a file that waits or runs.
  setMaxListeners(0, signal)
  using pool = new EnginePool({ size: Math.min(files.length, availableParallelism()), limits: localLimits })
  const shares = new Map<number, number>()
  const showProgress = (index: number, share: number): void => {
    shares.set(index, share)
    terminal.status(
      progressBar(
        [...shares.values()].reduce((sum, one) => sum + one, 0),
        files.length,
      ),
    )
  }
  return await Promise.all(
    files.map(async (path, index) => {
      const report = await runFile(pool, request, path, { signal, progress: (share) => showProgress(index, share), log: terminal.log })
      showProgress(index, 1)
      const bytes = await stat(path).then(
        (entry) => entry.size,
        () => 0,
      )
      terminal.out(isJson ? JSON.stringify(report) : reportLine(report, bytes))
      return report
    }),
  )
}

interface FileWatch {
  readonly signal: AbortSignal
  readonly progress: (share: number) => void
  readonly log: (text: string) => void
}

const isOurs = ({ code }: AppError): boolean => code === 'internal' || code === 'job.failed'

async function runFile(pool: EnginePool, request: RunRequest, path: string, { signal, progress, log }: FileWatch): Promise<FileReport> {
  const { tool, options, outFolder } = request
  let startedAt: number | undefined
  const elapsed = (): number => (startedAt === undefined ? 0 : Math.round(performance.now() - startedAt))
  try {
    await using workspace = await openWorkspace()
    const inputs = [{ path: resolve(path), name: basename(path) }] as const
    const watch = (share: number): void => {
      startedAt ??= performance.now() // waiting for a free process is not this file's time
      progress(share)
    }
    const results = await pool.run({ tool, options, inputs }, workspace.folder, { signal, progress: watch })
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
