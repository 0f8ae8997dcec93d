import { atom } from 'jotai'
import { store } from './store.ts'
import { ifKept } from '../platform/kept.ts'

/** How a page's files are laid out. */
export type View = 'list' | 'grid'

const KEY = 'view'

/** The layout last chosen, on every page. */
export const viewAtom = atom<View>(ifKept(() => localStorage.getItem(KEY)) === 'grid' ? 'grid' : 'list')

export function changeView(view: View): void {
  store.set(viewAtom, view)
  ifKept(() => localStorage.setItem(KEY, view))
}
