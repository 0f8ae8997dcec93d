import { originOf } from './address.ts'

/** Where a sign-in at WeChat begins, and the page's route that takes what came of it. */
export const WECHAT_START = '/api/user/wxlogin/start'
const WECHAT_RETURN = '/callback/wxlogin'

const WECHAT: ReadonlySet<string> = new Set([
  'https://open.weixin.qq.com',
  'https://login.wx.qq.com',
  'https://lp.open.weixin.qq.com',
  'https://long.open.weixin.qq.com',
])

/** The query of the way back, where an address is that. */
export function returnedTo(address: string, server: string): string | undefined {
  if (originOf(address) !== server) return undefined
  const { pathname, search } = new URL(address)
  return pathname === WECHAT_RETURN ? search : undefined
}

/** Whether the window of a sign-in may go somewhere: to WeChat, and to the server's part of it. */
export function isOnTheWay(address: string, server: string): boolean {
  const origin = originOf(address)
  if (origin === server) return new URL(address).pathname.startsWith('/api/user/wxlogin/')
  return origin !== undefined && WECHAT.has(origin)
}
