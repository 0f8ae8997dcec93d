import { join } from 'node:path'
import type { DatabaseConnection } from './connection.ts'
import { openEmbedded } from './embedded.ts'
import { migrationsFolder } from './migrations.ts'
import { openPostgres } from './postgres.ts'

export type { Database, DatabaseConnection } from './connection.ts'

/** Where the data is: a folder of this machine (with a prepared one to start from), or a PostgreSQL server. What copies all of it is unhurried. */
export type DatabaseSource =
  | { readonly kind: 'embedded'; readonly folder: string; readonly template?: string | undefined }
  | { readonly kind: 'postgres'; readonly url: string; readonly isUnhurried?: boolean }

/** The embedded database of a data folder; begun from the template where there is none yet. */
export const embeddedIn = (dataFolder: string, template: string) =>
  ({ kind: 'embedded', folder: join(dataFolder, 'database'), template }) as const

/** Where an installation has its data. */
export const sourceOf = (
  { databaseUrl, dataFolder }: { readonly databaseUrl: string | undefined; readonly dataFolder: string },
  template: string,
): DatabaseSource => (databaseUrl === undefined ? embeddedIn(dataFolder, template) : { kind: 'postgres', url: databaseUrl })

/** Opens the database and brings its tables up to date. Throws DataFolderInUse when another process has the folder. */
export async function openDatabase(source: DatabaseSource): Promise<DatabaseConnection> {
  if (source.kind === 'postgres') return openPostgres(source.url, migrationsFolder, source.isUnhurried)
  return openEmbedded(source.folder, source.template, migrationsFolder)
}
