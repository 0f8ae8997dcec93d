import { execFileSync } from 'node:child_process'
import { chmod, link, mkdir, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { testFolder } from '../fixtures/engine.ts'
import { openOutputFolder, type Destination } from '#electron/files/output-folder'
import { partialName, placeFailure, removeLeft, settleAll, stageAll } from '#electron/files/place-results'
import { place, settle, stage, wasSettled } from '#engine/place'

/** A folder with `out` and a finished file in it, and what puts that into place. */
async function finished(content = 'result') {
  const folder = await testFolder()
  onTestFinished(() => folder[Symbol.asyncDispose]())
  const out = join(folder.path, 'out')
  await mkdir(out)
  const source = join(folder.path, 'made')
  await writeFile(source, content)
  const partial = join(out, partialName('job', 0))
  return { path: folder.path, out, source, partial }
}

describe('a result is placed', () => {
  test('whole, beside what is there already, and never over it', async () => {
    const { out, source } = await finished()
    await writeFile(join(out, 'a.jpg'), 'mine')
    await symlink(join(out, 'nowhere'), join(out, 'a (1).jpg'))
    await mkdir(join(out, 'a (2).jpg'))
    expect(await place(source, out, 'a.jpg')).toBe(join(out, 'a (3).jpg'))
    expect((await readdir(out)).toSorted()).toEqual(['a (1).jpg', 'a (2).jpg', 'a (3).jpg', 'a.jpg'])
    expect(await readFile(join(out, 'a.jpg'), 'utf8')).toBe('mine')
  })

  test('fifty at once of one name are fifty files', async () => {
    const { out, source } = await finished()
    const paths = await Promise.all(Array.from({ length: 50 }, () => place(source, out, 'a.jpg')))
    expect(new Set(paths).size).toBe(50)
    expect(await readdir(out)).toHaveLength(50)
  })

  test.each([
    ['of the longest characters', `${'😀'.repeat(62)}.jpg`],
    ['of 255 bytes', `${'n'.repeat(251)}.jpg`],
    ['composed', 'é.jpg'],
    ['decomposed', 'e\u0301.jpg'],
  ])('under a name %s', async (_what, name) => {
    const { out, source } = await finished()
    await place(source, out, name)
    expect(await readdir(out)).toEqual([name])
  })

  test('of a source that may not be written to, as a file like any other', async () => {
    const { out, source } = await finished()
    await chmod(source, 0o444)
    expect((await stat(await place(source, out, 'a.jpg'))).mode & 0o777).toBe(0o644)
  })

  test('deep in folders whose path is long', async () => {
    const { out, source } = await finished()
    const deep = join(out, ...Array.from({ length: 12 }, () => '很长的文件夹名'.repeat(8)))
    await mkdir(deep, { recursive: true })
    expect(await place(source, deep, 'a.jpg')).toBe(join(deep, 'a.jpg'))
  })

  test('not at all where its name is too long for the system, and nothing is left', async () => {
    const { out, source, partial } = await finished()
    await stage(source, partial)
    const name = `${'名'.repeat(90)}.jpg`
    await expect(settleAll([{ folder: out, name, partial }], async () => {})).rejects.toMatchObject({ code: 'place.refused' })
    expect(await readdir(out)).toEqual([])
  })
})

describe('whoever starts after a crash', () => {
  test('knows that a staged file has its name when it is gone, or when both names are one file', async () => {
    const { out, source, partial } = await finished()
    const path = join(out, 'a.jpg')
    await stage(source, partial)
    expect(await wasSettled(partial, path)).toBe(false)
    await link(partial, path)
    expect(await wasSettled(partial, path)).toBe(true)
    expect(await readdir(out)).toEqual(['a.jpg'])
    expect(await wasSettled(partial, path)).toBe(true)
  })

  test('takes a name that was only reserved, and leaves one that somebody else took', async () => {
    const { out, source, partial } = await finished()
    await stage(source, partial)
    await writeFile(join(out, 'theirs.jpg'), 'theirs')
    expect(await wasSettled(partial, join(out, 'theirs.jpg'))).toBe(false)
    await writeFile(join(out, 'reserved.jpg'), '')
    expect(await wasSettled(partial, join(out, 'reserved.jpg'))).toBe(true)
    expect(await readFile(join(out, 'reserved.jpg'), 'utf8')).toBe('result')
    expect((await readdir(out)).toSorted()).toEqual(['reserved.jpg', 'theirs.jpg'])
  })

  test('names what had none yet, and nothing twice', async () => {
    const { out, source } = await finished()
    const partials = [0, 1, 2].map((n) => join(out, partialName('job', n)))
    for (const partial of partials) await stage(source, partial)
    const files = partials.map((partial, n) => ({ folder: out, name: `${n}.jpg`, partial }))
    const [first, second, third] = files
    if (!first || !second || !third) throw new Error('no files')
    await settle(first.partial, out, first.name)
    await link(second.partial, join(out, second.name))
    const again = [{ ...first, path: join(out, '0.jpg') }, { ...second, path: join(out, '1.jpg') }, third]
    const noted: string[] = []
    const paths = await settleAll(again, async (_n, path) => void noted.push(path))
    expect(paths).toEqual([0, 1, 2].map((n) => join(out, `${n}.jpg`)))
    expect(noted).toEqual([join(out, '2.jpg')])
    expect((await readdir(out)).toSorted()).toEqual(['0.jpg', '1.jpg', '2.jpg'])
  })

  test('removes what one job left in a folder, and nothing of others', async () => {
    const { out } = await finished()
    for (const name of [partialName('job', 0), partialName('job', 12), partialName('job2', 0), '.job-0.txt', 'a.part'])
      await writeFile(join(out, name), '')
    await removeLeft('job', out)
    expect((await readdir(out)).toSorted()).toEqual(['.job-0.txt', partialName('job2', 0), 'a.part'].toSorted())
  })
})

describe('the folder for results', () => {
  const to = (where: Destination['place'], source: Destination['source'], more: Partial<Destination> = {}): Destination => ({
    place: where,
    source,
    folder: '',
    isTogether: false,
    instead: undefined,
    ...more,
  })

  test('is in or at the source’s, or keeps its folders in the chosen one', async () => {
    const { path, out } = await finished()
    await mkdir(join(path, '旅行/第一天'), { recursive: true })
    const source = { path: join(path, '旅行/第一天/a.jpg'), folder: '旅行/第一天' }
    const opened = async (destination: Destination): Promise<string> => (await openOutputFolder(destination)).path
    expect(await opened(to('subfolder', source))).toBe(join(path, '旅行/第一天/轻图'))
    expect(await opened(to('beside', source))).toBe(join(path, '旅行/第一天'))
    expect(await opened(to('folder', source, { folder: out }))).toBe(join(out, '旅行/第一天'))
    expect(await opened(to('folder', source, { folder: out, isTogether: true }))).toBe(out)
    expect(await opened(to('subfolder', source, { isTogether: true }))).toBe(join(path, '轻图'))
    expect(await opened(to('subfolder', { path: source.path, folder: '别的' }, { isTogether: true }))).toBe(join(path, '旅行/第一天/轻图'))
    expect(await opened(to('beside', source, { instead: out }))).toBe(join(out, '轻图'))
  })

  test.each(['subfolder', 'beside', 'folder'] as const)('%s: a link in its place, or on the way, is refused', async (where) => {
    const { path, out } = await finished()
    const elsewhere = join(path, 'elsewhere')
    for (const name of ['inner', '轻图']) await mkdir(join(elsewhere, name), { recursive: true })
    await mkdir(join(path, 'picked/inner'), { recursive: true })
    const destination = to(where, { path: join(path, 'picked/inner/a.jpg'), folder: 'picked/inner' }, { folder: out })
    const { path: opened } = await openOutputFolder(destination)
    await rm(opened, { recursive: true })
    await symlink(elsewhere, opened)
    await expect(openOutputFolder(destination)).rejects.toMatchObject({ code: 'place.refused' })
    await rm(opened)
    const above = join(opened, '..')
    await rename(above, `${above}-moved`)
    await symlink(elsewhere, above)
    await expect(openOutputFolder(destination)).rejects.toMatchObject({ code: 'place.refused' })
    expect((await readdir(elsewhere, { recursive: true })).toSorted()).toEqual(['inner', '轻图'])
  })

  test('is gone where there is none, and a file in its place is no folder', async () => {
    const { path, out } = await finished()
    const source = { path: join(path, 'picked/a.jpg') }
    for (const folder of [join(path, 'none'), '']) {
      await expect(openOutputFolder(to('folder', source, { folder }))).rejects.toMatchObject({ code: 'place.gone' })
    }
    await expect(openOutputFolder(to('subfolder', source))).rejects.toMatchObject({ code: 'place.gone' })
    await writeFile(join(path, '轻图'), '')
    await expect(openOutputFolder(to('subfolder', { path: out }))).rejects.toMatchObject({ code: 'place.gone' })
  })

  test('is not left empty where nothing came of it', async () => {
    const { path, out } = await finished()
    const { undo } = await openOutputFolder(to('folder', { path: join(path, 'a.jpg'), folder: 'x/y' }, { folder: out }))
    await writeFile(join(out, 'x', 'kept.txt'), '')
    await undo()
    expect(await readdir(join(out, 'x'))).toEqual(['kept.txt'])
  })
})

describe('a disk that takes no more', () => {
  test('or may not be written to leaves nothing half, and says so', async ({ skip }) => {
    const { path, source } = await finished('x'.repeat(300_000))
    const small = join(path, 'small')
    await mkdir(small)
    const mount = (...options: string[]) => execFileSync('mount', [...options, small], { stdio: 'ignore' })
    try {
      mount('-t', 'tmpfs', '-o', 'size=256k', 'tmpfs')
    } catch {
      console.warn('no small disk could be mounted here: a full one and a read-only one were not tried')
      skip()
    }
    try {
      const files = [0, 1].map((n) => ({ source, partial: join(small, partialName('job', n)) }))
      await expect(stageAll(files)).rejects.toMatchObject({ code: 'storage.full' })
      expect(await readdir(small)).toEqual([])
      mount('-o', 'remount,ro')
      await expect(stageAll(files)).rejects.toMatchObject({ code: 'storage.read-only' })
      expect(await readdir(small)).toEqual([])
    } finally {
      execFileSync('umount', [small])
    }
  })

  test('is told from one that may not be written', async () => {
    const failed = (code: string) => placeFailure(Object.assign(new Error(`${code}: said the system`), { code })).code
    expect(['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM', 'ENOENT', 'ENOTDIR', 'ENAMETOOLONG'].map(failed)).toEqual([
      'storage.full',
      'storage.full',
      'storage.read-only',
      'storage.read-only',
      'storage.read-only',
      'place.gone',
      'place.gone',
      'place.refused',
    ])
  })

  test('read-only folders are left as they are', async ({ skip }) => {
    if (process.getuid?.() === 0) {
      console.warn('root may write into every folder: one without that right was not tried')
      skip()
    }
    const { out, source } = await finished()
    await chmod(out, 0o500)
    await expect(place(source, out, 'a.jpg')).rejects.toMatchObject({ code: 'EACCES' })
    expect(await readdir(out)).toEqual([])
  })
})
