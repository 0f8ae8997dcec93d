import { createHash } from 'node:crypto'
import { constants, cpSync } from 'node:fs'
import { access, mkdir, mkdtemp, open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { drizzle } from 'drizzle-orm/pglite'
import { migrate } from 'drizzle-orm/pglite/migrator'
import { flushFolder } from './durable.ts'
import { migrationsFolder } from './migrations.ts'

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

/** What a template was made by: the version of PGlite, that of `initialise`, and the tables. */
async function stamp(): Promise<string> {
  const manifest = join(dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite')), '../package.json')
  const { version }: { version: string } = JSON.parse(await readFile(manifest, 'utf8'))
  const tables = await readFile(join(migrationsFolder, 'meta/_journal.json'))
  return `pglite ${version}, 2, ${createHash('sha256').update(tables).digest('hex')}`
}

/** Makes a database with its tables, all of them empty, in a folder and shuts it down; seconds of work and about 800 MB of memory. */
async function initialise(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const client = await PGlite.create({ fs: new NodeFS(folder), initDbStartParams: ['--wal-segsize=1', '--set=min_wal_size=2MB'] })
  // With small log files and without what CREATE DATABASE copies, a folder has 380 files and 15 MB instead of 990 and 39.
  await client.exec('update pg_database set datistemplate = false')
  for (const name of ['template0', 'template1']) await client.exec(`drop database ${name}`)
  await migrate(drizzle(client), { migrationsFolder })
  await client.close()
}

/** Prepares a folder for `provideData` to copy, unless it is there already. Several may do so at a time. */
export async function prepareTemplate(template: string): Promise<void> {
  if (await isUsable(template)) return
  await mkdir(dirname(template), { recursive: true })
  const half = await mkdtemp(`${template}.`)
  try {
    await initialise(join(half, 'pgdata'))
    await writeFile(join(half, 'stamp'), await stamp())
    await rm(template, { recursive: true, force: true })
    await rename(half, template)
  } catch (error) {
    if (!(await isUsable(template))) throw error // else somebody was faster
  } finally {
    await rm(half, { recursive: true, force: true })
  }
}

async function isUsable(template: string): Promise<boolean> {
  const found = await readFile(join(template, 'stamp'), 'utf8').catch(() => undefined)
  return found === (await stamp())
}

/** Makes a data folder where there is none: a copy of the template, or a fresh one. It appears whole or not at all. */
export async function provideData(data: string, template: string | undefined): Promise<void> {
  if (await exists(data)) return
  const half = `${data}.half`
  await rm(half, { recursive: true, force: true })
  if (template !== undefined && (await isUsable(template))) {
    // Some 400 small files take a fifth of the time in one go, and nobody is served yet.
    cpSync(join(template, 'pgdata'), half, { recursive: true, mode: constants.COPYFILE_FICLONE })
  } else {
    await initialise(half)
  }
  await flushFolder(half)
  await rename(half, data)
  if (process.platform === 'win32') return // it can't flush a folder
  const parent = await open(dirname(data))
  await parent.sync().finally(() => parent.close())
}
