import { CLIENT_ORIGIN } from '#shared/desktop'

/** Where the server of this build is, put in when it is bundled; a program from the sources has none. */
declare const BUILT_SERVER: string | undefined

const TRIAL_SERVER = 'http://127.0.0.1:8080'

/** Scheme and host of an address, of schemes too for which `URL` says `null`; undefined for what is no address. */
export function originOf(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined
  const { protocol, host } = new URL(address)
  return host === '' ? undefined : `${protocol}//${host}`
}

/** Whether an address is one of the page's own. */
export const isOwn = (address: string): boolean => originOf(address) === CLIENT_ORIGIN

const isHere = (hostname: string): boolean => ['localhost', '127.0.0.1', '[::1]'].includes(hostname)

/** The origin of the one server this client talks to: over https, or on this very computer. Throws where it can be none. */
export function serverOrigin(given: string | undefined): string {
  const address = given || (typeof BUILT_SERVER === 'string' && BUILT_SERVER) || TRIAL_SERVER
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url && (url.protocol === 'https:' || (url.protocol === 'http:' && isHere(url.hostname)))) return url.origin
  throw new Error(`服务器地址（QINGTU_SERVER）须以 https:// 开头，或在本机：${address}`)
}

/** An address of the server, for a path as the page asked for it: never one of another host, whatever the path begins with. */
export function serverAddress(server: string, pathname: string, search = ''): string {
  const url = new URL(server)
  url.pathname = pathname
  url.search = search
  return url.href
}
