import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import { resultKey, storedResults } from './keys.ts'
import {
  finishJob,
  giveBack,
  isOver,
  recoverJobs,
  renewLeases,
  reportProgress,
  takeJob,
  type Interruption,
  type JobRow,
  type Outcome,
} from './queue.ts'
import type { DatabaseConnection } from '../database/open.ts'
import type { StoredInput, StoredOutput } from '../database/schema.ts'
import type { ObjectStore } from '../storage/object-store.ts'
import { translate } from '#engine/failures'
import { ChildDied } from '#engine/lane'
import type { EnginePool } from '#engine/pool'
import type { InputFile, Job, OutputFile } from '#engine/processor'
import { openWorkspace } from '#engine/workspace'
import { AppError, toWire } from '#shared/errors/app-error'
import { isCompressible } from '#shared/formats'
import { isToolId, parseOptions, toolOf } from '#shared/tools/index'

const RENEW_EVERY_MS = 10_000
const PROGRESS_EVERY_MS = 250
/** The database may be away for a moment; for as long as a lease lasts, what was done waits to be told. */
const ENDING_ATTEMPTS = 25
const ENDING_PAUSE_MS = 1_000
/** What a job in progress may take to end by itself when the server stops. */
const GRACE_MS = 3_000

/** What a worker works with. */
export interface WorkerSettings {
  readonly connection: DatabaseConnection
  readonly store: ObjectStore
  readonly pool: EnginePool
  /** Jobs at a time. */
  readonly size: number
  /** Where workspaces are made. */
  readonly folder: string
  readonly log: Logger
  readonly now: () => number
  /** Told of every job that ended here, with how long it ran. */
  readonly onEnd: (tool: string, state: 'done' | 'failed', seconds: number) => void
}

type Leased = JobRow & { readonly lease: string }

/** Why a job in progress was stopped: its owner cancelled it, its lease ran out, or the server stops. */
type Stop = 'cancelled' | 'lost' | 'closing'

/** Takes jobs in turn, has the engine do them, and stores their results. Any number of workers may share one queue. */
export class Worker {
  readonly #settings: WorkerSettings
  readonly #running = new Map<string, { lease: string; abort: AbortController; ended: Promise<void> }>()
  #isClosing = false
  #taking: Promise<void> | undefined
  #isWoken = false
  #timer: NodeJS.Timeout | undefined
  #unlisten: (() => Promise<void>)[] = []

  constructor(settings: WorkerSettings) {
    this.#settings = settings
  }

