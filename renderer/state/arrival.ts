import { atom, type Atom } from 'jotai'
import { store } from './store.ts'

/** A part of the page that is a script of its own, on its way. */
export type Arrival<T> = { readonly at: 'loading' } | { readonly at: 'failed' } | { readonly at: 'here'; readonly it: T }

/** Follows a script on its way. Not React's `lazy`, which holds what replaces a fallback back by 300 ms and throws what fails. */
export function arrivalOf<T>(coming: Promise<T>): Atom<Arrival<T>> {
  const arrival = atom<Arrival<T>>({ at: 'loading' })
  coming.then(
    (it) => store.set(arrival, { at: 'here', it }),
    () => store.set(arrival, { at: 'failed' }),
  )
  return arrival
}

/** A script that is on its way once it is needed, or before. */
export interface Expected<T> {
  readonly coming: Promise<T>
  /** Has it loaded now. */
  readonly ask: () => void
}

/** What the first sight of a page does without, but nearly everyone needs then: it comes when the browser has shown the page and has time, so that it is there by then. */
export function whenIdle<T>(load: () => Promise<T>): Expected<T> {
  const needed = new AbortController()
  const ask = (): void => needed.abort()
  const coming = new Promise<void>((resolve) => needed.signal.addEventListener('abort', () => resolve())).then(load)
  // Whoever waits for it hears of it; nobody may.
  coming.catch(() => {})
  const wait = (): void => void ('requestIdleCallback' in window ? requestIdleCallback(ask, { timeout: 2000 }) : setTimeout(ask, 200))
  if (document.readyState === 'complete') wait()
  else addEventListener('load', wait, { once: true })
  return { coming, ask }
}
