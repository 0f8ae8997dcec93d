import { constants } from 'node:fs'
import { cp, mkdir, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { drizzle } from 'drizzle-orm/pglite'
import { takeInventory, type Inventory } from '../database/copy.ts'
import { durableOptions, flushFolder } from '../database/durable.ts'
import { OneConnection } from '../database/one-connection.ts'
import * as schema from '../database/schema.ts'

/** Copies the files of an embedded database that nobody has open. The copy is on the disk when this returns. */
export async function copyFiles(from: string, to: string): Promise<void> {
  await rm(to, { recursive: true, force: true })
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  await cp(from, to, { recursive: true, mode: constants.COPYFILE_FICLONE })
  await flushFolder(to)
}

/** Opens a copy as it lies, without bringing its tables up to date, which also ends what a crash had left; what is in it. */
export async function inventoryOfFiles(data: string): Promise<Inventory> {
  const client = await OneConnection.start(await durableOptions(data))
  return takeInventory(drizzle(client, { schema })).finally(() => client.close())
}
