import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { parseConfig } from './config.ts'
import { Complaint, embeddedIn, placeOf, runCommand, usingPostgres } from './console.ts'
import { copyAll, differences, isEmpty, takeInventory, type Inventory } from './database/copy.ts'
import { markMoved } from './database/moved.ts'
import { openDatabase, type Database } from './database/open.ts'

const USAGE = `用法：DATABASE_URL=postgres://… npm run migrate:postgres

把内置数据库（DATA_DIR）里的全部数据复制到一个空的 PostgreSQL 数据库，逐行核对后一次生效；中途停止则什么都没有写入，可以重来。
请先停止服务。内置数据库里的数据原样保留。`

/** Whether a database holds tables that are not ours: then ours have no place among them. */
async function refuseStrangers(url: string): Promise<void> {
  const { rows } = await usingPostgres(url, (db) =>
    db.execute<{ tables: number; ours: boolean }>(sql`
      select to_regclass('drizzle.__drizzle_migrations') is not null as ours,
        (select count(*)::integer from pg_tables where schemaname not in ('pg_catalog', 'information_schema')) as tables`),
  )
  if (rows[0]?.ours === false && rows[0].tables > 0)
    throw new Complaint(`${placeOf(url)} 里有其他程序的表，没有复制任何数据。请新建一个空的数据库（createdb），再用它的地址。`)
}

/** Copies, or finds that an earlier run had done so and was stopped before it could say it. */
async function copy(source: Database, target: Database, place: string): Promise<Inventory> {
  const found = await takeInventory(target)
  if (isEmpty(found)) return copyAll(source, target)
  const differing = differences(await takeInventory(source), found)
  if (differing.length === 0) return found
  throw new Complaint(
    `${place} 不是空的，也不是这份数据的完整副本（不同的表：${differing.join('、')}），没有写入任何数据。请新建一个空的数据库，再用它的地址。`,
  )
}

const listed = ({ tables }: Inventory): string =>
  [...tables].map(([name, { rows, digest }]) => `  ${name.padEnd(20)} ${String(rows).padStart(9)} 行  ${digest}`).join('\n')

const advice = (dataFolder: string, isSecretGiven: boolean): string =>
  [
    '现在可以用同一个 DATABASE_URL 启动服务。',
    isSecretGiven
      ? '密钥（SECRET_KEY）须与从前相同。'
      : `密钥在 ${join(dataFolder, 'secret.key')}：在这台机器上沿用同一个 DATA_DIR 即可；在其他机器上，请把它的内容设为 SECRET_KEY，否则所有人都要重新登录，账号也无法找回。`,
    `未完成的任务和两小时内的文件仍在 ${join(dataFolder, 'objects')}（使用阿里云 OSS 时除外）。`,
  ].join('\n')

async function migrate(): Promise<void> {
  const { databaseUrl, dataFolder, secretKey } = parseConfig(process.env)
  if (databaseUrl === undefined || process.argv.length > 2) throw new Complaint(USAGE)
  const embedded = embeddedIn(dataFolder)
  if (!existsSync(join(embedded.folder, 'pgdata'))) throw new Complaint(`${dataFolder} 里没有内置数据库：请用 DATA_DIR 指定数据目录。`)
  const place = placeOf(databaseUrl)
  const source = await openDatabase(embedded)
  try {
    await refuseStrangers(databaseUrl)
    const target = await openDatabase({ kind: 'postgres', url: databaseUrl, isUnhurried: true })
    const inventory = await copy(source.db, target.db, place).finally(() => target.close())
    await markMoved(embedded.folder, place, new Date())
    console.log(`已把 ${embedded.folder} 复制到 ${place}，每张表的行数和内容摘要（SHA-256 之和）两边相同：\n${listed(inventory)}`)
    console.log(advice(dataFolder, secretKey !== undefined))
  } finally {
    await source.close()
  }
}

await runCommand(migrate)
