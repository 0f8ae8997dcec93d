import { readChanges, readPlaces } from './job-list.ts'
import { isInReach } from '../platform/desktop.ts'
import { jobView, type JobView } from '#shared/api/jobs'
import { AppError } from '#shared/errors/app-error'

const LOOK_EVERY_MS = 2000
/** The server's heart beats every 15 s. */
const SILENCE_MS = 2 * 15_000
const FAILURES = 3
const RETRY_MS = 5000
const RETRY_WHILE_POLLING_MS = 60_000
/** How many looks apart a poll asks for news of the account: 30 s. */
const LOOKS_AN_ACCOUNT = 15
/** A place in the queue moves without a change of its job; only every so many polls look for that. */
const POLLS_A_PLACE = 5

/** Where news of jobs go, and where they begin. */
export interface News {
  /** The number of the last change known. */
  readonly after: () => number
  /** Whether anybody waits for a job. */
  readonly isAwaited: () => boolean
  /** `at` is the number of the last change known from here on. */
  readonly onJob: (view: JobView, at: number) => void
  /** Told of every sign of life. */
  readonly onBeat: () => void
  /** Told that the account may have changed. */
  readonly onAccount: () => void
}

/** News of this identity's jobs until `close`: by a stream of events, and by polling where none comes through. */
export class JobStream {
  readonly #news: News
  readonly #timer: ReturnType<typeof setInterval>
  #source: EventSource | undefined
  #openedAt = 0
  #beatAt = performance.now()
  /** Since the last beat. */
  #failures = 0
  #isPolling = false
  #isAsking = false
  #polls = 0
  #looks = 0

  constructor(news: News) {
    this.#news = news
    this.#open()
    this.#timer = setInterval(() => this.#look(), LOOK_EVERY_MS)
  }

  close(): void {
    clearInterval(this.#timer)
    this.#source?.close()
  }

  /** The browser reconnects by itself and resumes where it was cut, unless it was refused. */
  #open(): void {
    this.#source?.close()
    this.#openedAt = performance.now()
    const source = new EventSource(`/api/jobs/events?after=${this.#news.after()}`)
    source.addEventListener('heartbeat', () => {
      this.#beatAt = performance.now()
      this.#failures = 0
      this.#isPolling = false
      this.#news.onBeat()
    })
    source.addEventListener('job', ({ data, lastEventId }) => {
      const parsed = jobView.safeParse(JSON.parse(String(data)))
      if (parsed.success) this.#news.onJob(parsed.data, lastEventId === '' ? this.#news.after() : Number(lastEventId))
    })
    // A stream begun anew has missed what was told meanwhile.
    for (const event of ['open', 'account']) source.addEventListener(event, () => this.#news.onAccount())
    source.addEventListener('error', () => {
      if (isInReach()) this.#failures += 1
      if (this.#isPolling) source.close()
    })
    this.#source = source
  }

  #look(): void {
    const now = performance.now()
    // Without a network there is silence, and no stream is to blame.
    if (!isInReach()) {
      this.#beatAt = now
      return
    }
    if (!this.#isPolling && (this.#failures >= FAILURES || now - this.#beatAt > SILENCE_MS)) {
      this.#isPolling = true
      this.#source?.close()
    }
    const hasEnded = this.#source?.readyState === EventSource.CLOSED
    const openMs = now - this.#openedAt
    if (this.#isPolling ? openMs > RETRY_WHILE_POLLING_MS : hasEnded && openMs > RETRY_MS) this.#open()
    if (!this.#isPolling) return
    this.#news.onBeat()
    if (++this.#looks % LOOKS_AN_ACCOUNT === 0) this.#news.onAccount()
    if (this.#news.isAwaited() && !this.#isAsking) void this.#poll()
  }

  async #poll(): Promise<void> {
    this.#isAsking = true
    try {
      for (const view of await readChanges(this.#news.after())) this.#news.onJob(view, view.change)
      if (this.#polls++ % POLLS_A_PLACE === 0) for (const view of await readPlaces()) this.#news.onJob(view, this.#news.after())
    } catch (error) {
      // The server itself is away, no stream is to blame: it is tried again at once.
      if (isAway(error)) this.#openedAt = -Infinity
    } finally {
      this.#isAsking = false
    }
  }
}

const isAway = (error: unknown): boolean =>
  error instanceof AppError && (error.code === 'network.offline' || error.code === 'service.unavailable')