  /** Begins to take jobs, woken by the queue's notifications. */
  async start(): Promise<void> {
    const { connection } = this.#settings
    this.#unlisten = [
      await connection.listen('queue', () => this.#wake()),
      await connection.listen('stopped', (id) => this.#running.get(id)?.abort.abort('cancelled' satisfies Stop)),
    ]
    this.#timer = setInterval(() => void this.#keepLeases(), RENEW_EVERY_MS)
    this.#wake()
  }

  /** Lets jobs end for a moment, puts back those that do not, and takes no more. */
  async close(): Promise<void> {
    this.#isClosing = true
    clearInterval(this.#timer)
    await this.#taking
    const ended = Promise.all([...this.#running.values()].map((one) => one.ended))
    const patience = setTimeout(() => {
      for (const { abort } of this.#running.values()) abort.abort('closing' satisfies Stop)
    }, GRACE_MS)
    await ended
    clearTimeout(patience)
    await Promise.all(this.#unlisten.map((unlisten) => unlisten()))
  }

  #wake(): void {
    this.#isWoken = true
    this.#taking ??= this.#takeAll()
      .catch((error: unknown) => this.#settings.log.error({ err: error }, 'taking jobs failed'))
      .finally(() => (this.#taking = undefined))
  }

  async #takeAll(): Promise<void> {
    const { connection, size } = this.#settings
    while (this.#isWoken) {
      this.#isWoken = false
      while (!this.#isClosing && this.#running.size < size) {
        const job = await takeJob(connection.db)
        if (!job) break
        const abort = new AbortController()
        const ended = this.#work(job, abort.signal).finally(() => {
          this.#running.delete(job.id)
          this.#wake()
        })
        this.#running.set(job.id, { lease: job.lease, abort, ended })
      }
    }
  }

  async #keepLeases(): Promise<void> {
    const { connection, log, now } = this.#settings
    try {
      const jobs = [...this.#running.values()]
      const held = await renewLeases(
        connection.db,
        jobs.map(({ lease }) => lease),
      )
      for (const { lease, abort } of jobs) if (!held.has(lease)) abort.abort('lost' satisfies Stop)
      await recoverJobs(connection.db, 'lost', now())
    } catch (error) {
      log.error({ err: error }, 'renewing leases failed')
    }
    this.#wake()
  }

  async #work(job: Leased, signal: AbortSignal): Promise<void> {
    const { connection, log, now, onEnd } = this.#settings
    const startedAt = performance.now()
    try {
      const outcome = await this.#attempt(job, signal)
      const isOurs = !signal.aborted || signal.reason === ('closing' satisfies Stop)
      if (isOurs && typeof outcome === 'string') return await giveBack(connection.db, job.lease, outcome, now())
      if (isOurs && typeof outcome !== 'string' && (await this.#finish(job, outcome))) {
        onEnd(job.tool, outcome.state, (performance.now() - startedAt) / 1000)
        if (outcome.state === 'done') return
      }
      await this.#discard(job)
    } catch (error) {
      // The database is away; the lease runs out and another worker has the job.
      log.error({ err: error, job: job.id }, 'ending a job failed')
    }
  }

  /** Whether the job ended so; false when the lease was lost. */
  async #finish({ lease }: Leased, outcome: Outcome): Promise<boolean> {
    const { connection, log, now } = this.#settings
    for (let attempt = 1; ; attempt++) {
      try {
        return await finishJob(connection.db, lease, outcome, now())
      } catch (error) {
        if (this.#isClosing || attempt === ENDING_ATTEMPTS) throw error
        log.warn({ err: error }, 'ending a job failed, again in a moment')
        await wait(ENDING_PAUSE_MS)
      }
    }
  }

  /** Removes what was stored for a job that was cancelled, removed or failed meanwhile; not where another worker has it now. */
  async #discard({ id, identityId }: Leased): Promise<void> {
    const { connection, store } = this.#settings
    if (!(await isOver(connection.db, id))) return
    const keys = await storedResults(store, identityId, id)
    if (keys.length > 0) await store.remove(keys)
  }

  async #attempt(job: Leased, signal: AbortSignal): Promise<Outcome | Interruption> {
    const { log, folder } = this.#settings
    try {
      await using workspace = await openWorkspace(folder)
      return await this.#process(job, workspace.folder, signal)
    } catch (error) {
      if (signal.aborted) return 'stop'
      if (error instanceof ChildDied) {
        log.warn({ job: job.id, reason: String(error.cause) }, 'a child process died')
        return error.wasKilled ? 'kill' : 'crash'
      }
      const failure = isCut(error) ? new AppError('service.unavailable', {}, { cause: error }) : translate(error)
      if (failure.code === 'internal' || failure.code === 'job.failed')
        log.error({ err: failure.cause ?? failure, job: job.id }, 'a job failed')
      return { state: 'failed', error: toWire(failure) }
    }
  }

  async #process({ id, identityId, tool, options, inputs, lease }: Leased, folder: string, signal: AbortSignal): Promise<Outcome> {
    const { pool, store } = this.#settings
    if (!isToolId(tool)) throw new AppError('tool.unavailable', {})
    const out = join(folder, 'out')
    await mkdir(out)
    const files: InputFile[] = []
    for (const [n, input] of inputs.entries()) files.push(await this.#fetch(input, join(folder, `source-${n}`), signal))
    const [first, ...others] = files
    if (!first) throw new AppError('upload.missing', {})
    const job: Job = { tool, options: parseOptions(tool, options), inputs: [first, ...others] }
    const results = await pool.run(job, out, { signal, progress: this.#reporter(lease) })
    const outputs: StoredOutput[] = []
    for (const [n, result] of results.entries()) {
      const key = resultKey(identityId, id, n)
      await store.writeFile(key, result.path)
      outputs.push(storedOutput(key, result))
    }
    const isCharged = toolOf(tool).cost !== 'free' && !results.every(isForNothing)
    return { state: 'done', outputs, note: results[0]?.note, isCharged }
  }

  /** Brings an input to a file of its own. Replaced since it was checked, it is not what was accepted; and no more is read than was, however fast it grows. */
  async #fetch({ key, bytes, name, path, place }: StoredInput, target: string, signal: AbortSignal): Promise<InputFile> {
    const { store } = this.#settings
    if ((await store.head(key))?.bytes !== bytes) throw new AppError('upload.missing', {})
    const content = bytes === 0 ? [] : await store.read(key, { from: 0, to: bytes - 1 })
    await pipeline(content, createWriteStream(target), { signal })
    return { path: target, name, ...(path !== undefined && { folder: path }), ...(place !== undefined && { place }) }
  }

  /** Passes progress on, some four times a second at most. */
  #reporter(lease: string): (fraction: number) => void {
    const { connection, log } = this.#settings
    let last = performance.now()
    return (fraction) => {
      if (performance.now() - last < PROGRESS_EVERY_MS) return
      last = performance.now()
      reportProgress(connection.db, lease, fraction).catch((error: unknown) => log.warn({ err: error }, 'reporting progress failed'))
    }
  }
}

/**
 * What is already optimal costs nothing, nor what missed its target at the poorest its format can be. A format that can't be poorer is
 * delivered as good as without a target, which would be a way not to pay.
 */
const isForNothing = ({ note, format }: OutputFile): boolean =>
  note?.kind === 'unchanged' || (note?.kind === 'missed' && isCompressible(format))

/** A connection to the storage that ended in the middle. */
const isCut = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && ['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE'].includes(String(error.code))

const storedOutput = (key: string, { path: _path, note: _note, ...facts }: OutputFile): StoredOutput => ({ key, ...facts })
