import { and, eq, gt, inArray, isNull } from 'drizzle-orm'
import type { Caller } from './caller.ts'
import { isSeenLongAgo, seeSlot } from './slots.ts'
import type { Database, DatabaseConnection } from '../database/open.ts'
import { sessions, slots } from '../database/schema.ts'

/** A notification is lost with its connection, and who is signed out is to know it within half a minute. */
const LOOK_EVERY_MS = 10_000

/** Who hears of an account: `hear` at any news, `end` when the session is over. */
interface Listener {
  readonly caller: Caller
  readonly hear: () => void
  readonly end: () => void
}

/** Passes news of accounts on to open streams, and ends those whose session is over. */
export class AccountFeed {
  readonly #db: Database
  readonly #now: () => number
  readonly #listeners = new Set<Listener>()
  #timer: NodeJS.Timeout | undefined
  #unlisten: (() => Promise<void>) | undefined

  constructor(db: Database, now: () => number) {
    this.#db = db
    this.#now = now
  }

  async start(connection: DatabaseConnection): Promise<void> {
    this.#unlisten = await connection.listen('accounts', (identityId) => {
      const concerned = [...this.#listeners].filter(({ caller }) => caller.identityId === identityId)
      for (const { hear } of concerned) hear()
      this.#look(concerned)
    })
    this.#timer = setInterval(() => this.#look([...this.#listeners]), LOOK_EVERY_MS)
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    this.#listeners.clear()
    await this.#unlisten?.()
  }

  /** Hears until the returned function is called. */
  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener)
    // Signed out perhaps between the request's check and this.
    this.#look([listener])
    return () => this.#listeners.delete(listener)
  }

  #look(listeners: readonly Listener[]): void {
    if (listeners.length === 0) return
    void this.#endOver(listeners).catch(() => {}) // the database is away: the next look finds it
  }

  async #endOver(listeners: readonly Listener[]): Promise<void> {
    const now = this.#now()
    const hashes = listeners.map(({ caller }) => caller.tokenHash)
    const rows = await this.#db
      .select({ tokenHash: sessions.tokenHash, lastSeenAt: slots.lastSeenAt })
      .from(sessions)
      .leftJoin(slots, and(eq(slots.identityId, sessions.identityId), eq(slots.deviceId, sessions.deviceId)))
      .where(and(inArray(sessions.tokenHash, hashes), isNull(sessions.end), gt(sessions.expiresAt, new Date(now))))
    const alive = new Map(rows.map(({ tokenHash, lastSeenAt }) => [tokenHash, lastSeenAt]))
    for (const { caller, hear, end } of listeners) {
      const lastSeenAt = alive.get(caller.tokenHash)
      if (lastSeenAt === undefined) {
        hear()
        end()
      } else if (lastSeenAt && isSeenLongAgo(lastSeenAt, now)) {
        // A page left open is a computer in use, though it asks for nothing.
        await seeSlot(this.#db, caller, now)
      }
    }
  }
}
