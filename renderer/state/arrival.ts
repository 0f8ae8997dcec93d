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
