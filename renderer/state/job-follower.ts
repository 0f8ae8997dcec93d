import { z } from 'zod/mini'
import { readChanges } from './job-list.ts'
import { JobStream } from './job-stream.ts'
import { takeTurns } from './turn.ts'
import { isInReach } from '../platform/desktop.ts'
import { jobView, LISTED_JOBS, type JobView } from '#shared/api/jobs'

/** The tab whose turn it is tells of something every 15 s; one that has told nothing for three times as long is suspended. */
const SUSPENDED_MS = 45_000
const LOOK_EVERY_MS = 5000
/** A tab that waits says so at every look. */
const AWAITED_MS = 2 * LOOK_EVERY_MS

/**
 * What tabs tell one another. The one that holds the stream: news, with the number to go on from, of the account too, and that it is alive; the others:
 * that they wait for a job.
 */
const message = z.union([
  z.object({ kind: z.literal('job'), view: jobView, at: z.number() }),
  z.object({ kind: z.literal('beat') }),
  z.object({ kind: z.literal('account') }),
  z.object({ kind: z.literal('wait') }),
])
type Message = z.infer<typeof message>

/** Tells of an identity's jobs until `leave`: all there are, then every change, each job's in their order. One tab holds the stream for all. */
export class JobFollower {
  readonly #name: string
  readonly #hear: (view: JobView) => void
  readonly #hearAccount: () => void
  readonly #isWaiting: () => boolean
  readonly #channel: BroadcastChannel
  readonly #ended = new AbortController()
  readonly #latest = new Map<string, number>()
  /** Undefined until all that was before has been read: only then the stream's numbers mean that nothing is missing. */
  #known: number | undefined
  #isMyTurn = false
  #toldAt = performance.now()
  #awaitedAt = -Infinity

  /** `hearAccount` is told that the account may have changed; `isWaiting` says whether this tab waits for a job. */
  constructor(identity: string, hear: (view: JobView) => void, hearAccount: () => void, isWaiting: () => boolean) {
    this.#name = `jobs:${identity}`
    this.#hear = hear
    this.#hearAccount = hearAccount
    this.#isWaiting = isWaiting
    this.#channel = new BroadcastChannel(this.#name)
    this.#channel.addEventListener('message', ({ data }) => {
      const parsed = message.safeParse(data)
      if (parsed.success) this.#receive(parsed.data)
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
    if (signal.aborted) return
    const takeOver = takeTurns(this.#name, () => this.#carry(), signal)
    const watch = setInterval(() => this.#look(takeOver), LOOK_EVERY_MS)
    signal.addEventListener('abort', () => clearInterval(watch))
  }

  /** Reads all jobs there are, however often it must ask; the number of the last change. */
  async #readAll(signal: AbortSignal): Promise<number> {
    let after = 0
    while (!signal.aborted) {
      try {
        const views = await readChanges(after)
        for (const view of views) this.#take(view, view.change)
        after = views.at(-1)?.change ?? after
        if (views.length < LISTED_JOBS) break
      } catch {
        await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
      }
    }
    return after
  }

  #receive(told: Message): void {
    if (told.kind === 'wait') {
      this.#awaitedAt = performance.now()
      return
    }
    this.#toldAt = performance.now()
    if (told.kind === 'job') this.#take(told.view, told.at)
    if (told.kind === 'account') this.#hearAccount()
  }

  #look(takeOver: () => void): void {
    const now = performance.now()
    const isSuspended = now - this.#toldAt > SUSPENDED_MS
    if (this.#isMyTurn || !isInReach() || isSuspended) this.#toldAt = now
    if (this.#isMyTurn) return
    if (isInReach() && isSuspended) takeOver()
    if (this.#isWaiting()) this.#tell({ kind: 'wait' })
  }

  /** Holds the stream for all tabs; returns what ends it. */
  #carry(): () => void {
    this.#isMyTurn = true
    const stream = new JobStream({
      after: () => this.#known ?? 0,
      isAwaited: () => this.#isWaiting() || performance.now() - this.#awaitedAt < AWAITED_MS,
      onJob: (view, at) => {
        this.#take(view, at)
        this.#tell({ kind: 'job', view, at })
      },
      onBeat: () => this.#tell({ kind: 'beat' }),
      onAccount: () => {
        this.#hearAccount()
        this.#tell({ kind: 'account' })
      },
    })
    return () => {
      this.#isMyTurn = false
      stream.close()
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
