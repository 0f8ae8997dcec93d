import { atom } from 'jotai'
import { store } from './store.ts'
import { transport } from '../platform/http.ts'
import { ifKept } from '../platform/kept.ts'
import { CONTROL_MS, send } from '#shared/api/send'
import { listTools } from '#shared/api/tools'
import { tourist } from '#shared/api/user'
import { toWire, type WireError } from '#shared/errors/app-error'
import { afterVisit, readSession, SESSION_KEY, type Session } from '#shared/session'

const RETRY_SECONDS = [1, 2, 4, 8, 15]

/** The session as the page shows it. */
export const sessionAtom = atom<Session>(readSession(ifKept(() => localStorage.getItem(SESSION_KEY))))
/** Why there is no identity of a guest yet; it is asked for again. */
export const guestFailureAtom = atom<WireError | undefined>(undefined)

/** Changes the session here, in the browser's other tabs and for the next visit. */
export function changeSession(change: Partial<Session>): void {
  const next = { ...store.get(sessionAtom), ...change }
  ifKept(() => localStorage.setItem(SESSION_KEY, JSON.stringify(next)))
  store.set(sessionAtom, next)
}

let entering: Promise<void> | undefined

/** Resolves once the server knows this browser; asked again until it does. */
export const entered = (): Promise<void> => (entering ??= enter())

/** Has the server say anew who this browser is; whoever waits to have entered waits for that. */
export const enterAnew = (): Promise<void> => (entering = enter())

async function enter(): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      const { userid, username } = await send(transport, tourist, undefined, { deadlineMs: CONTROL_MS })
      // The server's session decides who one is; whether that is a member is asked for apart.
      if (store.get(sessionAtom).loginID !== userid) {
        changeSession({ loginID: userid, loginPhone: username, loginImg: '', loginVIP: false })
      }
      store.set(guestFailureAtom, undefined)
      return
    } catch (error) {
      const failure = toWire(error)
      const isLimited = failure.code === 'rate.limited'
      store.set(guestFailureAtom, attempt > 0 || isLimited ? failure : undefined)
      await pause((isLimited ? failure.data.seconds : (RETRY_SECONDS[attempt] ?? 15)) * 1000)
    }
  }
}

let endPause = (): void => {}

/** Asks for an identity at once, without waiting for the next attempt's turn. */
export const retryEntering = (): void => endPause()

/** Waits, but no longer than until the network is back or somebody has no patience. */
const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    endPause = () => {
      clearTimeout(timer)
      window.removeEventListener('online', endPause)
      resolve()
    }
    const timer = setTimeout(endPause, ms)
    window.addEventListener('online', endPause)
  })

/** Whether the visit, this one or an earlier, came by the partner. */
export const partnerAtom = atom(false)

/** The partner's marker comes from the server; until it is known a visit counts by its address alone. */
async function markPartner(address: string): Promise<void> {
  const { partnerMarker } = await send(transport, listTools, undefined, { deadlineMs: CONTROL_MS })
  changeSession(afterVisit(store.get(sessionAtom), address, partnerMarker))
  store.set(partnerAtom, partnerMarker !== '' && store.get(sessionAtom).url360 === partnerMarker)
}

/** Records where a visit came from, and follows changes other tabs make. */
export function startSession(): void {
  const address = location.href
  changeSession(afterVisit(store.get(sessionAtom), address, ''))
  markPartner(address).catch(() => {})
  window.addEventListener('storage', ({ key, newValue }) => {
    // All of the storage was cleared where no key is named.
    if (key === SESSION_KEY || key === null) store.set(sessionAtom, readSession(newValue))
  })
  void entered()
}
