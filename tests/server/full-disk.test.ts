import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { ownFolder, template } from './database/support.ts'
import { smallDisk } from '../fixtures/small-disk.ts'
import { openDatabase } from '#server/database/open'

const MB = 1024 ** 2

test('a disk that is full ends the embedded database, and no more than that: it is open again once there is room', async ({ skip }) => {
  const folder = join(await ownFolder(), 'database')
  const disk = smallDisk(folder, 256)
  if (!disk) return skip('这个进程不能挂载磁盘（需要 root）')
  onTestFinished(() => disk[Symbol.dispose]())
  const source = { kind: 'embedded', folder, template } as const
  const { db, close } = await openDatabase(source)
  await db.execute('create table mark (n integer, filling text)')
  const add = (n: number) => db.execute(`insert into mark select ${n}, repeat('x', 800) from generate_series(1, 400)`)
  // Less than the log takes when it goes on in its next file.
  disk.fill(6 * MB)
  let added = 0
  const fill = async (): Promise<never> => {
    for (;;) {
      await add(added)
      added += 1
    }
  }
  await expect(fill()).rejects.toMatchObject({ cause: { message: 'the database has stopped' } })
  // Long enough for it to be tried while the disk is full, and for this process to be held up if that were not given up.
  await wait(4000)
  await expect(db.execute('select')).rejects.toMatchObject({ cause: { message: 'the database has stopped' } })
  await expect(openDatabase({ ...source, folder: join(folder, 'other') })).rejects.toThrow('剩余空间不足')
  disk.empty()
  await vi.waitUntil(
    () =>
      db.execute('select').then(
        () => true,
        () => false,
      ),
    { timeout: 90_000, interval: 200 },
  )
  expect((await db.execute<{ n: number }>('select n from mark group by n having count(*) = 400 order by n')).rows.slice(0, added)).toEqual(
    Array.from({ length: added }, (_, n) => ({ n })),
  )
  await close()
})
