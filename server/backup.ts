import { existsSync } from 'node:fs'
import { copyFile, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { copyFiles, inventoryOfFiles } from './backups/embedded-files.ts'
import { DUMP, isBackup, SECRET, writeManifest } from './backups/manifest.ts'
import { dump } from './backups/postgres-dump.ts'
import { withCopy } from './backups/while-running.ts'
import { parseConfig, type Config } from './config.ts'
import { Complaint, embeddedIn, runCommand } from './console.ts'
import type { Inventory } from './database/copy.ts'
import { flushFolder } from './database/durable.ts'
import { DataFolderInUse, lockFolder } from './database/lock.ts'
import { refuseMoved } from './database/moved.ts'

const USAGE = `用法：npm run backup -- <文件夹> [--keep 份数]

在文件夹里生成一份备份 qingtu-日期-时间：数据库和密钥，可在服务运行时进行。数据库是 DATABASE_URL 的 PostgreSQL，或 DATA_DIR 的内置数据库。
--keep 只保留最近这么多份，更早的删除；不填则全部保留。`

/** Copies the embedded database, which whoever has it open does himself, then opens the copy: what can be opened can be restored. */
async function copyEmbedded(dataFolder: string, to: string): Promise<Inventory> {
  const { folder } = embeddedIn(dataFolder)
  const from = join(folder, 'pgdata')
  if (!existsSync(from))
    throw new Complaint(`${dataFolder} 里没有内置数据库：请用 DATA_DIR 指定数据目录，或用 DATABASE_URL 指定 PostgreSQL。`)
  try {
    const lock = await lockFolder(folder)
    await refuseMoved(folder)
      .then(() => copyFiles(from, to))
      .finally(() => lock.release())
  } catch (error) {
    const isDone = error instanceof DataFolderInUse && (await withCopy(folder, (data) => copyFiles(data, to)))
    if (!isDone) throw error
  }
  return inventoryOfFiles(to)
}

/** What the command line says. Throws Complaint. */
function parseWords([, , parent, ...rest]: readonly string[]): { readonly parent: string; readonly keep: number } {
  const [word, count = '', ...more] = rest
  const isRight = word === undefined || (word === '--keep' && /^[1-9]\d{0,3}$/.test(count) && more.length === 0)
  if (parent === undefined || parent.startsWith('-') || !isRight) throw new Complaint(USAGE)
  return { parent: resolve(parent), keep: word === undefined ? Infinity : Number(count) }
}

/** Removes the oldest backups in a folder but so many; what is no whole backup stays. How many went. */
async function prune(parent: string, keep: number): Promise<number> {
  const whole = (await readdir(parent)).filter((name) => /^qingtu-\d{8}-\d{6}$/.test(name) && isBackup(join(parent, name)))
  const old = whole.toSorted().slice(0, Math.max(0, whole.length - keep))
  for (const name of old) await rm(join(parent, name), { recursive: true })
  return old.length
}

/** Keeps the installation's own secret beside the data; what is to be said of it. */
async function copySecret({ secretKey, dataFolder }: Config, to: string): Promise<string> {
  const own = join(dataFolder, 'secret.key')
  if (secretKey !== undefined) return '密钥由环境变量 SECRET_KEY 给出，不在备份里：请另外保存，没有它账号无法找回。'
  if (!existsSync(own)) return `没有密钥文件 ${own}：请确认 DATA_DIR，没有密钥账号无法找回。`
  await copyFile(own, to)
  return '备份里有密钥 secret.key：谁得到它和数据库，谁就能以任何人的身份登录。请把它与数据库分开保管，或给备份加密。'
}

async function backup(): Promise<void> {
  const { parent, keep } = parseWords(process.argv)
  const config = parseConfig(process.env)
  const at = new Date()
  const [day, time] = at.toISOString().slice(0, 19).replaceAll(/[-:]/g, '').split('T')
  const whole = join(parent, `qingtu-${day}-${time}`)
  const half = `${whole}.half`
  await mkdir(half, { recursive: true, mode: 0o700 })
  try {
    const { databaseUrl, dataFolder } = config
    const inventory =
      databaseUrl === undefined ? await copyEmbedded(dataFolder, join(half, 'pgdata')) : await dump(databaseUrl, join(half, DUMP))
    const ofSecret = await copySecret(config, join(half, SECRET))
    await writeManifest(half, { kind: databaseUrl === undefined ? 'embedded' : 'postgres', at: at.toISOString(), inventory })
    await flushFolder(half)
    await rename(half, whole)
    const rows = [...inventory.tables.values()].reduce((sum, table) => sum + table.rows, 0)
    console.log(`已备份到 ${whole}：${inventory.tables.size} 张表，${rows} 行。\n${ofSecret}`)
    const pruned = await prune(parent, keep)
    if (pruned > 0) console.log(`已删除 ${pruned} 份更早的备份，保留最近 ${keep} 份。`)
    console.log('上传的文件和结果两小时后即删除，所以不在备份里。恢复：npm run restore -- <这个文件夹>')
  } finally {
    await rm(half, { recursive: true, force: true })
  }
}

await runCommand(backup)
