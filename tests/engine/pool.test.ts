import { access, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { testFolder } from '../fixtures/engine.ts'
import { photo } from '../fixtures/pictures.ts'
import type { Watch } from '#engine/lane'
import { launchNode } from '#engine/launch'
import { localLimits, type Limits } from '#engine/limits'
import { EnginePool, type PoolSettings } from '#engine/pool'
import { openWorkspace, sweepWorkspaces } from '#engine/workspace'
import { parseOptions } from '#shared/tools/index'

const large = await photo(2600, 2000).avif({ quality: 70, effort: 0 }).toBuffer()
const small = await photo(200, 150).jpeg({ quality: 95 }).toBuffer()

async function openPool(settings: Partial<PoolSettings> = {}) {
  const folder = await testFolder()
  const pool = new EnginePool({ size: 1, limits: localLimits, ...settings })
  onTestFinished(async () => {
    pool.close()
    await folder[Symbol.asyncDispose]()
  })
  await writeFile(join(folder.path, 'large.avif'), large)
  await writeFile(join(folder.path, 'small.jpg'), small)
  const options = parseOptions('compress-image', { goal: { by: 'size', targetKb: 4 } })
  return {
    pool,
    run: async (name: 'large.avif' | 'small.jpg', watch: Watch = {}) => {
      const job = { tool: 'compress-image', options, inputs: [{ path: join(folder.path, name), name }] } as const
      return pool.run(job, await mkdtemp(join(folder.path, 'out-')), watch)
    },
  }
}

const untilBusy = async (pool: EnginePool): Promise<number> => {
  for (;;) {
    const [pid] = pool.pids
    if (pid !== undefined) return pid
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

/** Resolves at the first progress of a job: its child is in the middle of it. */
function started() {
  const calls: (() => void)[] = []
  const promise = new Promise<void>((resolve) => calls.push(resolve))
  return { promise, progress: () => calls.forEach((call) => call()) }
}

/** Whether a process is gone within two seconds: killed ones need a moment to be buried. */
async function isGone(pid: number): Promise<boolean> {
  for (let look = 0; look < 40; look++) {
    try {
      process.kill(pid, 0)
    } catch {
      return true
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return false
}

describe('a child process', () => {
  test('killed in the middle of a job fails that job only; the next ones are served by a new child', async () => {
    const { pool, run } = await openPool()
    const { promise, progress } = started()
    const hit = run('large.avif', { progress })
    const waiting = run('small.jpg')
    await promise
    const victim = await untilBusy(pool)
    process.kill(victim, 'SIGKILL')
    await expect(hit).rejects.toMatchObject({ code: 'job.failed' })
    await expect(waiting).resolves.toHaveLength(1)
    expect(pool.pids).not.toContain(victim)
  })

  test('is killed at its deadline', async () => {
    const { pool, run } = await openPool({ deadlineMs: 400 })
    const job = run('large.avif')
    const pid = await untilBusy(pool)
    await expect(job).rejects.toMatchObject({ code: 'job.timed-out' })
    expect(await isGone(pid)).toBe(true)
  })

  test('is killed when it outgrows its memory', async () => {
    const limits: Limits = { ...localLimits, maxResidentBytes: 90 * 1024 ** 2 }
    const { pool, run } = await openPool({ limits })
    const job = run('large.avif')
    const pid = await untilBusy(pool)
    await expect(job).rejects.toMatchObject({ code: 'job.out-of-memory' })
    expect(await isGone(pid)).toBe(true)
  })

  test('is used again for the next job', async () => {
    const { pool, run } = await openPool()
    await run('small.jpg')
    const first = pool.pids
    await run('small.jpg')
    expect(pool.pids).toEqual(first)
  })

  test('holds no secret of the environment', async () => {
    process.env['SECRET_KEY'] = 'to be kept'
    onTestFinished(() => void delete process.env['SECRET_KEY'])
    const child = launchNode()
    onTestFinished(() => child.kill())
    await new Promise<void>((resolve) => child.onReport(() => resolve()))
    if (process.platform !== 'linux') return
    expect(await readFile(`/proc/${child.pid}/environ`, 'utf8')).not.toContain('to be kept')
  })
})

describe('cancelling', () => {
  test('ends a running job and a waiting one, and leaves the others', async () => {
    const { run } = await openPool()
    const [running, queued] = [new AbortController(), new AbortController()]
    const { promise, progress } = started()
    const first = run('large.avif', { signal: running.signal, progress })
    await promise
    const second = run('small.jpg', { signal: queued.signal })
    const third = run('small.jpg')
    queued.abort()
    running.abort()
    await expect(first).rejects.toMatchObject({ code: 'job.cancelled' })
    await expect(second).rejects.toMatchObject({ code: 'job.cancelled' })
    await expect(third).resolves.toHaveLength(1)
  })

  test('before the start never starts', async () => {
    const { pool, run } = await openPool()
    await expect(run('small.jpg', { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'job.cancelled' })
    expect(pool.pids).toEqual([])
  })

  test('by closing the pool ends everything', async () => {
    const { pool, run } = await openPool()
    const all = [run('large.avif'), run('small.jpg')].map((job) => expect(job).rejects.toMatchObject({ code: 'job.cancelled' }))
    pool.close()
    await Promise.all(all)
  })
})

test('a process that can not be started fails its job, and the next ones are tried', async () => {
  let starts = 0
  const launch = () => {
    starts += 1
    if (starts === 1) throw new Error('no more processes')
    return launchNode()
  }
  const { run } = await openPool({ launch })
  await expect(run('small.jpg')).rejects.toMatchObject({ code: 'job.failed' })
  await expect(run('small.jpg')).resolves.toHaveLength(1)
})

test('progress of a job comes in order, up to the end', async () => {
  const { run } = await openPool()
  const seen: number[] = []
  await run('small.jpg', { progress: (fraction) => seen.push(fraction) })
  expect(seen.length).toBeGreaterThan(1)
  expect(seen).toEqual(seen.toSorted((left, right) => left - right))
})

describe('a workspace', () => {
  test('is gone after its scope, and one whose process was killed is swept', async () => {
    await using folder = await testFolder()
    let path = ''
    {
      await using workspace = await openWorkspace(folder.path)
      path = workspace.folder
      await writeFile(join(path, 'half'), 'x')
    }
    await expect(access(path)).rejects.toMatchObject({ code: 'ENOENT' })
    await using alive = await openWorkspace(folder.path)
    const orphan = await mkdtemp(join(folder.path, 'qingtu-999999999-'))
    await sweepWorkspaces(folder.path)
    await expect(access(orphan)).rejects.toMatchObject({ code: 'ENOENT' })
    await access(alive.folder)
  })
})
