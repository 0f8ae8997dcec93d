import { describe, expect, it } from 'vitest'
import { Forwarder } from '#electron/forward'
import { LastAnswers } from '#electron/last-answers'
import type { ServerCall } from '#electron/server-session'
import { Vault } from '#electron/vault'
import { newKeptFolder, testSeal } from '../fixtures/partition.ts'

const json = { 'content-type': 'application/json' }
const page = (path: string, init: RequestInit = {}): Request => new Request(`http://page${path}`, init)
const call = (path: string, body: unknown): Request => page(path, { method: 'POST', body: JSON.stringify(body), headers: json })

/** A forwarder to a server that answers as it is told, and what it was sent. */
function forwarder(answer: (call: ServerCall) => Response | Promise<Response>, folder = newKeptFolder()) {
  const sent: ServerCall[] = []
  const last = new LastAnswers(new Vault(folder, testSeal, () => {}))
  const fetch = async (given: ServerCall): Promise<Response> => {
    sent.push(given)
    return answer(given)
  }
  return { forward: new Forwarder({ fetch }, last, () => {}), sent, folder }
}

const away = (): never => {
  throw new Error('net::ERR_INTERNET_DISCONNECTED')
}
const tourist = { data: { userid: 'a-guest', username: '游客a' } }

describe('forwarding to the server', () => {
  it('passes on what was asked, and nothing that tells of the page', async () => {
    const { forward, sent } = forwarder(() => Response.json({ data: {} }))
    const headers = {
      ...json,
      origin: 'app://qingtu',
      referer: 'app://qingtu/x',
      cookie: 'a=b',
      'x-xsrf-token': 'page',
      'idempotency-key': 'k',
    }
    await forward.handle(page('/api/order/check?x=1', { method: 'POST', body: '{"a":1}', headers }))
    const [{ headers: told, body, ...rest } = { headers: {}, body: undefined }] = sent
    expect(rest).toMatchObject({ method: 'POST', path: '/api/order/check', search: '?x=1' })
    expect(told).toEqual({ ...json, 'idempotency-key': 'k' })
    expect(new TextDecoder().decode(body)).toBe('{"a":1}')
  })

  it('gives the page no cookie and no policy of the server’s', async () => {
    const headers = { ...json, 'set-cookie': 'sid=secret', 'content-security-policy': 'none', 'retry-after': '7' }
    const { forward } = forwarder(() => new Response('{}', { status: 429, headers }))
    const answer = await forward.handle(page('/api/devices'))
    expect(answer.status).toBe(429)
    expect(Object.fromEntries(answer.headers)).toEqual({ ...json, 'retry-after': '7' })
  })

  it('streams what comes bit by bit', async () => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
    const { forward } = forwarder(() => new Response(readable))
    const answer = await forward.handle(page('/api/anything'))
    const reader = answer.body?.getReader()
    const writer = writable.getWriter()
    void writer.write(new TextEncoder().encode('first'))
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('first')
    await reader?.cancel()
  })

  it('is no answer at all where the server is away, as in a browser', async () => {
    const { forward } = forwarder(away)
    expect((await forward.handle(page('/api/devices'))).type).toBe('error')
  })

  it('refuses a body that is larger than any call', async () => {
    const { forward, sent } = forwarder(() => Response.json({}))
    const answer = await forward.handle(page('/api/invoices', { method: 'POST', body: 'x'.repeat(1024 ** 2 + 1) }))
    expect([answer.status, sent.length]).toEqual([413, 0])
  })
})

describe('without the server', () => {
  it('the page hears what the server said last, also after a restart', async () => {
    let isAway = false
    const { forward, folder } = forwarder(() => (isAway ? away() : Response.json(tourist)))
    await forward.handle(page('/api/user/tourist'))
    isAway = true
    expect(await (await forward.handle(page('/api/user/tourist'))).json()).toEqual(tourist)
    const again = forwarder(away, folder).forward
    expect(await (await again.handle(page('/api/user/tourist'))).json()).toEqual(tourist)
  })

  it('a server whose proxy says that it is away is away', async () => {
    let status = 200
    const { forward } = forwarder(() => Response.json(status === 200 ? tourist : {}, { status }))
    await forward.handle(page('/api/user/tourist'))
    status = 502
    expect((await forward.handle(page('/api/user/tourist'))).status).toBe(200)
    expect((await forward.handle(page('/api/devices'))).status).toBe(502)
  })

  it('whoever signed in since is that person, with nothing left of who was before', async () => {
    let isAway = false
    const { forward } = forwarder(({ path }) => {
      if (isAway) return away()
      if (path === '/api/user/login') return Response.json({ data: { openid: 'a-member', username: '会员', avatar: '' } })
      return Response.json(path === '/api/user/tourist' ? tourist : { data: { cvtnumRelRemain: 1 } })
    })
    await forward.handle(page('/api/user/tourist'))
    await forward.handle(call('/api/user/cvtnum', { openid: 'a-guest' }))
    await forward.handle(call('/api/user/login', { openid: 'a-member' }))
    isAway = true
    const person = await (await forward.handle(page('/api/user/tourist'))).json()
    expect(person).toEqual({ data: { userid: 'a-member', username: '会员' } })
    expect((await forward.handle(call('/api/user/cvtnum', { openid: 'a-member' }))).type).toBe('error')
  })

  it('somebody the server never saw is nobody', async () => {
    const { forward } = forwarder(away)
    expect(await (await forward.handle(page('/api/user/tourist'))).json()).toEqual({ data: { userid: 'offline', username: '游客' } })
  })

  it('what the server refused is not kept', async () => {
    let isAway = false
    const { forward } = forwarder(() => (isAway ? away() : Response.json({ code: 'rate.limited', data: {} }, { status: 429 })))
    await forward.handle(page('/api/tools'))
    isAway = true
    expect((await forward.handle(page('/api/tools'))).type).toBe('error')
  })
})
