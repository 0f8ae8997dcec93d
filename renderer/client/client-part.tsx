import { useEffect, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { placeArrived } from './arrivals.ts'
import { told } from './client-state.ts'
import { commandOf } from './keys.ts'
import { UpdateBanner } from './update-banner.tsx'
import { takeWaiting } from './waiting.ts'
import { DeviceChoice } from '../dialogs/device-choice.tsx'
import { ask } from '../platform/ask.ts'
import { desktop } from '../platform/desktop.ts'
import { signedInAtom } from '../state/account.ts'
import { hasDialogAtom, openDialog, showMessage, type DialogName } from '../state/dialogs.ts'
import { sessionAtom } from '../state/session.ts'
import { returnedFrom } from '../platform/wechat-address.ts'
import { MAX_ROWS } from '../state/batch.ts'
import { store } from '../state/store.ts'
import { signInByWechat } from '../state/wechat.ts'
import { messageOf } from '../words.ts'
import type { GrantedFile, MenuCommand } from '#shared/desktop'
import { maskedAccount } from '#shared/session'

/** What the client's window does beside showing the page: it takes files from outside, obeys the menu and its keys, and tells of updates. */
export function ClientPart() {
  useArrivals()
  useCommands()
  useWechat()
  return (
    <>
      <UpdateBanner />
      <DeviceChoice />
    </>
  )
}

/** Where the window opens. */
const HOME = '/'

/** Whether the page crashed, not the client: then it stays where the person was. */
const isShownAgain = (): boolean =>
  performance.getEntriesByType('navigation').some((entry) => entry instanceof PerformanceNavigationTiming && entry.type === 'reload')

let waiting: Promise<readonly string[]> | undefined
/** Once, however often this part of the page comes. */
const waited = (): Promise<readonly string[]> => (waiting ??= takeWaiting())

/** Takes files that waited when something crashed, and those that came by the command line, Send-to or a second start. */
function useArrivals(): void {
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const now = useRef({ pathname, navigate })
  useEffect(() => void (now.current = { pathname, navigate }), [pathname, navigate])
  useEffect(() => {
    const take = (files: readonly GrantedFile[]): void => {
      if (files.length === 0) return
      const open = now.current.pathname
      const { page, refused } = placeArrived(files, open)
      if (page !== open) void now.current.navigate(page)
      if (refused > 0)
        showMessage({ title: '文件过多', text: messageOf({ code: 'batch.too-many', data: { limit: MAX_ROWS } }), button: '我知道了' })
    }
    const forget = desktop?.hear('files-arrived', take)
    const begin = async (): Promise<void> => {
      await told('', async () => {
        const pages = await waited()
        const [first] = pages
        const { pathname: open, navigate: go } = now.current
        if (first !== undefined && open === HOME && !isShownAgain() && !pages.includes(HOME)) void go(first)
      })
      await told('', async () => take(await ask('files:arrived', undefined)))
    }
    void begin()
    return forget
  }, [])
}

/** Settles what a sign-in in WeChat's own window came back with. */
function useWechat(): void {
  useEffect(() => desktop?.hear('wechat-returned', (search) => void signInByWechat(returnedFrom(search))), [])
}

/** Does what the menu, or a key, says. */
function useCommands(): void {
  useEffect(() => {
    const listeners = new AbortController()
    const forget = desktop?.hear('menu-command', obey)
    document.addEventListener(
      'keydown',
      (event) => {
        const command = commandOf(event)
        if (command === undefined) return
        // Else the menu would do it once more.
        event.preventDefault()
        if (!event.repeat) obey(command)
      },
      { signal: listeners.signal },
    )
    return () => {
      listeners.abort()
      forget?.()
    }
  }, [])
}

function obey(command: MenuCommand): void {
  switch (command) {
    case 'settings':
    case 'about':
      return openUnlessBusy(command)
    case 'sign-in':
      if (!store.get(signedInAtom)) return openUnlessBusy('login')
      return showMessage({ title: '已登录', text: `当前账号：${accountName()}`, button: '我知道了' })
    case 'open-files':
    case 'open-folder':
    case 'start':
    case 'cancel-all':
    case 'clear':
      return press(command)
  }
}

/** In front of a dialog, of a payment above all, stands no other. */
function openUnlessBusy(name: DialogName): void {
  if (!store.get(hasDialogAtom)) openDialog(name)
}

function accountName(): string {
  const session = store.get(sessionAtom)
  return session.loginVIP ? maskedAccount(session) : session.loginPhone
}

/** Presses the button that a person would press for it, on the page that is shown; under a dialog nobody could. */
function press(command: MenuCommand): void {
  if (store.get(hasDialogAtom) || document.querySelector('dialog[open]')) return
  const buttons = document.querySelectorAll<HTMLButtonElement>(`button[data-command='${command}']`)
  ;[...buttons].find((one) => one.checkVisibility())?.click()
}
