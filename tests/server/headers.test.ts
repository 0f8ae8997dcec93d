import { request } from 'node:http'
import { describe, expect, it } from 'vitest'
import { testServer, Visitor } from '../fixtures/server.ts'
import { sharedServer } from '../fixtures/shared-server.ts'
import { securityHeaders } from '#server/headers'

const shared = sharedServer()

const plain = { isHttps: false, storageOrigin: undefined, imageOrigins: [], payFrames: 'none' } as const
const policyOf = (settings: Parameters<typeof securityHeaders>[0]): Map<string, string> =>
  new Map(
    (securityHeaders(settings)['content-security-policy'] ?? '').split('; ').map((directive) => {
      const [name = '', ...values] = directive.split(' ')
      return [name, values.join(' ')]
    }),
  )

describe('every answer', () => {
  it('has the headers that guard it: pages, calls, refusals, what is unknown, what is hardly a request', async () => {
    const { url } = shared()
    const visitor = await Visitor.enter(url)
    const answers = [
      await fetch(`${url}/`),
      await fetch(`${url}/icon.svg`),
      await fetch(`${url}/healthz`),
      await fetch(`${url}/api/site`),
      await fetch(`${url}/api/nothing`),
      await fetch(`${url}/api/devices`),
      await fetch(`${url}/%`),
      await visitor.send('/api/jobs', { tool: 5 }),
      await visitor.send('/api/user/login', {}, { origin: 'https://elsewhere.example' }),
    ]
    const guards = Object.keys(securityHeaders(plain))
    expect(guards).toHaveLength(6)
    for (const { headers, url: address } of answers) {
      expect([address, guards.filter((name) => !headers.has(name))]).toEqual([address, []])
      expect([address, headers.get('strict-transport-security')]).toEqual([address, null])
      expect(headers.get('content-type')).toMatch(/charset=utf-8|^image\/svg\+xml/)
    }
  })

  it('holds browsers to https for a year, only over https', async () => {
    await using server = await testServer({}, { PUBLIC_URL: 'https://qingtu.example' })
    const response = await fetch(`http://localhost:${server.port}/api/site`)
    expect(response.headers.get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains')
    const elsewhere = await fetch(`http://localhost:${server.port}/`)
    expect(elsewhere.headers.get('content-security-policy')).not.toContain('upgrade-insecure-requests')
  })

  it('to TRACE and to what is no method of a route is a refusal', async () => {
    const { url } = shared()
    const traced = await new Promise<number | undefined>((resolve) => {
      request(`${url}/api/user/tourist`, { method: 'TRACE' }, (response) => resolve(response.resume().statusCode)).end()
    })
    expect(traced).toBeGreaterThanOrEqual(400)
    for (const method of ['PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const response = await fetch(`${url}/api/user/tourist`, { method })
      expect([method, response.status]).toEqual([method, 404])
      expect(response.headers.has('access-control-allow-origin')).toBe(false)
    }
  })
})

describe('the content security policy', () => {
  it('lets nothing run, load or be framed that is not the site’s own', () => {
    const policy = policyOf(plain)
    for (const name of ['default-src', 'base-uri', 'frame-ancestors', 'frame-src', 'object-src', 'script-src-attr'])
      expect(policy.get(name)).toBe(`'none'`)
    expect(policy.get('script-src')).toBe(`'self' 'wasm-unsafe-eval'`)
    expect(policy.get('style-src')).toBe(`'self'`)
    expect(policy.get('connect-src')).toBe(`'self'`)
    expect(policy.get('require-trusted-types-for')).toBe(`'script'`)
    for (const values of policy.values()) expect(values).not.toMatch(/'unsafe-eval'|\*|https:(?!\/\/)/)
  })

  it('names the storage, the hosts of pictures and Alipay’s pages where there are such, and nothing else', () => {
    const storageOrigin = 'https://bucket.oss-cn-shanghai.aliyuncs.com'
    const policy = policyOf({ isHttps: true, storageOrigin, imageOrigins: ['https://thirdwx.qlogo.cn', undefined], payFrames: 'alipay' })
    expect(policy.get('connect-src')).toBe(`'self' ${storageOrigin}`)
    expect(policy.get('img-src')).toBe(`'self' data: blob: https://thirdwx.qlogo.cn`)
    expect(policy.get('frame-src')).toBe('https://openapi.alipay.com https://excashier.alipay.com')
    expect(policy.get('form-action')).toBe(`'self' https://openapi.alipay.com`)
    expect(policyOf({ ...plain, payFrames: 'own' }).get('frame-src')).toBe(`'self'`)
  })
})
