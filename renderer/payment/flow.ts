import { transport } from '../platform/http.ts'
import { syncAccount } from '../state/account.ts'
import { closeDialog, openDialog } from '../state/dialogs.ts'
import { changeSession, sessionAtom } from '../state/session.ts'
import { siteAtom } from '../state/site.ts'
import { store } from '../state/store.ts'
import { tellOcpc360 } from '#shared/api/orders'
import { CONTROL_MS, send } from '#shared/api/send'

/** Closes the cashier; who has not paid and is no member yet is made one more offer, once a closing, where it can be taken. */
export function closeCashier(): void {
  const isOver = store.get(sessionAtom).loginVIP || store.get(siteAtom)?.hasPayments === false
  if (isOver) closeDialog()
  else openDialog('retention')
}

/** What was paid for is there: the buyer is a member, and is told the account it belongs to. */
export function finishPurchase(): void {
  changeSession({ loginVIP: true })
  openDialog('purchased')
  void syncAccount()
}

/** Tells the 360 channel, for a visit that came by it, that somebody got as far as the cashier; once. */
export async function tellDownload(): Promise<void> {
  const { url360, url360down } = store.get(sessionAtom)
  if (url360 === '' || url360down !== 1) return
  changeSession({ url360down: 0 })
  await send(transport, tellOcpc360, { url360, event: 'download' }, { deadlineMs: CONTROL_MS }).catch(() => {})
}
