import { describe, expect, it } from 'vitest'
import { member, refusalOf, signInOn } from '../fixtures/accounts.ts'
import { codeOf, testServer, Visitor } from '../fixtures/server.ts'
import { sharedServer } from '../fixtures/shared-server.ts'

const shared = sharedServer()

/** Goes where a redirect points, on this site only. */
async function follow(visitor: Visitor, path: string): Promise<string> {
  const response = await visitor.fetch(path, { redirect: 'manual' })
  expect(response.status).toBe(302)
  return response.headers.get('location') ?? ''
}

/** Begins at the sandbox and presses its button; where the browser is sent back to. */
async function agreed(visitor: Visitor, name?: string): Promise<string> {
  const page = await (await visitor.fetch(await follow(visitor, '/api/user/wxlogin/start'))).text()
  const field = (key: string): string => new RegExp(`name="${key}" value="([^"]*)"`).exec(page)?.[1] ?? ''
  expect(page).toContain('确认登录')
  return follow(visitor, `/api/user/wxlogin/sandbox/agree?${new URLSearchParams({ name: name ?? field('name'), state: field('state') })}`)
}

/** What the page's own address says when the browser is back. */
const parametersOf = (address: string): URLSearchParams => {
  expect(address).toMatch(/^\/callback\/wxlogin\?/)
  return new URLSearchParams(address.split('?')[1])
}

async function ticketOf(visitor: Visitor, name?: string): Promise<string> {
  return parametersOf(await follow(visitor, await agreed(visitor, name))).get('ticket') ?? ''
}

const confirm = (visitor: Visitor, ticket: string, more: object = {}): Promise<Response> =>
  visitor.send('/api/user/wxlogin/confirm', { ticket, ...more })

const guestOf = (visitor: Visitor) => visitor.read<{ userid: string; username: string }>('/api/user/tourist')

describe('signing in by WeChat', () => {
  it('makes the browser’s guest the person’s, and finds it again on another computer', async () => {
    const visitor = await Visitor.enter(shared().url)
    const { userid } = await guestOf(visitor)
    const before = new Map(visitor.cookies)
    const parameters = parametersOf(await follow(visitor, await agreed(visitor, '张三的微信号')))
    expect([...parameters.keys()]).toEqual(['openid', 'nickname', 'headimgurl', 'ticket'])
    expect(parameters.get('openid')).not.toBe(userid)
    const response = await confirm(visitor, parameters.get('ticket') ?? '')
    expect(await response.json()).toEqual({ data: { openid: userid, nickname: '微信用户张三的微', headimgurl: '' } })
    for (const name of ['sid', 'XSRF-TOKEN']) expect(visitor.cookies.get(name)).not.toBe(before.get(name))
    const other = await Visitor.enter(shared().url)
    await confirm(other, await ticketOf(other, '张三的微信号'))
    expect(await guestOf(other)).toEqual({ userid, username: '微信用户张三的微' })
    const third = await Visitor.enter(shared().url)
    await confirm(third, await ticketOf(third))
    expect((await guestOf(third)).userid).not.toBe(userid)
  })

  it('takes one of the two places, and lets the third choose without going to WeChat again', async () => {
    const clock = { now: Date.now() }
    await using server = await testServer({ now: () => clock.now })
    const visitors = []
    for (let computers = 0; computers < 2; computers += 1) {
      const visitor = await Visitor.enter(server.url)
      expect((await confirm(visitor, await ticketOf(visitor, 'same'))).status).toBe(200)
      visitors.push(visitor)
    }
    const third = await Visitor.enter(server.url)
    const ticket = await ticketOf(third, 'same')
    const { code, data } = await refusalOf(await confirm(third, ticket))
    expect(code).toBe('device.limit')
    clock.now += 4 * 60_000
    const release = data.devices?.at(-1)?.deviceId
    expect((await confirm(third, ticket, { release, deviceName: 'C' })).status).toBe(200)
    expect(await codeOf(await confirm(third, ticket, { release }))).toEqual([400, 'wxlogin.failed'])
    const states = await Promise.all(visitors.map(async (visitor) => (await visitor.fetch('/api/devices')).status))
    expect(states.toSorted((left, right) => left - right)).toEqual([200, 401])
  })

  it('never becomes a member’s by itself: another may sit at the member’s computer', async () => {
    const { visitor: paid, openid } = await member(shared())
    await confirm(paid, await ticketOf(paid))
    expect((await guestOf(paid)).userid).not.toBe(openid)
    const { visitor } = await signInOn(shared(), openid)
    await confirm(visitor, await ticketOf(visitor))
    expect((await guestOf(visitor)).userid).not.toBe(openid)
  })

  it('makes one identity of a person who signs in on two computers at once', async () => {
    const visitors = [await Visitor.enter(shared().url), await Visitor.enter(shared().url)]
    const tickets = await Promise.all(visitors.map((visitor) => ticketOf(visitor, 'at once')))
    await Promise.all(visitors.map((visitor, n) => confirm(visitor, tickets[n] ?? '')))
    const ids = await Promise.all(visitors.map(async (visitor) => (await guestOf(visitor)).userid))
    expect(new Set(ids).size).toBe(1)
  })

  it('begins only with a session, and is not there where nobody can sign in by it', async () => {
    expect(await codeOf(await fetch(`${shared().url}/api/user/wxlogin/start`))).toEqual([401, 'session.expired'])
    await using off = await testServer({}, { PAYMENTS: 'off' })
    expect(await codeOf(await (await Visitor.enter(off.url)).fetch('/api/user/wxlogin/start'))).toEqual([404, 'address.unknown'])
  })

  it('goes to WeChat’s own page where its keys are set, which has no stand-in then', async () => {
    await using server = await testServer(
      {},
      { WECHAT_LOGIN_APP_ID: 'wx1', WECHAT_LOGIN_SECRET: 's', PUBLIC_URL: 'https://qingtu.example' },
    )
    const visitor = new Visitor(`http://localhost:${server.port}`)
    await visitor.read('/api/user/tourist')
    const address = new URL(await follow(visitor, '/api/user/wxlogin/start'))
    expect(`${address.origin}${address.pathname}${address.hash}`).toBe('https://open.weixin.qq.com/connect/qrconnect#wechat_redirect')
    const { state, ...rest } = Object.fromEntries(address.searchParams)
    expect(rest).toEqual({
      appid: 'wx1',
      redirect_uri: 'https://qingtu.example/api/user/wxlogin/return',
      response_type: 'code',
      scope: 'snsapi_login',
    })
    expect(state?.length).toBeGreaterThanOrEqual(32)
    expect((await visitor.fetch('/api/user/wxlogin/sandbox?state=a')).status).toBe(404)
    const page = await visitor.fetch('/')
    expect(page.headers.get('content-security-policy')).toContain("img-src 'self' data: blob: https://*.qlogo.cn;")
  })
})

