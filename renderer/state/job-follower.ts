import { z } from 'zod/mini'
import { openJobStream, readChanges } from './job-stream.ts'
import { takeTurns } from './turn.ts'
import { jobView, LISTED_JOBS, type JobView } from '#shared/api/jobs'

/** The tab whose turn it is tells of something every 15 s; one that has told nothing for three times as long is suspended. */
const SUSPENDED_MS = 45_000
const LOOK_EVERY_MS = 5000

/** What the tab that holds the stream tells the others; `at` is the stream's number, to go on from. */
const message = z.union([z.object({ kind: z.literal('job'), view: jobView, at: z.number() }), z.object({ kind: z.literal('beat') })])
type Message = z.infer<typeof message>

/** Tells of an identity's jobs until `leave`: all there are, then every change, each job's in their order. One tab holds the stream for all. */
export class JobFollower {
  readonly #name: string
  readonly #hear: (view: JobView) => void
  readonly #channel: BroadcastChannel
  readonly #ended = new AbortController()
  readonly #latest = new Map<string, number>()
  /** Undefined until all that was before has been read: only then the stream's numbers mean that nothing is missing. */
  #known: number | undefined
  #isMyTurn = false
  #toldAt = performance.now()

  constructor(identity: string, hear: (view: JobView) => void) {
    this.#name = `jobs:${identity}`
    this.#hear = hear
    this.#channel = new BroadcastChannel(this.#name)
    this.#channel.addEventListener('message', ({ data }) => {
      this.#toldAt = performance.now()
      const parsed = message.safeParse(data)
      if (parsed.success && parsed.data.kind === 'job') this.#take(parsed.data.view, parsed.data.at)
    })
    void this.#begin()
  }

  leave(): void {
    this.#ended.abort()
    this.#channel.close()
  }

  async #begin(): Promise<void> {
    const { signal } = this.#ended
    this.#known = await this.#readAll(signal)
    const takeOver = takeTurns(this.#name, () => this.#carry(), signal)
    const watch = setInterval(() => {
      const now = performance.now()
      const isSuspended = now - this.#toldAt > SUSPENDED_MS
      if (this.#isMyTurn || !navigator.onLine || isSuspended) this.#toldAt = now
      if (!this.#isMyTurn && navigator.onLine && isSuspended) takeOver()
    }, LOOK_EVERY_MS)
    signal.addEventListener('abort', () => clearInterval(watch))
  }

  /** Reads all jobs there are, however often it must ask; the number of the last change. */
  async #readAll(signal: AbortSignal): Promise<number> {
    for (let after = 0; ;) {
      if (signal.aborted) return after
      try {
        const views = await readChanges(after)
        for (const view of views) this.#take(view, view.change)
        after = views.at(-1)?.change ?? after
        if (views.length < LISTED_JOBS) return after
      } catch {
        await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
      }
    }
  }

  /** Holds the stream for all tabs; returns what ends it. */
  #carry(): () => void {
    this.#isMyTurn = true
    const close = openJobStream({
      after: () => this.#known ?? 0,
      onJob: (view, at) => {
        this.#take(view, at)
        this.#tell({ kind: 'job', view, at })
      },
      onBeat: () => this.#tell({ kind: 'beat' }),
    })
    return () => {
      this.#isMyTurn = false
      close()
    }
  }

  #tell(one: Message): void {
    // The turn ends a moment after the channel.
    if (!this.#ended.signal.aborted) this.#channel.postMessage(one)
  }

  #take(view: JobView, at: number): void {
    if (this.#ended.signal.aborted) return
    if (this.#known !== undefined) this.#known = at
    if ((this.#latest.get(view.id) ?? 0) > view.change) return
    this.#latest.set(view.id, view.change)
    this.#hear(view)
  }
}
