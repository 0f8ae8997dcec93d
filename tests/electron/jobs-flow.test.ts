import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { testFolder, toSize } from '../fixtures/engine.ts'
import { testJobs, type Page } from '../fixtures/local-jobs.ts'
import { photo } from '../fixtures/pictures.ts'
import { crash } from '../fixtures/processes.ts'
import type { BatchState } from '#electron/jobs/batch'
import { launchNode, type Child } from '#engine/launch'
import type { JobView } from '#shared/api/jobs'
import { AppError } from '#shared/errors/app-error'

const picture = await photo(300, 200).jpeg({ quality: 92 }).toBuffer()
/** So large that a test has time to do something to it. */
const large = await photo(2400, 1800).webp({ quality: 90, effort: 0 }).toBuffer()
const small = toSize(8)

const until = async (page: Page, id: string, isSo: (view: JobView) => boolean): Promise<JobView> => {
  for (;;) {
    const view = await page.view(id)
    if (isSo(view)) return view
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

describe('a job', () => {
  test('is cancelled while it runs and while it waits, and nothing of it is left', async () => {
    await using local = await testJobs({ size: 1 })
    const { page } = local
    const files = await page.grant(await Promise.all([1, 2, 3].map((n) => local.source(`${n}.webp`, large))))
    const [running = '', waiting = '', last = ''] = await page.start('compress-image', toSize(40), files)
    await until(page, running, ({ state }) => state === 'running')
    expect((await page.view(last)).ahead).toBe(1)
    await page.post(`/api/jobs/${waiting}/cancel`)
    await page.post(`/api/jobs/${running}/cancel`)
    expect([(await page.view(running)).state, (await page.view(waiting)).state]).toEqual(['cancelled', 'cancelled'])
    expect((await page.ended(last)).state).toBe('done')
    await page.post(`/api/jobs/${last}/cancel`)
    expect((await page.view(last)).state).toBe('done')
    expect(await readdir(local.results)).toEqual(['3.webp'])
    expect(await local.purse.verdicts(running, waiting, last)).toEqual(['released', 'released', 'committed'])
    expect(await readdir(join(local.own, 'work'))).toEqual([])
  })

  test('that is removed is over; its results and its source are a person’s own and stay', async () => {
    await using local = await testJobs()
    const { page } = local
    const pasted = await local.jobs.keep('截图.jpg', picture)
    const files = [...(await page.grant([await local.source('a.jpg', picture)])), pasted]
    const ids = await page.start('compress-image', small, files)
    for (const id of ids) await page.ended(id)
    for (const id of ids) expect((await page.ask(`/api/jobs/${id}`, { method: 'DELETE' })).status).toBe(200)
    for (const id of ids) expect(await page.view(id)).toMatchObject({ state: 'expired', outputs: [] })
    expect((await readdir(local.results)).toSorted()).toEqual(['a.jpg', '截图.jpg'])
    expect(await readdir(local.sources)).toEqual(['a.jpg'])
    expect(await readdir(join(local.own, 'kept'))).toEqual([])
  })

  test('of a pasted picture puts its result where pictures lie', async () => {
    await using local = await testJobs({ place: 'subfolder' })
    const [id = ''] = await local.page.start('compress-image', small, [await local.jobs.keep('截图.jpg', picture)])
    expect((await local.page.ended(id)).state).toBe('done')
    expect(await readdir(join(local.pictures, '轻图'))).toEqual(['截图.jpg'])
  })

  test('of a picture pasted into a client that lies behind a link is no different', async () => {
    await using folder = await testFolder()
    await mkdir(join(folder.path, 'real'))
    await symlink(join(folder.path, 'real'), join(folder.path, 'link'))
    await using local = await testJobs({ place: 'beside', folder: join(folder.path, 'link') })
    const [id = ''] = await local.page.start('compress-image', small, [await local.jobs.keep('截图.jpg', picture)])
    expect((await local.page.ended(id)).state).toBe('done')
    expect(await readdir(join(local.pictures, '轻图'))).toEqual(['截图.jpg'])
    // A folder is remembered by where it really is; what is none is refused.
    expect(await local.jobs.chosenFolder(join(folder.path, 'link'))).toBe(join(folder.path, 'real'))
    await expect(local.jobs.chosenFolder(join(folder.path, 'none'))).rejects.toMatchObject({ code: 'place.gone' })
    await expect(local.jobs.chosenFolder('relative')).rejects.toMatchObject({ code: 'place.refused' })
  })

  test('puts its result beside its source without touching that', async () => {
    await using local = await testJobs({ place: 'beside' })
    const path = await local.source('a.jpg', picture)
    const [id = ''] = await local.page.start('compress-image', small, await local.page.grant([path]))
    expect(await local.page.ended(id)).toMatchObject({ state: 'done', outputs: [{ name: 'a (1).jpg' }] })
    expect((await readdir(local.sources)).toSorted()).toEqual(['a (1).jpg', 'a.jpg'])
    expect((await readFile(path)).equals(picture)).toBe(true)
  })

  test('of all files together is one, in one place', async () => {
    await using local = await testJobs({ place: 'subfolder' })
    await mkdir(join(local.sources, '资料/一月'), { recursive: true })
    const paths = ['资料/a.txt', '资料/一月/b.txt'].map((name) => join(local.sources, name))
    for (const path of paths) await writeFile(path, path)
    const files = await local.jobs.open([join(local.sources, '资料')])
    const [id = '', ...others] = await local.page.start('pack-zip', { name: '全部' }, files)
    expect(others).toEqual([])
    expect((await local.page.ended(id)).state).toBe('done')
    expect(await readdir(join(local.sources, '轻图'))).toEqual(['全部.zip'])
    expect(local.purse.reserved.size).toBe(0)
  })

  test('whose folder is gone fails with the reason, costs nothing, and is done once it is there again', async () => {
    await using local = await testJobs()
    const files = await local.page.grant([await local.source('a.jpg', picture)])
    await rm(local.results, { recursive: true })
    const [first = ''] = await local.page.start('compress-image', small, files)
    expect(await local.page.ended(first)).toMatchObject({ state: 'failed', error: { code: 'place.gone' } })
    await mkdir(local.results)
    const [second = ''] = await local.page.start('compress-image', small, files)
    expect((await local.page.ended(second)).state).toBe('done')
    expect(await local.purse.verdicts(first, second)).toEqual(['released', 'committed'])
  })

  test('under which its process dies twice is given up; one that dies once is done', async () => {
    const deaths: Child[] = []
    const launch = (): Child => {
      const child = launchNode()
      const dying: Child = {
        ...child,
        get pid() {
          return child.pid
        },
        send: (order) => {
          const isBad = order.job.inputs[0].name.startsWith('bad')
          const isOnce = order.job.inputs[0].name.startsWith('once') && deaths.length === 0
          if (isBad || isOnce) deaths.push(child)
          // As a crash ends it: not by a signal of somebody else's.
          if ((isBad || isOnce) && child.pid !== undefined) crash(child.pid)
          else child.send(order)
        },
      }
      return dying
    }
    await using local = await testJobs({ size: 1, launch })
    const files = await local.page.grant(await Promise.all(['once.jpg', 'bad.jpg', 'good.jpg'].map((name) => local.source(name, picture))))
    const ids = await local.page.start('compress-image', small, files)
    const ended = await Promise.all(ids.map((id) => local.page.ended(id)))
    expect(ended.map(({ state, error }) => error?.code ?? state)).toEqual(['done', 'job.failed', 'done'])
    expect(deaths).toHaveLength(3)
    expect((await readdir(local.results)).toSorted()).toEqual(['good.jpg', 'once.jpg'])
  })
})

test('the log says of each job once how it ended, and names no file', async () => {
  await using local = await testJobs({ size: 1 })
  const { page } = local
  const paths = [local.source('护照.jpg', picture), local.source('broken.jpg', picture.subarray(0, 40)), local.source('护照.webp', large)]
  const ids = await page.start('compress-image', toSize(40), await page.grant(await Promise.all(paths)))
  const [, , last = ''] = ids
  await until(page, last, ({ state }) => state === 'running')
  await page.post(`/api/jobs/${last}/cancel`)
  const told = async (): Promise<readonly string[]> => {
    await vi.waitFor(() => expect(local.lines.filter((line) => line.includes(last))).toHaveLength(1))
    return local.lines.filter((line) => line.startsWith('job ')).map((line) => line.replace(/\d+ (ms|bytes)/g, '$1'))
  }
  const how = ['done', 'file.unreadable', 'cancelled']
  expect(await told()).toEqual(ids.map((id, n) => `job ${id} ended: compress-image, ${how[n]}, ms, peak bytes`))
  expect(local.lines[0]).toMatch(/ [1-9]\d* ms, peak [1-9]\d{7,} bytes$/)
  expect([...local.lines, ...local.complaints].join()).not.toMatch(/护照|broken/)
})

describe('who pays', () => {
  test('pays for the first ones; the others have failed, and nothing at all is refused', async () => {
    await using local = await testJobs()
    const { page, purse } = local
    purse.left = 2
    const files = await page.grant(await Promise.all([1, 2, 3].map((n) => local.source(`${n}.jpg`, picture))))
    const ids = await page.start('compress-image', small, files)
    const ended = await Promise.all(ids.map((id) => page.ended(id)))
    expect(ended.map(({ state, error }) => error?.code ?? state)).toEqual(['done', 'done', 'quota.used-up'])
    await expect(page.start('compress-image', small, files)).rejects.toThrow('402 quota.used-up')
    purse.refusal = new AppError('offline.guest', {})
    await expect(page.start('compress-image', small, files)).rejects.toThrow('503 offline.guest')
    expect(await page.get<JobView[]>('/api/jobs')).toHaveLength(3)
    expect(await readdir(local.results)).toHaveLength(2)
  })

  test('pays nothing for what was left as it is', async () => {
    await using local = await testJobs()
    const [id = ''] = await local.page.start('compress-image', toSize(500), await local.page.grant([await local.source('a.jpg', picture)]))
    expect(await local.page.ended(id)).toMatchObject({ state: 'done', note: { kind: 'unchanged' } })
    expect(await local.purse.verdicts(id)).toEqual(['released'])
  })

  test('is told of what was set aside for a call that was never answered, by the next start', async () => {
    await using local = await testJobs()
    const { jobs } = local
    await jobs.close()
    const input = { key: 'k', path: '/none', name: 'a.jpg', bytes: 1 }
    const facts = { state: 'queued', outputs: [], isOwing: true, crashes: 0, interruptions: 0 }
    const call = { requestKey: 'own', tool: 'compress-image', options: small, output: { place: 'beside', folder: '' } }
    const line = { kind: 'call', isAsked: true, call, jobs: [{ id: 'asked', inputs: [input], createdAt: Date.now(), facts }] }
    await writeFile(join(local.own, 'jobs.jsonl'), `${JSON.stringify(line)}\n{"kind":"accep`)
    await local.again()
    expect(await local.page.get('/api/jobs')).toEqual([])
    expect(await local.purse.verdicts('asked')).toEqual(['released'])
  })
})

describe('a start', () => {
  test('goes on with what waited, forgets what had ended, and knows files by their keys', async () => {
    await using local = await testJobs({ size: 1 })
    const done = await local.page.grant([await local.source('done.jpg', picture)])
    const [first = ''] = await local.page.start('compress-image', small, done)
    await local.page.ended(first)
    const files = await local.page.grant(await Promise.all([1, 2].map((n) => local.source(`${n}.webp`, large))))
    const ids = await local.page.start('compress-image', toSize(40), files)
    await until(local.page, ids[0] ?? '', ({ state }) => state === 'running')
    await local.again()
    expect((await local.page.ask(`/api/jobs/${first}`)).status).toBe(404)
    for (const id of ids) expect((await local.page.ended(id)).state).toBe('done')
    expect((await readdir(local.results)).toSorted()).toEqual(['1.webp', '2.webp', 'done.jpg'])
    expect(await readdir(join(local.own, 'work'))).toEqual([])
    const [again = ''] = await local.page.start('compress-image', toSize(30), files.slice(0, 1))
    expect((await local.page.ended(again)).state).toBe('done')
  })

  test('keeps no password of what has ended', async () => {
    await using local = await testJobs()
    const files = await local.page.grant([await local.source('a.pdf', '%PDF-1.4 broken')])
    const [id = ''] = await local.page.start('pdf-to-text', { password: 'geheim' }, files)
    await local.page.ended(id)
    await local.purse.verdicts(id)
    await vi.waitFor(async () => expect(await readFile(join(local.own, 'jobs.jsonl'), 'utf8')).not.toContain('geheim'))
  })
})

test('a batch is told of while it is at work, and how it ended', async () => {
  const told: BatchState[] = []
  await using local = await testJobs({ onChange: (state) => void told.push(state) })
  const files = await local.page.grant([await local.source('a.jpg', picture), await local.source('b.jpg', 'no picture at all')])
  const ids = await local.page.start('compress-image', small, files)
  for (const id of ids) await local.page.ended(id)
  while (told.at(-1)?.active !== 0) await new Promise((resolve) => setTimeout(resolve, 20))
  expect(told.at(-1)).toEqual({ active: 0, done: 1, failed: 1, fraction: 1 })
  expect(local.jobs.isBusy).toBe(false)
})
