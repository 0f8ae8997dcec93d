import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { codeAt, Desk, newOperator } from '../fixtures/operators.ts'
import { codeOf, testServer, Visitor } from '../fixtures/server.ts'
import { auditLog, operators } from '#server/database/schema-operators'
import { recognise } from '#server/operators/operators'
import { openSecrets } from '#server/secrets'

const MINUTE_MS = 60_000

describe('an operator', () => {
  it('signs in by password and one-time password, into a session of its own', async () => {
    await using server = await testServer()
    const issued = await newOperator(server)
    expect(issued.uri).toContain(`secret=${issued.secret}`)
    const visitor = await Visitor.enter(server.url)
    const response = await visitor.send('/api/operator/login', {
      name: 'op',
      password: issued.password,
      code: codeAt(issued.secret, Date.now()),
    })
    const { data } = (await response.json()) as { data: { name: string; xsrf: string } } // what operatorLogin replies
    expect(data.name).toBe('op')
    const cookie = response.headers.getSetCookie().find((line) => line.startsWith('operator='))
    for (const part of ['HttpOnly', 'SameSite=Strict', 'Path=/api']) expect(cookie).toContain(part)
    expect(cookie).not.toContain('Max-Age')
    expect(await visitor.read('/api/operator/self')).toEqual(data)
    // The customer's session in the same browser is another thing, and so is its token.
    expect(await codeOf(await visitor.send('/api/operator/logout', {}))).toEqual([403, 'request.refused'])
    await visitor.post('/api/operator/logout', {}, { 'x-xsrf-token': data.xsrf })
    expect(await codeOf(await visitor.fetch('/api/operator/self'))).toEqual([401, 'operator.required'])
  })

  it('over https has a cookie that only https sends', async () => {
    await using server = await testServer({}, { PUBLIC_URL: 'https://qingtu.example' })
    const { password, secret } = await newOperator(server)
    const visitor = new Visitor(`http://localhost:${server.port}`)
    const response = await visitor.send('/api/operator/login', { name: 'op', password, code: codeAt(secret, Date.now()) })
    expect(response.headers.getSetCookie()[0]).toMatch(/^__Secure-operator=.*Secure/)
  })

  it('uses each one-time password once, whichever it is', async () => {
    const clock = { now: Date.parse('2026-07-29T08:00:10Z') }
    await using server = await testServer({ now: () => clock.now })
    const { password, secret } = await newOperator(server)
    const visitor = new Visitor(server.url)
    const logIn = (ms: number): Promise<Response> => visitor.send('/api/operator/login', { name: 'op', password, code: codeAt(secret, ms) })
    expect((await logIn(clock.now)).status).toBe(200)
    expect(await codeOf(await logIn(clock.now))).toEqual([401, 'operator.refused'])
    // An older one that was not used is none any more.
    expect(await codeOf(await logIn(clock.now - 30_000))).toEqual([401, 'operator.refused'])
    expect(await codeOf(await logIn(clock.now - 90_000))).toEqual([401, 'operator.refused'])
    expect((await logIn(clock.now + 30_000)).status).toBe(200)
  })

  it('whose code comes in many times at once gets in once', async () => {
    await using server = await testServer()
    const { password, secret } = await newOperator(server)
    const code = codeAt(secret, Date.now())
    const secrets = openSecrets(undefined, server.folder)
    const all = await Promise.all(
      Array.from({ length: 4 }, () => recognise(server.connection.db, secrets, { name: 'op', password, code }, Date.now())),
    )
    expect(all.filter((id) => id !== undefined)).toHaveLength(1)
  })

  it.each([
    ['another password', { password: 'x' }],
    ['no password', { password: '' }],
    ['another code', { code: '000000' }],
    ['no code', { code: '' }],
    ['a code that is none', { code: '1e5' }],
    ['another name', { name: 'nobody' }],
  ])('is refused in the same words with %s', async (_what, wrong) => {
    await using server = await testServer()
    const { password, secret } = await newOperator(server)
    const given = { name: 'op', password, code: codeAt(secret, Date.now()), ...wrong }
    expect(await codeOf(await new Visitor(server.url).send('/api/operator/login', given))).toEqual([401, 'operator.refused'])
  })

  it('is locked out for a quarter of an hour after five wrong tries, however many came at once', async () => {
    const clock = { now: Date.parse('2026-07-29T08:00:10Z') }
    await using server = await testServer({ now: () => clock.now })
    const { password, secret } = await newOperator(server)
    const visitor = new Visitor(server.url)
    const logIn = (given: string): Promise<Response> =>
      visitor.send('/api/operator/login', { name: 'op', password: given, code: codeAt(secret, clock.now) })
    const wrong = await Promise.all(Array.from({ length: 8 }, () => logIn('wrong')))
    expect(wrong.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 401))
    expect(await codeOf(await logIn(password))).toEqual([401, 'operator.refused'])
    clock.now += 14 * MINUTE_MS
    expect((await logIn(password)).status).toBe(401)
    clock.now += 2 * MINUTE_MS
    expect((await logIn(password)).status).toBe(200)
  })

  it('has ten tries in a quarter of an hour at an address, whatever the session', async () => {
    await using server = await testServer({ rates: { operatorLogin: [10, 900] } })
    const statuses = []
    for (let n = 0; n < 11; n++) {
      const visitor = await Visitor.enter(server.url)
      statuses.push((await visitor.send('/api/operator/login', { name: `name-${n}`, password: 'x', code: '1' })).status)
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429])
  })

  it('is signed out after twelve hours, however much it has worked', async () => {
    const clock = { now: Date.parse('2026-07-29T08:00:10Z') }
    await using server = await testServer({ now: () => clock.now })
    const desk = await Desk.open(server, await newOperator(server), 'op', clock.now)
    const statuses = []
    for (let minutes = 10; minutes <= 720; minutes += 10) {
      clock.now += 10 * MINUTE_MS
      statuses.push((await desk.visitor.fetch('/api/operator/self')).status)
    }
    expect(statuses.slice(0, -1).every((status) => status === 200)).toBe(true)
    expect(statuses.at(-1)).toBe(401)
  })

  it('is signed out after a quarter of an hour without a call', async () => {
    const clock = { now: Date.parse('2026-07-29T08:00:10Z') }
    await using server = await testServer({ now: () => clock.now })
    const desk = await Desk.open(server, await newOperator(server), 'op', clock.now)
    for (let n = 0; n < 3; n++) {
      clock.now += 14 * MINUTE_MS
      expect((await desk.visitor.fetch('/api/operator/self')).status).toBe(200)
    }
    clock.now += 15 * MINUTE_MS
    expect(await codeOf(await desk.visitor.fetch('/api/operator/self'))).toEqual([401, 'operator.required'])
  })

  it('comes from the addresses listed, and from anywhere else finds nothing', async () => {
    const environment = { TRUSTED_PROXIES: '127.0.0.1', OPERATOR_ADDRESSES: '10.1.0.0/16, 2001:db8::/32,192.0.2.7' }
    await using server = await testServer({}, environment)
    const from = (address: string, path = '/api/operator/self') =>
      new Visitor(server.url).fetch(path, { headers: { 'x-forwarded-for': address } })
    for (const inside of ['10.1.2.3', '::ffff:10.1.2.3', '2001:db8::5', '192.0.2.7']) expect((await from(inside)).status).toBe(401)
    for (const outside of ['10.2.0.1', '2001:db9::1', '192.0.2.8']) expect((await from(outside)).status).toBe(404)
    const { password, secret } = await newOperator(server)
    const given = { name: 'op', password, code: codeAt(secret, Date.now()) }
    expect(await codeOf(await new Visitor(server.url).send('/api/operator/login', given))).toEqual([404, 'address.unknown'])
  })

  it('leaves notes of what was done, from where, and of who was refused', async () => {
    await using server = await testServer()
    const issued = await newOperator(server)
    await new Visitor(server.url).send('/api/operator/login', { name: 'op', password: 'wrong', code: '123456' })
    const desk = await Desk.open(server, issued)
    await desk.post('/api/order/paidquery', { dateNyr: new Date().toLocaleDateString('en-US', { timeZone: 'Asia/Shanghai' }) })
    await desk.send('/api/operator/reveal', { dateNyr: '1/1/2020', at: 0 })
    await desk.send('/api/operator/refund', { orderId: 'x', reason: '客户要求' })
    await desk.post('/api/operator/logout')
    const rows = await server.connection.db.select().from(auditLog).orderBy(auditLog.id)
    expect(rows.map(({ operator, action }) => `${operator} ${action}`)).toEqual([
      'op login-refused',
      'op login',
      'op report',
      'op reveal',
      'op refund',
      'op logout',
    ])
    expect(rows[3]).toMatchObject({ detail: { dateNyr: '1/1/2020', at: 0 }, address: '127.0.0.1' })
    expect(rows[4]).toMatchObject({ detail: { orderId: 'x', reason: '客户要求' } })
  })

  it('changes its password by the present one and a fresh code; other sessions end, and only the new one signs in', async () => {
    const clock = { now: Date.parse('2026-07-29T08:00:10Z') }
    await using server = await testServer({ now: () => clock.now })
    const issued = await newOperator(server)
    await newOperator(server, 'another')
    const [elsewhere, here] = [
      await Desk.open(server, issued, 'op', clock.now),
      await Desk.open(server, issued, 'op', (clock.now += 30_000)),
    ]
    const next = 'correct horse 电池 staple'
    const change = (more: object = {}): Promise<Response> => {
      clock.now += 30_000
      const code = codeAt(issued.secret, clock.now)
      return here.send('/api/operator/password', { password: issued.password, next, code, ...more })
    }
    expect(await codeOf(await change({ password: 'another' }))).toEqual([401, 'operator.refused'])
    expect(await codeOf(await change({ code: '000000' }))).toEqual([401, 'operator.refused'])
    const leaked = ['1qaz2wsx3edc4rfv', 'polniypizdec0211', 'Qwerty123456789!', 'password1234567890', 'iloveyou20260101!']
    for (const weak of ['fourteen chars', 'aaaabbbbccccdddd', `Operator-op-2026`, 'my Qingtu password', issued.password, ...leaked])
      expect(await codeOf(await change({ next: weak }))).toEqual([400, 'operator.weak-password'])
    expect((await elsewhere.visitor.fetch('/api/operator/self')).status).toBe(200)
    expect((await change()).status).toBe(200)
    expect((await here.visitor.fetch('/api/operator/self')).status).toBe(200)
    expect(await codeOf(await elsewhere.visitor.fetch('/api/operator/self'))).toEqual([401, 'operator.required'])
    const logIn = (password: string): Promise<Response> => {
      clock.now += 30_000
      return new Visitor(server.url).send('/api/operator/login', { name: 'op', password, code: codeAt(issued.secret, clock.now) })
    }
    expect(await codeOf(await logIn(issued.password))).toEqual([401, 'operator.refused'])
    expect((await logIn(next)).status).toBe(200)
    const rows = await server.connection.db.select().from(auditLog).orderBy(auditLog.id)
    expect(rows.slice(2, 6).map(({ action }) => action)).toEqual(['password', 'password-refused', 'password', 'password-refused'])
    expect(JSON.stringify(rows)).not.toContain(next)
  })

  it('who finds a desk open is locked out of changing the password after five tries, and the operator with him', async () => {
    await using server = await testServer()
    const issued = await newOperator(server)
    const desk = await Desk.open(server, issued)
    for (let n = 0; n < 5; n++) {
      const wrong = { password: `guess ${n}`, next: 'correct horse 电池 staple', code: '000000' }
      expect(await codeOf(await desk.send('/api/operator/password', wrong))).toEqual([401, 'operator.refused'])
    }
    const right = { password: issued.password, next: 'correct horse 电池 staple', code: codeAt(issued.secret, Date.now() + 30_000) }
    expect(await codeOf(await desk.send('/api/operator/password', right))).toEqual([401, 'operator.refused'])
    expect(await codeOf(await desk.visitor.send('/api/operator/password', right))).toEqual([403, 'request.refused'])
    expect(await codeOf(await new Visitor(server.url).send('/api/operator/password', right))).toEqual([401, 'operator.required'])
  })

  it('changes and removes no note, whatever it says to the database', async () => {
    await using server = await testServer()
    const { db } = server.connection
    await new Visitor(server.url).send('/api/operator/login', { name: 'op', password: 'wrong', code: '123456' })
    const before = await db.select().from(auditLog)
    expect(before).toHaveLength(1)
    const attacks = [db.update(auditLog).set({ operator: 'another' }), db.delete(auditLog), db.execute(sql`truncate audit_log`)]
    for (const attack of attacks) await expect(Promise.resolve(attack)).rejects.toThrow(/audit_log/)
    expect(await db.select().from(auditLog)).toEqual(before)
  })

  it('is kept as a scrypt hash and a ciphertext', async () => {
    await using server = await testServer()
    const issued = await newOperator(server)
    const [row] = await server.connection.db.select().from(operators)
    expect(row?.passwordHash).toMatch(/^scrypt\$32768\$8\$3\$/)
    expect(JSON.stringify(row)).not.toContain(issued.secret)
    expect(JSON.stringify(row)).not.toContain(issued.password)
  })
})
