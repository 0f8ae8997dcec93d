import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { until } from '../fixtures/payments.ts'
import { codeOf, testServer, Visitor } from '../fixtures/server.ts'
import { sharedServer } from '../fixtures/shared-server.ts'
import * as devices from '#shared/api/devices'
import * as jobs from '#shared/api/jobs'
import * as operators from '#shared/api/operators'
import * as orders from '#shared/api/orders'
import * as site from '#shared/api/site'
import * as tools from '#shared/api/tools'
import * as user from '#shared/api/user'

const shared = sharedServer()

describe('the page', () => {
  it('comes brotli-compressed where the browser takes it, with the headers that guard it', async () => {
    const server = shared()
    const headers = await new Promise<Record<string, unknown>>((resolve) => {
      request(`${server.url}/`, { headers: { 'accept-encoding': 'br' } }, (response) => {
        response.resume()
        resolve(response.headers)
      }).end()
    })
    expect(headers).toMatchObject({
      'content-encoding': 'br',
      'content-type': expect.stringMatching(/^text\/html/),
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'cross-origin-opener-policy': 'same-origin-allow-popups',
      'permissions-policy': expect.stringContaining('camera=()'),
    })
    const policy = String(headers['content-security-policy'])
    for (const part of [
      `default-src 'none'`,
      `script-src 'self' 'wasm-unsafe-eval';`,
      `frame-ancestors 'none'`,
      `require-trusted-types-for 'script'`,
    ]) {
      expect(policy).toContain(part)
    }
    expect(headers).not.toHaveProperty('strict-transport-security')
    expect(headers).not.toHaveProperty('x-powered-by')
  })

  it('answers its own addresses with itself and unknown calls with an error', async () => {
    const server = shared()
    const page = await fetch(`${server.url}/convert/heictojpg`, { headers: { accept: 'text/html' } })
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<!doctype html>')])
    const call = await fetch(`${server.url}/api/nothing`, { headers: { accept: 'text/html' } })
    expect(call.status).toBe(404)
    expect(await call.json()).toMatchObject({ code: 'address.unknown', ref: expect.stringMatching(/^\w{8}$/) })
  })

  it('gives nothing outside its folder', async () => {
    const server = shared()
    for (const path of ['/..%2f..%2fpackage.json', '/%2e%2e/%2e%2e/package.json', '/..\\..\\package.json', '/%00']) {
      const response = await fetch(server.url + path)
      expect(await response.text()).not.toContain('"dependencies"')
      expect(response.status).toBeGreaterThanOrEqual(400)
      expect(response.status).toBeLessThan(500)
    }
  })
})

it('says where it is reached, also when it listens at one address only', async () => {
  await using server = await testServer({}, { HOST: '127.0.0.2' })
  expect(server.url).toBe(`http://127.0.0.2:${server.port}`)
  const visitor = await Visitor.enter(server.url)
  const key = await visitor.upload(Buffer.from('a'))
  expect(key).toMatch(/^u\//)
})

it('closes without patience for a connection that a browser opened ahead of need', async () => {
  await using server = await testServer()
  const ahead = connect(server.port, 'localhost')
  await once(ahead, 'connect')
  await Visitor.enter(server.url)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const ended = once(ahead.resume(), 'close')
  await server.close()
  expect(await ended).toEqual([false])
})

describe('a malformed call', () => {
  it.each([
    ['no JSON', 'a{b', 'application/json', 400, 'request.invalid'],
    ['an empty body', '', 'application/json', 400, 'request.invalid'],
    ['another type', '<a/>', 'text/xml', 400, 'request.invalid'],
    ['missing fields', '{}', 'application/json', 400, 'request.invalid'],
    ['inputs of a wrong shape', '{"tool":"compress-image","options":{},"inputs":[{"key":5}]}', 'application/json', 400, 'request.invalid'],
    ['no inputs', '{"tool":"compress-image","options":{},"inputs":[]}', 'application/json', 400, 'request.invalid'],
    ['an unknown tool', '{"tool":"__proto__","options":{},"inputs":[{"key":"a","name":"b"}]}', 'application/json', 404, 'tool.unavailable'],
    ['a poisoned body', '{"__proto__":{"a":1},"tool":"compress-image"}', 'application/json', 400, 'request.invalid'],
    ['a huge body', `{"tool":"${'x'.repeat(1.2e6)}"}`, 'application/json', 413, 'request.too-large'],
  ])('with %s is refused in words, never with a 500', async (_title, body, type, status, code) => {
    const server = shared()
    const visitor = await Visitor.enter(server.url)
    const response = await visitor.fetch('/api/jobs', { method: 'POST', body, headers: { 'content-type': type } })
    expect(await codeOf(response)).toEqual([status, code])
  })

  it('with options out of range names the field and the range', async () => {
    const server = shared()
    const visitor = await Visitor.enter(server.url)
    const inputs = [{ key: 'u/x/y', name: 'a.jpg' }]
    for (const targetKb of [0, -5, 1e308, Number.NaN, '20']) {
      const response = await visitor.send('/api/jobs', { tool: 'compress-image', options: { goal: { by: 'size', targetKb } }, inputs })
      expect(response.status).toBe(400)
      expect(((await response.json()) as { code: string }).code).toMatch(/^options\./) // every failure's envelope
    }
  })
})

describe('whoever runs the server', () => {
  it('sees that it lives, that it is ready, and its figures; strangers do not see these', async () => {
    await using server = await testServer()
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
    await until(async () => (await fetch(`${server.url}/readyz`)).status === 200)
    const figures = await (await fetch(`${server.url}/metrics`)).text()
    expect(figures).toMatch(/^qingtu_jobs\{class="usual",state="queued"\} 0$/m)
    expect(figures).toMatch(/http_request_duration_seconds_count\{method="GET",route="\/healthz",status="200"\} 1/)
    expect((await fetch(`${server.url}/metrics`, { headers: { 'x-forwarded-for': '203.0.113.5' } })).status).toBe(404)
  })

  it('with a token set reads the figures by it only', async () => {
    await using server = await testServer({}, { METRICS_TOKEN: 'a-token-of-some-length' })
    const read = (token: string): Promise<Response> => fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${token}` } })
    expect((await read('a-token-of-some-lengthX')).status).toBe(404)
    expect((await read('a-token-of-some-length')).status).toBe(200)
  })

  it('finds every call described, from the schemas that check them', async () => {
    const server = shared()
    const docs = (await (await fetch(`${server.url}/api/docs`)).json()) as { paths: Record<string, Record<string, unknown>> } // OpenAPI's own shape
    const called = [devices, jobs, operators, orders, site, tools, user].flatMap((part) =>
      Object.values(part).flatMap((one) => (typeof one === 'object' && 'method' in one ? [one] : [])),
    )
    expect(called.length).toBeGreaterThan(25)
    const described = ({ method, path }: (typeof called)[number]): boolean =>
      docs.paths[`/api${path.replaceAll(/:(\w+)/g, '{$1}')}`]?.[method.toLowerCase()] !== undefined
    expect(called.filter((call) => !described(call)).map(({ path }) => path)).toEqual([])
    expect(JSON.stringify(docs.paths['/api/jobs'])).toContain('"inputs"')
  })
})
