import { atom } from 'jotai'
import { store } from './store.ts'
import { transport } from '../platform/http.ts'
import { CONTROL_MS, send } from '#shared/api/send'
import { listTools } from '#shared/api/tools'
import { tourist } from '#shared/api/user'
import { afterVisit, readSession, SESSION_KEY, type Session } from '#shared/session'

const RETRY_SECONDS = [1, 2, 4, 8, 15]

/** The session as the page shows it. */
export const sessionAtom = atom<Session>(readSession(localStorage.getItem(SESSION_KEY)))
/** Whether the guest's identity is still being asked for after a failure. */
export const guestFailedAtom = atom(false)

function change(next: Session): void {
  localStorage.setItem(SESSION_KEY, JSON.stringify(next))
  store.set(sessionAtom, next)
}

let entering: Promise<void> | undefined

/** Resolves once the server knows this browser; asked again until it does. */
export const entered = (): Promise<void> => (entering ??= enter())

async function enter(): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      const { userid, username } = await send(transport, tourist, undefined, { deadlineMs: CONTROL_MS })
      const known = store.get(sessionAtom)
      // A member's own id stays; a guest's may have changed with the server's session.
      if (!known.loginVIP) change({ ...known, loginID: userid, loginPhone: username })
      store.set(guestFailedAtom, false)
      return
    } catch {
      store.set(guestFailedAtom, attempt > 0)
      await online((RETRY_SECONDS[attempt] ?? 15) * 1000)
    }
  }
}

/** Waits, but no longer than until the network is back. */
const online = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      window.removeEventListener('online', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    window.addEventListener('online', done)
  })

/** Whether the visit, this one or an earlier, came by the partner. */
export const partnerAtom = atom(false)

/** The partner's marker comes from the server; until it is known a visit counts by its address alone. */
async function markPartner(address: string): Promise<void> {
  const { partnerMarker } = await send(transport, listTools, undefined, { deadlineMs: CONTROL_MS })
  change(afterVisit(store.get(sessionAtom), address, partnerMarker))
  store.set(partnerAtom, partnerMarker !== '' && store.get(sessionAtom).url360 === partnerMarker)
}

/** Records where a visit came from, and follows changes other tabs make. */
export function startSession(): void {
  const address = location.href
  change(afterVisit(store.get(sessionAtom), address, ''))
  markPartner(address).catch(() => {})
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key === SESSION_KEY) store.set(sessionAtom, readSession(newValue))
  })
  void entered()
}
