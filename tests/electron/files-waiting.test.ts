import { existsSync } from 'node:fs'
import { cp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { toSize } from '../fixtures/engine.ts'
import { testJobs } from '../fixtures/local-jobs.ts'
import { photo } from '../fixtures/pictures.ts'
import { openLocalJobs } from '#electron/jobs/local-jobs'
import type { LocalJobs } from '#electron/jobs/settings'

const picture = await photo(64, 48).jpeg().toBuffer()
const PAGE = '/compress/image'

type Local = Awaited<ReturnType<typeof testJobs>>

/** The noted list, once it is on the disk. */
const onDisk = ({ own }: Local, part: string): Promise<string> =>
  vi.waitFor(async () => {
    const text = await readFile(join(own, 'waiting.json'), 'utf8')
    expect(text).toContain(part)
    return text
  })

/** A client that finds what another left by crashing: the same folder, read while the other has not ended. */
async function afterCrash(local: Local): Promise<LocalJobs> {
  const folder = join(local.own, '..', 'after')
  await cp(local.own, folder, { recursive: true })
  return openLocalJobs({ ...local.settings, folder })
}

describe('files that wait to be started', () => {
  test('are there again after a crash, under their keys, where they still are', async () => {
    await using local = await testJobs()
    const paths = await Promise.all(['a.jpg', 'gone.jpg', 'link.jpg'].map((name) => local.source(name, picture)))
    const [a, gone, link] = await local.page.grant(paths, '照片')
    if (!a || !gone || !link) throw new Error('not granted')
    const options = { targetKb: 20, password: 'geheim' }
    local.jobs.noteWaiting([
      { key: a.key, page: PAGE, options },
      ...[gone, link, { key: 'nobody’s' }].map(({ key }) => ({ key, page: PAGE })),
    ])
    expect(await onDisk(local, link.key)).not.toContain('geheim')
    await rename(paths[1] ?? '', `${paths[1]}.moved`)
    await rm(paths[2] ?? '')
    await symlink(paths[0] ?? '', paths[2] ?? '')
    await using after = await afterCrash(local)
    const there = await after.waiting()
    expect(there).toEqual([{ ...a, page: PAGE, options: { targetKb: 20 } }])
    expect((await after.handle(new Request(`app://qingtu/local/files/${a.key}`))).status).toBe(200)
  })

  test('and were started just before are rows of their jobs', async () => {
    await using local = await testJobs()
    const files = await local.page.grant(await Promise.all(['a.jpg', 'b.jpg'].map((name) => local.source(name, picture))))
    local.jobs.noteWaiting(files.map(({ key }) => ({ key, page: PAGE })))
    await onDisk(local, files[1]?.key ?? '')
    const [id = ''] = await local.page.start('compress-image', toSize(20), files.slice(0, 1))
    await local.page.ended(id)
    await using after = await afterCrash(local)
    expect((await after.waiting()).map(({ name }) => name)).toEqual(['b.jpg'])
    // The same holds for a page that is loaded anew.
    expect((await local.jobs.waiting()).map(({ name }) => name)).toEqual(['b.jpg'])
  })

  test('as pasted pictures stay for them', async () => {
    await using local = await testJobs()
    const { key } = await local.jobs.keep('截图.jpg', picture)
    local.jobs.noteWaiting([{ key, page: PAGE }])
    await onDisk(local, key)
    const [noted] = JSON.parse(await readFile(join(local.own, 'waiting.json'), 'utf8')) as { path: string }[] // as it was written
    // Opened where they lie, as the next start does; the first one is as good as dead.
    await using after = await openLocalJobs(local.settings)
    expect(existsSync(noted?.path ?? '')).toBe(true)
    expect(await after.waiting()).toEqual([{ key, page: PAGE, name: '截图.jpg', bytes: picture.length }])
  })

  test('are forgotten by who ends the client himself', async () => {
    await using local = await testJobs()
    const [a] = await local.page.grant([await local.source('a.jpg', picture)])
    local.jobs.noteWaiting([{ key: a?.key ?? '', page: PAGE }])
    await onDisk(local, a?.key ?? '')
    await local.again()
    expect(await local.jobs.waiting()).toEqual([])
    expect(existsSync(join(local.own, 'waiting.json'))).toBe(false)
  })

  test('are none where the list says nothing', async () => {
    await using local = await testJobs()
    await local.jobs.close()
    for (const text of ['{"half', '[{"key":1}]']) {
      await writeFile(join(local.own, 'waiting.json'), text)
      await using after = await openLocalJobs(local.settings)
      expect(await after.waiting()).toEqual([])
    }
    expect(local.complaints).toHaveLength(2)
  })

  test('have no more settings of their own noted than a list should hold', async () => {
    await using local = await testJobs()
    const [a] = await local.page.grant([await local.source('a.jpg', picture)])
    local.jobs.noteWaiting([{ key: a?.key ?? '', page: PAGE, options: { strokes: 'x'.repeat(100_000) } }])
    expect(await onDisk(local, a?.key ?? '')).not.toContain('strokes')
    expect(await local.jobs.waiting()).toEqual([{ ...a, page: PAGE }])
  })
})
