import { once } from 'node:events'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { runCommand, startCommand } from '../fixtures/command.ts'
import { databaseTemplate, emptyPostgres, isOnPostgres } from '../fixtures/database.ts'
import { testFolder, toSize } from '../fixtures/engine.ts'
import { fillEveryTable } from '../fixtures/filled.ts'
import { order, payAt, until } from '../fixtures/payments.ts'
import { photo } from '../fixtures/pictures.ts'
import { refusedStart, serverProcess } from '../fixtures/server-process.ts'
import { Visitor } from '../fixtures/server.ts'
import { isEmpty, takeInventory } from '#server/database/copy'
import { openDatabase } from '#server/database/open'

const migrate = (folder: string, url: string) => runCommand('migrate-postgres', [], { DATA_DIR: folder, DATABASE_URL: url })

const inventoryOf = async (source: Parameters<typeof openDatabase>[0]) => {
  const connection = await openDatabase(source)
  return takeInventory(connection.db).finally(() => connection.close())
}

const embeddedIn = (folder: string) => ({ kind: 'embedded', folder: join(folder, 'database'), template: databaseTemplate }) as const

async function perform(url: string, statement: string): Promise<readonly unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(statement).finally(() => client.end())
  return rows
}

describe.skipIf(!isOnPostgres())('npm run migrate:postgres', () => {
  it('moves a site: the same people are signed in, credits are what they were, and what was queued is done there', async () => {
    await using folder = await testFolder()
    await using target = await emptyPostgres()
    const settings = { AI_WORKERS: '1' }
    const before = await serverProcess(folder.path, settings)
    const visitor = await Visitor.enter(before.url)
    visitor.pollMs = 600
    const { orderId, page } = await order(visitor, 'alipay', 'retentionWeb')
    await payAt(before.url, page)
    await until(async () => (await visitor.post('/api/order/orderstatus', { orderId })) === '支付完成', 60_000, 600)
    const refused = await migrate(folder.path, target.url)
    expect([refused.code, refused.complained]).toEqual([1, expect.stringContaining(`进程 ${before.pid}`)])
    const bytes = await photo(700, 500).png({ compressionLevel: 1 }).toBuffer()
    const ids = await visitor.start(
      [0, 1, 2, 3].map((n) => ({ name: `照片 ${n}.png`, bytes })),
      toSize(60),
    )
    await before.end('SIGKILL')

    const moved = await migrate(folder.path, target.url)
    expect([moved.code, moved.complained]).toEqual([0, ''])
    expect(moved.said).toMatch(/ {2}jobs +4 行 {2}[0-9a-f]{64}\n/)
    expect(moved.said).toContain('secret.key')
    const stale = await refusedStart({ PORT: '0', DATA_DIR: folder.path })
    expect([stale.code, stale.text]).toEqual([1, expect.stringContaining('已经迁移到 PostgreSQL')])
    expect(stale.text).toContain('DATABASE_URL')

    await using after = await serverProcess(folder.path, { ...settings, DATABASE_URL: target.url })
    visitor.url = after.url
    for (const id of ids) expect(await visitor.ended(id)).toMatchObject({ state: 'done' })
    const { userid: openid } = await visitor.read<{ userid: string }>('/api/user/tourist')
    expect(await visitor.post('/api/user/cvtnum', { openid })).toMatchObject({ isMember: true, cvtnumRelRemain: 996 })
  })

  it('killed in the middle, writes nothing; run again, it is complete; and again, it says so', async () => {
    await using folder = await testFolder()
    await using target = await emptyPostgres()
    const source = await openDatabase(embeddedIn(folder.path))
    await fillEveryTable(source.db, 300)
    await source.close()
    const killed = startCommand('migrate-postgres', [], { DATA_DIR: folder.path, DATABASE_URL: target.url })
    const isWriting = `select 1 from pg_stat_activity where datname = current_database() and query like '%insert into "%'`
    while ((await perform(target.url, isWriting)).length === 0) await wait(5)
    killed.kill('SIGKILL')
    await once(killed, 'exit')
    const isOver = `select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`
    while ((await perform(target.url, isOver)).length > 0) await wait(5)
    expect(isEmpty(await inventoryOf({ kind: 'postgres', url: target.url }))).toBe(true)

    expect((await migrate(folder.path, target.url)).code).toBe(0)
    // As if it had been killed just before the last step.
    await rm(join(folder.path, 'database/moved.json'))
    expect((await migrate(folder.path, target.url)).code).toBe(0)
    expect(await readFile(join(folder.path, 'database/moved.json'), 'utf8')).not.toContain('@')
    expect((await migrate(folder.path, target.url)).complained).toContain('已经迁移到 PostgreSQL')
    await rm(join(folder.path, 'database/moved.json'))
    await perform(target.url, `update identities set credits = 7 where id = (select min(id) from identities)`)
    const other = await migrate(folder.path, target.url)
    expect([other.code, other.complained]).toEqual([1, expect.stringContaining('不同的表：identities')])
  })

  it('leaves alone a database of something else, and says what it needs', async () => {
    await using folder = await testFolder()
    await using target = await emptyPostgres()
    expect((await migrate(folder.path, '')).complained).toContain('DATABASE_URL=postgres://')
    expect((await migrate(folder.path, target.url)).complained).toContain('没有内置数据库')
    await (await openDatabase(embeddedIn(folder.path))).close()
    await perform(target.url, 'create table accounts (id integer)')
    expect((await migrate(folder.path, target.url)).complained).toContain('其他程序的表')
    expect(await perform(target.url, `select 1 from pg_tables where tablename = 'jobs'`)).toEqual([])
  })
})
