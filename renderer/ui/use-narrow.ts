import { useSyncExternalStore } from 'react'

const phone = window.matchMedia('(max-width: 767px)')

function follow(tell: () => void): () => void {
  phone.addEventListener('change', tell)
  return () => phone.removeEventListener('change', tell)
}

/** Whether the page is as narrow as a phone's, where some parts are other parts, not the same ones laid out anew. */
export const useIsNarrow = (): boolean => useSyncExternalStore(follow, () => phone.matches)
