import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { startPostgres } from './postgres-server.ts'
import { ownFolder, template } from './support.ts'
import { openDatabase, type Database, type DatabaseConnection, type DatabaseSource } from '#server/database/open'
import { isUnreachable } from '#server/errors'
import { devices } from '#server/database/schema'

const server = await startPostgres()
afterAll(() => server?.stop())
if (!server) console.warn('这台机器上没有可用的 PostgreSQL：相关测试已跳过')

async function open(source: DatabaseSource): Promise<DatabaseConnection> {
  const connection = await openDatabase(source)
  onTestFinished(() => connection.close())
  return connection
}

/** Waits for something to become so; the test's own time limit ends it. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 10))
}

const places: readonly (readonly [string, () => Promise<DatabaseSource>])[] = [
  ['embedded', async () => ({ kind: 'embedded', folder: await ownFolder(), template })],
  ['PostgreSQL', async () => ({ kind: 'postgres', url: (await server?.database()) ?? '' })],
]

describe.each(places)('%s', (name, place) => {
  describe.skipIf(name === 'PostgreSQL' && !server)('database', () => {
    test('keeps its rows, and is migrated once however often it is opened', async () => {
      const source = await place()
      const first = await openDatabase(source)
      await first.db.insert(devices).values({ id: 'kept' })
      const migrations = sql`select hash from drizzle.__drizzle_migrations`
      const before = (await first.db.execute(migrations)).rows
      await first.close()
      const { db } = await open(source)
      await expect(db.select({ id: devices.id }).from(devices)).resolves.toEqual([{ id: 'kept' }])
      expect((await db.execute(migrations)).rows).toEqual(before)
      expect(before.length).toBeGreaterThan(0)
    })

    test('tells one who listens, after the commit only, until he stops', async () => {
      const { db, listen } = await open(await place())
      const [heard, other]: [string[], string[]] = [[], []]
      const stop = await listen('Job changes', (payload) => heard.push(payload))
      await listen('other', (payload) => other.push(payload))
      const say = (where: Pick<Database, 'execute'>, what: string) => where.execute(sql`select pg_notify('Job changes', ${what})`)

      await say(db, 'alone')
      const refused = db.transaction(async (transaction) => {
        await say(transaction, 'rolled back')
        throw new Error('no')
      })
      await expect(refused).rejects.toThrow('no')
      let heardWithin: readonly string[] = []
      await db.transaction(async (transaction) => {
        await say(transaction, 'committed')
        await until(() => heard.length >= 1)
        heardWithin = [...heard]
      })
      await until(() => heard.length >= 2)
      expect(heardWithin).toEqual(['alone'])
      expect(heard).toEqual(['alone', 'committed'])

      await stop()
      await say(db, 'too late')
      await db.execute(sql`select pg_notify('other', 'last')`)
      await until(() => other.length >= 1)
      expect(heard).toEqual(['alone', 'committed'])
      expect(other).toEqual(['last'])
    })

    test('may be used by one who hears of a transaction', async () => {
      const { db, listen } = await open(await place())
      const answers: unknown[] = []
      await listen('news', (payload) => {
        void db.execute(sql`select ${payload} as word`).then(
          ({ rows }) => answers.push(...rows),
          (error: unknown) => answers.push(error),
        )
      })
      await db.transaction(async (transaction) => {
        await transaction.execute(sql`select pg_notify('news', 'hello')`)
      })
      await until(() => answers.length > 0)
      expect(answers).toEqual([{ word: 'hello' }])
    })

    test('rolls a failed transaction back, and a failed part of one alone', async () => {
      const { db } = await open(await place())
      await db.transaction(async (transaction) => {
        await transaction.insert(devices).values({ id: 'outer' })
        const part = transaction.transaction((inner) => inner.insert(devices).values([{ id: 'inner' }, { id: 'outer' }]))
        await expect(part).rejects.toThrow('devices')
      })
      await expect(db.insert(devices).values([{ id: 'next' }, { id: 'outer' }])).rejects.toThrow('devices')
      await expect(db.select({ id: devices.id }).from(devices)).resolves.toEqual([{ id: 'outer' }])
    })

    test('serves many transactions at once, one after the other where they meet', async () => {
      const { db } = await open(await place())
      await db.execute(sql`create table counter (n integer)`)
      await db.execute(sql`insert into counter values (0)`)
      const add = () =>
        db.transaction(async (transaction) => {
          const { rows } = await transaction.execute<{ n: number }>(sql`select n from counter for update`)
          await transaction.execute(sql`update counter set n = ${Number(rows[0]?.n) + 1}`)
        })
      await Promise.all(Array.from({ length: 12 }, add))
      expect((await db.execute(sql`select n from counter`)).rows).toEqual([{ n: 12 }])
    })

    test('closes after what is under way, and again without harm', async () => {
      const connection = await openDatabase(await place())
      const under = connection.db.transaction((transaction) =>
        transaction.insert(devices).values({ id: 'last' }).returning({ id: devices.id }),
      )
      await Promise.all([connection.close(), connection.close()])
      await expect(under).resolves.toEqual([{ id: 'last' }])
      await expect(connection.db.select().from(devices)).rejects.toThrow('Failed query')
    })
  })
})

describe('the embedded database', () => {
  test('says so when the outer database is awaited inside a transaction, instead of waiting for ever', async () => {
    const { db } = await open({ kind: 'embedded', folder: await ownFolder(), template })
    const inside = db.transaction(async () => db.select().from(devices))
    await expect(inside).rejects.toMatchObject({ cause: { message: expect.stringContaining('inside a transaction') } })
    const nested = db.transaction(async () => db.transaction(async () => 1))
    await expect(nested).rejects.toThrow('inside a transaction')
    const later: Promise<unknown>[] = []
    await db.transaction(async (transaction) => {
      later.push(new Promise((resolve) => setTimeout(resolve, 50)).then(() => db.select().from(devices)))
      await transaction.insert(devices).values({ id: 'a' })
    })
    await expect(Promise.all(later)).resolves.toMatchObject([[{ id: 'a' }]])
  })

  test('gives its folder back when it can not be opened', async () => {
    const folder = await ownFolder()
    await mkdir(join(folder, 'pgdata'))
    await writeFile(join(folder, 'pgdata', 'PG_VERSION'), '9.6')
    await expect(openDatabase({ kind: 'embedded', folder, template })).rejects.toThrow('PGlite')
    await rm(join(folder, 'pgdata'), { recursive: true })
    const { db } = await open({ kind: 'embedded', folder, template })
    await expect(db.select().from(devices)).resolves.toEqual([])
  })
})

describe.skipIf(!server)('a PostgreSQL server', () => {
  /** Ends every other connection to a database; once it answers they are gone, and not only told to go. */
  const cutAll = async (url: string): Promise<void> => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query(
      'select pg_terminate_backend(pid, 5000) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()',
    )
    await client.end()
  }

  test('is migrated once by several who open it at the same time', async () => {
    const url = (await server?.database()) ?? ''
    const connections = await Promise.all(Array.from({ length: 4 }, () => open({ kind: 'postgres', url })))
    const counts = connections.map(
      async ({ db }) => (await db.execute(sql`select count(*)::integer as n from drizzle.__drizzle_migrations`)).rows,
    )
    const [alone] = await Promise.all(counts)
    expect(new Set((await Promise.all(counts)).map((one) => JSON.stringify(one))).size).toBe(1)
    const { rows } =
      (await connections[0]?.db.execute(sql`select hash from drizzle.__drizzle_migrations group by hash having count(*) > 1`)) ?? {}
    expect(rows).toEqual([])
    expect(alone).not.toEqual([{ n: 0 }])
  })

  test('may cut every connection: queries go on, and listening too', async () => {
    const url = (await server?.database()) ?? ''
    const { db, listen } = await open({ kind: 'postgres', url })
    const heard: string[] = []
    await listen('news', (payload) => heard.push(payload))
    await db.select().from(devices)
    await cutAll(url)
    while (heard.length === 0) {
      await db.execute(sql`select pg_notify('news', 'again')`).catch(() => {}) // the first may find its connection cut
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    expect(new Set(heard)).toEqual(new Set(['again']))
    await expect(db.select().from(devices)).resolves.toEqual([])
  })

  test('may cut the connection of a transaction between two of its queries: it fails, and nothing else', async () => {
    const url = (await server?.database()) ?? ''
    const { db } = await open({ kind: 'postgres', url })
    const cut = db.transaction(async (tx) => {
      await tx.select().from(devices)
      await cutAll(url)
      // The news of it comes while nobody asks.
      await new Promise((resolve) => setTimeout(resolve, 200))
      await tx.select().from(devices)
    })
    await expect(cut).rejects.toSatisfy(isUnreachable)
    await expect(db.select().from(devices)).resolves.toEqual([])
  })

  test('may cut connections before a transaction has begun on them: the pool is none the smaller', async () => {
    const url = (await server?.database()) ?? ''
    const { db, connections } = await open({ kind: 'postgres', url })
    for (let round = 0; round < 3; round++) {
      await db.transaction((tx) => tx.execute(sql`select pg_sleep(0.2)`))
      // Cut while they are idle: some notice it only with the next word.
      const cut = cutAll(url)
      await Promise.allSettled(Array.from({ length: 10 }, () => db.transaction((tx) => tx.select().from(devices))))
      await cut
    }
    await until(() => connections().open === connections().idle)
    const all = Array.from({ length: 10 }, () => db.transaction((tx) => tx.select().from(devices)))
    await expect(Promise.all(all)).resolves.toHaveLength(10)
  })

  test('whose connections are all in use is away to those who waited, for a transaction too', async () => {
    const url = (await server?.database()) ?? ''
    const { db } = await open({ kind: 'postgres', url })
    // For a little longer than anybody waits for his turn.
    const holders = Array.from({ length: 10 }, () => db.transaction((tx) => tx.execute(sql`select pg_sleep(5.8)`)))
    // A query is asked anew by each who awaits it: here once.
    const waiting = [db.transaction((tx) => tx.select().from(devices)), db.select().from(devices).execute()]
    for (const one of waiting) one.catch(() => {})
    for (const one of waiting) await expect(one).rejects.toSatisfy(isUnreachable)
    await Promise.all(holders)
  })

  test('that is not there is reported', async () => {
    await expect(openDatabase({ kind: 'postgres', url: 'postgres://nobody@127.0.0.1:1/none' })).rejects.toMatchObject({
      code: 'ECONNREFUSED',
    })
  })
})
