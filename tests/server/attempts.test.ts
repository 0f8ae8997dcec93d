import { describe, expect, it } from 'vitest'
import { emptyPostgres, isOnPostgres } from '../fixtures/database.ts'
import { codeOf, testServer, Visitor, type TestServer } from '../fixtures/server.ts'
import { attempts } from '#server/database/schema'
import type { RateLimits } from '#server/services'

const MINUTE_MS = 60_000

/** Three tries at what each call asks for. */
const tries: Partial<RateLimits> = { login: [3, 900], orderLookup: [3, 60], operatorLogin: [3, 900] }
const guarded: readonly (readonly [path: string, body: object, refusal: [number, string]])[] = [
  ['/api/user/login', { openid: '0'.repeat(26) }, [404, 'account.unknown']],
  ['/api/user/openid', { orderid: 'nobody’s' }, [404, 'order.not-found']],
  ['/api/operator/login', { name: 'op', password: 'x', code: '123456' }, [401, 'operator.refused']],
]

const attempt = async (server: TestServer, path: string, body: object): Promise<Response> =>
  (await Visitor.enter(server.url)).send(path, body)

describe('tries at what guards an account', () => {
  it.runIf(isOnPostgres())('are counted by all servers together', async () => {
    await using database = await emptyPostgres()
    const DATABASE_URL = database.url
    const SECRET_KEY = 'the same for all servers of an installation'
    await using one = await testServer({ rates: tries }, { DATABASE_URL, SECRET_KEY })
    await using other = await testServer({ rates: tries }, { DATABASE_URL, SECRET_KEY })
    for (const [path, body, refusal] of guarded) {
      for (const server of [one, other, one]) expect(await codeOf(await attempt(server, path, body))).toEqual(refusal)
      for (const server of [other, one]) {
        const response = await attempt(server, path, body)
        expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
        expect(await codeOf(response)).toEqual([429, 'rate.limited'])
      }
    }
  })

  it('at the same time are no more than one after the other', async () => {
    await using server = await testServer({ rates: tries })
    const visitor = await Visitor.enter(server.url)
    const all = await Promise.all(Array.from({ length: 12 }, () => visitor.send('/api/user/login', { openid: '0'.repeat(26) })))
    expect(all.filter(({ status }) => status === 404)).toHaveLength(3)
    expect(all.filter(({ status }) => status === 429)).toHaveLength(9)
  })

  it('count anew when their time is over, and are forgotten then; no address is kept', async () => {
    const clock = { aheadMs: 0 }
    await using server = await testServer({ rates: tries, now: () => Date.now() + clock.aheadMs })
    const logIn = async (): Promise<number> => (await attempt(server, '/api/user/login', { openid: '0'.repeat(26) })).status
    for (const status of [404, 404, 404, 429]) expect(await logIn()).toBe(status)
    expect(JSON.stringify(await server.connection.db.select().from(attempts))).not.toContain('127.0.0.1')
    clock.aheadMs = 14 * MINUTE_MS
    expect(await logIn()).toBe(429)
    clock.aheadMs = 16 * MINUTE_MS
    expect(await logIn()).toBe(404)
    clock.aheadMs = 48 * 60 * MINUTE_MS
    await server.sweep()
    expect(await server.connection.db.select().from(attempts)).toEqual([])
  })
})
