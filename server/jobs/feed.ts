import { and, eq, inArray } from 'drizzle-orm'
import { changedJobs } from './manage.ts'
import { viewOf } from './views.ts'
import { queuePositions } from './queue.ts'
import type { Owners } from '../accounts/caller.ts'
import type { Database, DatabaseConnection } from '../database/open.ts'
import { jobs } from '../database/schema.ts'
import type { JobView } from '#shared/api/jobs'

const POSITIONS_FRESH_MS = 1000
const POSITIONS_EVERY_MS = 2000
/** A notification is lost with its connection: everyone's news is looked for now and then. */
const LOOK_EVERY_MS = 10_000
const PAGE = 100

/**
 * Takes a job's news; `change` is the number to resume after, absent when only the place in the queue moved. What comes next waits
 * until this is through, so that a slow reader is told less often instead of being sent everything later.
 */
export type Hear = (view: JobView, change: number | undefined) => Promise<void>

interface Subscriber {
  readonly owners: Owners
  readonly hear: Hear
  /** The last change told. */
  seen: number
  isTelling: boolean
  hasChanges: boolean
  hasMoved: boolean
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
  #timers: readonly NodeJS.Timeout[] = []
  #unlisten: (() => Promise<void>) | undefined

  constructor(db: Database, resultKey: Buffer, now: () => number) {
    this.#db = db
    this.#key = resultKey
    this.#now = now
  }

  async start(connection: DatabaseConnection): Promise<void> {
    this.#unlisten = await connection.listen('jobs', (payload) => {
      const [identityId] = payload.split(' ')
      this.#tellAll((one) => (one.hasChanges ||= identityId !== undefined && one.owners.includes(identityId)))
    })
    this.#timers = [
      setInterval(() => this.#tellAll((one) => (one.hasMoved ||= one.places.size > 0)), POSITIONS_EVERY_MS),
      setInterval(() => this.#tellAll((one) => (one.hasChanges = true)), LOOK_EVERY_MS),
    ]
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer)
    this.#subscribers.clear()
    await this.#unlisten?.()
  }

  /** Hears everything that changed after a number, then every change to come, until the returned function is called. */
  subscribe(owners: Owners, after: number, hear: Hear): () => void {
    const places = new Map<string, number>()
    const subscriber: Subscriber = { owners, hear, seen: after, isTelling: false, hasChanges: true, hasMoved: false, places }
    this.#subscribers.add(subscriber)
    this.#tell(subscriber)
    return () => this.#subscribers.delete(subscriber)
  }

  /** Jobs as their owner sees them, with their places in the queue. */
  async views(rows: readonly (typeof jobs.$inferSelect)[]): Promise<JobView[]> {
    const waiting = rows.filter(({ state }) => state === 'queued')
    let ahead = waiting.length > 0 ? await this.#places() : undefined
    if (waiting.some(({ id }) => ahead?.has(id) === false)) {
      // Newer than the last count: without a new one it would seem to be the first.
      this.#positions = undefined
      ahead = await this.#places()
    }
    return rows.map((row) => viewOf(row, { key: this.#key, now: this.#now(), ahead: ahead?.get(row.id) }))
  }

  #tellAll(hasNews: (subscriber: Subscriber) => boolean): void {
    for (const one of this.#subscribers) if (hasNews(one)) this.#tell(one)
  }

  /** One at a time for each subscriber, so that news come in order. */
  #tell(subscriber: Subscriber): void {
    if (subscriber.isTelling) return
    subscriber.isTelling = true
    void this.#tellNews(subscriber)
      .catch(() => {}) // the database is away: the next look finds it
      .finally(() => {
        subscriber.isTelling = false
        // News that came in after the last look.
        if (this.#isDue(subscriber)) this.#tell(subscriber)
      })
  }

  #isDue(subscriber: Subscriber): boolean {
    return this.#subscribers.has(subscriber) && (subscriber.hasChanges || subscriber.hasMoved)
  }

  async #tellNews(subscriber: Subscriber): Promise<void> {
    while (this.#isDue(subscriber)) {
      if (subscriber.hasChanges) {
        subscriber.hasChanges = false
        await this.#tellChanges(subscriber)
      } else {
        subscriber.hasMoved = false
        await this.#tellPlaces(subscriber)
      }
    }
  }

  async #tellChanges(subscriber: Subscriber): Promise<void> {
    const rows = await changedJobs(this.#db, subscriber.owners, subscriber.seen, PAGE)
    subscriber.hasChanges ||= rows.length === PAGE
    const views = await this.views(rows)
    for (const view of views) {
      subscriber.seen = view.change
      if (view.state === 'queued') subscriber.places.set(view.id, view.ahead)
      else subscriber.places.delete(view.id)
      await subscriber.hear(view, subscriber.seen)
      if (!this.#subscribers.has(subscriber)) return
    }
  }

  /** The queue moves without a waiting job changing: those who wait are told when their place does. */
  async #tellPlaces(subscriber: Subscriber): Promise<void> {
    const places = await this.#places()
    const hasMoved = [...subscriber.places].some(([id, ahead]) => places.has(id) && places.get(id) !== ahead)
    if (!hasMoved) return
    const rows = await this.#db
      .select()
      .from(jobs)
      .where(and(inArray(jobs.identityId, [...subscriber.owners]), eq(jobs.state, 'queued')))
    for (const view of await this.views(rows)) {
      if (subscriber.places.get(view.id) === view.ahead) continue
      subscriber.places.set(view.id, view.ahead)
      await subscriber.hear(view, undefined)
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
