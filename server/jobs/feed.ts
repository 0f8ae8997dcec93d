import { and, eq, inArray } from 'drizzle-orm'
import { changedJobs } from './manage.ts'
import { Places, type Waiting } from './turns.ts'
import { viewOf } from './views.ts'
import type { Owners } from '../accounts/caller.ts'
import type { Database, DatabaseConnection } from '../database/open.ts'
import { jobs } from '../database/schema.ts'
import type { JobView } from '#shared/api/jobs'

const PLACES_EVERY_MS = 2000
/** A place is told again when it moved by more than this part of what was told: all moves of the first twenty, every fiftieth of a thousand. */
const MOVED_SHARE = 0.05
/** A notification is lost with its connection: everyone's news is looked for now and then. */
const LOOK_EVERY_MS = 10_000
/** Not for all at once, who would stand in the way of everything else. */
const LOOKS = 10
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
  readonly places: Map<string, { readonly job: Waiting; readonly told: number }>
  /** In which of the rounds its news are looked for. */
  readonly round: number
}

/** Tells subscribers of the changes of their own jobs, from any number on, and reads jobs as their owners see them. */
export class JobFeed {
  readonly #db: Database
  readonly #key: Buffer
  readonly #now: () => number
  readonly #subscribers = new Set<Subscriber>()
  readonly #places: Places
  #subscribed = 0
  #round = 0
  #timers: readonly NodeJS.Timeout[] = []
  #unlisten: (() => Promise<void>) | undefined

  constructor(db: Database, resultKey: Buffer, now: () => number) {
    this.#db = db
    this.#key = resultKey
    this.#now = now
    this.#places = new Places(db)
  }

  async start(connection: DatabaseConnection): Promise<void> {
    this.#unlisten = await connection.listen('jobs', (identityId) => {
      this.#tellAll((one) => (one.hasChanges ||= one.owners.includes(identityId)))
    })
    this.#timers = [
      setInterval(() => this.#tellAll((one) => (one.hasMoved ||= one.places.size > 0)), PLACES_EVERY_MS),
      setInterval(() => {
        this.#round = (this.#round + 1) % LOOKS
        this.#tellAll((one) => (one.hasChanges ||= one.round === this.#round))
      }, LOOK_EVERY_MS / LOOKS),
    ]
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer)
    this.#subscribers.clear()
    await this.#unlisten?.()
  }

  /** Hears everything that changed after a number, then every change to come, until the returned function is called. */
  subscribe(owners: Owners, after: number, hear: Hear): () => void {
    const state = { seen: after, isTelling: false, hasChanges: true, hasMoved: false, places: new Map() }
    const subscriber: Subscriber = { owners, hear, round: this.#subscribed++ % LOOKS, ...state }
    this.#subscribers.add(subscriber)
    this.#tell(subscriber)
    return () => this.#subscribers.delete(subscriber)
  }

  /** Jobs as their owner sees them, with their places in the queue. */
  async views(rows: readonly (typeof jobs.$inferSelect)[]): Promise<JobView[]> {
    const waiting = rows.filter(({ state }) => state === 'queued')
    const places = waiting.length > 0 ? await this.#places.ahead(waiting) : []
    const ahead = new Map(waiting.map(({ id }, n) => [id, places[n]]))
    return rows.map((row) => viewOf(row, { key: this.#key, now: this.#now(), ahead: ahead.get(row.id) }))
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
    for (const [n, view] of views.entries()) {
      const job = rows[n]
      subscriber.seen = view.change
      if (job && view.state === 'queued') subscriber.places.set(view.id, { job: waitingOf(job), told: view.ahead })
      else subscriber.places.delete(view.id)
      await subscriber.hear(view, subscriber.seen)
      if (!this.#subscribers.has(subscriber)) return
    }
  }

  /** The queue moves without a waiting job changing: those who wait are told when their place does. */
  async #tellPlaces(subscriber: Subscriber): Promise<void> {
    const told = [...subscriber.places]
    const now = await this.#places.still(told.map(([, { job }]) => job))
    const moved = told.flatMap(([id, place], n) => (hasMoved(place.told, now[n]) ? [id] : []))
    if (moved.length === 0) return
    const rows = await this.#db
      .select()
      .from(jobs)
      .where(and(inArray(jobs.id, moved), eq(jobs.state, 'queued')))
    for (const view of await this.views(rows)) {
      const place = subscriber.places.get(view.id)
      if (!place) continue
      subscriber.places.set(view.id, { job: place.job, told: view.ahead })
      await subscriber.hear(view, undefined)
    }
  }
}

const hasMoved = (told: number, now: number | undefined): boolean =>
  now !== undefined && now !== told && Math.abs(now - told) >= told * MOVED_SHARE

const waitingOf = ({ lane, turn, isGuest, position }: Waiting): Waiting => ({ lane, turn, isGuest, position })
