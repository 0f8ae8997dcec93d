import { AsyncLocalStorage } from 'node:async_hooks'
import { PGlite, type PGliteOptions, type Results, type Transaction } from '@electric-sql/pglite'
import { DatabaseStopped, quoted } from './connection.ts'

/** The status with which PGlite's main loop says "an SQL error": PGlite handles it. */
const SQL_ERROR = 100
const MAIN_LOOP = '_PostgresMainLoopOnce'

/**
 * PGlite as a server can use it.
 *
 * It has one connection: a query beside an open transaction waits for its end, for ever when it is awaited in there. Here
 * it throws.
 *
 * It ignores whatever ends the database from within (a full disk, a failed fsync: PostgreSQL panics) and then loops
 * without end, or answers as if all were well. Here every statement throws from then on; what was not acknowledged is
 * decided by recovery when it is opened again (`Reopened`).
 */
export class OneConnection extends PGlite {
  readonly #within = new AsyncLocalStorage<{ isOpen: boolean }>()
  #failure: Error | undefined
  #isWatched = false
  #tellStopped = (): void => {}

  /** Resolves once the database has ended from within, which it does at most once. */
  readonly stopped = new Promise<void>((resolve) => (this.#tellStopped = resolve))

  /** Opens the database. Every instance is made through this. */
  static async start(options: PGliteOptions): Promise<OneConnection> {
    const connection = new OneConnection(options)
    try {
      await connection.waitReady
    } catch (error) {
      await connection.fs?.closeFs()
      throw error
    }
    return connection
  }

  override async query<T>(...args: Parameters<PGlite['query']>): Promise<Results<T>> {
    this.#refuseWithin()
    return super.query<T>(...args)
  }

  override async exec(...args: Parameters<PGlite['exec']>): Promise<Results[]> {
    this.#refuseWithin()
    return super.exec(...args)
  }

  override async transaction<T>(run: (transaction: Transaction) => Promise<T>): Promise<T> {
    this.#refuseWithin()
    return super.transaction(async (transaction) => {
      const state = { isOpen: true }
      try {
        return await this.#within.run(state, () => run(transaction))
      } finally {
        state.isOpen = false // what was started in there and lives on may use the database again
      }
    })
  }

  /** As `listen`, for any channel name: PGlite's own can't end listening to one that needs quotes. */
  async hear(channel: string, hear: (payload: string) => void): Promise<() => void> {
    const stop = this.onNotification((name, payload) => {
      if (name === channel) hear(payload)
    })
    try {
      await this.exec(`listen ${quoted(channel)}`)
    } catch (error) {
      stop()
      throw error
    }
    return stop
  }

  /** Every statement and the end pass here, and what it asks by itself as it starts. */
  override execProtocolRawSync(message: Uint8Array): Uint8Array {
    this.#refuseBroken()
    if (!this.#isWatched) this.#watch()
    try {
      return super.execProtocolRawSync(message)
    } catch (error) {
      throw this.#failure ?? error // what it does about the end of a statement fails in words of its own
    }
  }

  override async close(): Promise<void> {
    await super.close()
    this.#refuseBroken() // it swallows what went wrong
  }

  #watch(): void {
    this.#isWatched = true
    const module = this.Module
    const loop = module[MAIN_LOOP]
    module[MAIN_LOOP] = () => {
      try {
        return loop()
      } catch (error) {
        if (error instanceof Object && 'status' in error && error.status === SQL_ERROR) throw error
        const failure = new DatabaseStopped('the database has stopped', { cause: error })
        this.#failure = failure
        this.#tellStopped()
        // PGlite swallows what is thrown here, then calls this and would start over.
        module.stackRestore = () => {
          throw failure
        }
        throw failure
      }
    }
  }

  #refuseBroken(): void {
    if (this.#failure) throw this.#failure
  }

  #refuseWithin(): void {
    if (this.#within.getStore()?.isOpen)
      throw new Error('inside a transaction use the transaction, not the database: it would wait for itself')
  }
}
