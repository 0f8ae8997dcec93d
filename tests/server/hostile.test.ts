import { describe, expect, it } from 'vitest'
import { toSize } from '../fixtures/engine.ts'
import { photo } from '../fixtures/pictures.ts'
import { codeOf, testServer, Visitor } from '../fixtures/server.ts'
import { sharedServer } from '../fixtures/shared-server.ts'

const shared = sharedServer()

const HOUR_MS = 3_600_000
const picture = (seed = 1): Promise<Buffer> => photo(600, 600, 3, seed).jpeg({ quality: 95 }).toBuffer()

const jobOf = (...inputs: readonly { key: string; name: string; path?: string }[]) => ({
  tool: 'compress-image',
  options: toSize(20),
  inputs,
})

describe('a key that can be no upload’s', () => {
  it.each(['ä', '../other/x', '\u0000', 'a//b', '', 'a?uploads', '\ud800', '%2e%2e'])(
    '%j under the own folder is no upload',
    async (rest) => {
      const visitor = await Visitor.enter(shared().url)
      const { prefix } = await visitor.storage()
      const response = await visitor.send('/api/jobs', jobOf({ key: prefix + rest, name: 'a.jpg' }))
      expect(await codeOf(response)).toEqual([404, 'upload.missing'])
    },
  )

  it('fails alone in a batch, and is swept with it', async () => {
    const clock = { aheadMs: 0 }
    await using server = await testServer({ now: () => Date.now() + clock.aheadMs })
    const visitor = await Visitor.enter(server.url)
    const key = await visitor.upload(await picture())
    const { prefix } = await visitor.storage()
    const odd = ['\u0000', 'ä', '../x'].map((rest) => ({ key: prefix + rest, name: '\ud800a\u0000.jpg', path: '\udfff/b' }))
    const { jobs } = await visitor.post<{ jobs: { id: string }[] }>('/api/jobs', jobOf({ key, name: 'a.jpg' }, ...odd))
    expect(jobs).toHaveLength(4)
    for (const { id } of jobs) await visitor.ended(id)
    clock.aheadMs = 3 * HOUR_MS
    await server.sweep()
    clock.aheadMs = 30 * HOUR_MS
    await server.sweep()
    expect(await visitor.read('/api/jobs')).toEqual([])
  })
})

describe('another’s files', () => {
  it('stay when a job that only named them is removed', async () => {
    const owner = await Visitor.enter(shared().url)
    const other = await Visitor.enter(shared().url)
    const unused = await owner.upload(await picture())
    const [id = ''] = await owner.start([{ name: 'a.jpg', bytes: await picture(2) }], toSize(20))
    const [output] = (await owner.ended(id)).outputs
    const result = `r/${unused.split('/')[1]}/${id}/0`
    const key = await other.upload(await picture(3))
    const named = [unused, result].map((name) => ({ key: name, name: 'b.jpg' }))
    const { jobs } = await other.post<{ jobs: { id: string }[] }>('/api/jobs', jobOf({ key, name: 'a.jpg' }, ...named))
    for (const job of jobs) await other.ended(job.id)
    for (const job of jobs) expect((await other.fetch(`/api/jobs/${job.id}`, { method: 'DELETE' })).status).toBe(200)

    expect((await owner.fetch(output?.url ?? '')).status).toBe(200)
    expect((await owner.send('/api/jobs', jobOf({ key: unused, name: 'a.jpg' }))).status).toBe(200)
  })
})

describe('text no database holds', () => {
  it.each([
    ['GET', '/api/jobs/%00', undefined],
    ['POST', '/api/jobs/%00/cancel', {}],
    ['DELETE', '/api/jobs/%00', undefined],
    ['GET', '/f/%00/0?e=1&s=x', undefined],
    ['GET', '/api/jobs/zip/%00', undefined],
    ['POST', '/api/jobs/zip', { ids: ['\u0000'] }],
    ['POST', '/api/jobs/zip', { ids: ['\ud800'] }],
  ])('in %s %s is refused, never a 500', async (method, path, body) => {
    const visitor = await Visitor.enter(shared().url)
    const response = body ? await visitor.send(path, body) : await visitor.fetch(path, { method })
    expect(response.status).toBeGreaterThanOrEqual(400)
    expect(response.status).toBeLessThan(500)
  })
})

describe('a key for a call', () => {
  it('answers the same call again and refuses another one, also when both come at a time', async () => {
    const visitor = await Visitor.enter(shared().url)
    const [one, other] = [await visitor.upload(await picture()), await visitor.upload(await picture(2))]
    const send = (...keys: string[]): Promise<Response> =>
      visitor.send('/api/jobs', jobOf(...keys.map((key) => ({ key, name: 'a.jpg' }))), { 'idempotency-key': 'the-same-key' })
    const answers = await Promise.all([send(one), send(one, other)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400])
    const first = answers[0]?.status === 200 ? [one] : [one, other]
    expect((await send(...first)).status).toBe(200)
    expect(await codeOf(await send(other))).toEqual([400, 'request.invalid'])
    expect(await visitor.read('/api/jobs')).toHaveLength(first.length)
  })
})
