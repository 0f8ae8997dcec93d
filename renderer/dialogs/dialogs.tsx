import { lazy, Suspense, type ComponentType } from 'react'
import { useAtomValue } from 'jotai'
import { closeDialog, dialogAtom, messagesAtom, type DialogName } from '../state/dialogs.ts'

/** What every dialog opened by its name takes. */
export interface DialogProps {
  readonly onClose: () => void
}

/** Each is a script of its own, loaded when it is first opened. */
const dialogs: Partial<Record<DialogName, ComponentType<DialogProps>>> = {}

const MessageBox = lazy(() => import('./message-box.tsx').then((module) => ({ default: module.MessageBox })))

/** Whatever is opened over the page. */
export function Dialogs() {
  const name = useAtomValue(dialogAtom)
  const [message] = useAtomValue(messagesAtom)
  const Dialog = name && dialogs[name]
  return (
    <Suspense fallback={null}>
      {Dialog && <Dialog key={name} onClose={closeDialog} />}
      {message && <MessageBox key={message.text} message={message} />}
    </Suspense>
  )
}
