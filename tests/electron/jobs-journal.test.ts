import { appendFile, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execFileSync } from 'node:child_process'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { testFolder, toSize } from '../fixtures/engine.ts'
import { testJobs } from '../fixtures/local-jobs.ts'
import { photo } from '../fixtures/pictures.ts'
import { Journal } from '#electron/jobs/journal'
import type { JobView } from '#shared/api/jobs'

const same = (lines: readonly unknown[]): readonly unknown[] => lines

describe('the journal', () => {
  test('says what it was told, in its order, without what was cut off', async () => {
    await using folder = await testFolder()
    const path = join(folder.path, 'jobs.jsonl')
    const journal = await Journal.open(path, same)
    await Promise.all(Array.from({ length: 300 }, (_, n) => journal.append({ n, text: `行\n${n}` }, n % 3 === 0)))
    await journal.close()
    await appendFile(path, '{"n":300,"text":"ha')
    let read: readonly unknown[] = []
    const again = await Journal.open(path, (lines) => (read = lines))
    expect(read).toEqual(Array.from({ length: 300 }, (_, n) => ({ n, text: `行\n${n}` })))
    await again.append({ n: 300 }, true)
    await again.close()
    expect((await readFile(path, 'utf8')).trim().split('\n')).toHaveLength(301)
    expect(await readdir(folder.path)).toEqual(['jobs.jsonl'])
  })

  test('is written anew in short without losing what comes meanwhile', async () => {
    await using folder = await testFolder()
    const path = join(folder.path, 'jobs.jsonl')
    const journal = await Journal.open(path, same)
    const long = 'x'.repeat(3000)
    for (let n = 0; n < 400; n++) await journal.append({ long }, false)
    expect(journal.isLong).toBe(true)
    const before = journal.append({ n: 1 }, true)
    const rewriting = journal.rewrite(() => [{ short: true }])
    const after = journal.append({ n: 2 }, true)
    await Promise.all([before, rewriting, after])
    expect(journal.isLong).toBe(false)
    await journal.append({ n: 3 }, true)
    await journal.close()
    const lines = (await readFile(path, 'utf8')).trim().split('\n')
    expect([lines[0], lines.at(-1)]).toEqual(['{"short":true}', '{"n":3}'])
    expect((await stat(path)).size).toBeLessThan(100)
  })

  test('of a full disk is as it was, and goes on when there is room again', async ({ skip }) => {
    await using folder = await testFolder()
    const small = join(folder.path, 'small')
    await mkdir(small)
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', small], { stdio: 'ignore' })
    } catch {
      console.warn('no small disk could be mounted here: a full one was not tried')
      skip()
    }
    try {
      const path = join(small, 'jobs.jsonl')
      const journal = await Journal.open(path, same)
      await journal.append({ n: 1 }, true)
      await expect(journal.append({ long: 'x'.repeat(100_000) }, true)).rejects.toMatchObject({ code: 'ENOSPC' })
      await journal.append({ n: 2 }, true)
      await journal.close()
      expect(await readFile(path, 'utf8')).toBe('{"n":1}\n{"n":2}\n')
    } finally {
      execFileSync('umount', [small])
    }
  })
})

describe('a queue', () => {
  const picture = photo(300, 200).jpeg({ quality: 92 }).toBuffer()

  test('whose disk is full refuses calls, and nothing of them is left or paid for', async () => {
    await using local = await testJobs()
    const files = await local.page.grant([await local.source('a.jpg', await picture)])
    onTestFinished(() => void vi.restoreAllMocks())
    const full = vi.spyOn(Journal.prototype, 'append').mockImplementation(async (line) => {
      if (typeof line === 'object' && line !== null && 'kind' in line && line.kind === 'accepted')
        throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' })
    })
    await expect(local.page.start('compress-image', toSize(8), files)).rejects.toThrow('507 storage.full')
    full.mockRestore()
    expect(await local.page.get<JobView[]>('/api/jobs')).toEqual([])
    expect([...local.purse.settled.values()]).toEqual(['released'])
  })

  test('that means nothing any more is begun anew, and its client starts', async () => {
    await using local = await testJobs()
    await local.jobs.close()
    await writeFile(join(local.own, 'jobs.jsonl'), 'null\n1\n[]\n{"kind":"call"}\n\u0000\u0001\n{"kind":"set","id":"none","facts":{}}\n{')
    await local.again()
    expect(await local.page.get('/api/jobs')).toEqual([])
  })

  test('lets go of what editors work on two hours after its job', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    try {
      let now = Date.now()
      await using local = await testJobs({ now: () => now })
      const grey = await photo(200, 150).greyscale().jpeg().toBuffer()
      const [id = ''] = await local.page.start(
        'colourize',
        { colours: { by: 'none' } },
        await local.page.grant([await local.source('a.jpg', grey)]),
      )
      expect((await local.page.ended(id)).parts?.source).toBeDefined()
      now += 2 * 3_600_000 + 1
      vi.advanceTimersByTime(10 * 60_000)
      const view = await local.page.view(id)
      expect([view.state, view.parts, view.outputs.length]).toEqual(['done', undefined, 1])
      await vi.waitFor(async () => expect(await readdir(join(local.own, 'parts'))).toEqual([]))
    } finally {
      vi.useRealTimers()
    }
  })
})
