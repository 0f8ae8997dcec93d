import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toSize } from '../fixtures/engine.ts'
import { openInstallation, type Installation } from '../fixtures/installation.ts'
import { listen } from '../fixtures/job-stream.ts'
import { photo } from '../fixtures/pictures.ts'
import { Visitor } from '../fixtures/server.ts'

describe('several processes on PostgreSQL', () => {
  let installation: Installation | undefined
  beforeAll(async () => void (installation = await openInstallation()))
  afterAll(() => installation?.[Symbol.asyncDispose]())

  test('a browser at one API hears of its job that another API accepted and a worker did', async ({ skip }) => {
    if (!installation) return skip()
    const [here, there] = await Promise.all([installation.api(), installation.api(), installation.worker()])
    const visitor = await Visitor.enter(here.url)
    const other = Object.assign(new Visitor(there.url), { cookies: visitor.cookies })
    const heard = listen(visitor, (news) => news.at(-1)?.job.state === 'done')
    const picture = await photo(1500, 1000).jpeg({ quality: 95 }).toBuffer()
    const [id = ''] = await other.start([{ name: 'a.jpg', bytes: picture }], toSize(60))
    const news = await heard
    const states = news.filter(({ job }) => job.id === id).map(({ job }) => job.state)
    expect(new Set(states)).toEqual(new Set(['queued', 'running', 'done']))
    const job = await visitor.job(id)
    expect((await visitor.download(job.outputs[0]?.url ?? '')).length).toBe(job.outputs[0]?.bytes)
  })

  test('a worker and the storage answer how they are, and nothing of the page', async ({ skip }) => {
    if (!installation) return skip()
    const worker = await installation.worker()
    for (const path of ['/healthz', '/readyz', '/metrics']) expect((await fetch(worker.url + path)).status).toBe(200)
    for (const path of ['/', '/api/jobs', '/api/user/tourist']) expect((await fetch(worker.url + path)).status).toBe(404)
  })
})
