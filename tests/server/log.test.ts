import { Writable } from 'node:stream'
import { expect, it } from 'vitest'
import { photo } from '../fixtures/pictures.ts'
import { serverProcess } from '../fixtures/server-process.ts'
import { testFolder, toSize } from '../fixtures/engine.ts'
import { Visitor } from '../fixtures/server.ts'

/** Every secret of a sign-in at the sandbox's WeChat. */
async function signInByWechat(visitor: Visitor): Promise<Record<string, string>> {
  const follow = async (path: string): Promise<URL> =>
    new URL((await visitor.fetch(path, { redirect: 'manual' })).headers.get('location') ?? '', visitor.url)
  const state = (await follow('/api/user/wxlogin/start')).searchParams.get('state') ?? ''
  const back = await follow(`/api/user/wxlogin/sandbox/agree?${new URLSearchParams({ name: 'somebody-at-wechat', state })}`)
  const { ticket = '', openid = '' } = Object.fromEntries((await follow(`${back.pathname}${back.search}`)).searchParams)
  await visitor.post('/api/user/wxlogin/confirm', { ticket })
  return {
    state,
    wechatCode: back.searchParams.get('code') ?? '',
    wechatName: 'somebody-at-wechat',
    wechatTicket: ticket,
    wechatId: openid,
  }
}

it('row 51: the log tells of every request and of no secret', async () => {
  await using folder = await testFolder()
  const lines: string[] = []
  const log = new Writable({ write: (piece, _encoding, done) => (lines.push(String(piece)), done()) })
  await using server = await serverProcess(folder.path, { LOG_LEVEL: 'debug' }, log)
  const visitor = new Visitor(server.url)
  const { userid } = await visitor.read<{ userid: string }>('/api/user/tourist')
  visitor.pollMs = 600
  const picture = await photo(400, 300).jpeg({ quality: 95 }).toBuffer()
  const [id = ''] = await visitor.start([{ name: '身份证.jpg', bytes: picture }], toSize(10))
  const [output] = (await visitor.ended(id)).outputs
  await visitor.download(output?.url ?? '')
  const { ticket } = await visitor.post<{ ticket: string }>('/api/jobs/zip', { ids: [id] })
  await visitor.download(`/api/jobs/zip/${ticket}`)
  const credentials = await visitor.post<Record<string, string>>('/api/sts', {})
  const typed = { openid: '0123456789abcdefghjkmnpqrs', orderid: '20261121abcdefghjkmnpqrstvwx', ticketTyped: 'a-ticket-that-was-made-up' }
  await visitor.send('/api/user/login', { openid: typed.openid })
  await visitor.send('/api/user/openid', { orderid: typed.orderid })
  await visitor.send('/api/user/wxlogin/confirm', { ticket: typed.ticketTyped })
  await visitor.send('/api/user/cvtnum', { openid: typed.openid })
  const { ticket: device } = await visitor.post<{ ticket: string }>('/api/devices/ticket', {})
  const wechat = await signInByWechat(visitor)
  await server.end('SIGTERM')

  const text = lines.join('')
  expect(text).toContain('"route":"/api/jobs"')
  expect(text).toContain('"route":"/f/:id/:n"')
  expect(text).toContain('"failure":"account.unknown"')
  expect(text).toContain('"route":"/api/user/wxlogin/return"')
  const signature = new URL(output?.url ?? '', server.url).searchParams.get('s') ?? ''
  const { AccessKeySecret = '', SecurityToken = '' } = credentials
  const secrets = {
    userid,
    ticket,
    signature,
    AccessKeySecret,
    SecurityToken,
    name: '身份证',
    ...typed,
    device,
    ...wechat,
    ...Object.fromEntries(visitor.cookies),
  }
  const told = Object.entries(secrets).filter(([, secret]) => secret.length < 2 || text.includes(secret))
  expect(told.map(([name]) => name)).toEqual([])
})
