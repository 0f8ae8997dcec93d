import { atom } from 'jotai'
import type { z } from 'zod/mini'
import { store } from './store.ts'
import { transport } from '../platform/http.ts'
import { CONTROL_MS, send } from '#shared/api/send'
import { readSite } from '#shared/api/site'
import { toWire } from '#shared/errors/app-error'
import { UNSET, type SiteFacts } from '#shared/site'

const RETRY_MS = 5000

/** Who runs this site and what it offers; undefined until the server has said. */
export const siteAtom = atom<z.output<typeof readSite.reply> | undefined>(undefined)

/** Asks who runs the site, until there is an answer. */
export async function askSite(): Promise<void> {
  for (;;) {
    try {
      store.set(siteAtom, await send(transport, readSite, undefined, { deadlineMs: CONTROL_MS }))
      return
    } catch (error) {
      if (!['network.offline', 'service.unavailable'].includes(toWire(error).code)) return
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
  }
}

type Fact =
  'company' | 'licence' | 'icp' | 'policeNumber' | 'copyright' | 'partnerCopyright' | 'partnerIcp' | 'contact' | 'messagingContact'

/** A fact in words; blank until the server has said, so that its place is kept. */
export const factText = (facts: SiteFacts | undefined, name: Fact): string => (facts ? (facts[name] ?? UNSET) : '\u00a0')
