import { lstat, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { watchBatch } from './batch.ts'
import { LocalFeed } from './feed.ts'
import { hasEnded, type LocalJob, type StoredJob } from './job.ts'
import type { JobQueue } from './queue.ts'
import type { Runner } from './runner.ts'
import type { ServedFile } from './serve-file.ts'
import type { LocalJobs, LocalJobsSettings } from './settings.ts'
import type { Submitter } from './submit.ts'
import { Wire } from './wire.ts'
import { Zips } from './zip.ts'
import type { Grants, Named } from '../files/grants.ts'
import type { KeptFiles } from '../files/kept-files.ts'
import { isSamePath } from '../files/path-rules.ts'
import { realPath, sameFolder, usableFolder } from '../files/real-path.ts'
import type { WaitingFiles } from '../files/waiting-files.ts'
import type { EnginePool } from '#engine/pool'
import type { GrantedFile, ReplyOf, RequestOf } from '#shared/desktop'
import { AppError, fromWire, type WireError } from '#shared/errors/app-error'

/** How long what editors work on stays after its job's end. */
const PARTS_KEPT_MS = 2 * 3_600_000
const SWEEP_EVERY_MS = 10 * 60_000

/** What open jobs are made of. */
interface Pieces {
  readonly settings: LocalJobsSettings
  readonly queue: JobQueue
  readonly grants: Grants
  readonly kept: KeptFiles
  readonly waiting: WaitingFiles
  readonly runner: Runner
  readonly submitter: Submitter
  readonly pool: EnginePool
  readonly partsFolder: string
  readonly now: () => number
}

/** The files a job works on, where they lie. */
export const pathsOf = ({ inputs, attachment }: Pick<LocalJob, 'inputs' | 'attachment'>): readonly string[] =>
  [...inputs, ...(attachment ? [attachment] : [])].map(({ path }) => path)

/** The jobs of this computer, at work. */
export class OpenJobs implements LocalJobs {
  readonly #pieces: Pieces
  readonly #feed: LocalFeed
  readonly #wire: Wire
  readonly #stopTelling: () => void
  readonly #sweeper: NodeJS.Timeout
  #closing: Promise<void> | undefined

  constructor(pieces: Pieces) {
    const { queue, runner, settings, submitter } = pieces
    this.#pieces = pieces
    this.#feed = new LocalFeed(queue)
    this.#stopTelling = watchBatch(queue, (state) => settings.onChange?.(state))
    this.#wire = new Wire({
      queue,
      feed: this.#feed,
      submitter,
      runner,
      zips: new Zips(queue),
      result: (jobId, n) => this.#result(jobId, n),
      part: (jobId, name) => this.#part(jobId, name),
      file: (key) => this.#file(key),
      onRemoved: (job) => this.#removeKept(job),
      log: settings.log,
    })
    this.#sweeper = setInterval(() => void this.#sweepParts(), SWEEP_EVERY_MS)
    this.#sweeper.unref()
  }

  /** Begins to work: what was at work when the client ended, and what it could not settle. */
  begin(abandoned: readonly StoredJob[]): void {
    const { runner, settings } = this.#pieces
    runner.wake()
    this.#settleOld(abandoned).catch((error: unknown) => settings.log('settling what was left open failed', error))
  }

  handle(request: Request): Promise<Response> {
    return this.#wire.handle(request)
  }

  grant(files: readonly Named[]): Promise<readonly (GrantedFile | { readonly error: WireError })[]> {
    return this.#pieces.grants.give(files)
  }

  open(paths: readonly string[]): Promise<readonly GrantedFile[]> {
    return this.#pieces.grants.open(paths)
  }

  async keep(name: string, bytes: Uint8Array): Promise<GrantedFile> {
    const { grants, kept } = this.#pieces
    const [granted] = await grants.give([{ path: await kept.keep(name, bytes) }])
    if (granted && 'error' in granted) throw fromWire(granted.error)
    if (!granted) throw new AppError('internal', {})
    return granted
  }

  noteWaiting(files: RequestOf<'files:note-waiting'>): void {
    this.#pieces.waiting.note(files)
  }

  waiting(): Promise<ReplyOf<'files:waiting'>> {
    const { queue, waiting } = this.#pieces
    // Started just before the crash, they are rows of their jobs.
    const started = queue.all().filter(({ state }) => state !== 'expired')
    const keys = new Set(started.flatMap(({ inputs }) => inputs.map(({ key }) => key)))
    return waiting.there((key) => keys.has(key))
  }

  async result(jobId: string, n: number): Promise<string> {
    return (await this.#result(jobId, n)).path
  }

  async chosenFolder(path: string): Promise<string> {
    return sameFolder(await usableFolder(path))
  }

  announceAccount(): void {
    this.#feed.announceAccount()
  }

  get isBusy(): boolean {
    return this.#pieces.queue.all().some((job) => !hasEnded(job))
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #close(): Promise<void> {
    const { kept, partsFolder, pool, queue, runner, waiting } = this.#pieces
    clearInterval(this.#sweeper)
    this.#stopTelling()
    this.#feed.close()
    await runner.close()
    pool.close()
    const unfinished = queue.all().filter((job) => !hasEnded(job))
    await queue.close()
    await waiting.close()
    await rm(partsFolder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
    await kept.sweep(unfinished.flatMap(pathsOf))
  }

  /** Tells who pays of what an earlier start could not tell. */
  async #settleOld(abandoned: readonly StoredJob[]): Promise<void> {
    const { queue, runner, settings } = this.#pieces
    for (const { id, isOwing } of queue.all()) if (isOwing) await runner.settle(id)
    for (const { id } of abandoned) await settings.quota.settle(id, 'released')
    await queue.forget(abandoned.map(({ id }) => id))
  }

  async #result(jobId: string, n: number): Promise<ServedFile> {
    const output = this.#pieces.queue.find(jobId)?.outputs[n]
    if (!output) throw new AppError('result.gone', {})
    return thereStill(output)
  }

  async #part(jobId: string, name: string): Promise<ServedFile> {
    const part = this.#pieces.queue.find(jobId)?.parts.find((one) => one.part === name)
    if (!part) throw new AppError('result.gone', {})
    return thereStill({ path: part.path, name: part.part, format: part.format })
  }

  async #file(key: string): Promise<ServedFile> {
    const grant = this.#pieces.grants.find(key)
    if (!grant) throw new AppError('file.missing', {})
    return thereStill(grant).catch((cause: unknown) => {
      throw new AppError('file.missing', {}, { cause })
    })
  }

  /** A removed job's pasted pictures go with it, unless another job works on them; files of a person's own stay where they are. */
  async #removeKept(job: LocalJob): Promise<void> {
    const { kept, queue } = this.#pieces
    const needed = new Set(
      queue
        .all()
        .filter(({ id, state }) => id !== job.id && state !== 'expired')
        .flatMap(pathsOf),
    )
    for (const path of pathsOf(job)) if (!needed.has(path)) await kept.remove(path)
  }

  async #sweepParts(): Promise<void> {
    const { queue, partsFolder, now } = this.#pieces
    for (const { id, parts, endedAt = Infinity } of queue.all()) {
      if (parts.length === 0 || endedAt > now() - PARTS_KEPT_MS) continue
      queue.show(id, { parts: [] })
      await rm(join(partsFolder, id), { recursive: true, force: true }).catch(() => {}) // the next start removes it
    }
  }
}

/** A file that is where it was, and no link in its place. Throws `result.gone`. */
async function thereStill<File extends { readonly path: string }>(file: File): Promise<File> {
  const [entry, real] = await Promise.all([lstat(file.path), realPath(file.path)]).catch((cause: unknown) => {
    throw new AppError('result.gone', {}, { cause })
  })
  if (!entry.isFile() || !isSamePath(real, file.path)) throw new AppError('result.gone', {})
  return file
}
