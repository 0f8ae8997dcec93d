import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { cleanPerson, WechatWebsite } from '#server/accounts/wechat-login'

type Answers = Readonly<Record<string, unknown>>

/** What stands in for WeChat's programming interface: answers by path, and what was asked. */
async function wechat(answers: Answers) {
  const asked: URL[] = []
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://wechat')
    asked.push(url)
    const answer = answers[url.pathname]
    response.end(typeof answer === 'string' ? answer : JSON.stringify(answer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on a port
  return {
    asked,
    login: new WechatWebsite('wx1', 'the secret', `http://127.0.0.1:${port}`),
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

const granted = { access_token: 'token', expires_in: 7200, openid: 'o1', scope: 'snsapi_login', unionid: 'u1' }
const told = { openid: 'o1', nickname: '张三', headimgurl: 'https://thirdwx.qlogo.cn/mmopen/a/132', sex: 0, privilege: [] }

describe('WeChat’s code', () => {
  it('is exchanged for the person', async () => {
    await using place = await wechat({ '/sns/oauth2/access_token': granted, '/sns/userinfo': told })
    expect(await place.login.personOf('the code')).toEqual({
      openid: 'o1',
      nickname: '张三',
      headimgurl: 'https://thirdwx.qlogo.cn/mmopen/a/132',
    })
    expect(place.asked.map(({ searchParams }) => Object.fromEntries(searchParams))).toEqual([
      { appid: 'wx1', secret: 'the secret', code: 'the code', grant_type: 'authorization_code' },
      { access_token: 'token', openid: 'o1', lang: 'zh_CN' },
    ])
  })

  it.each<[string, Answers]>([
    ['it refuses the code', { '/sns/oauth2/access_token': { errcode: 40029, errmsg: 'invalid code' } }],
    ['it tells nothing of the person', { '/sns/oauth2/access_token': granted, '/sns/userinfo': { errcode: 40003 } }],
    ['it tells of another person', { '/sns/oauth2/access_token': granted, '/sns/userinfo': { ...told, openid: 'o2' } }],
    ['it answers with a page', { '/sns/oauth2/access_token': '<html>' }],
    ['it names nobody', { '/sns/oauth2/access_token': { ...granted, openid: '' }, '/sns/userinfo': { ...told, openid: '' } }],
  ])('signs nobody in when %s', async (_when, answers) => {
    await using place = await wechat(answers)
    const failure: unknown = await place.login.personOf('the code').catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: 'wxlogin.failed' })
    expect(inspect(failure)).not.toMatch(/the secret|the code/)
  })

  it('signs nobody in when WeChat is away', async () => {
    await expect(new WechatWebsite('a', 'b', 'http://127.0.0.1:1').personOf('c')).rejects.toMatchObject({ code: 'wxlogin.failed' })
  })
})

describe('row 20: a nickname and a picture from elsewhere', () => {
  const clean = (nickname: string, headimgurl = '') => cleanPerson({ openid: 'o', nickname, headimgurl })

  it('is one line of at most 64 characters that runs the way it is read', () => {
    expect(clean('a\u202Egnp.exe\u2066\n\u0000b\uD800').nickname).toBe('agnp.exeb')
    expect(clean('好'.repeat(100)).nickname).toBe('好'.repeat(64))
    expect([...clean('👍'.repeat(100)).nickname]).toHaveLength(64)
  })

  it.each([
    'http://thirdwx.qlogo.cn/a',
    'https://qlogo.cn.evil.example/a',
    'https://evilqlogo.cn/a',
    'https://user@evil.example/.qlogo.cn',
    'https://thirdwx.qlogo.cn:8443/a',
    'javascript:alert(1)//.qlogo.cn',
    'data:image/svg+xml,<svg/>',
    '//thirdwx.qlogo.cn/a',
    `https://thirdwx.qlogo.cn/${'a'.repeat(600)}`,
  ])('is no picture at %s', (url) => {
    expect(clean('a', url).headimgurl).toBe('')
  })
})
