import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { sql } from 'drizzle-orm'
import { Complaint, placeOf, usingPostgres } from '../console.ts'
import { takeInventory, type Inventory } from '../database/copy.ts'
import { codeOf } from '#engine/failures'

/** Runs one of PostgreSQL's programs on a database. Throws Complaint with what it said. */
async function perform(program: 'pg_dump' | 'pg_restore', url: string, words: readonly string[]): Promise<void> {
  const { password } = new URL(url)
  const address = Object.assign(new URL(url), { password: '' }).href
  // Words can be read by everybody on this machine; the environment can't.
  const env = { ...process.env, ...(password !== '' && { PGPASSWORD: decodeURIComponent(password) }) }
  const child = spawn(program, [...words, `--dbname=${address}`], { env, stdio: ['ignore', 'ignore', 'pipe'] })
  const failed = once(child, 'error').then(([error]) => {
    if (codeOf(error) !== 'ENOENT') throw error
    throw new Complaint(`找不到 ${program}：请安装与数据库同版本的 PostgreSQL 客户端（Debian 软件包 postgresql-client）。`)
  })
  const [said] = await Promise.race([Promise.all([text(child.stderr), once(child, 'close')]), failed])
  if (child.exitCode !== 0) throw new Complaint(`${program} 失败：\n${said ?? ''}`)
}

/** Writes all of a database to a file while it is used, as it is at one moment; what is in it. */
export async function dump(url: string, file: string): Promise<Inventory> {
  return usingPostgres(url, (db) =>
    takeInventory(db, async (tx) => {
      const { rows } = await tx.execute<{ id: string }>(sql`select pg_export_snapshot() as id`)
      await perform('pg_dump', url, ['--format=custom', '--no-owner', '--no-privileges', `--snapshot=${rows[0]?.id}`, `--file=${file}`])
    }),
  )
}

/** Fills an empty database from such a file, in one transaction; what is in it then. Throws Complaint where there is something. */
export async function load(url: string, file: string): Promise<Inventory> {
  await usingPostgres(url, async (db) => {
    const { rows } = await db.execute(sql`select 1 from pg_tables where schemaname not in ('pg_catalog', 'information_schema') limit 1`)
    if (rows.length > 0)
      throw new Complaint(`${placeOf(url)} 里已经有表，没有恢复任何数据。请新建一个空的数据库（createdb），再用它的地址。`)
  })
  await perform('pg_restore', url, ['--single-transaction', '--exit-on-error', '--no-owner', '--no-privileges', file])
  return usingPostgres(url, (db) => takeInventory(db))
}
