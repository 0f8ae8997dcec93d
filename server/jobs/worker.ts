import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import { refOf, storedResults } from './keys.ts'
import { isAway, Patience } from './patience.ts'
import { processJob, type JobWatch } from './process.ts'
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
  type Lane,
  type Outcome,
  type Progress,
} from './queue.ts'
import { LANES } from './turns.ts'
import type { DatabaseConnection } from '../database/open.ts'
import type { Counts } from '../metrics/counted.ts'
import type { ObjectStore } from '../storage/object-store.ts'
import { translate } from '#engine/failures'
import { ChildDied } from '#engine/lane'
import type { EnginePool } from '#engine/pool'
import { openWorkspace } from '#engine/workspace'
import { toWire } from '#shared/errors/app-error'

const RENEW_EVERY_MS = 10_000
const PROGRESS_EVERY_MS = 250
/** The database may be away for a moment; for as long as a lease lasts, what was done waits to be told. */
const ENDING_ATTEMPTS = 25
const ENDING_PAUSE_MS = 1_000
const GRACE_MS = 3_000

/** What a worker works with. */
export interface WorkerSettings {
  readonly connection: DatabaseConnection
  readonly store: ObjectStore
  readonly pool: EnginePool
  /** Jobs at a time in each lane. */
  readonly size: Readonly<Record<Lane, number>>
  /** Where workspaces are made. */
  readonly folder: string
  readonly log: Logger
  readonly now: () => number
  /** With a storage that is away; the usual one unless said. */
  readonly patience?: Patience
  /** What jobs in progress may take to end by themselves when this worker stops; three seconds unless said. */
  readonly graceMs?: number
  readonly counts: Pick<Counts, 'jobSeconds' | 'jobPeakBytes' | 'jobsEnded' | 'jobFailures' | 'childrenLost'>
  readonly secretKey: Buffer
}

type Leased = JobRow & { readonly lease: string }

/** Why a job in progress was stopped: its owner cancelled it, its lease ran out, or the server stops. */
type Stop = 'cancelled' | 'lost' | 'closing'

/** Takes jobs in turn, has the engine do them, and stores their results. Any number of workers may share one queue. */
export class Worker {
  readonly #settings: WorkerSettings & Required<Pick<WorkerSettings, 'patience' | 'graceMs'>>
  readonly #news = new Map<string, Progress>()
  #isTelling = false
  readonly #running = new Map<string, { lane: Lane; lease: string; abort: AbortController; ended: Promise<void> }>()
  #isClosing = false
  #taking: Promise<void> | undefined
  #isWoken = false
  #timers: readonly NodeJS.Timeout[] = []
  #unlisten: (() => Promise<void>)[] = []

  /** When it last could ask for jobs, on the clock of `performance`. */
  lookedAt = -Infinity

  constructor(settings: WorkerSettings) {
    this.#settings = { patience: new Patience(), graceMs: GRACE_MS, ...settings }
  }

