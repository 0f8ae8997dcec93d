import type { Event, OnBeforeRequestListenerDetails, Session, WebContents } from 'electron'
import { isOwn, originOf } from './address.ts'
import type { Log } from './log.ts'
import { ALIPAY } from './policy.ts'
import { CLIENT_ORIGIN } from '#shared/desktop'

/** What a page may be let do: copying text. Nothing it does needs more, and Electron's answer to all else would be yes. */
const ALLOWED: ReadonlySet<string> = new Set(['clipboard-sanitized-write'])

/** What becomes of addresses a page wants to go to, or to open. */
export interface Ways {
  readonly server: string
  /** Told of an address that would leave the page or open a window; nothing else happens. */
  readonly onLeave: (address: string) => void
  readonly log: Log
}

/** Whether a frame in the page may show what is at an address: a page on which one pays, or the way to it. */
const isPayPage = (address: string, server: string): boolean => {
  const origin = originOf(address)
  return origin === server || (origin !== undefined && ALIPAY.includes(origin))
}

/** Keeps a window's page where it is, and alone: it goes nowhere, opens nothing and attaches nothing. */
export function lockContents(contents: WebContents, { server, onLeave, log }: Ways): void {
  const hold = (event: Event, address: string): void => {
    event.preventDefault()
    onLeave(address)
  }
  contents.on('will-frame-navigate', (event) => {
    const { url, isMainFrame } = event
    if (isMainFrame || isPayPage(url, server) || isSandbox(url)) return
    event.preventDefault()
    log(`a frame was kept from ${originOf(url) ?? 'an address'}`)
  })
  // The page reloads by itself; its own routes need no navigation.
  contents.on('will-navigate', (event) => {
    if (event.url !== contents.getURL()) hold(event, event.url)
  })
  contents.on('will-redirect', (event) => {
    if (event.isMainFrame ? !isOwn(event.url) : !isPayPage(event.url, server)) event.preventDefault()
  })
  contents.on('will-attach-webview', (event) => event.preventDefault())
  contents.setWindowOpenHandler(({ url }) => {
    onLeave(url)
    return { action: 'deny' }
  })
}

/** An address of the page's origin from which a frame is led to the server. */
const isSandbox = (address: string): boolean => isOwn(address) && new URL(address).pathname.startsWith('/sandbox/')

/** The facts of a request that tell whose it is. */
type Asked = Pick<OnBeforeRequestListenerDetails, 'resourceType'> & {
  readonly url: string
  readonly frame?: { readonly origin: string; readonly parent: unknown } | null | undefined
}

/** Whether a request to the page's origin is the page's own. Workers have no frame, and only the page's policy lets one begin. */
export function isOwnRequest({ url, resourceType, frame }: Asked): boolean {
  if (resourceType === 'mainFrame') return true
  if (resourceType === 'subFrame') return isSandbox(url)
  return !frame || (frame.origin === CLIENT_ORIGIN && frame.parent === null)
}

/** Forbids the page's Electron session everything it has no need of, and other frames all that is of this computer. */
export function lockSession(session: Session, log: Log): void {
  session.setPermissionRequestHandler((_contents, permission, answer, { requestingUrl, isMainFrame }) =>
    answer(isMainFrame && isOwn(requestingUrl) && ALLOWED.has(permission)),
  )
  session.setPermissionCheckHandler(
    (_contents, permission, origin, { isMainFrame }) => isMainFrame && isOwn(origin) && ALLOWED.has(permission),
  )
  session.setDevicePermissionHandler(() => false)
  session.setDisplayMediaRequestHandler(null)
  session.webRequest.onBeforeRequest({ urls: [`${CLIENT_ORIGIN}/*`] }, ({ url, resourceType, frame }, answer) => {
    const cancel = !isOwnRequest({ url, resourceType, frame })
    if (cancel) log(`a request of ${frame?.origin ?? 'nobody'} to the page's origin was refused`)
    answer({ cancel })
  })
  session.on('will-download', (event, item, contents) => {
    if (!isOwn(item.getURL().replace(/^blob:/, '')) || !isOwn(contents?.getURL() ?? '')) event.preventDefault()
  })
}
