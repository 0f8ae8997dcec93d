import { atom } from 'jotai'
import type { z } from 'zod/mini'
import { chooseDevice, closeDialog, openDialog, showMessage } from './dialogs.ts'
import { forgetUploads } from './rows.ts'
import { changeSession, enterAnew, entered, sessionAtom } from './session.ts'
import { store } from './store.ts'
import { isClient } from '../platform/desktop.ts'
import { guardCalls, transport } from '../platform/http.ts'
import { CONTROL_MS, send } from '#shared/api/send'
import { login, loginByOrder, logout, quota } from '#shared/api/user'
import { deviceName } from '#shared/device-name'
import { toWire } from '#shared/errors/app-error'
import { SESSION_KEY } from '#shared/session'

/** What the server says of an account. */
export type Quota = z.output<typeof quota.reply>

/** What the server says is left to whoever this is; undefined until it has. */
export const quotaAtom = atom<Quota | undefined>(undefined)

/** Whether somebody is signed in: a member, or who came by WeChat and has bought nothing yet. */
export const signedInAtom = atom((get) => get(sessionAtom).loginVIP || get(quotaAtom)?.isSignedIn === true)

/** Until what is left is known, the server is asked again after this time. */
const RETRY_MS = 10_000
const within = { deadlineMs: CONTROL_MS }
const isOver = (code: string): boolean => code === 'session.expired' || code === 'device.signed-out'

/** A call on its way that makes this browser another's: others wait, lest they go as the one for the other. */
let changing: Promise<unknown> | undefined

function change<Answer>(call: Promise<Answer>): Promise<Answer> {
  changing = call.catch(() => {}).finally(() => (changing = undefined))
  return call
}

let syncing: Promise<void> | undefined
let isStale = false

/** Has the server say what is left, and whether this is a member. Asked for meanwhile, it is asked once more. */
export function syncAccount(): Promise<void> {
  isStale = true
  return (syncing ??= sync().finally(() => (syncing = undefined)))
}

async function sync(): Promise<void> {
  while (isStale) {
    isStale = false
    await entered()
    await changing
    const openid = store.get(sessionAtom).loginID
    const isCurrent = (): boolean => store.get(sessionAtom).loginID === openid
    try {
      const told = await send(transport, quota, { openid }, within)
      if (!isCurrent()) continue
      store.set(quotaAtom, told)
      if (store.get(sessionAtom).loginVIP !== told.isMember) changeSession({ loginVIP: told.isMember })
    } catch (error) {
      // The stored id is not the session's: somebody wrote another there.
      if (toWire(error).code === 'request.refused') await enterAnew()
      else if (!store.get(quotaAtom)) setTimeout(() => void syncAccount(), RETRY_MS)
    }
    if (!isCurrent()) isStale = true
  }
}

let renewing: Promise<void> | undefined
/** How often the session has become another. What a call made before says of it afterwards is old news. */
let sessions = 0

/** Becomes a guest again, once for all the calls that were refused; those made meanwhile wait. */
function renew(code: string): void {
  sessions += 1
  const wasSignedIn = store.get(signedInAtom)
  changeSession({ loginVIP: false })
  renewing = enterAnew().finally(() => (renewing = undefined))
  void renewing.then(syncAccount)
  if (code === 'device.signed-out') tellSignedOut('您的会员账号已在另一台电脑登录，本机已退出。')
  else if (wasSignedIn) tellSignedOut('登录状态已失效，请重新登录。')
}

const tellSignedOut = (text: string): void =>
  showMessage({ title: '已退出登录', text, button: '我知道了', action: { label: '重新登录', run: () => openDialog('login') } })

/** Signs in by whatever `ask` asks; whether it came to that: a third computer may be given up. Throws AppError. */
export async function signIn(
  ask: (computer: { deviceName: string; release?: string }) => Promise<{ openid: string; username: string; avatar: string }>,
): Promise<boolean> {
  await entered()
  const name = deviceName(navigator.userAgent)
  let release: string | undefined
  for (let isFirst = true; ; isFirst = false) {
    try {
      const { openid, username, avatar } = await change(ask({ deviceName: name, ...(release !== undefined && { release }) }))
      sessions += 1
      changeSession({ loginID: openid, loginPhone: username, loginImg: avatar })
      closeDialog()
      void syncAccount()
      return true
    } catch (error) {
      const failure = toWire(error)
      if (isFirst && isOver(failure.code)) {
        await enterAnew()
        continue
      }
      if (failure.code !== 'device.limit') throw error
      release = await chooseDevice(failure.data.devices)
      if (release === undefined) return false
    }
  }
}

/** Signs a member in by the account id; false where that was given up. Throws AppError `account.unknown`, `device.swaps`, `rate.limited` and such. */
export const signInById = async (openid: string): Promise<boolean> =>
  asMember(await signIn((computer) => send(transport, login, { openid, ...computer }, within)))

/** Signs a member in by the number of a paid order, as `signInById` does. Throws AppError `order.not-found` too. */
export const signInByOrder = async (orderid: string): Promise<boolean> =>
  asMember(await signIn((computer) => send(transport, loginByOrder, { orderid, ...computer }, within)))

function asMember(isIn: boolean): boolean {
  if (isIn) changeSession({ loginVIP: true })
  return isIn
}

/** Signs out; the browser is the guest again that it was. Throws AppError. */
export async function signOut(): Promise<void> {
  await change(send(transport, logout, {}, within))
  changeSession({ loginVIP: false })
  await enterAnew()
  await syncAccount()
}

/** Follows what becomes of the account: here, in other tabs, on other computers. */
export function startAccount(): void {
  guardCalls(async () => {
    await renewing
    await changing
    const then = sessions
    return (code) => {
      if (then === sessions && isOver(code)) renew(code)
    }
  })
  const before = store.get(sessionAtom)
  let { loginID } = before
  store.sub(sessionAtom, () => {
    const now = store.get(sessionAtom).loginID
    if (now === loginID) return
    loginID = now
    sessions += 1
    // Uploads lie where only the former one's jobs may read them.
    if (!isClient) forgetUploads()
    store.set(quotaAtom, undefined)
  })
  void entered().then(() => {
    if (before.loginVIP && store.get(sessionAtom).loginID !== before.loginID) tellSignedOut('登录状态已失效，请重新登录。')
    return syncAccount()
  })
  // A member may have been made, or signed out, elsewhere.
  for (const event of ['focus', 'online']) window.addEventListener(event, () => void syncAccount())
  window.addEventListener('storage', ({ key }) => {
    if (key === SESSION_KEY || key === null) void syncAccount()
  })
}
