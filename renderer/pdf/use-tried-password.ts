import { useEffect } from 'react'
import { useAtomValue } from 'jotai'
import { readPdf } from '../state/read-pdf.ts'
import { pdfFacts, rowsOf, thumbnailAtom } from '../state/rows.ts'
import { settingsAtom } from '../state/settings.ts'
import { store } from '../state/store.ts'
import { isLocked } from '../tools/row-actions.ts'

/** Until a password is typed to its end. */
const CALM_MS = 600

/** Tries the password of a page's form on its PDFs that are locked. */
export function useTriedPassword(page: string): void {
  const { password } = useAtomValue(settingsAtom(page))
  useEffect(() => {
    if (typeof password !== 'string' || password === '') return undefined
    const timer = window.setTimeout(() => {
      for (const { id, status } of rowsOf(page)) {
        if (status.at === 'ready' && isLocked(pdfFacts(store.get(thumbnailAtom(id))))) void readPdf(id)
      }
    }, CALM_MS)
    return () => window.clearTimeout(timer)
  }, [page, password])
}
