import { dialogAtom, openDialog } from './dialogs.ts'
import { store } from './store.ts'

let isOffered = false
let hasAccepted = false

/** Files are being started. */
export function beginStart(): void {
  isOffered = false
  hasAccepted = false
}

/** Files of this start were accepted. */
export const noteAccepted = (): void => void (hasAccepted = true)

/** Files of this start were refused since no credits are left: where that goes for all of them, the cashier opens, once. */
export function noteUsedUp(): void {
  if (isOffered || hasAccepted || store.get(dialogAtom) !== undefined) return
  isOffered = true
  openDialog('cashier')
}
