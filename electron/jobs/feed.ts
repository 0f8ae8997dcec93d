import type { LocalJob } from './job.ts'
import type { JobQueue } from './queue.ts'
import { viewOf } from './views.ts'
import type { JobView } from '#shared/api/jobs'

const POSITIONS_EVERY_MS = 2000
const PAGE = 100

/** Something to tell of: a job, with the number to resume after (absent where only its place in the queue moved), or news of the account. */
export type News = { readonly kind: 'job'; readonly view: JobView; readonly change?: number } | { readonly kind: 'account' }

/** One reader of news, who takes them as fast as he can: of many changes of a job he is told the last. */
export class Reader {
  readonly #queue: JobQueue
  /** Places told of jobs that wait. */
  readonly #places = new Map<string, number>()
  #seen: number
  #hasAccountNews = false
  #wake = (): void => {}

  constructor(queue: JobQueue, after: number) {
    this.#queue = queue
    this.#seen = after
  }

  /** What there is to tell now; empty where there is nothing new. */
  take(): readonly News[] {
    const news: News[] = []
    if (this.#hasAccountNews) news.push({ kind: 'account' })
    this.#hasAccountNews = false
    const jobs = this.#queue.changedAfter(this.#seen, PAGE)
    const places = jobs.some(({ state }) => state === 'queued') ? this.#queue.places() : undefined
    for (const job of jobs) {
      const view = viewOf(job, places?.get(job.id))
      this.#seen = view.change
      if (view.state === 'queued') this.#places.set(view.id, view.ahead)
      else this.#places.delete(view.id)
      news.push({ kind: 'job', view, change: view.change })
    }
    return news
  }

  /** Resolves when there may be news. */
  wait(): Promise<void> {
    return new Promise((resolve) => (this.#wake = resolve))
  }

  /** Ends a wait. */
  wake(): void {
    this.#wake()
  }

  hearAccount(): void {
    this.#hasAccountNews = true
    this.wake()
  }

  /** Jobs that wait and whose place moved without a change of their own. */
  takePlaces(): readonly News[] {
    if (this.#places.size === 0) return []
    const places = this.#queue.places()
    return [...this.#places].flatMap(([id, told]): readonly News[] => {
      const [ahead, job] = [places.get(id), this.#queue.find(id)]
      if (ahead === undefined || ahead === told || !job || job.change > this.#seen) return []
      this.#places.set(id, ahead)
      return [{ kind: 'job', view: viewOf(job, ahead) }]
    })
  }
}

/** Tells readers of changes of this computer's jobs, from any number on, and reads jobs as the page sees them. */
export class LocalFeed {
  readonly #queue: JobQueue
  readonly #readers = new Map<Reader, { readonly hearPlaces: (news: readonly News[]) => void }>()
  readonly #timer: NodeJS.Timeout
  readonly #leave: () => void

  constructor(queue: JobQueue) {
    this.#queue = queue
    this.#leave = queue.listen(() => this.#wakeAll())
    this.#timer = setInterval(() => {
      for (const [reader, { hearPlaces }] of this.#readers) hearPlaces(reader.takePlaces())
    }, POSITIONS_EVERY_MS)
    this.#timer.unref()
  }

  /** A reader of what changed after a number, and of everything to come. */
  join(after: number, hearPlaces: (news: readonly News[]) => void): Reader {
    const reader = new Reader(this.#queue, after)
    this.#readers.set(reader, { hearPlaces })
    return reader
  }

  leave(reader: Reader): void {
    this.#readers.delete(reader)
    reader.wake()
  }

  /** Whether a reader is still told. */
  has(reader: Reader): boolean {
    return this.#readers.has(reader)
  }

  /** Tells all readers that the account may have changed. */
  announceAccount(): void {
    for (const reader of this.#readers.keys()) reader.hearAccount()
  }

  /** Jobs as the page sees them, with their places in the queue. */
  views(jobs: readonly LocalJob[]): readonly JobView[] {
    const places = jobs.some(({ state }) => state === 'queued') ? this.#queue.places() : undefined
    return jobs.map((job) => viewOf(job, places?.get(job.id)))
  }

  close(): void {
    clearInterval(this.#timer)
    this.#leave()
    for (const reader of this.#readers.keys()) this.leave(reader)
  }

  #wakeAll(): void {
    for (const reader of this.#readers.keys()) reader.wake()
  }
}
