import { expect, it } from 'vitest'
import { returnedFrom } from '#renderer/platform/wechat-address'

it('reads what came back by the specified names', () => {
  const query = new URLSearchParams({ openid: 'o1', nickname: '小明', headimgurl: 'https://thirdwx.qlogo.cn/1', ticket: 't' })
  expect(returnedFrom(`?${query}`)).toEqual({ openid: 'o1', nickname: '小明', headimgurl: 'https://thirdwx.qlogo.cn/1', ticket: 't' })
})

it('takes out of a name what is not seen or turns the text around, and keeps 64 characters whole', () => {
  const nickname = `\u202e\u0000${'😀'.repeat(70)}`
  expect(returnedFrom(`?${new URLSearchParams({ nickname })}`).nickname).toBe('😀'.repeat(64))
})

it('knows no ticket where the person gave up', () => {
  expect(returnedFrom('').ticket).toBe('')
})
