import type * as fileSystem from 'node:fs'
import { closeSync, openSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { kill, ownFolder, said, start, template } from './support.ts'
import { DurableFiles, flushFolder } from '#server/database/durable'
import { openDatabase } from '#server/database/open'

/** What reached the disk, and a disk that fails. */
const disk = vi.hoisted(() => ({ flushed: [] as string[], isBroken: false })) // filled by the mock below

vi.mock('node:fs', async (original) => {
  const real = await original<typeof fileSystem>()
  const watched = (name: 'fsync' | 'fdatasync') => (handle: number) => {
    if (disk.isBroken) throw Object.assign(new Error(`EIO: i/o error, ${name}`), { code: 'EIO' })
    real[`${name}Sync`](handle)
    disk.flushed.push(process.platform === 'linux' ? `${name} ${real.readlinkSync(`/proc/self/fd/${handle}`)}` : name)
  }
  return { ...real, fsyncSync: watched('fsync'), fdatasyncSync: watched('fdatasync') }
})

const open = async (folder: string) => {
  const connection = await openDatabase({ kind: 'embedded', folder, template })
  onTestFinished(() => connection.close().catch(() => {}))
  return connection
}

describe('a commit', () => {
  test('has its log on the disk when it is acknowledged', async () => {
    const { db } = await open(await ownFolder())
    await db.execute('create table mark (n integer)')
    for (let n = 0; n < 20; n++) {
      disk.flushed = []
      await db.execute(`insert into mark values (${n})`)
      expect(disk.flushed.filter((one) => /^fdatasync( .*\/pg_wal\/[0-9A-F]+)?$/.test(one))).toHaveLength(1)
    }
  })

  test('is refused when the disk fails, and so is everything after it until the database has opened itself again', async () => {
    const { db, close, listen } = await open(await ownFolder())
    const heard: string[] = []
    await listen('news', (payload) => heard.push(payload))
    await db.execute('create table mark (n integer)')
    await db.execute('insert into mark values (1)')
    disk.isBroken = true
    await expect(db.transaction((transaction) => transaction.execute('insert into mark values (2)'))).rejects.toThrow('stopped')
    await expect(db.execute('insert into mark values (3)')).rejects.toMatchObject({ cause: { message: 'the database has stopped' } })
    disk.isBroken = false
    const answers = (): Promise<boolean> =>
      db.execute('select').then(
        () => true,
        () => false,
      )
    await vi.waitUntil(answers, { timeout: 60_000, interval: 200 })
    expect((await db.execute('select n from mark where n <> 2')).rows).toEqual([{ n: 1 }])
    await db.execute('insert into mark values (4)')
    await db.execute(`select pg_notify('news', 'again')`)
    await vi.waitUntil(() => heard.length > 0)
    expect(heard).toEqual(['again'])
    await close()
  })

  test('that a failing disk has stopped can be closed meanwhile', async () => {
    const folder = await ownFolder()
    const { db, close } = await open(folder)
    disk.isBroken = true
    await expect(db.execute('create table mark (n integer)')).rejects.toThrow('Failed query')
    await expect(close()).rejects.toThrow('stopped')
    disk.isBroken = false
    const again = await open(folder)
    await expect(again.db.execute('select')).resolves.toMatchObject({ rows: [{}] })
  })
})

describe('kill -9', () => {
  // After so many acknowledged pairs the writer is killed, wherever it is by then.
  const rounds = [1, 23, 4, 61, 12, 35]

  test('loses no acknowledged transaction and leaves none half done', async () => {
    const folder = await ownFolder()
    let acknowledged = -1
    for (const pairs of rounds) {
      const writer = start('writer.mjs', folder, template)
      writer.on('message', (n) => (acknowledged = Number(n)))
      for (let pair = 0; pair < pairs; pair++) await said(writer)
      await kill(writer)
    }
    const { db } = await open(folder)
    const numbersOf = async (table: string): Promise<unknown[]> =>
      (await db.execute<{ n: number }>(`select n from ${table} order by n`)).rows
    const [debit, credit] = [await numbersOf('debit'), await numbersOf('credit')]
    expect(acknowledged).toBeGreaterThanOrEqual(rounds.reduce((left, right) => left + right) - 1)
    expect(debit).toContainEqual({ n: acknowledged })
    expect(debit).toEqual(debit.map((_, n) => ({ n })))
    expect(credit).toEqual(debit)
    const [whole] = (await db.execute('select count(*)::integer as rows from credit where length(filling) = (n * 37) % 900')).rows
    expect(whole).toEqual({ rows: debit.length })
    await db.execute('set enable_seqscan = off')
    expect(await numbersOf('credit')).toEqual(credit)
  })
})

describe('flushing', () => {
  const file = { mode: 0o100_600, name: '1259', parent: { mode: 0o040_700, name: '5', parent: {} } }
  /** The patched file system operations on files of a real folder, with Emscripten left out. */
  async function operations() {
    const folder = await ownFolder()
    const noop = (): number => 0
    const made = { mode: 0o100_600, name: 'made', parent: file.parent }
    const NODEFS = {
      node_ops: { setattr: noop, mknod: () => made },
      stream_ops: { setattr: noop, write: noop, fsync: (_stream: object): number => -1 },
    }
    const { emscriptenOpts } = await new DurableFiles(folder).init({} as never, {}) // stands for PGlite, which is only kept
    for (const run of [emscriptenOpts.preRun ?? []].flat()) {
      run({ NODEFS, FS: { mkdirTree: noop, mount: noop } } as never) // as much of the module as is touched
    }
    const streamOf = (node: object) => {
      const nfd = openSync(folder, 'r')
      onTestFinished(() => closeSync(nfd))
      return { node, nfd }
    }
    const flushes = (stream: object): number => {
      disk.flushed = []
      NODEFS.stream_ops.fsync(stream)
      return disk.flushed.length
    }
    return { ...NODEFS, made, streamOf, flushes }
  }
  type Operations = Awaited<ReturnType<typeof operations>>
  const call = (operation: (...args: never[]) => unknown, ...args: unknown[]): unknown => operation(...(args as never[])) // Emscripten's calls have no types

  test.each<[string, (operations: Operations, stream: object) => unknown]>([
    ['written', ({ stream_ops }, stream) => call(stream_ops.write, stream, new Uint8Array(8), 0, 8, 0)],
    ['cut while open', ({ stream_ops }, stream) => call(stream_ops.setattr, stream, { size: 0 })],
    ['cut by its name', ({ node_ops }) => call(node_ops.setattr, file, { size: 0 })],
  ])('reaches the disk for a file %s since, once', async (_name, change) => {
    const all = await operations()
    const stream = all.streamOf(file)
    expect(all.flushes(stream)).toBe(0)
    for (let round = 0; round < 2; round++) {
      change(all, stream)
      expect(all.flushes(stream)).toBe(1)
      expect(all.flushes(stream)).toBe(0)
    }
  })

  test('reaches the disk for a new file, and for a folder whenever it is asked for', async () => {
    const { node_ops, made, streamOf, flushes } = await operations()
    node_ops.mknod()
    expect(flushes(streamOf(made))).toBe(1)
    const folder = streamOf(made.parent)
    expect([flushes(folder), flushes(folder)]).toEqual(process.platform === 'win32' ? [0, 0] : [1, 1])
  })

  test('goes file by file where the system has no program for it, into every folder', async () => {
    const folder = await ownFolder()
    await mkdir(join(folder, 'base', '5'), { recursive: true })
    await writeFile(join(folder, 'base', '5', '1259'), 'x')
    const { PATH } = process.env
    onTestFinished(() => void (process.env['PATH'] = PATH))
    process.env['PATH'] = ''
    await expect(flushFolder(folder)).resolves.toBeUndefined()
    await expect(flushFolder(join(folder, 'missing'))).rejects.toMatchObject({ code: 'ENOENT' })
  })
})
