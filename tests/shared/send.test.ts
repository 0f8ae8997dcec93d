import { describe, expect, it } from 'vitest'
import { createJobs, listJobs, readJob } from '#shared/api/jobs'
import { DEFAULT_DEADLINE_MS, send, type Transport, type WireRequest } from '#shared/api/send'
import { tourist } from '#shared/api/user'

/** Answers with one status and body, and remembers what was asked. */
function answering(status: number, body: unknown): { transport: Transport; asked: WireRequest[] } {
  const asked: WireRequest[] = []
  return { asked, transport: (request) => (asked.push(request), Promise.resolve({ status, body })) }
}

describe('a call', () => {
  it('goes to its path with its body, and gives the data alone', async () => {
    const { asked, transport } = answering(200, { data: { jobs: [{ id: 'a', name: 'b' }] } })
    const body = { tool: 't', options: {}, inputs: [{ key: 'k', name: 'n' }] }
    expect(await send(transport, createJobs, body, { headers: { 'Idempotency-Key': 'x' } })).toEqual({ jobs: [{ id: 'a', name: 'b' }] })
    expect(asked).toEqual([
      {
        method: 'POST',
        path: '/api/jobs',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json', 'Idempotency-Key': 'x' },
        deadlineMs: DEFAULT_DEADLINE_MS,
      },
    ])
  })

  it('escapes what it puts into a path', async () => {
    const { asked, transport } = answering(404, { code: 'job.not-found', data: {} })
    await expect(send(transport, readJob, undefined, { params: { id: '../x?y' } })).rejects.toMatchObject({ code: 'job.not-found' })
    expect(asked[0]?.path).toBe('/api/jobs/..%2Fx%3Fy')
  })

  it('asks what it is to ask after the path', async () => {
    const { asked, transport } = answering(200, { data: [] })
    await send(transport, listJobs, undefined, { query: { after: '5', name: 'a&b' } })
    expect(asked[0]?.path).toBe('/api/jobs?after=5&name=a%26b')
  })

  it.each([
    [429, { code: 'rate.limited', data: { seconds: 5 } }, 'rate.limited'],
    [502, '<html>bad gateway</html>', 'service.unavailable'],
    [500, { code: '__proto__' }, 'service.unavailable'],
    [200, { data: { userid: 5 } }, 'internal'],
    [200, undefined, 'internal'],
  ])('answered with %i %j fails as %s', async (status, body, code) => {
    await expect(send(answering(status, body).transport, tourist, undefined)).rejects.toMatchObject({ code })
  })

  it('without an answer says that the network is away', async () => {
    await expect(send(() => Promise.reject(new TypeError('failed to fetch')), tourist, undefined)).rejects.toMatchObject({
      code: 'network.offline',
    })
  })
})
