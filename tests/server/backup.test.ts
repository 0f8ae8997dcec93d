import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { sum } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { runCommand } from '../fixtures/command.ts'
import { emptyPostgres, isOnPostgres, testDatabase } from '../fixtures/database.ts'
import { testFolder, toSize } from '../fixtures/engine.ts'
import { order, payAt, until } from '../fixtures/payments.ts'
import { photo } from '../fixtures/pictures.ts'
import { serverProcess } from '../fixtures/server-process.ts'
import { Visitor } from '../fixtures/server.ts'
import { openDatabase, type DatabaseSource } from '#server/database/open'
import { ledger } from '#server/database/schema-billing'

/** What jobs have cost, as the books say. */
async function spent(source: DatabaseSource): Promise<unknown> {
  const connection = await openDatabase(source)
  return connection.db
    .select({ units: sum(ledger.units), state: ledger.state })
    .from(ledger)
    .groupBy(ledger.state)
    .finally(() => connection.close())
}

const whereOf = (source: DatabaseSource): Record<string, string> => (source.kind === 'postgres' ? { DATABASE_URL: source.url } : {})

/** A place as empty as a new machine's. */
async function newPlace(folder: string): Promise<{ source: DatabaseSource } & AsyncDisposable> {
  if (!isOnPostgres()) return testDatabase(folder)
  const { url, ...rest } = await emptyPostgres()
  return { source: { kind: 'postgres', url }, ...rest }
}

it('a site restored elsewhere from its backup has the same people signed in, the same credits and the same books', async () => {
  await using folder = await testFolder()
  await using other = await testFolder()
  await using database = await testDatabase(folder.path)
  const { source } = database
  const here = { DATA_DIR: folder.path, ...whereOf(source) }
  const first = await serverProcess(folder.path, whereOf(source))
  const visitor = await Visitor.enter(first.url)
  visitor.pollMs = 600
  const { orderId, page } = await order(visitor, 'wxpay', 'retentionWeb')
  await payAt(first.url, page)
  await until(async () => (await visitor.post('/api/order/orderstatus', { orderId })) === '支付完成', 60_000, 600)
  const bytes = await photo(300, 200).png().toBuffer()
  const [id = ''] = await visitor.start([{ name: '照片.png', bytes }], toSize(20))
  expect(await visitor.ended(id)).toMatchObject({ state: 'done' })

  const backups = join(other.path, 'backups')
  await mkdir(join(backups, 'qingtu-20200101-000000'), { recursive: true })
  const earlier = await runCommand('backup', [backups], here)
  expect([earlier.code, earlier.complained]).toEqual([0, ''])
  await wait(1000) // their names are in seconds
  const made = await runCommand('backup', [backups, '--keep', '1'], here)
  expect([made.code, made.said, made.complained]).toEqual([0, expect.stringContaining('已删除 1 份'), ''])
  expect(made.said).toContain('secret.key')
  const [stranger, name = '', ...more] = (await readdir(backups)).toSorted()
  expect([stranger, name, more]).toEqual(['qingtu-20200101-000000', expect.stringMatching(/^qingtu-\d{8}-\d{6}$/), []])
  // It was there all the time, and nothing of it stays.
  expect((await visitor.fetch('/api/user/tourist')).status).toBe(200)
  if (!isOnPostgres()) expect((await readdir(join(folder.path, 'database'))).filter((entry) => entry.startsWith('copy'))).toEqual([])
  await first.end('SIGKILL')
  const backup = join(backups, name)

  await using place = await newPlace(other.path)
  const there = { DATA_DIR: other.path, ...whereOf(place.source) }
  const restored = await runCommand('restore', [backup], there)
  expect([restored.code, restored.complained]).toEqual([0, ''])
  const again = await runCommand('restore', [backup], there)
  expect([again.code, again.complained]).toEqual([1, expect.stringContaining('已经有')])
  expect(await spent(place.source)).toEqual(await spent(source))

  await using second = await serverProcess(other.path, whereOf(place.source))
  visitor.url = second.url
  const { userid: openid } = await visitor.read<{ userid: string }>('/api/user/tourist')
  expect(await visitor.post('/api/user/cvtnum', { openid })).toMatchObject({ isMember: true, cvtnumRelRemain: 999 })
})

it('a backup with another secret, or with something missing, is refused and leaves nothing', async () => {
  await using folder = await testFolder()
  await using other = await testFolder()
  await using database = await testDatabase(folder.path)
  const { source } = database
  await (await openDatabase(source)).close()
  await writeFile(join(folder.path, 'secret.key'), 'a'.repeat(43))
  const made = await runCommand('backup', [join(other.path, 'backups')], { DATA_DIR: folder.path, ...whereOf(source) })
  expect(made.code).toBe(0)
  const [name = ''] = await readdir(join(other.path, 'backups'))
  const backup = join(other.path, 'backups', name)
  await using place = await newPlace(other.path)
  const there = { DATA_DIR: other.path, ...whereOf(place.source) }
  const foreign = await runCommand('restore', [backup], { ...there, SECRET_KEY: 'b'.repeat(43) })
  expect([foreign.code, foreign.complained]).toEqual([1, expect.stringContaining('密钥不同')])
  expect((await runCommand('restore', [other.path], there)).complained).toContain('不是备份')
  const manifest = join(backup, 'backup.json')
  const text = await readFile(manifest, 'utf8')
  await writeFile(manifest, text.replace(/"rows": 0/, '"rows": 1'))
  const short = await runCommand('restore', [backup], there)
  expect([short.code, short.complained]).toEqual([1, expect.stringContaining('不完整')])
  await mkdir(join(other.path, 'database'), { recursive: true })
  expect(await readdir(join(other.path, 'database'))).toEqual([])
})
