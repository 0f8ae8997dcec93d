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

/** What a person does first of all, whatever they came for. */
const SIGNS = ['pointermove', 'pointerdown', 'keydown', 'dragenter', 'focusin'] as const

/** A script that an empty page has no need of: asked for at the first sign of a person, or when `ask` is called. */
export function atFirstSign<T>(load: () => Promise<T>): { readonly coming: Promise<T>; readonly ask: () => void } {
  const needed = new AbortController()
  const asked = new Promise<void>((resolve) => needed.signal.addEventListener('abort', () => resolve()))
  const ask = (): void => needed.abort()
  for (const sign of SIGNS) document.addEventListener(sign, ask, { passive: true, signal: needed.signal })
  return { coming: asked.then(load), ask }
}
