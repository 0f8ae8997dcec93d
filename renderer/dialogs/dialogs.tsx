import { useEffect, type ComponentType } from 'react'
import { useAtomValue } from 'jotai'
import css from './dialogs.module.css'
import { MessageBox } from './message-box.tsx'
import { consentAtom, type ConsentAsked } from '../state/consent.ts'
import { closeDialog, dialogAtom, messagesAtom, showMessage, type DialogName } from '../state/dialogs.ts'
import { arriving } from '../ui/arriving.tsx'

/** What every dialog opened by its name takes. */
export interface DialogProps {
  readonly onClose: () => void
}

const dialog = (load: () => Promise<ComponentType<DialogProps>>): ComponentType<DialogProps> =>
  arriving(load, { loading: <Opening />, failed: <Failed /> })

/** Each is a script of its own, loaded when it is first opened. */
const dialogs: Readonly<Record<DialogName, ComponentType<DialogProps>>> = {
  login: dialog(() => import('./login.tsx').then(({ Login }) => Login)),
  'order-login': dialog(() => import('./order-login.tsx').then(({ OrderLogin }) => OrderLogin)),
  cashier: dialog(() => import('../payment/cashier.tsx').then(({ Cashier }) => Cashier)),
  retention: dialog(() => import('../payment/retention.tsx').then(({ Retention }) => Retention)),
  purchased: dialog(() => import('../payment/purchased.tsx').then(({ Purchased }) => Purchased)),
  settings: dialog(() => import('../client/settings-dialog.tsx').then(({ SettingsDialog }) => SettingsDialog)),
  about: dialog(() => import('../client/about-dialog.tsx').then(({ AboutDialog }) => AboutDialog)),
  invoice: dialog(() => import('../payment/invoice.tsx').then(({ Invoice }) => Invoice)),
}

const Consent = arriving<ConsentAsked>(() => import('./consent.tsx').then((module) => module.Consent), { failed: <Unasked /> })

/** Whatever is opened over the page. */
export function Dialogs() {
  const name = useAtomValue(dialogAtom)
  const [message] = useAtomValue(messagesAtom)
  const asked = useAtomValue(consentAtom)
  const Dialog = name && dialogs[name]
  return (
    <>
      {Dialog && <Dialog key={name} onClose={closeDialog} />}
      {asked && <Consent {...asked} />}
      {message && <MessageBox key={message.text} message={message} />}
    </>
  )
}

/** Shown only where it takes a while. */
function Opening() {
  return (
    <p className={css['opening']} role="status">
      正在打开…
    </p>
  )
}

/** A script that did not come is not asked for again by the same document. */
function Failed() {
  useEffect(() => {
    closeDialog()
    tellFailed()
  }, [])
  return null
}

/** Who could not be asked has not agreed. */
function Unasked() {
  const asked = useAtomValue(consentAtom)
  useEffect(() => {
    asked?.settle(false)
    tellFailed()
  }, [asked])
  return null
}

function tellFailed(): void {
  const reload = { label: '刷新页面', run: () => location.reload() }
  showMessage({ title: '窗口没有打开', text: '请检查网络，然后刷新页面。', button: '取消', action: reload })
}
