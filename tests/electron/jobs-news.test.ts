import { describe, expect, test, vi } from 'vitest'
import { toSize } from '../fixtures/engine.ts'
import { testJobs, type Page } from '../fixtures/local-jobs.ts'
import { photo } from '../fixtures/pictures.ts'
import { jobView, type JobView } from '#shared/api/jobs'

const picture = await photo(300, 200).jpeg({ quality: 92 }).toBuffer()
const small = toSize(8)

interface Event {
  readonly event: string
  readonly id?: number
  readonly view?: JobView
}

/** A stream of events, read one by one. */
async function listen(page: Page, query = '', headers: Record<string, string> = {}) {
  const answer = await page.ask(`/api/jobs/events${query}`, { headers })
  expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  if (!reader) throw new Error('no stream')
  let text = ''
  const next = async (): Promise<Event | undefined> => {
    for (;;) {
      const end = text.indexOf('\n\n')
      if (end >= 0) {
        const block = text.slice(0, end)
        text = text.slice(end + 2)
        const read = (name: string): string | undefined => new RegExp(`^${name}: ?(.*)$`, 'm').exec(block)?.[1]
        const [event, id, data] = [read('event'), read('id'), read('data')]
        if (event === undefined) continue
        return { event, ...(id !== undefined && { id: Number(id) }), ...(data && { view: jobView.parse(JSON.parse(data)) }) }
      }
      const { value, done } = await reader.read()
      if (done) return undefined
      text += value
    }
  }
  /** Reads until something is told; what was read on the way. */
  const until = async (isIt: (event: Event) => boolean): Promise<readonly Event[]> => {
    const read: Event[] = []
    for (;;) {
      const event = await next()
      if (!event) return read
      read.push(event)
      if (isIt(event)) return read
    }
  }
  return { next, until, cancel: () => reader.cancel() }
}

const isDone = ({ view }: Event): boolean => view?.state === 'done'

describe('news of jobs', () => {
  test('come in the order of their numbers, with a sign of life first, and go on after any of them', async () => {
    await using local = await testJobs({ size: 1 })
    const { page } = local
    const stream = await listen(page)
    expect(await stream.next()).toEqual({ event: 'heartbeat' })
    const files = await page.grant(await Promise.all([1, 2, 3].map((n) => local.source(`${n}.jpg`, picture))))
    const ids = await page.start('compress-image', small, files)
    const done = new Set<string>()
    const events = await stream.until((event) => {
      if (isDone(event)) done.add(event.view?.id ?? '')
      return done.size === 3
    })
    const numbers = events.flatMap(({ id }) => id ?? [])
    expect(numbers).toEqual(numbers.toSorted((left, right) => left - right))
    expect(new Set(events.flatMap(({ view }) => view?.id ?? []))).toEqual(new Set(ids))
    // The last news of each job, and no others, are told to who comes later.
    const middle = numbers.at(-2) ?? 0
    for (const headers of [{}, { 'last-event-id': String(middle) }]) {
      const later = await listen(page, 'last-event-id' in headers ? '?after=0' : `?after=${middle}`, headers)
      const [, event] = [await later.next(), await later.next()]
      expect(event?.id).toBe(numbers.at(-1))
      await later.cancel()
    }
    const list = await page.get<JobView[]>(`/api/jobs?after=${middle}`)
    expect(list.map(({ change }) => change)).toEqual([numbers.at(-1)])
    expect(await page.get<JobView[]>(`/api/jobs?after=${Number.MAX_SAFE_INTEGER}`)).toHaveLength(3)
    expect((await page.get<JobView[]>('/api/jobs')).map(({ id }) => id)).toEqual(ids.toReversed())
    await stream.cancel()
  })

  test('are those of the account too, and end with the client', async () => {
    await using local = await testJobs()
    const stream = await listen(local.page)
    await stream.next()
    local.jobs.announceAccount()
    expect(await stream.next()).toEqual({ event: 'account' })
    await local.jobs.close()
    expect(await stream.next()).toBeUndefined()
  })

  test('beat every 15 s, and tell how places move', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    try {
      await using local = await testJobs({ size: 1, launch: stuck })
      const { page } = local
      const files = await page.grant(await Promise.all([1, 2, 3].map((n) => local.source(`${n}.jpg`, picture))))
      const [first = '', second = '', third = ''] = await page.start('compress-image', small, files)
      const stream = await listen(page)
      await stream.until(({ view }) => view?.id === third)
      await page.post(`/api/jobs/${second}/cancel`)
      await stream.until(({ view }) => view?.id === second)
      vi.advanceTimersByTime(2000)
      expect(await stream.next()).toMatchObject({ event: 'job', view: { id: third, ahead: 0 } })
      vi.advanceTimersByTime(15_000)
      expect(await stream.next()).toEqual({ event: 'heartbeat' })
      expect((await page.view(first)).state).toBe('running')
      await stream.cancel()
    } finally {
      vi.useRealTimers()
    }
  })

  test('hold no path of this computer', async () => {
    await using local = await testJobs()
    const { page } = local
    const [id = ''] = await page.start('compress-image', small, await page.grant([await local.source('a.jpg', picture)]))
    await page.ended(id)
    expect(JSON.stringify(await page.get('/api/jobs'))).not.toContain(local.sources.slice(0, 12))
    expect(jobView.safeParse(await page.view(id)).success).toBe(true)
  })
})

/** A child that takes orders and never ends one. */
const stuck = () => ({ pid: undefined, send: () => {}, kill: () => {}, onReport: () => {}, onExit: () => {} })
