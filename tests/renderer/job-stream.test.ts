import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { JobStream } from '#renderer/state/job-stream'
import type { JobView } from '#shared/api/jobs'

/** A stream as the browser would open it, led by the test. */
class FakeSource extends EventTarget {
  static readonly CLOSED = 2
  readonly url: string
  readyState = 0

  constructor(url: string) {
    super()
    this.url = url
    sources.push(this)
  }

  close(): void {
    this.readyState = 2
  }

  beat(): void {
    this.readyState = 1
    this.dispatchEvent(new Event('heartbeat'))
  }

  /** Cut, and tried again by the browser; or refused for good. */
  fail(isRefused = false): void {
    this.readyState = isRefused ? 2 : 0
    this.dispatchEvent(new Event('error'))
  }
}

const view = (id: string, change: number, state: JobView['state'] = 'running', ahead = 0): JobView => ({
  id,
  change,
  tool: 'compress-image',
  state,
  ahead,
  progress: 0.5,
  inputs: [],
  outputs: [],
  createdAt: '2030-01-01T00:00:00.000Z',
})

let sources: FakeSource[] = []
let asked: string[] = []
let answer: (path: string) => Response | Error
let isAwaited = true
let known = 0
let heard: string[] = []
let accounts = 0
let beats = 0
let stream: JobStream

const latest = (): FakeSource => {
  const source = sources.at(-1)
  if (!source) throw new Error('no stream was opened')
  return source
}
const listed = (...views: JobView[]): Response => Response.json({ data: views })
const seconds = (count: number): Promise<unknown> => vi.advanceTimersByTimeAsync(count * 1000)
/** Until the stream is given up. */
const lose = async (): Promise<void> => {
  for (let n = 0; n < 3; n++) latest().fail()
  await seconds(2)
}

beforeEach(() => {
  vi.useFakeTimers()
  ;[sources, asked, heard, isAwaited, known, beats, accounts] = [[], [], [], true, 0, 0, 0]
  answer = () => listed()
  vi.stubGlobal('EventSource', FakeSource)
  vi.stubGlobal('document', { cookie: '' })
  vi.stubGlobal('navigator', { onLine: true })
  vi.stubGlobal('fetch', async (path: string) => {
    asked.push(path)
    const given = answer(path)
    if (given instanceof Error) throw given
    return given
  })
  stream = new JobStream({
    after: () => known,
    isAwaited: () => isAwaited,
    onJob: ({ id }, at) => {
      known = at
      heard.push(`${id} ${at}`)
    },
    onBeat: () => (beats += 1),
    onAccount: () => (accounts += 1),
  })
})

afterEach(() => {
  stream.close()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('asks nothing while the stream beats, also through a cut', async () => {
  for (let n = 0; n < 20; n++) {
    latest().beat()
    await seconds(15)
    if (n % 3 === 0) latest().fail()
  }
  expect([asked.length, sources.length, beats]).toEqual([0, 1, 20])
})

it('opens a refused stream again from where it stood', async () => {
  latest().beat()
  latest().dispatchEvent(new MessageEvent('job', { data: JSON.stringify(view('a', 7)), lastEventId: '7' }))
  latest().fail(true)
  await seconds(8)
  expect(sources.map(({ url }) => url)).toEqual(['/api/jobs/events?after=0', '/api/jobs/events?after=7'])
  expect(heard).toEqual(['a 7'])
})

it('polls every two seconds for what is new after three failures in a row', async () => {
  const jobs = [view('a', 3), view('b', 5)]
  answer = (path) => (path.includes('?') ? listed(...jobs.splice(0, 1)) : listed())
  await lose()
  await seconds(4)
  expect(asked.filter((path) => path.includes('?'))).toEqual(['/api/jobs?after=0', '/api/jobs?after=3', '/api/jobs?after=5'])
  expect(heard).toEqual(['a 3', 'b 5'])
})

it('polls after thirty seconds of silence of an open stream', async () => {
  latest().beat()
  await seconds(30)
  expect(asked).toEqual([])
  await seconds(4)
  expect(asked.length).toBeGreaterThan(0)
})

it('polls only while a job is awaited, and shows the others that it lives', async () => {
  isAwaited = false
  await lose()
  await seconds(20)
  expect(asked).toEqual([])
  expect(beats).toBeGreaterThan(9)
})

it('asks for places in the queue now and then, and takes nothing else from that', async () => {
  known = 9
  answer = (path) => (path.includes('?') ? listed() : listed(view('done', 2, 'done'), view('waits', 1, 'queued', 4)))
  await lose()
  await seconds(18)
  expect(asked.filter((path) => !path.includes('?')).length).toBe(2)
  expect(heard).toEqual(['waits 9', 'waits 9'])
})

it('stays within the two calls a second the server allows', async () => {
  await lose()
  await seconds(60)
  expect(asked.length).toBeLessThan(60)
})

it('tries the stream once a minute while polling, and polls no more once it beats', async () => {
  await lose()
  await seconds(56)
  expect(sources.length).toBe(1)
  await seconds(4)
  expect(sources.length).toBe(2)
  latest().fail()
  await seconds(50)
  expect([sources.length, latest().readyState]).toEqual([2, FakeSource.CLOSED])
  await seconds(14)
  expect(sources.length).toBe(3)
  latest().beat()
  const before = asked.length
  await seconds(14)
  expect(asked.length).toBe(before)
})

it('blames no stream while the network is away', async () => {
  vi.stubGlobal('navigator', { onLine: false })
  for (let n = 0; n < 60; n++) {
    latest().fail()
    await seconds(2)
  }
  vi.stubGlobal('navigator', { onLine: true })
  await seconds(10)
  expect(asked).toEqual([])
  expect(sources.length).toBe(1)
})

it('tries the stream at once while the server itself is away', async () => {
  answer = () => new TypeError('failed to fetch')
  await lose()
  await seconds(4)
  expect(sources.length).toBeGreaterThan(1)
})

it('tells that the account may have changed: when it is told so, when a stream begins anew, and every half minute of polling', async () => {
  latest().dispatchEvent(new MessageEvent('account', { data: '1' }))
  expect(accounts).toBe(1)
  latest().dispatchEvent(new Event('open'))
  expect(accounts).toBe(2)
  await lose()
  const before = accounts
  await seconds(60)
  expect(accounts - before).toBe(2)
})
