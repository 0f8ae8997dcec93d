import { describe, expect, it } from 'vitest'
import { toSize } from '../fixtures/engine.ts'
import { listen } from '../fixtures/job-stream.ts'
import { photo } from '../fixtures/pictures.ts'
import { testServer, Visitor } from '../fixtures/server.ts'
import { sharedServer } from '../fixtures/shared-server.ts'
import { unzip } from '../fixtures/unzip.ts'
import type { JobView } from '#shared/api/jobs'

const shared = sharedServer()

const picture = (seed = 1): Promise<Buffer> => photo(600, 600, 3, seed).jpeg({ quality: 95 }).toBuffer()

describe('the stream of events', () => {
  it('tells of every step of the own jobs, in order, and of nobody else’s', async () => {
    const visitor = await Visitor.enter(shared().url)
    const other = await Visitor.enter(shared().url)
    const listening = listen(visitor, (heard) => heard.some(({ job }) => job.state === 'done'))
    await other.start([{ name: 'other.jpg', bytes: await picture(2) }], toSize(20))
    const [id = ''] = await visitor.start([{ name: 'a.jpg', bytes: await picture() }], toSize(20))
    const heard = await listening
    expect(new Set(heard.map(({ job }) => job.id))).toEqual(new Set([id]))
    const numbers = heard.flatMap((one) => one.id ?? [])
    expect(numbers).toEqual(numbers.toSorted((left, right) => left - right))
    expect(heard.at(-1)?.job).toMatchObject({ state: 'done', progress: 1 })
    expect(await visitor.job(id)).toEqual(heard.at(-1)?.job)
  })

  it('resumes after the last event a reader has seen', async () => {
    const visitor = await Visitor.enter(shared().url)
    const [first = ''] = await visitor.start([{ name: 'a.jpg', bytes: await picture() }], toSize(20))
    await visitor.ended(first)
    const seen = (await listen(visitor, (heard) => heard.some(({ job }) => job.state === 'done'))).at(-1)?.id
    const [second = ''] = await visitor.start([{ name: 'b.jpg', bytes: await picture(2) }], toSize(20))
    await visitor.ended(second)
    const heard = await listen(visitor, (all) => all.some(({ job }) => job.state === 'done'), { after: seen })
    expect(new Set(heard.map(({ job }) => job.id))).toEqual(new Set([second]))
  })

  it('resumes after the number in its address, and the list does the same', async () => {
    const visitor = await Visitor.enter(shared().url)
    const done = []
    for (const seed of [1, 2, 3]) {
      const [id = ''] = await visitor.start([{ name: `${seed}.jpg`, bytes: await picture(seed) }], toSize(20))
      done.push(await visitor.ended(id))
    }
    const seen = done[0]?.change ?? 0
    const later = done.slice(1).map(({ id }) => id)
    const changes = await visitor.read<JobView[]>(`/api/jobs?after=${seen}`)
    expect(changes.map(({ id }) => id)).toEqual(later)
    const heard = await listen(visitor, (all) => all.length === 2, { query: `?after=${seen}` })
    expect(heard.map(({ id, job }) => [id, job.id])).toEqual(changes.map(({ change, id }) => [change, id]))
    // A browser that reconnects repeats the address it began with.
    const last = await listen(visitor, (all) => all.length === 1, { query: '?after=0', after: changes[0]?.change ?? 0 })
    expect(last.map(({ job }) => job.id)).toEqual(later.slice(1))
  })

  it('beats at once, in an event a page can see', async () => {
    const visitor = await Visitor.enter(shared().url)
    const response = await visitor.fetch('/api/jobs/events')
    for await (const piece of response.body ?? []) {
      expect(Buffer.from(piece).toString()).toContain('\n\nevent: heartbeat\ndata:\n\n')
      break
    }
  })

  it('tells those who wait how many are before them, and when that changes', async () => {
    await using server = await testServer({}, { WORKERS: '1' })
    const visitor = await Visitor.enter(server.url)
    // The first works longer than the others take to be heard of; those who wait move up as one of them goes.
    const slow = await photo(2000, 1500).png({ compressionLevel: 1 }).toBuffer()
    const files = [slow, await picture(), await picture(2)].map((bytes, n) => ({ name: `${n}`, bytes }))
    const [first = '', second = '', last = ''] = await visitor.start(files, toSize(20))
    const gone: Promise<unknown>[] = []
    const heard = await listen(visitor, (all) => {
      const place = all.findLast(({ job }) => job.id === last)?.job
      const next = [second, first][gone.length]
      const isTold = place?.state === 'queued' && place.ahead <= 1 - gone.length
      if (next !== undefined && isTold) gone.push(visitor.post(`/api/jobs/${next}/cancel`, {}))
      return place?.state === 'done'
    })
    await Promise.all(gone)
    const places = heard.filter(({ job }) => job.id === last && job.state === 'queued').map(({ job }) => job.ahead)
    expect(new Set(places).size).toBeGreaterThan(1)
    expect(places[0]).toBeGreaterThan(0)
    expect(places).toEqual(places.toSorted((left, right) => right - left))
  })
})

describe('a zip of results', () => {
  it('keeps folders and names, numbers equal ones, and is given once', async () => {
    const visitor = await Visitor.enter(shared().url)
    const files = [
      { name: '海边.jpg', path: '旅行/第一天' },
      { name: '海边.JPG', path: '旅行/第一天' },
      { name: '海边.jpg', path: '../../etc' },
      { name: 'a.jpg' },
      // A file by the name of a folder: nobody could unpack both.
      { name: 'ETC.jpg' },
      { name: 'b.jpg', path: 'etc.JPG/c' },
    ]
    const ids = await visitor.start(await Promise.all(files.map(async (file, n) => ({ ...file, bytes: await picture(n) }))), toSize(20))
    const jobs = await Promise.all(ids.map((id) => visitor.ended(id)))
    const { ticket } = await visitor.post<{ ticket: string }>('/api/jobs/zip', { ids })
    const files2 = await unzip(await visitor.download(`/api/jobs/zip/${ticket}`))
    expect([...files2.keys()].toSorted()).toEqual(
      ['ETC (1).jpg', 'a.jpg', 'etc.JPG/c/b.jpg', 'etc/海边.jpg', '旅行/第一天/海边 (1).JPG', '旅行/第一天/海边.jpg'].toSorted(),
    )
    expect(files2.get('a.jpg')).toEqual(await visitor.download(jobs[3]?.outputs[0]?.url ?? ''))
    expect((await visitor.fetch(`/api/jobs/zip/${ticket}`)).status).toBe(410)
  })
})
