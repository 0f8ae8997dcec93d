import { beforeEach, afterEach, expect, it, vi } from 'vitest'

type Reply = readonly [status: number, body: unknown]

const ok = (data: unknown): Reply => [200, { data }]
const refusal = (status: number, code: string): Reply => [status, { code, data: {} }]
const nothingLeft = {
  cvtnumRelRemain: 0,
  cvtnumNoAiRemain: 0,
  isForever: false,
  isMember: false,
  isSignedIn: false,
  free: { image: 1, ai: 1, document: 1 },
}

/** What the server says to a path; a function is asked each time. */
let replies: Record<string, () => Reply | Promise<Reply>>
let asked: string[]
let stored: Map<string, string>

/** The modules of one page, begun anew. */
async function openPage(user: object = {}) {
  vi.resetModules()
  stored.set('user', JSON.stringify(user))
  const [account, session, dialogs, { store }, { transport }, { send }, { listDevices }] = await Promise.all([
    import('#renderer/state/account'),
    import('#renderer/state/session'),
    import('#renderer/state/dialogs'),
    import('#renderer/state/store'),
    import('#renderer/platform/http'),
    import('#shared/api/send'),
    import('#shared/api/devices'),
  ])
  account.startAccount()
  await vi.waitFor(() => expect(store.get(account.quotaAtom)).toBeDefined())
  asked = []
  return {
    account,
    /** A call that needs a session. */
    call: () => send(transport, listDevices, undefined),
    user: () => store.get(session.sessionAtom),
    quota: () => store.get(account.quotaAtom),
    messages: () => store.get(dialogs.messagesAtom).map(({ text }) => text),
  }
}

beforeEach(() => {
  asked = []
  stored = new Map()
  replies = {
    '/api/user/tourist': () => ok({ userid: 'guest', username: '游客' }),
    '/api/user/cvtnum': () => ok(nothingLeft),
    '/api/devices': () => ok([]),
  }
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, text: string) => stored.set(key, text),
  })
  vi.stubGlobal('document', { cookie: '' })
  vi.stubGlobal('navigator', { onLine: true, userAgent: 'Windows Chrome' })
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('fetch', async (path: string) => {
    asked.push(path)
    const [status, body] = (await replies[path]?.()) ?? refusal(404, 'address.unknown')
    return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })
  })
})

afterEach(() => vi.unstubAllGlobals())

it('a session that is over becomes a new guest once, and calls made meanwhile wait for it', async () => {
  const page = await openPage()
  let isOver = true
  replies['/api/devices'] = () => (isOver ? refusal(401, 'session.expired') : ok([]))
  replies['/api/user/tourist'] = async () => {
    await new Promise((resolve) => setTimeout(resolve, 20))
    isOver = false
    return ok({ userid: 'new guest', username: '游客' })
  }
  const refused = await Promise.allSettled([page.call(), page.call(), page.call()])
  expect(refused.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(await page.call()).toEqual([])
  expect(asked.filter((path) => path === '/api/user/tourist')).toHaveLength(1)
  expect(page.user().loginID).toBe('new guest')
  expect(page.messages()).toEqual([])
})

it('a member signed out from another computer is a guest again, and is told why', async () => {
  replies['/api/user/tourist'] = () => ok({ userid: 'member', username: '会员' })
  replies['/api/user/cvtnum'] = () => ok({ ...nothingLeft, isForever: true, isMember: true })
  const page = await openPage({ loginID: 'member', loginPhone: '会员', loginVIP: true })
  replies['/api/user/tourist'] = () => ok({ userid: 'guest', username: '游客' })
  replies['/api/user/cvtnum'] = () => ok(nothingLeft)
  replies['/api/devices'] = () => refusal(401, 'device.signed-out')
  await expect(page.call()).rejects.toMatchObject({ code: 'device.signed-out' })
  expect(page.user().loginVIP).toBe(false)
  expect(page.messages()).toEqual(['您的会员账号已在另一台电脑登录，本机已退出。'])
  await vi.waitFor(() => expect(page.quota()?.isMember).toBe(false))
  expect(page.user()).toMatchObject({ loginID: 'guest', loginPhone: '游客', loginVIP: false })
})

it('whose session ended is told so, a member or not', async () => {
  replies['/api/user/tourist'] = () => ok({ userid: 'person', username: '小明' })
  replies['/api/user/cvtnum'] = () => ok({ ...nothingLeft, isSignedIn: true })
  const page = await openPage({ loginID: 'person', loginPhone: '小明' })
  await vi.waitFor(() => expect(page.quota()?.isSignedIn).toBe(true))
  replies['/api/user/tourist'] = () => ok({ userid: 'guest', username: '游客' })
  replies['/api/user/cvtnum'] = () => ok(nothingLeft)
  replies['/api/devices'] = () => refusal(401, 'session.expired')
  await expect(page.call()).rejects.toMatchObject({ code: 'session.expired' })
  expect(page.messages()).toEqual(['登录状态已失效，请重新登录。'])
})

it('what a call of the former session says after a sign-in is old news', async () => {
  const page = await openPage()
  let answer = (_reply: Reply): void => {}
  replies['/api/devices'] = () => new Promise<Reply>((resolve) => (answer = resolve))
  const late = page.call()
  await vi.waitFor(() => expect(asked).toContain('/api/devices'))
  replies['/api/user/login'] = () => ok({ openid: 'member', username: '会员', avatar: '' })
  replies['/api/user/cvtnum'] = () => ok({ ...nothingLeft, isMember: true, cvtnumRelRemain: 3 })
  expect(await page.account.signInById('member')).toBe(true)
  answer(refusal(401, 'session.expired'))
  await expect(late).rejects.toMatchObject({ code: 'session.expired' })
  await vi.waitFor(() => expect(page.quota()?.cvtnumRelRemain).toBe(3))
  expect(page.user()).toMatchObject({ loginID: 'member', loginPhone: '会员', loginVIP: true })
  expect(page.messages()).toEqual([])
  expect(asked).not.toContain('/api/user/tourist')
})

it('an id or a membership written into the storage by hand is put right by the server', async () => {
  replies['/api/user/cvtnum'] = () =>
    JSON.parse(stored.get('user') ?? '{}').loginID === 'guest' ? ok(nothingLeft) : refusal(403, 'request.refused')
  const page = await openPage({ loginID: 'guest', loginVIP: true })
  expect(page.user().loginVIP).toBe(false)
  stored.set('user', JSON.stringify({ loginID: 'somebody', loginVIP: true }))
  const { changeSession } = await import('#renderer/state/session')
  changeSession({ loginID: 'somebody', loginVIP: true })
  await page.account.syncAccount()
  expect(page.user()).toMatchObject({ loginID: 'guest', loginVIP: false })
})

it('news that come while the server is asked have it asked once more', async () => {
  const page = await openPage()
  await Promise.all([page.account.syncAccount(), page.account.syncAccount(), page.account.syncAccount()])
  expect(asked).toEqual(['/api/user/cvtnum', '/api/user/cvtnum'])
})
