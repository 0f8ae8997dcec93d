import { atom } from 'jotai'
import { store } from './store.ts'
import type { DeviceView } from '#shared/api/devices'

/** The dialogs that are opened from anywhere, one at a time; the last two in the client only. */
export type DialogName = 'login' | 'order-login' | 'cashier' | 'retention' | 'purchased' | 'invoice' | 'settings' | 'about'

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
/** Whether anything stands over the page. */
export const hasDialogAtom = atom((get) => get(dialogAtom) !== undefined || get(messagesAtom).length > 0)

/** Opens a dialog in place of the one that is open. */
export const openDialog = (name: DialogName): void => store.set(dialogAtom, name)
export const closeDialog = (): void => store.set(dialogAtom, undefined)

/** Shows a message once those before it have been read; the same words need reading but once. */
export const showMessage = (message: Message): void =>
  store.set(messagesAtom, (waiting) => (waiting.some(({ text }) => text === message.text) ? waiting : [...waiting, message]))
/** Takes the message away that is shown. */
export const dropMessage = (): void => store.set(messagesAtom, ([, ...waiting]) => waiting)

/** Asks which computer is to be signed out for this one. */
export interface DeviceChoiceAsked {
  readonly devices: readonly DeviceView[]
  /** Takes a computer's id, or undefined where none is given up. */
  readonly settle: (release: string | undefined) => void
}

/** The choice that is to be made. */
export const deviceChoiceAtom = atom<DeviceChoiceAsked | undefined>(undefined)

/** Has the person choose one of their computers; undefined when they would rather not. */
export const chooseDevice = (devices: readonly DeviceView[]): Promise<string | undefined> =>
  new Promise((resolve) => {
    const settle = (release: string | undefined): void => {
      store.set(deviceChoiceAtom, undefined)
      resolve(release)
    }
    store.set(deviceChoiceAtom, { devices, settle })
  })
