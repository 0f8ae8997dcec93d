import { residentBytes, type Child } from './launch.ts'
import type { Order, OutputFile, Report } from './processor.ts'
import { AppError, fromWire } from '#shared/errors/app-error'

const WATCH_EVERY_MS = 100
/** Native libraries keep some memory after every picture; a fresh process costs about 150 ms. */
const JOBS_PER_CHILD = 200

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
  /** How far the job is, 0..1, and where that is, in words; the first 0 when it leaves the queue. */
  readonly progress?: (fraction: number, step?: string) => void
  /** Told once, when a job that ran is over: the most memory its process was seen to hold, in bytes. */
  readonly peak?: (residentBytes: number) => void
}

/** How a lane is set up. */
interface LaneSettings {
  /** Child processes, hence jobs at a time. */
  readonly size: number
  /** Resident memory at which a child is killed with its job, … */
  readonly maxResidentBytes: number
  /** … and above which one is not kept for the next. */
  readonly keepBelowBytes: number
  /** A child without work is ended after so many milliseconds, never where left out. */
  readonly idleMs?: number
  readonly launch: () => Child
}

interface Task {
  readonly order: Order
  readonly watch: Watch
  readonly settle: (outcome: readonly OutputFile[] | Error) => void
  isSettled: boolean
}

interface Worker {
  readonly child: Child
  task: Task | undefined
  jobsDone: number
  /** What it said it holds, for systems that tell it to nobody else. */
  resident: number
  /** The most it was seen to hold during its job. */
  peak: number
  timers: NodeJS.Timeout[]
}

/** Children for jobs of one kind and the queue before them: what one lane's jobs hold or wait for is nothing to another's. */
export class Lane {
  readonly #settings: LaneSettings
  readonly #workers = new Set<Worker>()
  readonly #waiting: Task[] = []
  #isClosed = false

  constructor(settings: LaneSettings) {
    this.#settings = settings
  }

  /** Results of a job. Throws AppError, `job.*` for what the lane itself ended. */
  run(order: Order, watch: Watch): Promise<readonly OutputFile[]> {
    return new Promise((resolve, reject) => {
      const { signal } = watch
      const task: Task = { order, watch, isSettled: false, settle }
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

  /** Process ids of the children now alive. */
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
    const worker: Worker = { child: this.#settings.launch(), task: undefined, jobsDone: 0, resident: 0, peak: 0, timers: [] }
    this.#workers.add(worker)
    worker.child.onReport((report) => this.#hear(worker, report))
    worker.child.onExit((reason) => this.#bury(worker, reason))
    return worker
  }

  #assign(worker: Worker, task: Task): void {
    this.#stopWatching(worker)
    worker.task = task
    worker.peak = 0
    worker.timers = [
      setTimeout(() => this.#abandon(task, new AppError('job.timed-out', {})), task.order.deadlineMs),
      setInterval(() => this.#watch(worker), WATCH_EVERY_MS),
    ]
    task.watch.progress?.(0)
    worker.child.send(task.order)
  }

  #watch(worker: Worker): void {
    const { task } = worker
    const bytes = weigh(worker)
    if (task && bytes > this.#settings.maxResidentBytes) this.#abandon(task, new AppError('job.out-of-memory', {}))
  }

  #hear(worker: Worker, report: Report): void {
    const { task } = worker
    if (report.kind === 'resident') worker.resident = report.bytes
    if (report.kind === 'progress') task?.watch.progress?.(report.fraction, report.step)
    if (report.kind === 'done') this.#release(worker, report.outputs)
    if (report.kind === 'failed') {
      const { code, data } = fromWire(report.error)
      this.#release(worker, new AppError(code, data, { cause: report.cause }))
    }
  }

  #release(worker: Worker, outcome: readonly OutputFile[] | Error): void {
    const { keepBelowBytes, idleMs } = this.#settings
    const held = weigh(worker)
    this.#endTask(worker, outcome)
    worker.jobsDone += 1
    if (worker.jobsDone >= JOBS_PER_CHILD || held > keepBelowBytes) this.#dismiss(worker)
    else if (idleMs !== undefined) worker.timers = [setTimeout(() => this.#dismiss(worker), idleMs)]
    this.#next()
  }

  /** Ends a task before its time: out of the queue, or by killing the process it runs in. */
  #abandon(task: Task, reason: AppError): void {
    const position = this.#waiting.indexOf(task)
    if (position >= 0) this.#waiting.splice(position, 1)
    const worker = [...this.#workers].find((one) => one.task === task)
    if (worker) this.#endTask(worker, reason)
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
    this.#endTask(worker, new ChildDied('job.failed', {}, { cause: reason }))
    this.#next()
  }

  /** A worker's task is over, whether the worker is or not. */
  #endTask(worker: Worker, outcome: readonly OutputFile[] | Error): void {
    const { task, peak } = worker
    this.#stopWatching(worker)
    worker.task = undefined
    if (peak > 0) task?.watch.peak?.(peak)
    task?.settle(outcome)
  }

  #stopWatching(worker: Worker): void {
    for (const timer of worker.timers) clearTimeout(timer)
    worker.timers = []
  }
}

/** What a worker's process holds now, in bytes; remembered where it is the most of its job. */
function weigh(worker: Worker): number {
  const { child, resident } = worker
  const bytes = child.resident?.() ?? (child.pid === undefined ? undefined : residentBytes(child.pid)) ?? resident
  worker.peak = Math.max(worker.peak, bytes)
  return bytes
}
