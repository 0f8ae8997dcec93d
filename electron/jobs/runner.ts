import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { hasEnded, INTERRUPTIONS_ALLOWED, type JobFacts, type LocalJob } from './job.ts'
import { processJob, type Done, type JobWatch, type ProcessSettings } from './process.ts'
import { laneOf, type Lane } from './queue.ts'
import { removeLeft } from '../files/place-results.ts'
import type { Log } from '../log.ts'
import type { Quota } from '../quota.ts'
import { translate } from '#engine/failures'
import { ChildDied } from '#engine/lane'
import { AppError, toWire } from '#shared/errors/app-error'

const PROGRESS_EVERY_MS = 250
/** A job under which a process crashed so often is given up: it is what makes them crash. */
const CRASHES_ALLOWED = 1

/** What a runner works with. */
export interface RunnerSettings extends ProcessSettings {
  readonly quota: Quota
  /** Jobs at a time in each lane. */
  readonly size: Readonly<Record<Lane, number>>
  readonly now: () => number
  readonly log: Log
}

/** Why a job in progress was stopped. */
type Stop = 'cancelled' | 'closing'

interface Running {
  readonly lane: Lane
  readonly abort: AbortController
  readonly ended: Promise<void>
}

/** Takes jobs in their order, has the engine do them, and puts their results where they belong. */
export class Runner {
  readonly #settings: RunnerSettings
  readonly #running = new Map<string, Running>()
  #isClosing = false

  constructor(settings: RunnerSettings) {
    this.#settings = settings
  }

  /** Takes jobs for as long as there is room. */
  wake(): void {
    const { queue } = this.#settings
    while (!this.#isClosing) {
      const job = queue.next(this.#freeLanes())
      if (!job) return
      const lane = laneOf(job)
      const abort = new AbortController()
      // Noted for the next start to count; nothing is lost where it is not.
      queue
        .set(job.id, { state: 'running' }, 'written', { progress: 0, step: undefined })
        .catch((error: unknown) => this.#complain(job, error))
      const ended = this.#work(job, abort.signal).finally(() => {
        this.#running.delete(job.id)
        this.wake()
      })
      this.#running.set(job.id, { lane, abort, ended })
    }
  }

  /** Ends a job that has not ended, as cancelled, or as expired when it is removed. One whose results are being put into their folder is done. */
  async end(job: LocalJob, state: 'cancelled' | 'expired'): Promise<void> {
    const { queue } = this.#settings
    if (queue.find(job.id)?.staged?.length) await this.#running.get(job.id)?.ended
    const found = queue.find(job.id)
    if (!found || (hasEnded(found) && state === 'cancelled') || found.state === 'expired') return
    this.#running.get(job.id)?.abort.abort('cancelled' satisfies Stop)
    const isOver = hasEnded(found)
    await this.#finish(found, isOver ? { state, outputs: [] } : { state, outputs: [], isCharged: false, staged: [] })
    if (state === 'expired') await this.#removeParts(job.id)
  }

  /** Stops all that is running, to be run again by the next start. */
  async close(): Promise<void> {
    this.#isClosing = true
    const running = [...this.#running.values()]
    for (const { abort } of running) abort.abort('closing' satisfies Stop)
    await Promise.all(running.map(({ ended }) => ended))
  }

  /** Settles what was set aside for a job that has ended; where that fails, the next start does. */
  async settle(id: string): Promise<void> {
    const { queue, quota } = this.#settings
    const job = queue.find(id)
    if (!job?.isOwing || !hasEnded(job)) return
    try {
      await quota.settle(id, job.isCharged === true ? 'committed' : 'released')
      await queue.keep(id, { isOwing: false }, 'written')
    } catch (error) {
      this.#complain(job, error)
    }
  }

  #freeLanes(): Lane[] {
    const { size } = this.#settings
    const busy = (lane: Lane): number => [...this.#running.values()].filter((one) => one.lane === lane).length
    return (['usual', 'ai'] as const).filter((lane) => busy(lane) < size[lane])
  }

  async #work(taken: LocalJob, signal: AbortSignal): Promise<void> {
    const { queue, log } = this.#settings
    const startedAt = performance.now()
    let peakBytes = 0
    const peak = (bytes: number): void => void (peakBytes = bytes)
    const outcome = await this.#attempt(taken, { signal, progress: this.#reporter(taken.id), peak })
    await this.#conclude(taken, signal, outcome)
    const job = queue.find(taken.id)
    if (!job || !hasEnded(job)) return
    const { state, error, tool } = job
    log(`job ${job.id} ended: ${tool}, ${error?.code ?? state}, ${Math.round(performance.now() - startedAt)} ms, peak ${peakBytes} bytes`)
  }

