import { setTimeout as wait } from 'node:timers/promises'
import type { PGlite, Results, Transaction } from '@electric-sql/pglite'
import { DatabaseStopped } from './connection.ts'
import type { OneConnection } from './one-connection.ts'

/** Before the first try to open it again; twice as long before each further one. */
const REST_MS = 1000
const LONGEST_REST_MS = 30_000

/** Who listens, and how to end that where it has begun. */
interface Hearer {
  readonly channel: string
  readonly hear: (payload: string) => void
  stop: () => void
}

/**
 * An embedded database that is opened again after it has ended from within, by itself, as PostgreSQL's own process does: with its disk
 * freed, a server goes on. Until then every call throws DatabaseStopped.
 */
export class Reopened {
  readonly #open: () => Promise<OneConnection>
  readonly #hearers = new Set<Hearer>()
  readonly #closing = new AbortController()
  #current: OneConnection | undefined
  #watching: Promise<void>

  private constructor(open: () => Promise<OneConnection>, first: OneConnection) {
    this.#open = open
    this.#current = first
    this.#watching = this.#watch(first)
  }

  /** Opens a database by a function that also does it again. Throws what that throws at first. */
  static async start(open: () => Promise<OneConnection>): Promise<Reopened> {
    return new Reopened(open, await open())
  }

  async query<T>(...args: Parameters<PGlite['query']>): Promise<Results<T>> {
    return this.#now().query<T>(...args)
  }

  async exec(...args: Parameters<PGlite['exec']>): Promise<Results[]> {
    return this.#now().exec(...args)
  }

  async transaction<T>(run: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.#now().transaction(run)
  }

  /** Has something done while no statement is. */
  async runExclusive<T>(work: () => Promise<T>): Promise<T> {
    return this.#now().runExclusive(work)
  }

  /** Calls back with what is notified until the returned function is called, also after it was opened again. */
  async hear(channel: string, hear: (payload: string) => void): Promise<() => Promise<void>> {
    const hearer: Hearer = { channel, hear, stop: await this.#now().hear(channel, hear) }
    this.#hearers.add(hearer)
    return async () => {
      this.#hearers.delete(hearer)
      hearer.stop()
    }
  }

  /** Throws DatabaseStopped where it has ended from within. */
  async close(): Promise<void> {
    this.#closing.abort()
    await this.#watching
    await this.#now().close()
  }

  #now(): OneConnection {
    if (!this.#current) throw new DatabaseStopped('the database has stopped')
    return this.#current
  }

  async #watch(first: OneConnection): Promise<void> {
    const isClosing = new Promise<void>((resolve) => this.#closing.signal.addEventListener('abort', () => resolve()))
    for (let current = first; ;) {
      await Promise.race([current.stopped, isClosing])
      if (this.#closing.signal.aborted) return
      this.#current = undefined
      // It lets go of its files; that it has stopped is known.
      await current.close().catch(() => {})
      const next = await this.#openAgain()
      if (!next) return
      current = next
      this.#current = next
    }
  }

  /** Tries until it is open; undefined where it is to be closed meanwhile. */
  async #openAgain(): Promise<OneConnection | undefined> {
    for (let restMs = REST_MS; ; restMs = Math.min(2 * restMs, LONGEST_REST_MS)) {
      const rested = wait(restMs, undefined, { signal: this.#closing.signal, ref: false })
      const isOver = await rested.then(
        () => false,
        () => true,
      )
      if (isOver) return undefined
      const opened = await this.#open().catch(() => undefined)
      if (opened && (await this.#hearIn(opened))) return opened
      await opened?.close().catch(() => {})
    }
  }

  /** Whether all who listened do so again. */
  async #hearIn(opened: OneConnection): Promise<boolean> {
    try {
      for (const one of this.#hearers) one.stop = await opened.hear(one.channel, one.hear)
      return true
    } catch {
      return false // it has stopped again
    }
  }
}
