import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { ownFolder, template } from './support.ts'
import { durableOptions } from '#server/database/durable'
import { keepInShape } from '#server/database/maintenance'
import { OneConnection } from '#server/database/one-connection'
import { provideData } from '#server/database/template'

const MB = 1024 ** 2

test('an embedded database under constant change keeps neither its whole log nor its dead rows', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const data = join(await ownFolder(), 'pgdata')
  await provideData(data, template)
  const client = await OneConnection.start(await durableOptions(data))
  onTestFinished(() => client.close())
  const ask = async (what: string): Promise<number> => (await client.query<{ n: number }>(`select (${what})::float8 as n`)).rows[0]?.n ?? 0
  const written = () => ask(`pg_current_wal_lsn() - '0/0'`)
  const sinceCheckpoint = () => ask('select pg_current_wal_lsn() - redo_lsn from pg_control_checkpoint()')
  const wear = async (): Promise<void> => {
    const end = (await written()) + 20 * MB
    while ((await written()) < end) await client.exec('update worn set n = n + 1')
  }
  await client.exec('create table worn (n integer, filling text); insert into worn select n, md5(n::text) from generate_series(1, 5000) n')

  const stop = keepInShape(client)
  vi.advanceTimersByTime(60_000)
  expect(await sinceCheckpoint()).toBeGreaterThan(0) // nothing to do yet
  const begin = await written()
  for (let round = 0; round < 6; round++) {
    await wear()
    vi.advanceTimersByTime(60_000)
    // The work that the timer began gets its turn between these.
    for (let look = 0; look < 500 && (await sinceCheckpoint()) > 10 * MB; look++) await client.query('select 1')
  }
  expect((await written()) - begin).toBeGreaterThan(120 * MB)
  expect((await readdir(join(data, 'pg_wal'))).length).toBeLessThan(80) // files of 1 MB
  expect(await ask(`select vacuum_count from pg_stat_user_tables where relname = 'worn'`)).toBe(6)

  stop()
  expect(vi.getTimerCount()).toBe(0)
})
