import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { copyFiles, inventoryOfFiles } from './backups/embedded-files.ts'
import { DUMP, readManifest, SECRET } from './backups/manifest.ts'
import { load } from './backups/postgres-dump.ts'
import { parseConfig, type Config } from './config.ts'
import { Complaint, embeddedIn, placeOf, runCommand } from './console.ts'
import { differences, type Inventory } from './database/copy.ts'
import { lockFolder } from './database/lock.ts'

const USAGE = `用法：npm run restore -- <备份文件夹>

把 npm run backup 生成的备份恢复到空的数据目录（DATA_DIR），或空的 PostgreSQL 数据库（DATABASE_URL）。已有数据时拒绝，从不覆盖。`

function refuseDifferent(restored: Inventory, wanted: Inventory): void {
  const differing = differences(wanted, restored)
  if (differing.length > 0) throw new Complaint(`备份不完整或已损坏：恢复出来的 ${differing.join('、')} 与备份时不同。`)
}

/** Copies the files beside their place, looks whether all is there, and gives them their name: a database appears whole or not at all. */
async function restoreFiles(from: string, dataFolder: string, wanted: Inventory): Promise<string> {
  const { folder } = embeddedIn(dataFolder)
  const [place, half] = [join(folder, 'pgdata'), join(folder, 'pgdata.half')]
  const lock = await lockFolder(folder)
  try {
    if (existsSync(place)) throw new Complaint(`${dataFolder} 里已经有数据，没有恢复任何东西。请用 DATA_DIR 指定另一个目录。`)
    await copyFiles(join(from, 'pgdata'), half)
    refuseDifferent(await inventoryOfFiles(half), wanted)
    await rename(half, place)
    return folder
  } finally {
    await rm(half, { recursive: true, force: true })
    await lock.release()
  }
}

/** Without the secret that the data were written under nobody's account can be found again, so another one is refused. */
async function restoreSecret({ secretKey, dataFolder }: Config, backup: string): Promise<void> {
  const kept = await readFile(join(backup, SECRET), 'utf8').catch(() => undefined)
  const file = join(dataFolder, 'secret.key')
  const own = secretKey ?? (await readFile(file, 'utf8').catch(() => undefined))
  if (kept === undefined && own === undefined) throw new Complaint('备份里没有密钥：请用 SECRET_KEY 给出备份时的密钥。')
  if (kept !== undefined && own !== undefined && kept !== own)
    throw new Complaint(
      `${secretKey === undefined ? file : 'SECRET_KEY'} 与备份里的密钥不同，没有恢复任何东西。请换一个 DATA_DIR，或去掉 SECRET_KEY。`,
    )
  if (own !== undefined || kept === undefined) return
  await mkdir(dataFolder, { recursive: true })
  await writeFile(file, kept, { mode: 0o600, flag: 'wx', flush: true })
}

async function restore(): Promise<void> {
  const [, , given, ...rest] = process.argv
  if (given === undefined || given.startsWith('-') || rest.length > 0) throw new Complaint(USAGE)
  const backup = resolve(given)
  const config = parseConfig(process.env)
  const { kind, at, inventory } = await readManifest(backup)
  const { databaseUrl, dataFolder } = config
  if (kind === 'postgres' && databaseUrl === undefined)
    throw new Complaint('这是 PostgreSQL 的备份：请用 DATABASE_URL 指定一个空的数据库。')
  if (kind === 'embedded' && databaseUrl !== undefined)
    throw new Complaint('这是内置数据库的备份：请去掉 DATABASE_URL，恢复后可用 npm run migrate:postgres 迁移到 PostgreSQL。')
  await restoreSecret(config, backup)
  if (databaseUrl !== undefined) refuseDifferent(await load(databaseUrl, join(backup, DUMP)), inventory)
  const place = databaseUrl === undefined ? await restoreFiles(backup, dataFolder, inventory) : placeOf(databaseUrl)
  console.log(`已把 ${at} 的备份恢复到 ${place}，${inventory.tables.size} 张表的行数和内容摘要与备份时相同。现在可以启动服务。`)
}

await runCommand(restore)
