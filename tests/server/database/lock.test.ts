import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { DataFolderInUse, lockFolder } from '#server/database/lock'
import { kill, ownFolder, said, start } from './support.ts'

describe('a data folder', () => {
  test('held by another process is refused, naming that process', async () => {
    const folder = await ownFolder()
    const owner = start('holder.mjs', folder)
    await said(owner)
    const refusal: unknown = await lockFolder(folder).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(DataFolderInUse)
    expect(refusal).toMatchObject({ folder, pid: owner.pid })
    expect(String(refusal)).toContain(String(owner.pid))
  })

  test('held by this process is refused to another, and to this one again', async () => {
    const folder = await ownFolder()
    const lock = await lockFolder(folder)
    await expect(said(start('holder.mjs', folder))).resolves.toEqual({ held: false, pid: process.pid })
    await expect(lockFolder(folder)).rejects.toBeInstanceOf(DataFolderInUse)
    await lock.release()
  })

  test('is free again at once when its owner is killed', async () => {
    const folder = await ownFolder()
    for (let round = 0; round < 3; round++) {
      const owner = start('holder.mjs', folder)
      await expect(said(owner)).resolves.toEqual({ held: true })
      await kill(owner)
    }
    const lock = await lockFolder(folder)
    await lock.release()
  })

  test('is free again when released, and nothing stays behind', async () => {
    const folder = await ownFolder()
    for (let round = 0; round < 3; round++) await (await lockFolder(folder)).release()
    await expect(readdir(folder)).resolves.toEqual([])
  })

  test('is the same under another name', async () => {
    const folder = await ownFolder()
    const real = join(folder, 'real')
    await mkdir(real)
    await symlink(real, join(folder, 'other'), 'junction')
    const lock = await lockFolder(real)
    await expect(lockFolder(join(folder, 'other'))).rejects.toBeInstanceOf(DataFolderInUse)
    await lock.release()
  })

  test('is another than its neighbour, however long the path', async () => {
    const long = join(await ownFolder(), 'x'.repeat(150))
    const locks = [await lockFolder(join(long, 'a')), await lockFolder(join(long, 'b'))]
    await expect(lockFolder(join(long, 'b'))).rejects.toBeInstanceOf(DataFolderInUse)
    for (const lock of locks) await lock.release()
  })

  test('is refused to a process of another network namespace, as in a second container', async (context) => {
    const folder = await ownFolder()
    const holder = fileURLToPath(new URL('holder.mjs', import.meta.url))
    const elsewhere = () => spawn('unshare', ['-n', process.execPath, holder, folder], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
    const probe = spawn('unshare', ['-n', 'true'], { stdio: 'ignore' })
    const [code] = await once(probe, 'exit').catch(() => [1])
    if (code !== 0) return context.skip('needs the right to make a network namespace')
    const lock = await lockFolder(folder)
    await expect(said(elsewhere())).resolves.toEqual({ held: false, pid: process.pid })
    await lock.release()
    const later = elsewhere()
    onTestFinished(() => void later.kill('SIGKILL'))
    await expect(said(later)).resolves.toEqual({ held: true })
    await expect(lockFolder(folder)).rejects.toBeInstanceOf(DataFolderInUse)
  })
})

test('a lock does not keep its process from ending', async () => {
  const folder = await ownFolder()
  const owner = start('holder.mjs', folder)
  await said(owner)
  const gone = once(owner, 'exit')
  owner.disconnect()
  await expect(gone).resolves.toEqual([0, null])
})
