/** Alipay's pages; the server's content security policy frames no others. */
const PAY_HOSTS = new Set(['openapi.alipay.com', 'excashier.alipay.com'])

/** Whether a text is what WeChat Pay has scanned, and not a way to somewhere else. */
export const isWechatCode = (text: string): boolean => /^weixin:\/\/wxpay\/bizpayurl\b/.test(text)

/**
 * The address of a page one pays on, as it may be framed: a provider's, or the sandbox's of this very site. In the client the sandbox's host is
 * not the page's: there an address below /sandbox/ of its own leads to its server, and to no other.
 */
export function payPage(address: string, origin: string, isClient = false): string | undefined {
  if (!URL.canParse(address, origin)) return undefined
  const url = new URL(address, origin)
  if (url.href.startsWith(`${origin}/sandbox/`)) return url.href
  if (isClient && url.pathname.startsWith('/sandbox/')) return `${origin}${url.pathname}${url.search}`
  return url.protocol === 'https:' && PAY_HOSTS.has(url.host) ? url.href : undefined
}

/** Where the sandbox's payer of a code presses a button, since no phone takes it. */
export function sandboxPage(wechatCode: string): string | undefined {
  const token = /[?&]pr=([\w-]+)$/.exec(wechatCode)?.[1]
  return token && `/sandbox/pay/${token}`
}
