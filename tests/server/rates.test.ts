import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { RateLimitOptions } from '@fastify/rate-limit'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { describe, expect, it } from 'vitest'
import { testServer, Visitor } from '../fixtures/server.ts'
import { usualRates } from '#server/services'

/** What costs next to nothing, and what whoever runs the server asks for; the page's files are static. */
const UNLIMITED = ['GET /api/docs', 'GET /healthz', 'GET /metrics', 'GET /readyz', 'HEAD,GET /*']

const limitOf = ({ config }: RouteOptions): RateLimitOptions | false => config?.rateLimit ?? false

/** Every route of a server, as it is set up. */
async function routesOfServer(): Promise<readonly RouteOptions[]> {
  const routes: RouteOptions[] = []
  const hear = (message: unknown): void => {
    const { fastify } = message as { fastify: FastifyInstance } // what Fastify publishes here
    fastify.addHook('onRoute', (route) => void routes.push(route))
  }
  subscribe('fastify.initialization', hear)
  await using server = await testServer()
  unsubscribe('fastify.initialization', hear)
  return server.port > 0 ? routes : []
}

const routes = await routesOfServer()

describe('how often something may be asked', () => {
  it('is limited for every route but a few', () => {
    const asked = routes.filter(({ method }) => method !== 'HEAD')
    expect(asked.length).toBeGreaterThan(35)
    const unlimited = asked.filter((route) => limitOf(route) === false).map(({ method, url }) => `${String(method)} ${url}`)
    expect(unlimited.toSorted()).toEqual(UNLIMITED)
  })

  it('is, for what guards an account, counted for the address too', () => {
    const guarded = routes.filter(({ preHandler }) => Array.isArray(preHandler) && preHandler.length > 1).map(({ url }) => url)
    expect(guarded.toSorted()).toEqual(['/api/operator/login', '/api/operator/password', '/api/user/login', '/api/user/openid'])
  })

  it('is what was decided', () => {
    expect(usualRates).toEqual({
      login: [10, 900],
      loginDay: [50, 86_400],
      orderLookup: [5, 60],
      orderLookupDay: [20, 86_400],
      operatorLogin: [10, 900],
      createOrder: [20, 3600],
      checkOrder: [12, 60],
      tourist: [20, 3600],
      sts: [10, 60],
      createJobs: [120, 60],
      read: [120, 60],
      change: [600, 60],
      notice: [3000, 60],
    })
  })

  it('exceeded, is told with the seconds to wait, for each person apart', async () => {
    await using server = await testServer({ rates: { sts: [2, 60], read: [3, 60] } })
    const [one, other] = [await Visitor.enter(server.url), await Visitor.enter(server.url)]
    for (let n = 0; n < 2; n++) expect((await one.send('/api/sts', {})).status).toBe(200)
    const refused = await one.send('/api/sts', {})
    expect([refused.status, await refused.json()]).toMatchObject([429, { code: 'rate.limited', data: { seconds: expect.any(Number) } }])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await other.send('/api/sts', {})).status).toBe(200)
    for (let n = 0; n < 3; n++) expect((await one.fetch('/api/devices')).status).toBe(200)
    expect((await one.fetch('/api/devices')).status).toBe(429)
  })
})
