import { execFileSync } from 'node:child_process'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { testFolder } from '../fixtures/engine.ts'
import { Grants } from '#electron/files/grants'
import { KeptFiles } from '#electron/files/kept-files'

const codes = (given: Awaited<ReturnType<Grants['give']>>): readonly string[] =>
  given.map((one) => ('error' in one ? one.error.code : `${one.name} ${one.bytes}`))

describe('grants', () => {
  test('are random keys for files, which say nothing of where these lie', async () => {
    await using folder = await testFolder()
    const path = join(folder.path, '照片.jpg')
    await writeFile(path, 'four')
    const grants = new Grants()
    const [first, second] = await grants.give([{ path, folder: '旅行' }, { path }])
    if (!first || !second || 'error' in first || 'error' in second) throw new Error('not granted')
    expect(first).toEqual({ key: first.key, name: '照片.jpg', bytes: 4, path: '旅行' })
    expect(first.key).toMatch(/^[\w-]{24}$/)
    expect(second.key).not.toBe(first.key)
    expect(JSON.stringify([first, second])).not.toContain(folder.path)
    expect(grants.find(first.key)?.path).toBe(path)
    expect(grants.find('unknown')).toBeUndefined()
  })

  test('refuse folders, pipes, devices, what is not there and what is not whole a path, each by itself', async () => {
    await using folder = await testFolder()
    const at = (name: string): string => join(folder.path, name)
    await mkdir(at('folder'))
    await writeFile(at('a.jpg'), 'a')
    execFileSync('mkfifo', [at('pipe.jpg')])
    await symlink(at('circle'), at('circle'))
    await symlink(at('pipe.jpg'), at('to-pipe.jpg'))
    const asked = ['folder', 'pipe.jpg', 'to-pipe.jpg', 'none.jpg', 'a.jpg/b', 'circle', 'a.jpg'].map((name) => ({ path: at(name) }))
    const given = await new Grants().give([...asked, { path: '/dev/zero' }, { path: 'a.jpg' }, { path: at('a\0.jpg') }])
    expect(codes(given)).toEqual([
      'file.missing',
      'file.unreadable',
      'file.unreadable',
      'file.missing',
      'file.missing',
      'place.refused',
      'a.jpg 1',
      'file.unreadable',
      'place.refused',
      'place.refused',
    ])
  })

  test('a link that was picked is its file; one in a picked folder that leads out of it is refused', async () => {
    await using folder = await testFolder()
    const at = (name: string): string => join(folder.path, name)
    await mkdir(at('picked/inner'), { recursive: true })
    await mkdir(at('outside'))
    for (const name of ['outside/secret.jpg', 'picked/a.jpg', 'picked/inner/b.jpg']) await writeFile(at(name), name)
    await symlink(at('outside/secret.jpg'), at('picked/link.jpg'))
    await symlink(at('outside'), at('picked/junction'))
    await symlink(at('picked/inner/b.jpg'), at('picked/within.jpg'))
    const grants = new Grants()
    const given = await grants.give([
      { path: at('picked/link.jpg') },
      { path: at('picked/link.jpg'), folder: 'picked' },
      { path: at('picked/junction/secret.jpg'), folder: 'picked/junction' },
      { path: at('picked/within.jpg'), folder: 'picked' },
      { path: at('picked/inner/b.jpg'), folder: 'picked/inner' },
    ])
    expect(codes(given)).toEqual(['link.jpg 18', 'place.refused', 'place.refused', 'within.jpg 18', 'b.jpg 18'])
    const [link] = given
    expect(link && 'key' in link && grants.find(link.key)?.path).toBe(at('outside/secret.jpg'))
  })

  test('folders named on a command line are opened with what lies in them, and links there are not followed', async () => {
    await using folder = await testFolder()
    const at = (name: string): string => join(folder.path, name)
    await mkdir(at('旅行/第一天'), { recursive: true })
    for (const name of ['旅行/第一天/b.jpg', '旅行/a.jpg', 'c.jpg', 'd.jpg']) await writeFile(at(name), name)
    await symlink(at('d.jpg'), at('旅行/link.jpg'))
    await symlink(folder.path, at('旅行/circle'))
    execFileSync('mkfifo', [at('旅行/pipe')])
    const opened = await new Grants().open([at('旅行'), at('none'), at('c.jpg')])
    const found = opened.map(({ name, path }) => `${path ?? '-'} ${name}`)
    expect(new Set(found)).toEqual(new Set(['旅行/第一天 b.jpg', '旅行 a.jpg', '- c.jpg']))
    expect(found.at(-1)).toBe('- c.jpg')
  })
})

describe('files that lie nowhere', () => {
  test('are kept under safe names, each for itself, and go when nobody needs them', async () => {
    await using folder = await testFolder()
    const kept = new KeptFiles(join(folder.path, 'kept'))
    const bytes = new TextEncoder().encode('picture')
    const paths = await Promise.all(['截图.png', '截图.png', '../../outside.png', 'CON.png'].map((name) => kept.keep(name, bytes)))
    expect(new Set(paths).size).toBe(4)
    expect(paths.map((path) => path.split('/').at(-1))).toEqual(['截图.png', '截图.png', 'outside.png', '_CON.png'])
    expect(paths.every((path) => kept.has(path))).toBe(true)
    expect(kept.has(join(folder.path, 'kept-not'))).toBe(false)
    await expect(kept.keep('a.png', new Uint8Array())).rejects.toMatchObject({ code: 'file.empty' })
    const [needed = '', ...others] = paths
    await kept.sweep([needed, '/elsewhere/a.png'])
    expect(await readFile(needed, 'utf8')).toBe('picture')
    for (const path of others) await expect(readFile(path)).rejects.toMatchObject({ code: 'ENOENT' })
    await kept.remove(needed)
    await expect(readFile(needed)).rejects.toMatchObject({ code: 'ENOENT' })
  })
})