  /** Ends a job by what came of it, or has it wait once more. */
  async #conclude(taken: LocalJob, signal: AbortSignal, outcome: Done | Error): Promise<void> {
    const { queue } = this.#settings
    // It may have ended otherwise meanwhile.
    const job = queue.find(taken.id)
    const isOurs = job?.state === 'running'
    if (!isOurs || outcome instanceof Error) for (const folder of job?.stagedIn ?? []) await removeLeft(taken.id, folder)
    if (!isOurs) return this.#removeParts(taken.id)
    if (!(outcome instanceof Error)) {
      await this.#finish(job, { state: 'done', ...outcome.facts, staged: [], stagedIn: [] }, { parts: outcome.parts })
    } else if (signal.aborted && signal.reason === ('closing' satisfies Stop)) {
      // The next start finds it where it is.
    } else if (outcome instanceof ChildDied && this.#isWorthATry(job, outcome)) {
      const counted = outcome.wasKilled ? { interruptions: job.interruptions + 1 } : { crashes: job.crashes + 1 }
      await queue.set(job.id, { ...counted, state: 'queued' }, 'written', { progress: 0, step: undefined }).catch(() => {})
    } else {
      await this.#finish(job, { state: 'failed', error: toWire(translate(outcome)), isCharged: false, staged: [], stagedIn: [] })
      await this.#removeParts(job.id)
    }
  }

  #isWorthATry({ crashes, interruptions }: LocalJob, death: ChildDied): boolean {
    return death.wasKilled ? interruptions < INTERRUPTIONS_ALLOWED : crashes < CRASHES_ALLOWED
  }

  async #attempt(job: LocalJob, watch: JobWatch): Promise<Done | Error> {
    try {
      return await processJob(this.#settings, job, watch)
    } catch (error) {
      const failure = error instanceof AppError ? error : translate(error)
      if (!watch.signal.aborted && (failure.code === 'internal' || failure.code === 'job.failed'))
        this.#complain(job, failure.cause ?? failure)
      return failure
    }
  }

  /** Ends a job, whatever becomes of the note of it: without one the next start does it again, and finds what is there. */
  async #finish({ id }: LocalJob, facts: Partial<JobFacts>, passing: Partial<LocalJob> = {}): Promise<void> {
    const { queue, now } = this.#settings
    const ended = { ...facts, endedAt: now() }
    await queue.set(id, ended, 'synced', { progress: 1, parts: [], ...passing }).catch((error: unknown) => this.#complain({ id }, error))
    await this.settle(id)
  }

  async #removeParts(id: string): Promise<void> {
    await rm(join(this.#settings.partsFolder, id), { recursive: true, force: true }).catch((error: unknown) =>
      this.#complain({ id }, error),
    )
  }

  #complain({ id }: Pick<LocalJob, 'id'>, error: unknown): void {
    this.#settings.log(`job ${id}`, error)
  }

  /** Passes progress on, some four times a second at most. */
  #reporter(id: string): (fraction: number, step?: string) => void {
    let last = performance.now()
    return (progress, step) => {
      if (performance.now() - last < PROGRESS_EVERY_MS) return
      last = performance.now()
      const { queue } = this.#settings
      if (queue.find(id)?.state === 'running') queue.show(id, { progress, step })
    }
  }
}
