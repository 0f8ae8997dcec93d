import { expect, it } from 'vitest'
import { startPostgres } from './database/postgres-server.ts'
import { testServer, Visitor } from '../fixtures/server.ts'

it('without its database the server says that it is away, to everyone, and still gives the page', async ({ skip }) => {
  const postgres = await startPostgres()
  if (!postgres) return skip()
  await using server = await testServer({}, { DATABASE_URL: await postgres.database() })
  const visitor = await Visitor.enter(server.url)
  const aborts = new AbortController()
  await visitor.fetch('/api/jobs/events', { signal: aborts.signal })
  await postgres.stop()
  for (const path of ['/api/jobs', '/api/user/tourist', '/api/jobs/none', '/f/none/0?e=1&s=x', '/readyz']) {
    const response = await visitor.fetch(path)
    expect([path, response.status, response.headers.get('retry-after')]).toEqual([path, 503, '5'])
    expect(await response.json()).toMatchObject({ code: 'service.unavailable' })
  }
  const response = await visitor.send('/api/jobs', { tool: 'compress-image', options: {}, inputs: [{ key: 'u/a/b', name: 'a.jpg' }] })
  expect(response.status).toBe(503)
  expect((await visitor.fetch('/')).status).toBe(200)
  expect((await visitor.fetch('/healthz')).status).toBe(200)
  const figures = await visitor.fetch('/metrics')
  expect([figures.status, await figures.text()]).toEqual([200, expect.stringContaining('status="503"')])
  aborts.abort()
})
