import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks'
import { join } from 'node:path'
import { PGlite, type Results, type Transaction } from '@electric-sql/pglite'
import { drizzle } from 'drizzle-orm/pglite'
import { migrate } from 'drizzle-orm/pglite/migrator'
import { quoted, type DatabaseConnection } from './connection.ts'
import { durableOptions } from './durable.ts'
import { lockFolder } from './lock.ts'
import { keepInShape } from './maintenance.ts'
import * as schema from './schema.ts'
import { provideData } from './template.ts'

/** PGlite has one connection: a query beside an open transaction waits for its end, for ever when it is awaited in there. */
class OneConnection extends PGlite {
  readonly #within = new AsyncLocalStorage<{ isOpen: boolean }>()

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
  async hear(channel: string, hear: (payload: string) => void): Promise<() => Promise<void>> {
    // Bound: PGlite calls back from within the query that brought the news, perhaps a transaction.
    const bound = AsyncResource.bind(hear)
    const stop = this.onNotification((name, payload) => {
      if (name === channel) bound(payload)
    })
    try {
      await this.exec(`listen ${quoted(channel)}`)
    } catch (error) {
      stop()
      throw error
    }
    return async () => stop()
  }

  #refuseWithin(): void {
    if (this.#within.getStore()?.isOpen)
      throw new Error('inside a transaction use the transaction, not the database: it would wait for itself')
  }
}

async function openData(folder: string, template: string | undefined, migrationsFolder: string) {
  const data = join(folder, 'pgdata')
  await provideData(data, template)
  const options = await durableOptions(data)
  const client = new OneConnection(options)
  await client.waitReady
  try {
    await migrate(drizzle(client), { migrationsFolder })
  } catch (error) {
    await client.close()
    throw error
  }
  return { client, files: options.fs }
}

/** Opens the database in a folder of this machine. Throws DataFolderInUse. */
export async function openEmbedded(folder: string, template: string | undefined, migrationsFolder: string): Promise<DatabaseConnection> {
  const lock = await lockFolder(folder)
  try {
    const { client, files } = await openData(folder, template, migrationsFolder)
    const stopCare = keepInShape(client, files)
    let closing: Promise<void> | undefined
    const close = async (): Promise<void> => {
      stopCare()
      await client.close().finally(() => lock.release())
    }
    return {
      db: drizzle(client, { schema }),
      listen: (channel, hear) => client.hear(channel, hear),
      close: () => (closing ??= close()),
    }
  } catch (error) {
    await lock.release()
    throw error
  }
}
