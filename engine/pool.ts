import { launchNode, residentBytes, type Child } from './launch.ts'
import { deadlineMs, type Limits } from './limits.ts'
import type { Job, OutputFile, Report } from './processor.ts'
import { AppError, fromWire } from '#shared/errors/app-error'
import { toolOf } from '#shared/tools/index'

const WATCH_EVERY_MS = 100
/** Native libraries keep some memory after every picture; a fresh process costs about 150 ms. */
const JOBS_PER_CHILD = 200
const KEEP_BELOW_BYTES = 600 * 1024 ** 2

/** A child process ended by itself or was killed from outside: the file may be to blame, or not. */
export class ChildDied extends AppError<'job.failed'> {
  /** Ended from outside (an operator, the system short of memory), so that the file is hardly to blame. */
  get wasKilled(): boolean {
    return /^exit SIG(KILL|TERM)/.test(String(this.cause))
  }
}

/** What may be asked of a job beside the job itself. */
export interface Watch {
  readonly signal?: AbortSignal
  /** How far the job is, 0..1; the first 0 when it leaves the queue. */
  readonly progress?: (fraction: number) => void
}

/** How a pool is set up. */
export interface PoolSettings {
  /** Child processes, hence jobs at a time. */
  readonly size: number
  readonly limits: Limits
  /** Overrides the deadline of the tool's cost class, in milliseconds. */
  readonly deadlineMs?: number
  readonly launch?: () => Child
}

interface Task {
  readonly job: Job
  readonly folder: string
  readonly watch: Watch
  readonly settle: (outcome: readonly OutputFile[] | Error) => void
  isSettled: boolean
}

interface Worker {
  readonly child: Child
  task: Task | undefined
  jobsDone: number
  resident: number
  timers: NodeJS.Timeout[]
}

/**
 * Runs jobs in child processes, one at a time each, and kills what overstays its deadline, outgrows its memory or is
 * cancelled. A child's death fails its own job only; the next job gets a new child.
 */
export class EnginePool {
  readonly #settings: PoolSettings
  readonly #workers = new Set<Worker>()
  readonly #waiting: Task[] = []
  #isClosed = false

  constructor(settings: PoolSettings) {
    this.#settings = settings
  }

  /** Results of a job, written into `folder`. Throws AppError, `job.*` for what the pool itself ended. */
  run(job: Job, folder: string, watch: Watch = {}): Promise<readonly OutputFile[]> {
    return new Promise((resolve, reject) => {
      const { signal } = watch
      const task: Task = { job, folder, watch, isSettled: false, settle }
      const cancel = (): void => this.#abandon(task, new AppError('job.cancelled', {}))
      function settle(outcome: readonly OutputFile[] | Error): void {
        if (task.isSettled) return
        task.isSettled = true
        signal?.removeEventListener('abort', cancel)
        if (outcome instanceof Error) reject(outcome)
        else resolve(outcome)
      }
      if (this.#isClosed || signal?.aborted) return settle(new AppError('job.cancelled', {}))
      signal?.addEventListener('abort', cancel, { once: true })
      this.#waiting.push(task)
      this.#next()
    })
  }

  /** Cancels everything and ends all children. */
  close(): void {
    this.#isClosed = true
    for (const task of this.#waiting.splice(0)) task.settle(new AppError('job.cancelled', {}))
    for (const worker of this.#workers) {
      worker.task?.settle(new AppError('job.cancelled', {}))
      worker.child.kill()
    }
  }

  [Symbol.dispose](): void {
    this.close()
  }

  /** Process ids of the children now alive, for the metrics. */
  get pids(): readonly number[] {
    return [...this.#workers].flatMap(({ child }) => child.pid ?? [])
  }

  #next(): void {
    if (this.#waiting.length === 0) return
    const idle = [...this.#workers].find((worker) => worker.task === undefined)
    if (!idle && this.#workers.size >= this.#settings.size) return
    const task = this.#waiting.shift()
    if (!task) return
    try {
      this.#assign(idle ?? this.#hire(), task)
    } catch (cause) {
      task.settle(new AppError('job.failed', {}, { cause }))
      this.#next()
    }
  }

  #hire(): Worker {
    const worker: Worker = { child: (this.#settings.launch ?? launchNode)(), task: undefined, jobsDone: 0, resident: 0, timers: [] }
    this.#workers.add(worker)
    worker.child.onReport((report) => this.#hear(worker, report))
    worker.child.onExit((reason) => this.#bury(worker, reason))
    return worker
  }

  #assign(worker: Worker, task: Task): void {
    const { limits } = this.#settings
    const limitMs = this.#settings.deadlineMs ?? deadlineMs[toolOf(task.job.tool).cost]
    worker.task = task
    worker.timers = [
      setTimeout(() => this.#abandon(task, new AppError('job.timed-out', {})), limitMs),
      setInterval(() => this.#weigh(worker), WATCH_EVERY_MS),
    ]
    task.watch.progress?.(0)
    worker.child.send({ job: task.job, folder: task.folder, limits, deadlineMs: limitMs })
  }

  #weigh({ child, task, resident }: Worker): void {
    const bytes = (child.pid === undefined ? undefined : residentBytes(child.pid)) ?? resident
    if (task && bytes > this.#settings.limits.maxResidentBytes) this.#abandon(task, new AppError('job.out-of-memory', {}))
  }

  #hear(worker: Worker, report: Report): void {
    const { task } = worker
    if (report.kind === 'resident') worker.resident = report.bytes
    if (report.kind === 'progress') task?.watch.progress?.(report.fraction)
    if (report.kind === 'done') this.#release(worker, report.outputs)
    if (report.kind === 'failed') {
      const { code, data } = fromWire(report.error)
      this.#release(worker, new AppError(code, data, { cause: report.cause }))
    }
  }

  #release(worker: Worker, outcome: readonly OutputFile[] | Error): void {
    const { task, child } = worker
    this.#stopWatching(worker)
    worker.task = undefined
    worker.jobsDone += 1
    const held = (child.pid === undefined ? undefined : residentBytes(child.pid)) ?? worker.resident
    if (worker.jobsDone >= JOBS_PER_CHILD || held > KEEP_BELOW_BYTES) this.#dismiss(worker)
    task?.settle(outcome)
    this.#next()
  }

  /** Ends a task before its time: out of the queue, or by killing the process it runs in. */
  #abandon(task: Task, reason: AppError): void {
    const position = this.#waiting.indexOf(task)
    if (position >= 0) this.#waiting.splice(position, 1)
    const worker = [...this.#workers].find((one) => one.task === task)
    if (worker) this.#dismiss(worker)
    task.settle(reason)
    this.#next()
  }

  #dismiss(worker: Worker): void {
    this.#workers.delete(worker)
    this.#stopWatching(worker)
    worker.child.kill()
  }

  #bury(worker: Worker, reason: string): void {
    this.#workers.delete(worker)
    this.#stopWatching(worker)
    worker.task?.settle(new ChildDied('job.failed', {}, { cause: reason }))
    this.#next()
  }

  #stopWatching(worker: Worker): void {
    for (const timer of worker.timers) clearInterval(timer)
    worker.timers = []
  }
}
