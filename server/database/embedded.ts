import { join } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import { drizzle } from 'drizzle-orm/pglite'
import { migrate } from 'drizzle-orm/pglite/migrator'
import { DiskFull, type DatabaseConnection } from './connection.ts'
import { durableOptions } from './durable.ts'
import { lockFolder } from './lock.ts'
import { keepInShape } from './maintenance.ts'
import { refuseMoved } from './moved.ts'
import { OneConnection } from './one-connection.ts'
import { Reopened } from './reopened.ts'
import * as schema from './schema.ts'
import { provideData } from './template.ts'
import { copyAnswerer, removeCopies } from '../backups/while-running.ts'
import { measureSpace } from '../storage/local/disk.ts'

/** What recovery writes at most before it has freed anything: the log's next files, and pages it had not got to. */
const ROOM_BYTES = 64 * 1024 ** 2

/** PostgreSQL must not begin on a full disk: PGlite would try for ever, and nothing else would be done meanwhile. */
async function requireRoom(folder: string): Promise<void> {
  const { freeBytes } = await measureSpace(folder)
  if (freeBytes < ROOM_BYTES) throw new DiskFull(`数据库所在的磁盘（${folder}）剩余空间不足 ${ROOM_BYTES / 1024 ** 2} MB，请清理后重试。`)
}

async function openData(folder: string, template: string | undefined, migrationsFolder: string): Promise<OneConnection> {
  await requireRoom(folder)
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

/** Opens the database in a folder of this machine. Throws DataFolderInUse, DataMoved, DiskFull. */
export async function openEmbedded(folder: string, template: string | undefined, migrationsFolder: string): Promise<DatabaseConnection> {
  let client: Reopened | undefined
  const lock = await lockFolder(
    folder,
    copyAnswerer(folder, () => client),
  )
  try {
    await refuseMoved(folder)
    await removeCopies(folder)
    const opened = await Reopened.start(() => openData(folder, template, migrationsFolder))
    client = opened
    const stopCare = keepInShape(opened)
    let closing: Promise<void> | undefined
    const close = async (): Promise<void> => {
      stopCare()
      client = undefined
      await opened.close().finally(() => lock.release())
    }
    return {
      db: drizzle(opened as unknown as PGlite, { schema }), // of which it uses query and transaction
      listen: (channel, hear) => opened.hear(channel, hear),
      connections: () => ({ open: 1 }),
      close: () => (closing ??= close()),
    }
  } catch (error) {
    await lock.release()
    throw error
  }
}
