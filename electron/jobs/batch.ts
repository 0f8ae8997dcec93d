import { hasEnded, type LocalJob } from './job.ts'
import type { JobQueue } from './queue.ts'

/** How the jobs stand that were started since there were none at work: for the task bar, and to tell when all are done. */
export interface BatchState {
  readonly active: number
  readonly done: number
  readonly failed: number
  /** How far all of them are, 0..1. */
  readonly fraction: number
}

const TELL_EVERY_MS = 200

/** Tells how the batch stands, some five times a second at most, and always how it ended. */
export function watchBatch(queue: JobQueue, tell: (state: BatchState) => void): () => void {
  let batch = new Map<string, LocalJob>()
  let timer: NodeJS.Timeout | undefined
  for (const job of queue.all()) if (!hasEnded(job)) batch.set(job.id, job)
  const now = (): void => {
    timer = undefined
    const state = stateOf([...batch.values()])
    tell(state)
    // What comes next is a batch of its own.
    if (state.active === 0) batch = new Map()
  }
  const stop = queue.listen((job) => {
    // News of a job that had ended before is none of this batch's.
    if (hasEnded(job) && !batch.has(job.id) && job.state !== 'failed') return
    if (hasEnded(job) && batch.size === 0) return
    batch.set(job.id, job)
    timer ??= setTimeout(now, TELL_EVERY_MS)
  })
  if (batch.size > 0) now()
  return () => {
    clearTimeout(timer)
    stop()
  }
}

function stateOf(jobs: readonly LocalJob[]): BatchState {
  const count = (isSuch: (job: LocalJob) => boolean): number => jobs.filter(isSuch).length
  const sum = jobs.reduce((whole, job) => whole + (hasEnded(job) ? 1 : job.progress), 0)
  return {
    active: count((job) => !hasEnded(job)),
    done: count(({ state }) => state === 'done'),
    failed: count(({ state }) => state === 'failed'),
    fraction: jobs.length === 0 ? 1 : sum / jobs.length,
  }
}
