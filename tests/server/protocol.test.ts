import { request } from 'node:http'
import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { toSize } from '../fixtures/engine.ts'
import { photo } from '../fixtures/pictures.ts'
import { testServer, Visitor, type TestServer } from '../fixtures/server.ts'
import { sharedServer } from '../fixtures/shared-server.ts'

const shared = sharedServer()

const picture = (): Promise<Buffer> => photo(600, 600).jpeg({ quality: 95 }).toBuffer()
const plenty = [100_000, 60] as const

/** Sends text as it is and reads until the server closes. */
const sendRaw = ({ port }: TestServer, text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, 'localhost')
    let answer = ''
    socket.on('data', (piece) => (answer += String(piece)))
    socket.on('error', reject)
    socket.on('close', () => resolve(answer))
    socket.write(text)
  })

/** A request under another Host header, which fetch would not send. */
const sendAs = (visitor: Visitor, host: string, origin: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { host, origin, cookie, 'x-xsrf-token': visitor.xsrf }
    const sent = request(`${visitor.url}/api/sts`, { method: 'POST', headers }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    sent.on('error', reject).end()
  })

describe('what is hardly HTTP', () => {
  it.each([
    ['headers without end', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
    // Of a message whose end can be told in two ways a proxy before us may tell it in the other: nothing after it is taken for a request.
    [
      'a length and chunks',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\n\r\n',
      400,
    ],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nContent-Length: 30\r\n\r\nGET / HTTP/1.1\r\n\r\n', 400],
    ['a length with a sign', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +5\r\n\r\nhello', 400],
    ['an encoding after the chunks', 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n', 400],
    ['a space before a colon', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length : 5\r\n\r\nhello', 400],
    ['a header that goes on in the next line', 'GET / HTTP/1.1\r\nHost: a\r\nX: a\r\n b\r\n\r\n', 400],
    ['lines that end by a line feed alone', 'POST / HTTP/1.1\nHost: a\nContent-Length: 5\n\nhello', 400],
    ['a made-up method', 'FOO / HTTP/1.1\r\nHost: a\r\n\r\n', 400],
    ['a space in the address', 'GET /api/jobs/a b HTTP/1.1\r\nHost: a\r\n\r\n', 400],
    ['a broken escape', 'GET /api/jobs/%E0%A4%A HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', 400],
  ])('(%s) is refused in the envelope of every failure', async (_title, text, status) => {
    const answer = await sendRaw(shared(), text)
    const [head = '', body = ''] = answer.split('\r\n\r\n')
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(head.toLowerCase()).toContain('x-content-type-options: nosniff')
    expect(JSON.parse(body)).toMatchObject({ code: 'request.invalid', ref: expect.stringMatching(/^\w{8}$/) })
  })

  it.each([
    ['a body', 'POST /api/sts HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{'],
    ['a request line', 'GET /heal'],
    ['nothing', ''],
  ])('(%s that stands still) is closed', async (_title, text) => {
    await using server = await testServer({ stallMs: 100 })
    await sendRaw(server, text)
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
  })
})

describe('a HEAD', () => {
  it('makes no guest, opens no stream and uses no ticket up, and tells of a result', async () => {
    const visitor = await Visitor.enter(shared().url)
    const [id = ''] = await visitor.start([{ name: 'a.jpg', bytes: await picture() }], toSize(20))
    const [output] = (await visitor.ended(id)).outputs
    const { ticket } = await visitor.post<{ ticket: string }>('/api/jobs/zip', { ids: [id] })
    for (const path of ['/api/user/tourist', '/api/jobs/events', `/api/jobs/zip/${ticket}`]) {
      expect((await visitor.fetch(path, { method: 'HEAD' })).status).toBe(404)
    }
    expect((await visitor.download(`/api/jobs/zip/${ticket}`)).length).toBeGreaterThan(output?.bytes ?? 0)
    const head = await visitor.fetch(output?.url ?? '', { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(output?.bytes)])
  })
})

describe('an address of this server', () => {
  it('that a stranger’s name points to is no home for his page', async () => {
    const visitor = await Visitor.enter(shared().url)
    expect(await sendAs(visitor, 'stranger.example', 'http://stranger.example')).toBe(403)
    expect(await sendAs(visitor, `127.0.0.1:${shared().port}`, `http://127.0.0.1:${shared().port}`)).toBe(200)
    const figures = await sendRaw(shared(), 'GET /metrics HTTP/1.1\r\nHost: stranger.example\r\nConnection: close\r\n\r\n')
    expect(figures).toMatch(/^HTTP\/1.1 404 /)
  })

  it('by number uploads to that number, which its page may', async () => {
    const url = `http://127.0.0.1:${shared().port}`
    const visitor = await Visitor.enter(url)
    expect(await visitor.post('/api/sts', {})).toMatchObject({ endpoint: url })
    const [id = ''] = await visitor.start([{ name: 'a.jpg', bytes: await picture() }], toSize(20))
    expect(await visitor.ended(id)).toMatchObject({ state: 'done' })
  })

  it('under a public name issues credentials for that name', async () => {
    await using server = await testServer({}, { PUBLIC_URL: 'http://qingtu.example' })
    const visitor = await Visitor.enter(`http://localhost:${server.port}`)
    expect(await visitor.post('/api/sts', {})).toMatchObject({ endpoint: 'http://qingtu.example' })
  })
})

describe('limits', () => {
  const rates = { tourist: [2, 3600] as const, sts: plenty, createJobs: plenty, read: plenty, change: plenty }
  const enter = (server: TestServer, address: string): Promise<Response> =>
    fetch(`http://localhost:${server.port}/api/user/tourist`, { headers: { 'x-forwarded-for': address } })

  it('behind a proxy count visitors, not the proxy', async () => {
    await using server = await testServer({ rates }, { PUBLIC_URL: 'http://qingtu.example' })
    for (let n = 0; n < 5; n++) expect((await enter(server, `203.0.113.${n}`)).status).toBe(200)
    await enter(server, '203.0.113.9')
    await enter(server, '203.0.113.9')
    expect((await enter(server, '203.0.113.9')).status).toBe(429)
  })

  it('take the addresses of one IPv6 network for one visitor', async () => {
    await using server = await testServer({ rates }, { PUBLIC_URL: 'http://qingtu.example' })
    const statuses = []
    for (const address of ['2001:db8:1:2::1', '2001:db8:1:2:a:b:c:d', '2001:db8:1:2::3', '2001:db8:1:3::1', '::ffff:203.0.113.1']) {
      statuses.push((await enter(server, address)).status)
    }
    expect(statuses).toEqual([200, 200, 429, 200, 200])
  })

  it('behind a proxy that names ports too take the connections of one visitor for one', async () => {
    await using server = await testServer({ rates }, { PUBLIC_URL: 'http://qingtu.example' })
    const statuses = []
    const proxy = '127.0.0.1:5000'
    for (const address of [
      '203.0.113.1:1024',
      `203.0.113.1:1025, ${proxy}`,
      '203.0.113.1',
      '[2001:db8::1]:1',
      '[2001:db8::1]',
      '2001:db8::1',
    ]) {
      statuses.push((await enter(server, address)).status)
    }
    expect(statuses).toEqual([200, 200, 429, 200, 200, 429])
  })

  it('without a proxy believe nobody who says he is another', async () => {
    await using server = await testServer({ rates })
    for (let n = 0; n < 2; n++) await enter(server, `203.0.113.${n}`)
    expect((await enter(server, '203.0.113.7')).status).toBe(429)
  })

  it('of new guests do not hold for those who come back', async () => {
    await using server = await testServer({ rates })
    const visitor = await Visitor.enter(server.url)
    for (let n = 0; n < 5; n++) expect((await visitor.fetch('/api/user/tourist')).status).toBe(200)
  })

  it('of open streams say when to come again', async () => {
    const visitor = await Visitor.enter(shared().url)
    const aborts = new AbortController()
    for (let n = 0; n < 8; n++) await visitor.fetch('/api/jobs/events', { signal: aborts.signal })
    const response = await visitor.fetch('/api/jobs/events')
    aborts.abort()
    expect([response.status, Number(response.headers.get('retry-after'))]).toEqual([429, 15])
  })
})

it('an unknown address is unknown whoever sends there, and the page comes without asking the database', async () => {
  expect((await fetch(`${shared().url}/nothing`, { method: 'POST' })).status).toBe(404)
  const page = await fetch(shared().url, { headers: { cookie: 'sid=unknown' } })
  expect(page.status).toBe(200)
})
