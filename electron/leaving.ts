import { shell, type BrowserWindow, type Session } from 'electron'
import { isOwn, originOf, serverAddress } from './address.ts'
import type { Log } from './log.ts'
import { mayOpen } from './website.ts'
import { WECHAT_START } from './wechat-way.ts'
import { openWechat } from './wechat-window.ts'

/** What an address that leads out of the page is judged by. */
export interface Leaving {
  readonly server: string
  /** Holds the session, to which a sign-in at WeChat belongs. */
  readonly partition: Session
  readonly window: BrowserWindow
  /** Hosts the operator has named. */
  readonly hosts: () => readonly string[]
  /** Told what a sign-in at WeChat came back with. */
  readonly onWechat: (search: string) => void
  readonly log: Log
}

/** Leads where the page itself may not go: to WeChat's sign-in, to the browser, or nowhere. */
export function leave({ server, partition, window, hosts, onWechat, log }: Leaving, address: string): void {
  if (isOwn(address)) {
    const { pathname, search } = new URL(address)
    if (pathname === WECHAT_START) openWechat({ server, partition, parent: window, onReturn: onWechat })
    if (pathname.startsWith('/sandbox/')) void shell.openExternal(serverAddress(server, pathname, search))
    return
  }
  if (mayOpen(address, server, hosts())) void shell.openExternal(address)
  else log(`${originOf(address) ?? 'an address'} was not opened`)
}