  /** Begins to take jobs, woken by the queue's notifications. */
  async start(): Promise<void> {
    const { connection } = this.#settings
    this.#unlisten = [
      await connection.listen('queue', () => this.#wake()),
      await connection.listen('stopped', (id) => this.#running.get(id)?.abort.abort('cancelled' satisfies Stop)),
    ]
    this.#timers = [setInterval(() => void this.#keepLeases(), RENEW_EVERY_MS), setInterval(() => this.#tellProgress(), PROGRESS_EVERY_MS)]
    this.#wake()
  }

  /** Takes no more jobs, lets those in progress end for a while, and puts back the others. */
  async close(): Promise<void> {
    this.#isClosing = true
    await this.#taking
    const ended = Promise.all([...this.#running.values()].map((one) => one.ended))
    const patience = setTimeout(() => {
      for (const { abort } of this.#running.values()) abort.abort('closing' satisfies Stop)
    }, this.#settings.graceMs)
    await ended
    clearTimeout(patience)
    for (const timer of this.#timers) clearInterval(timer)
    await Promise.all(this.#unlisten.map((unlisten) => unlisten()))
  }

  #wake(): void {
    this.#isWoken = true
    this.#taking ??= this.#takeAll()
      .catch((error: unknown) => this.#settings.log.error({ err: error }, 'taking jobs failed'))
      .finally(() => (this.#taking = undefined))
  }

  async #takeAll(): Promise<void> {
    const { connection } = this.#settings
    while (this.#isWoken) {
      this.#isWoken = false
      while (!this.#isClosing) {
        const lanes = this.#freeLanes()
        if (lanes.length === 0) break
        const job = await takeJob(connection.db, lanes)
        this.lookedAt = performance.now()
        if (!job) break
        const abort = new AbortController()
        const ended = this.#work(job, abort.signal).finally(() => {
          this.#running.delete(job.id)
          this.#news.delete(job.lease)
          this.#wake()
        })
        this.#running.set(job.id, { lane: job.lane, lease: job.lease, abort, ended })
      }
    }
  }

  #freeLanes(): Lane[] {
    const { size } = this.#settings
    const busy = (lane: Lane): number => [...this.#running.values()].filter((one) => one.lane === lane).length
    return LANES.filter((lane) => busy(lane) < size[lane])
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
      this.lookedAt = performance.now()
    } catch (error) {
      log.error({ err: error }, 'renewing leases failed')
    }
    this.#wake()
  }

  async #work(job: Leased, signal: AbortSignal): Promise<void> {
    const { connection, log, now } = this.#settings
    const startedAt = performance.now()
    let peakBytes = 0
    try {
      const outcome = await this.#attempt(job, {
        signal,
        progress: (fraction, step) => void this.#news.set(job.lease, [job.lease, fraction, step]),
        peak: (bytes) => void (peakBytes = bytes),
      })
      const isOurs = !signal.aborted || signal.reason === ('closing' satisfies Stop)
      if (isOurs && typeof outcome === 'string') return await giveBack(connection.db, job.lease, outcome, now())
      if (isOurs && typeof outcome !== 'string' && (await this.#finish(job, outcome))) {
        this.#count(job, outcome, { seconds: (performance.now() - startedAt) / 1000, peakBytes })
        if (outcome.state === 'done') return
      }
      await this.#discard(job)
    } catch (error) {
      // The database is away; the lease runs out and another worker has the job.
      log.error({ err: error, job: job.id }, 'ending a job failed')
    }
  }

  /** Counts a job that ended here: how long it ran, and the most memory its process was seen to hold (0 where none ran). */
  #count({ id, tool }: Leased, outcome: Outcome, { seconds, peakBytes }: { seconds: number; peakBytes: number }): void {
    const { counts, log } = this.#settings
    counts.jobSeconds.observe({ tool }, seconds)
    counts.jobsEnded.inc({ tool, state: outcome.state })
    if (peakBytes > 0) counts.jobPeakBytes.observe({ tool }, peakBytes)
    if (outcome.state === 'done') return
    const { code } = outcome.error
    counts.jobFailures.inc({ tool, code })
    if (code === 'job.timed-out') counts.childrenLost.inc({ reason: 'deadline' })
    if (code === 'job.out-of-memory') counts.childrenLost.inc({ reason: 'memory' })
    log.info({ job: id, ref: refOf(id), tool, failure: code, seconds }, 'job failed')
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

  async #attempt(job: Leased, watch: JobWatch): Promise<Outcome | Interruption> {
    const { counts, log, folder } = this.#settings
    try {
      await using workspace = await openWorkspace(folder)
      return await processJob(this.#settings, job, workspace.folder, watch)
    } catch (error) {
      if (watch.signal.aborted) return 'stop'
      if (error instanceof ChildDied) {
        const end = error.wasKilled ? 'kill' : 'crash'
        counts.childrenLost.inc({ reason: end })
        log.warn({ job: job.id, tool: job.tool, reason: String(error.cause) }, 'a child process died')
        return end
      }
      if (isAway(error)) {
        log.warn({ err: error, job: job.id }, 'the storage is away')
        return 'away'
      }
      const failure = translate(error)
      if (failure.code === 'internal' || failure.code === 'job.failed')
        log.error({ err: failure.cause ?? failure, job: job.id, ref: refOf(job.id), failure: failure.code }, 'a job failed')
      return { state: 'failed', error: toWire(failure) }
    }
  }

  /** Of all jobs here together. */
  #tellProgress(): void {
    if (this.#news.size === 0 || this.#isTelling) return
    const { connection, log } = this.#settings
    const news = [...this.#news.values()]
    this.#news.clear()
    this.#isTelling = true
    reportProgress(connection.db, news)
      .catch((error: unknown) => log.warn({ err: error }, 'reporting progress failed'))
      .finally(() => (this.#isTelling = false))
  }
}
