import { and, asc, eq, gt } from 'drizzle-orm'
import { viewOf } from './views.ts'
import { queuePositions } from './queue.ts'
import type { Database, DatabaseConnection } from '../database/open.ts'
import { jobs } from '../database/schema.ts'
import type { JobView } from '#shared/api/jobs'

const POSITIONS_FRESH_MS = 1000
const POSITIONS_EVERY_MS = 2000

/** Takes a job's news; `change` is the number to resume after, absent when only the place in the queue moved. */
export type Hear = (view: JobView, change: number | undefined) => void

interface Subscriber {
  readonly identityId: string
  readonly hear: Hear
  /** The last change told. */
  seen: number
  isTelling: boolean
  hasMore: boolean
  /** Places told of jobs that wait. */
  readonly places: Map<string, number>
}

/** Tells subscribers of the changes of their own jobs, from any number on, and reads jobs as their owners see them. */
export class JobFeed {
  readonly #db: Database
  readonly #key: Buffer
  readonly #now: () => number
  readonly #subscribers = new Set<Subscriber>()
  #positions: { readonly at: number; readonly ahead: Promise<ReadonlyMap<string, number>> } | undefined
  #timer: NodeJS.Timeout | undefined
  #unlisten: (() => Promise<void>) | undefined

  constructor(db: Database, resultKey: Buffer, now: () => number) {
    this.#db = db
    this.#key = resultKey
    this.#now = now
  }

  async start(connection: DatabaseConnection): Promise<void> {
    this.#unlisten = await connection.listen('jobs', (payload) => {
      const [identityId] = payload.split(' ')
      for (const one of this.#subscribers) if (one.identityId === identityId) this.#tell(one)
    })
    this.#timer = setInterval(() => void this.#tellPlaces().catch(() => {}), POSITIONS_EVERY_MS)
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    this.#subscribers.clear()
    await this.#unlisten?.()
  }

  /** Hears everything that changed after a number, then every change to come, until the returned function is called. */
  subscribe(identityId: string, after: number, hear: Hear): () => void {
    const subscriber: Subscriber = { identityId, hear, seen: after, isTelling: false, hasMore: false, places: new Map() }
    this.#subscribers.add(subscriber)
    this.#tell(subscriber)
    return () => this.#subscribers.delete(subscriber)
  }

  /** Jobs as their owner sees them, with their places in the queue. */
  async views(rows: readonly (typeof jobs.$inferSelect)[]): Promise<JobView[]> {
    const ahead = rows.some(({ state }) => state === 'queued') ? await this.#places() : undefined
    return rows.map((row) => viewOf(row, { key: this.#key, now: this.#now(), ahead: ahead?.get(row.id) }))
  }

  /** One at a time for each subscriber, so that changes come in order. */
  #tell(subscriber: Subscriber): void {
    subscriber.hasMore = true
    if (subscriber.isTelling) return
    subscriber.isTelling = true
    void this.#tellAll(subscriber)
      .catch(() => (subscriber.hasMore = false))
      .finally(() => {
        subscriber.isTelling = false
        // News that came in after the last look.
        if (subscriber.hasMore) this.#tell(subscriber)
      })
  }

  async #tellAll(subscriber: Subscriber): Promise<void> {
    while (subscriber.hasMore) {
      if (!this.#subscribers.has(subscriber)) return void (subscriber.hasMore = false)
      subscriber.hasMore = false
      const rows = await this.#db
        .select()
        .from(jobs)
        .where(and(eq(jobs.identityId, subscriber.identityId), gt(jobs.changed, subscriber.seen)))
        .orderBy(asc(jobs.changed))
        .limit(1000)
      const views = await this.views(rows)
      for (const [at, view] of views.entries()) {
        subscriber.seen = rows[at]?.changed ?? subscriber.seen
        if (view.state === 'queued') subscriber.places.set(view.id, view.ahead)
        else subscriber.places.delete(view.id)
        subscriber.hear(view, subscriber.seen)
      }
    }
  }

  /** The queue moves without a waiting job changing: those who wait are told when their place does. */
  async #tellPlaces(): Promise<void> {
    for (const subscriber of this.#subscribers) {
      if (subscriber.places.size === 0 || subscriber.isTelling) continue
      const places = await this.#places()
      const moved = [...subscriber.places].filter(([id, ahead]) => places.get(id) !== undefined && places.get(id) !== ahead)
      if (moved.length === 0) continue
      const rows = await this.#db
        .select()
        .from(jobs)
        .where(and(eq(jobs.identityId, subscriber.identityId), eq(jobs.state, 'queued')))
      for (const view of await this.views(rows)) {
        if (subscriber.places.get(view.id) === view.ahead) continue
        subscriber.places.set(view.id, view.ahead)
        subscriber.hear(view, undefined)
      }
    }
  }

  #places(): Promise<ReadonlyMap<string, number>> {
    const now = performance.now()
    if (!this.#positions || now - this.#positions.at > POSITIONS_FRESH_MS) {
      this.#positions = { at: now, ahead: queuePositions(this.#db) }
      this.#positions.ahead.catch(() => (this.#positions = undefined))
    }
    return this.#positions.ahead
  }
}
