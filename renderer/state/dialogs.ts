import { atom } from 'jotai'
import { store } from './store.ts'

/** The dialogs that are opened from anywhere, one at a time. */
export type DialogName = 'login' | 'order-login' | 'cashier' | 'retention' | 'invoice'

/** A message box: read, and then one of its buttons pressed. It stands over the dialog that is open. */
export interface Message {
  readonly title: string
  readonly text: string
  /** What closes the box. */
  readonly button: string
  /** What closes it too, and then does something more. */
  readonly action?: { readonly label: string; readonly run: () => void }
}

/** The dialog that is open. */
export const dialogAtom = atom<DialogName | undefined>(undefined)
/** Messages not yet read, the oldest first. */
export const messagesAtom = atom<readonly Message[]>([])

/** Opens a dialog in place of the one that is open. */
export const openDialog = (name: DialogName): void => store.set(dialogAtom, name)
export const closeDialog = (): void => store.set(dialogAtom, undefined)

/** Shows a message once those before it have been read; the same words need reading but once. */
export const showMessage = (message: Message): void =>
  store.set(messagesAtom, (waiting) => (waiting.some(({ text }) => text === message.text) ? waiting : [...waiting, message]))
/** Takes the message away that is shown. */
export const dropMessage = (): void => store.set(messagesAtom, ([, ...waiting]) => waiting)
