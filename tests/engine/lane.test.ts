import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Watch } from '#engine/lane'
import type { Child } from '#engine/launch'
import { localLimits } from '#engine/limits'
import { EnginePool, type PoolSettings } from '#engine/pool'
import type { Job, Order, Report } from '#engine/processor'
import { parseOptions } from '#shared/tools/index'

const MB = 1024 ** 2
const inputs = [{ path: '/a.jpg', name: 'a.jpg' }] as const
const cutting: Job = { tool: 'cut-out', options: parseOptions('cut-out', {}), inputs }
const sizing: Job = { tool: 'set-dpi', options: parseOptions('set-dpi', { dpi: 300 }), inputs }
const recolouring: Job = {
  tool: 'id-photo',
  options: parseOptions('id-photo', { background: { by: 'colour', colour: '#438edb' } }),
  inputs,
}

/** A child that does what the test says, and tells what was asked of it. */
class Puppet implements Child {
  readonly pid = undefined
  readonly orders: Order[] = []
  isAlive = true
  #report: (report: Report) => void = () => {}
  #exit: (reason: string) => void = () => {}

  send(order: Order): void {
    this.orders.push(order)
  }

  kill(): void {
    this.isAlive = false
    this.#exit('exit SIGKILL')
  }

  onReport(listener: (report: Report) => void): void {
    this.#report = listener
  }

  onExit(listener: (reason: string) => void): void {
    this.#exit = listener
  }

  holds(bytes: number): void {
    this.#report({ kind: 'resident', bytes })
    vi.advanceTimersByTime(100) // until it is looked at
  }

  finishes(): void {
    this.#report({ kind: 'done', outputs: [] })
  }
}

function openPool(settings: Partial<PoolSettings> = {}) {
  const children: Puppet[] = []
  const launch = (): Child => {
    const child = new Puppet()
    children.push(child)
    return child
  }
  const pool = new EnginePool({ size: 1, aiSize: 1, limits: localLimits, launch, ...settings })
  onTestFinished(() => pool.close())
  const run = (job: Job, watch?: Watch) => pool.run(job, '/out', watch)
  /** The child that has the n-th job that needed a new one. */
  const child = (n: number): Puppet => {
    const found = children[n]
    if (!found) throw new Error(`no child ${n}`)
    return found
  }
  return { run, child, children }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('jobs with a model', () => {
  test('run beside those without, and wait for their own kind only', async () => {
    const { run, child, children } = openPool()
    const jobs = [run(cutting), run(recolouring), run(sizing)]
    expect(children.map(({ orders }) => orders.map(({ job }) => job.tool))).toEqual([['cut-out'], ['set-dpi']])
    child(0).finishes()
    child(0).finishes()
    child(1).finishes()
    await expect(Promise.all(jobs)).resolves.toEqual([[], [], []])
    expect(child(0).orders.map(({ job }) => job.tool)).toEqual(['cut-out', 'id-photo'])
  })

  test('have the deadline of their class, an ID photo on another background too', () => {
    const { run, child } = openPool({ aiSize: 2 })
    const jobs = [cutting, recolouring, sizing].map((job) => run(job))
    expect([0, 1, 2].map((n) => child(n).orders[0]?.deadlineMs)).toEqual([240_000, 240_000, 60_000])
    for (const n of [0, 1, 2]) child(n).finishes()
    return Promise.all(jobs)
  })

  test('are told where models lie and who runs the service', async () => {
    const { run, child } = openPool({ modelsFolder: '/models', producer: '某某公司' })
    const job = run(cutting)
    expect(child(0).orders[0]).toMatchObject({ modelsFolder: '/models', producer: '某某公司' })
    child(0).finishes()
    await job
  })

  test('may hold more than others, and are killed above that', async () => {
    const limits = { ...localLimits, maxResidentBytes: 500 * MB, maxAiResidentBytes: 2000 * MB }
    const { run, child } = openPool({ limits })
    const [cut, sized] = [run(cutting), run(sizing)]
    child(0).holds(1900 * MB)
    child(1).holds(501 * MB)
    await expect(sized).rejects.toMatchObject({ code: 'job.out-of-memory' })
    expect([child(0).isAlive, child(1).isAlive]).toEqual([true, false])
    child(0).holds(2001 * MB)
    await expect(cut).rejects.toMatchObject({ code: 'job.out-of-memory' })
    expect(child(0).isAlive).toBe(false)
  })
})

describe('a warm model', () => {
  const runOne = async ({ run, children }: ReturnType<typeof openPool>, heldMb: number): Promise<void> => {
    const job = run(cutting)
    children.at(-1)?.holds(heldMb * MB)
    children.at(-1)?.finishes()
    await job
  }

  test('serves the next job and goes when it had none for a while', async () => {
    const pool = openPool({ aiIdleMs: 60_000 })
    await runOne(pool, 500)
    vi.advanceTimersByTime(59_000)
    await runOne(pool, 500)
    vi.advanceTimersByTime(59_000)
    expect(pool.children.map(({ isAlive }) => isAlive)).toEqual([true])
    vi.advanceTimersByTime(1_000)
    expect(pool.children.map(({ isAlive }) => isAlive)).toEqual([false])
    await runOne(pool, 500)
    expect(pool.children).toHaveLength(2)
  })

  test('is not taken away in the middle of a job', async () => {
    const pool = openPool({ aiIdleMs: 60_000 })
    await runOne(pool, 500)
    const job = pool.run(cutting)
    vi.advanceTimersByTime(100_000)
    expect(pool.child(0).isAlive).toBe(true)
    pool.child(0).finishes()
    await job
  })

  test('is not kept in a process that has grown beyond what the shipped one needs', async () => {
    const pool = openPool()
    await runOne(pool, 1000)
    expect(pool.child(0).isAlive).toBe(false)
  })

  test("is kept at a larger model's size where an operator has installed models", async () => {
    const pool = openPool({ modelsFolder: '/models' })
    await runOne(pool, 1600)
    expect(pool.child(0).isAlive).toBe(true)
    await runOne(pool, 2300)
    expect(pool.child(0).isAlive).toBe(false)
  })
})

describe('the most memory of a job', () => {
  test('is told once at its end, and is of that job alone', async () => {
    const { run, child } = openPool()
    const peaks: number[] = []
    const peak = (bytes: number): void => void peaks.push(bytes / MB)
    const first = run(cutting, { peak })
    child(0).holds(700 * MB)
    child(0).holds(400 * MB)
    child(0).finishes()
    await first
    const second = run(cutting, { peak })
    child(0).holds(450 * MB)
    child(0).finishes()
    await second
    expect(peaks).toEqual([700, 450])
  })

  test('is told of a job that was killed for it', async () => {
    const { run, child } = openPool()
    const peaks: number[] = []
    const job = run(sizing, { peak: (bytes) => void peaks.push(bytes / MB) })
    child(0).holds(1600 * MB)
    await expect(job).rejects.toMatchObject({ code: 'job.out-of-memory' })
    expect(peaks).toEqual([1600])
  })
})
