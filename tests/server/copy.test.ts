import { getTableName, is, sql } from 'drizzle-orm'
import { PgTable } from 'drizzle-orm/pg-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { databaseTemplate, isOnPostgres } from '../fixtures/database.ts'
import { testFolder } from '../fixtures/engine.ts'
import { fillEveryTable } from '../fixtures/filled.ts'
import { testQueue } from '../fixtures/server-queue.ts'
import { copyAll, differences, isEmpty, takeInventory } from '#server/database/copy'
import { openDatabase } from '#server/database/open'
import * as schema from '#server/database/schema'
import * as billing from '#server/database/schema-billing'
import * as operators from '#server/database/schema-operators'
import { tablesOf } from '#server/database/tables'

async function embedded() {
  const folder = await testFolder()
  const connection = await openDatabase({ kind: 'embedded', folder: folder.path, template: databaseTemplate })
  onTestFinished(async () => {
    await connection.close()
    await folder[Symbol.asyncDispose]()
  })
  return connection.db
}

// Both kinds of database are there only where the tests run on PostgreSQL.
describe.skipIf(!isOnPostgres())('a copy on PostgreSQL', () => {
  it('finds every table of the schema', async () => {
    await using queued = await testQueue()
    const named = Object.values({ ...schema, ...billing, ...operators }).flatMap((one) => (is(one, PgTable) ? [getTableName(one)] : []))
    expect(new Set((await tablesOf(queued.db)).map(({ name }) => name))).toEqual(new Set(named))
  })

  it('copies every row of every table from an embedded database, exactly, and ids go on from there', async () => {
    await using target = await testQueue()
    const source = await embedded()
    await fillEveryTable(source, 520)
    await source.execute(sql`select setval('job_changes', 4711)`)
    await source.execute(sql`insert into swaps (identity_id, at) select id, now() from identities limit 3`)
    const copied = await copyAll(source, target.db)
    expect([...copied.tables.values()].every(({ rows }) => rows >= 520)).toBe(true)
    expect(differences(copied, await takeInventory(target.db))).toEqual([])
    expect(differences(copied, await takeInventory(source))).toEqual([])
    const next = `select nextval('job_changes')::text as change, nextval(pg_get_serial_sequence('swaps', 'id'))::text as swap`
    expect((await target.db.execute(sql.raw(next))).rows).toEqual([{ change: '4712', swap: '4' }])
    const moments = sql`select created_at::text as at from (select created_at at time zone 'UTC' as created_at from devices) d order by 1 limit 1`
    expect((await target.db.execute(moments)).rows).toEqual([{ at: '2026-02-28 23:59:59.123456' }])
  })

  it('tells what differs by a single character, and nothing stays of a copy that fails', async () => {
    await using target = await testQueue()
    const source = await embedded()
    await fillEveryTable(source, 3)
    await target.db.execute(sql`create unique index stop on audit_log ((length(address)))`)
    await expect(copyAll(source, target.db)).rejects.toThrow('audit_log')
    expect(isEmpty(await takeInventory(target.db))).toBe(true)
    await target.db.execute(sql`drop index stop`)
    const copied = await copyAll(source, target.db)
    await target.db.execute(sql`update operators set name = name || ' ' where id = (select max(id) from operators)`)
    expect(differences(copied, await takeInventory(target.db))).toEqual(['operators'])
  })
})
