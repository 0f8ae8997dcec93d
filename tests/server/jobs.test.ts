import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { toSize } from '../fixtures/engine.ts'
import { photo } from '../fixtures/pictures.ts'
import { crash } from '../fixtures/processes.ts'
import { codeOf, testServer, Visitor, type TestServer } from '../fixtures/server.ts'
import { sharedServer } from '../fixtures/shared-server.ts'

const shared = sharedServer()

const picture = (seed = 1, side = 600): Promise<Buffer> => photo(side, side, 3, seed).jpeg({ quality: 95 }).toBuffer()
/** Takes the engine some seconds: there is time to do something while it runs. */
const slowPicture = (): Promise<Buffer> => photo(1000, 800).png({ compressionLevel: 1 }).toBuffer()

const objects = async (server: TestServer): Promise<number> => {
  const { readdirSync, statSync } = await import('node:fs')
  const { join } = await import('node:path')
  const folder = join(server.folder, 'objects')
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => {
    return statSync(join(folder, name)).isFile() && statSync(join(folder, name)).size > 1000
  }).length
}

describe('a job', () => {
  it('compresses an upload to the size asked for and hands it back to its owner', async () => {
    const visitor = await Visitor.enter(shared().url)
    const source = await photo(1200, 900).jpeg({ quality: 95 }).toBuffer()
    const [id = ''] = await visitor.start([{ name: '照片.jpg', bytes: source }], toSize(60))
    const job = await visitor.ended(id)
    expect(job).toMatchObject({ state: 'done', progress: 1, ahead: 0, inputs: [{ name: '照片.jpg', bytes: source.length }] })
    const [output] = job.outputs
    const response = await visitor.fetch(output?.url ?? '')
    expect(response.headers.get('content-disposition')).toBe(
      `attachment; filename="__.jpg"; filename*=UTF-8''${encodeURIComponent('照片.jpg')}`,
    )
    expect(response.headers.get('content-security-policy')).toContain('sandbox')
    const result = Buffer.from(await response.arrayBuffer())
    expect(result.length).toBe(output?.bytes)
    expect(result.length).toBeLessThanOrEqual(60 * 1024)
    expect(await sharp(result).metadata()).toMatchObject({ format: 'jpeg', width: output?.width, height: output?.height })
  })

  it('gives parts of its result to who asks for parts', async () => {
    const visitor = await Visitor.enter(shared().url)
    const [id = ''] = await visitor.start([{ name: 'a.jpg', bytes: await picture() }], toSize(20))
    const [output] = (await visitor.ended(id)).outputs
    const whole = await visitor.download(output?.url ?? '')
    const part = await visitor.fetch(output?.url ?? '', { headers: { range: 'bytes=10-19' } })
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 10-19/${whole.length}`])
    expect(Buffer.from(await part.arrayBuffer())).toEqual(whole.subarray(10, 20))
    expect((await visitor.fetch(output?.url ?? '', { headers: { range: `bytes=${whole.length}-` } })).status).toBe(416)
  })

  it('of a file that is small enough already gives that file back', async () => {
    const visitor = await Visitor.enter(shared().url)
    const source = await picture(1, 100)
    const [id = ''] = await visitor.start([{ name: 'a.jpg', bytes: source }], toSize(500))
    const job = await visitor.ended(id)
    expect(job.note).toEqual({ kind: 'unchanged' })
    expect(await visitor.download(job.outputs[0]?.url ?? '')).toEqual(source)
  })

  it('in a batch fails alone', async () => {
    const visitor = await Visitor.enter(shared().url)
    const whole = await picture()
    const ids = await visitor.start(
      [
        { name: 'a.jpg', bytes: whole },
        { name: 'cut.jpg', bytes: whole.subarray(0, whole.length / 2) },
        { name: 'page.jpg', bytes: Buffer.from('<html><body>no picture</body></html>') },
        { name: 'b.jpg', bytes: whole },
      ],
      toSize(20),
    )
    const jobs = await Promise.all(ids.map((id) => visitor.ended(id)))
    expect(jobs.map(({ state, error }) => [state, error?.code])).toEqual([
      ['done', undefined],
      ['failed', 'file.unreadable'],
      ['failed', 'file.unsupported'],
      ['done', undefined],
    ])
  })

  it('sent twice under one key is one job', async () => {
    const visitor = await Visitor.enter(shared().url)
    const body = { tool: 'compress-image', options: toSize(20), inputs: [{ key: await visitor.upload(await picture()), name: 'a.jpg' }] }
    const send = (): Promise<{ jobs: { id: string }[] }> => visitor.post('/api/jobs', body, { 'idempotency-key': 'batch-0001' })
    const [first, second] = await Promise.all([send(), send()])
    expect(second).toEqual(first)
    expect(await send()).toEqual(first)
    expect(await visitor.read('/api/jobs')).toHaveLength(1)
  })

  it('cancelled while it runs stops, costs nothing, and gives no result', async () => {
    await using server = await testServer({}, { WORKERS: '1' })
    const visitor = await Visitor.enter(server.url)
    const [running = '', waiting = ''] = await visitor.start(
      [
        { name: 'slow.png', bytes: await slowPicture() },
        { name: 'next.jpg', bytes: await picture() },
      ],
      toSize(100),
    )
    while ((await visitor.job(running)).state !== 'running' || server.pool.pids.length === 0)
      await new Promise((resolve) => setTimeout(resolve, 20))
    const [pid = 0] = server.pool.pids
    expect(await visitor.job(waiting)).toMatchObject({ state: 'queued', ahead: 0 })
    await visitor.post(`/api/jobs/${running}/cancel`, {})
    expect(await visitor.job(running)).toMatchObject({ state: 'cancelled', outputs: [] })
    expect(await visitor.ended(waiting)).toMatchObject({ state: 'done' })
    expect(server.pool.pids).not.toContain(pid)
    await visitor.post(`/api/jobs/${running}/cancel`, {})
  })

  it('removed takes its files along, at once', async () => {
    await using server = await testServer()
    const visitor = await Visitor.enter(server.url)
    const [id = ''] = await visitor.start([{ name: 'a.jpg', bytes: await picture() }], toSize(20))
    const [output] = (await visitor.ended(id)).outputs
    expect(await objects(server)).toBe(2)
    expect((await visitor.fetch(`/api/jobs/${id}`, { method: 'DELETE' })).status).toBe(200)
    expect(await objects(server)).toBe(0)
    expect(await visitor.job(id)).toMatchObject({ state: 'expired', outputs: [] })
    expect(await codeOf(await visitor.fetch(output?.url ?? ''))).toEqual([410, 'result.expired'])
  })

  it('whose process is killed is done by another', async () => {
    await using server = await testServer({}, { WORKERS: '1' })
    const visitor = await Visitor.enter(server.url)
    // A child takes longer to begin than it is looked at.
    const [id = ''] = await visitor.start([{ name: 'a.jpg', bytes: await picture() }], toSize(20))
    while (server.pool.pids.length === 0) await new Promise((resolve) => setTimeout(resolve, 20))
    for (const pid of server.pool.pids) process.kill(pid, 'SIGKILL')
    expect(await visitor.ended(id)).toMatchObject({ state: 'done' })
  })

  it('that crashes its process twice is given up', async () => {
    await using server = await testServer({}, { WORKERS: '1' })
    const visitor = await Visitor.enter(server.url)
    const [id = ''] = await visitor.start([{ name: 'slow.png', bytes: await slowPicture() }], toSize(100))
    const killed = new Set<number>()
    // A process may be gone before it had the job: each one is, until the job is given up.
    while (['queued', 'running'].includes((await visitor.job(id)).state)) {
      for (const pid of server.pool.pids) {
        if (!killed.has(pid)) crash(pid)
        killed.add(pid)
      }
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    expect(killed.size).toBeGreaterThanOrEqual(2)
    expect(await visitor.ended(id)).toMatchObject({ state: 'failed', error: { code: 'job.failed' } })
  })
})

describe('two people', () => {
  it('see, change and read nothing of one another', async () => {
    const owner = await Visitor.enter(shared().url)
    const other = await Visitor.enter(shared().url)
    const key = await owner.upload(await picture())
    const { jobs } = await owner.post<{ jobs: { id: string }[] }>('/api/jobs', {
      tool: 'compress-image',
      options: toSize(20),
      inputs: [{ key, name: 'a.jpg' }],
    })
    const [{ id } = { id: '' }] = jobs
    const [output] = (await owner.ended(id)).outputs
    const url = output?.url ?? ''

    expect(await codeOf(await other.fetch(`/api/jobs/${id}`))).toEqual([404, 'job.not-found'])
    expect(await other.read('/api/jobs')).toEqual([])
    expect(await codeOf(await other.send(`/api/jobs/${id}/cancel`, {}))).toEqual([404, 'job.not-found'])
    expect(await codeOf(await other.fetch(`/api/jobs/${id}`, { method: 'DELETE' }))).toEqual([404, 'job.not-found'])
    expect(await codeOf(await other.send('/api/jobs/zip', { ids: [id] }))).toEqual([404, 'job.not-found'])
    expect(await codeOf(await other.fetch(url))).toEqual([404, 'job.not-found'])
    expect(await codeOf(await fetch(shared().url + url))).toEqual([401, 'session.expired'])
    const stolen = { tool: 'compress-image', options: toSize(20), inputs: [{ key, name: 'a.jpg' }] }
    expect(await codeOf(await other.send('/api/jobs', stolen))).toEqual([404, 'upload.missing'])
    const { ticket } = await owner.post<{ ticket: string }>('/api/jobs/zip', { ids: [id] })
    expect(await codeOf(await other.fetch(`/api/jobs/zip/${ticket}`))).toEqual([410, 'result.expired'])

    const { client } = await other.storage()
    await expect(client.put(key, Buffer.from('mine now'))).rejects.toMatchObject({ code: 'AccessDenied' })
    await expect(client.get(key)).rejects.toMatchObject({ code: 'AccessDenied' })
    expect((await owner.fetch(url)).status).toBe(200)
  })

  it('cannot make an address of their own for a result', async () => {
    await using server = await testServer()
    const owner = await Visitor.enter(server.url)
    const [id = ''] = await owner.start([{ name: 'a.jpg', bytes: await picture() }], toSize(20))
    const [output] = (await owner.ended(id)).outputs
    const url = new URL(output?.url ?? '', server.url)
    const changed = (name: string, value: string): string => {
      const copy = new URL(url)
      copy.searchParams.set(name, value)
      return copy.pathname + copy.search
    }
    expect(await codeOf(await owner.fetch(changed('e', '9999999999')))).toEqual([403, 'request.refused'])
    expect(await codeOf(await owner.fetch(changed('s', 'x')))).toEqual([403, 'request.refused'])
    expect(await codeOf(await owner.fetch(url.pathname))).toEqual([400, 'request.invalid'])
    expect(await codeOf(await owner.fetch(url.pathname.replace(/0$/, '1') + url.search))).toEqual([403, 'request.refused'])
  })
})
