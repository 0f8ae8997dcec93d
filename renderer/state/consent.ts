import { atom } from 'jotai'
import { store } from './store.ts'
import { isClient } from '../platform/desktop.ts'
import { ifKept } from '../platform/kept.ts'
import { findPage } from '#shared/tools/index'

const KEY = 'consent'
/** Of the words one agrees to: where they change, everybody is asked anew. */
const VERSION = '1'

/** Asks whether pictures that may show faces may be uploaded. */
export interface ConsentAsked {
  readonly settle: (isGiven: boolean) => void
}

/** What is being asked. */
export const consentAtom = atom<ConsentAsked | undefined>(undefined)

/** Whether it was declined last time; nothing is uploaded then. */
export const declinedAtom = atom(false)

/** Whether a page's files are pictures of people, mostly: what is cut out, and old photos. */
export const showsPeople = (page: string): boolean => {
  const tool = findPage(page)?.tool
  return tool?.subject !== undefined || tool?.colours !== undefined
}

/** Whether a page's files are pictures of people, and nobody has agreed yet to their upload in this browser; the client uploads none. */
export const needsConsent = (page: string): boolean => !isClient && showsPeople(page) && ifKept(() => localStorage.getItem(KEY)) !== VERSION

/** Asks, and does what it was asked for once it is agreed to. */
export function askConsent(agreed: () => void): void {
  store.set(consentAtom, {
    settle: (isGiven) => {
      store.set(consentAtom, undefined)
      store.set(declinedAtom, !isGiven)
      if (!isGiven) return
      ifKept(() => localStorage.setItem(KEY, VERSION))
      agreed()
    },
  })
}