describe('row 19: signing somebody in as another', () => {
  it('does not work by the query of the page’s address', async () => {
    const { openid } = await member(shared())
    const visitor = await Visitor.enter(shared().url)
    const before = await guestOf(visitor)
    const page = await visitor.fetch(`/callback/wxlogin?openid=${openid}&nickname=a&headimgurl=b&ticket=made-up`, {
      headers: { accept: 'text/html' },
    })
    expect([page.headers.get('referrer-policy'), page.headers.get('x-robots-tag')]).toEqual(['no-referrer', 'noindex'])
    expect(await codeOf(await confirm(visitor, 'made-up'))).toEqual([400, 'wxlogin.failed'])
    expect(await guestOf(visitor)).toEqual(before)
  })

  it('does not work by a ticket of another’s session, nor does trying use it up', async () => {
    const [attacker, victim] = [await Visitor.enter(shared().url), await Visitor.enter(shared().url)]
    const ticket = await ticketOf(attacker)
    expect(await codeOf(await confirm(victim, ticket))).toEqual([400, 'wxlogin.failed'])
    expect((await confirm(attacker, ticket)).status).toBe(200)
  })

  it('does not work by a ticket used already, or older than a minute', async () => {
    const clock = { now: Date.now() }
    await using server = await testServer({ now: () => clock.now })
    const visitor = await Visitor.enter(server.url)
    const used = await ticketOf(visitor)
    await confirm(visitor, used)
    expect(await codeOf(await confirm(visitor, used))).toEqual([400, 'wxlogin.failed'])
    const old = await ticketOf(visitor)
    clock.now += 60_000
    expect(await codeOf(await confirm(visitor, old))).toEqual([400, 'wxlogin.failed'])
  })

  it('does not work by a link back that another began, nor by one used already or older than ten minutes', async () => {
    const clock = { now: Date.now() }
    await using server = await testServer({ now: () => clock.now })
    const [attacker, victim] = [await Visitor.enter(server.url), await Visitor.enter(server.url)]
    expect(await follow(victim, await agreed(attacker))).toBe('/callback/wxlogin')
    const back = await agreed(victim)
    expect(await follow(victim, back)).toMatch(/ticket=/)
    expect(await follow(victim, back)).toBe('/callback/wxlogin')
    const old = await agreed(victim)
    clock.now += 10 * 60_000
    expect(await follow(victim, old)).toBe('/callback/wxlogin')
  })

  it('does not work by a code nobody gave', async () => {
    const visitor = await Visitor.enter(shared().url)
    const back = new URLSearchParams((await agreed(visitor)).split('?')[1])
    const forged = `/api/user/wxlogin/return?${new URLSearchParams({ code: `x${back.get('code')}`, state: back.get('state') ?? '' })}`
    expect(await follow(visitor, forged)).toBe('/callback/wxlogin')
  })
})

it('the sandbox’s page shows what it is given as text', async () => {
  const visitor = await Visitor.enter(shared().url)
  const state = '"><script>alert(1)</script>'
  const page = await (await visitor.fetch(`/api/user/wxlogin/sandbox?${new URLSearchParams({ state })}`)).text()
  expect(page).not.toContain('<script')
  expect(page).toContain('value="&#34;&#62;&#60;script&#62;')
  expect(await codeOf(await visitor.fetch('/api/user/wxlogin/sandbox'))).toEqual([400, 'request.invalid'])
})
