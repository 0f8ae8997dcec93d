import { describe, expect, it } from 'vitest'
import { toSize } from '../fixtures/engine.ts'
import { photo } from '../fixtures/pictures.ts'
import { codeOf, testServer, Visitor, type TestServer } from '../fixtures/server.ts'

const few = { FREE_IMAGES: '2', TRUSTED_PROXIES: '127.0.0.1' }

/** A guest at an address, as the proxy in front says. */
async function guestAt(
  server: TestServer,
  address: string,
  device?: Visitor,
): Promise<{ visitor: Visitor; ask: (count: number, key?: string) => Promise<Response> }> {
  const visitor = new Visitor(server.url)
  const cookie = device?.cookies.get('device')
  if (cookie !== undefined) visitor.cookies.set('device', cookie)
  await visitor.read('/api/user/tourist')
  const key = await visitor.upload(await photo(1000, 800, 3, 1).jpeg({ quality: 95 }).toBuffer())
  const ask = (count: number, request?: string): Promise<Response> =>
    visitor.send(
      '/api/jobs',
      { tool: 'compress-image', options: toSize(20), inputs: Array.from({ length: count }, (_, n) => ({ key, name: `${n}.jpg` })) },
      { 'x-forwarded-for': address, ...(request !== undefined && { 'idempotency-key': request }) },
    )
  return { visitor, ask }
}

const idsOf = async (response: Response): Promise<readonly string[]> => {
  const body = (await response.json()) as { data: { jobs: { id: string }[] } } // what createJobs replies
  return body.data.jobs.map(({ id }) => id)
}

describe('a guest', () => {
  it('may do so many pictures a day, and gets the first ones of a call that asks for more', async () => {
    await using server = await testServer({}, few)
    const { visitor, ask } = await guestAt(server, '203.0.113.1')
    const [first = '', second = '', third = ''] = await idsOf(await ask(3, 'the-same-call'))
    const jobs = [await visitor.ended(first), await visitor.ended(second), await visitor.ended(third)]
    expect(jobs.map(({ state, error }) => error?.code ?? state)).toEqual(['done', 'done', 'quota.used-up'])
    // Repeated, it charges nothing and answers the same.
    expect(await idsOf(await ask(3, 'the-same-call'))).toEqual([first, second, third])
    expect(await codeOf(await ask(1))).toEqual([402, 'quota.used-up'])
    // What is done stays.
    expect((await visitor.download(jobs[0]?.outputs[0]?.url ?? '')).length).toBeGreaterThan(0)
  })

  it('pays nothing for a job that failed, was cancelled or changed nothing', async () => {
    await using server = await testServer({}, few)
    const { visitor } = await guestAt(server, '203.0.113.1')
    const picture = await photo(600, 600, 3, 1).jpeg({ quality: 95 }).toBuffer()
    const cut = picture.subarray(0, picture.length / 2)
    for (let n = 0; n < 4; n++) {
      const [failing = ''] = await visitor.start([{ name: 'cut.jpg', bytes: cut }], toSize(20))
      expect((await visitor.ended(failing)).state).toBe('failed')
      const [unchanged = ''] = await visitor.start([{ name: 'a.jpg', bytes: picture }], toSize(5000))
      expect((await visitor.ended(unchanged)).note).toEqual({ kind: 'unchanged' })
    }
  })

  it('on one computer has no more by another session or address', async () => {
    await using server = await testServer({}, few)
    const { visitor, ask } = await guestAt(server, '203.0.113.1')
    expect(await idsOf(await ask(2))).toHaveLength(2)
    const other = await guestAt(server, '198.51.100.7', visitor)
    expect(await codeOf(await other.ask(1))).toEqual([402, 'quota.used-up'])
  })

  it('gets a new allowance at midnight in Shanghai', async () => {
    // Long ago: uploads are dated by the machine's own clock, and old ones would be refused.
    const clock = { now: Date.parse('2026-03-01T23:59:00+08:00') }
    await using server = await testServer({ now: () => clock.now }, few)
    const { ask } = await guestAt(server, '203.0.113.1')
    expect((await ask(2)).status).toBe(200)
    expect(await codeOf(await ask(1))).toEqual([402, 'quota.used-up'])
    clock.now += 59_000
    expect(await codeOf(await ask(1))).toEqual([402, 'quota.used-up'])
    clock.now += 1_000
    expect((await ask(1)).status).toBe(200)
  })
})

describe('row 36: clearing cookies', () => {
  it('gives no more than five computers at one address have', async () => {
    await using server = await testServer({}, few)
    const statuses = []
    for (let n = 0; n < 6; n++) statuses.push((await (await guestAt(server, '203.0.113.1')).ask(2)).status)
    expect(statuses).toEqual([200, 200, 200, 200, 200, 402])
    expect((await (await guestAt(server, '203.0.113.2')).ask(1)).status).toBe(200)
  })

  it('and changing the address within an IPv6 network neither', async () => {
    await using server = await testServer({}, few)
    const statuses = []
    for (let n = 1; n <= 6; n++) statuses.push((await (await guestAt(server, `2001:db8:1:2::${n}`)).ask(2)).status)
    expect(statuses).toEqual([200, 200, 200, 200, 200, 402])
    expect((await (await guestAt(server, '2001:db8:1:3::1')).ask(1)).status).toBe(200)
  })

  it('nor naming an address oneself', async () => {
    await using server = await testServer({}, { FREE_IMAGES: '2' })
    const statuses = []
    for (let n = 1; n <= 6; n++) statuses.push((await (await guestAt(server, `203.0.113.${n}`)).ask(2)).status)
    expect(statuses.at(-1)).toBe(402)
  })
})
