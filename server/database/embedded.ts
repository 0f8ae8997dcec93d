import { join } from 'node:path'
import { drizzle } from 'drizzle-orm/pglite'
import { migrate } from 'drizzle-orm/pglite/migrator'
import type { DatabaseConnection } from './connection.ts'
import { durableOptions } from './durable.ts'
import { lockFolder } from './lock.ts'
import { keepInShape } from './maintenance.ts'
import { refuseMoved } from './moved.ts'
import { OneConnection } from './one-connection.ts'
import * as schema from './schema.ts'
import { provideData } from './template.ts'
import { copyAnswerer, removeCopies } from '../backups/while-running.ts'

async function openData(folder: string, template: string | undefined, migrationsFolder: string): Promise<OneConnection> {
  const data = join(folder, 'pgdata')
  await provideData(data, template)
  const client = await OneConnection.start(await durableOptions(data))
  try {
    await migrate(drizzle(client), { migrationsFolder })
  } catch (error) {
    await client.close().catch(() => {}) // the first failure says more
    throw error
  }
  return client
}

/** Opens the database in a folder of this machine. Throws DataFolderInUse, DataMoved. */
export async function openEmbedded(folder: string, template: string | undefined, migrationsFolder: string): Promise<DatabaseConnection> {
  let client: OneConnection | undefined
  const lock = await lockFolder(
    folder,
    copyAnswerer(folder, () => client),
  )
  try {
    await refuseMoved(folder)
    await removeCopies(folder)
    const opened = await openData(folder, template, migrationsFolder)
    client = opened
    const stopCare = keepInShape(opened)
    let closing: Promise<void> | undefined
    const close = async (): Promise<void> => {
      stopCare()
      client = undefined
      await opened.close().finally(() => lock.release())
    }
    return {
      db: drizzle(opened, { schema }),
      listen: (channel, hear) => opened.hear(channel, hear),
      connections: () => ({ open: 1 }),
      close: () => (closing ??= close()),
    }
  } catch (error) {
    await lock.release()
    throw error
  }
}
