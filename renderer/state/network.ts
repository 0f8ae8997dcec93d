import { atom } from 'jotai'
import { store } from './store.ts'

/** Whether the server can be reached, as far as the browser and the last calls tell. */
export const onlineAtom = atom(navigator.onLine)

export const setOnline = (isOnline: boolean): void => store.set(onlineAtom, isOnline)

window.addEventListener('online', () => setOnline(true))
window.addEventListener('offline', () => setOnline(false))

/** Resolves when the network is there; asks anew every two seconds where the browser only knows of a cable. */
export async function whenOnline(): Promise<void> {
  for (;;) {
    const isUp =
      navigator.onLine &&
      (await fetch('/healthz', { cache: 'no-store' }).then(
        ({ ok }) => ok,
        () => false,
      ))
    setOnline(isUp)
    if (isUp) return
    await new Promise((resolve) => setTimeout(resolve, 2000))
  }
}
