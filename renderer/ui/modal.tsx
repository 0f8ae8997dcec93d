import { X } from 'lucide-react'
import { useId, type CSSProperties, type ReactNode } from 'react'
import css from './modal.module.css'
import { useModal, whenClosed } from './use-modal.ts'

interface Props {
  readonly title: string
  /** One line beside the title. */
  readonly note?: string
  readonly widthPx: number
  /** Gold on dark, for what has to do with membership; on a phone as wide as the page, at its lower end. */
  readonly isGold?: boolean
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A dialog in the middle of the page, as wide as said or as the page allows. Esc and × close it, a press beside it does not. */
export function Modal({ title, note, widthPx, isGold, onClose, children }: Props) {
  const titleId = useId()
  const { dialog } = useModal()
  return (
    <dialog
      ref={dialog}
      className={css['dialog']}
      data-gold={isGold}
      // Its types know no custom properties.
      style={{ '--width': `${widthPx}px` } as CSSProperties}
      aria-labelledby={titleId}
      onClose={whenClosed(onClose)}
    >
      <header className={css['head']}>
        <h2 id={titleId}>{title}</h2>
        {note !== undefined && <p>{note}</p>}
      </header>
      <div className={css['body']}>{children}</div>
      {/* Last, so that the focus begins at what the dialog is about. */}
      <button type="button" className={css['close']} aria-label="关闭" title="关闭（Esc）" onClick={() => dialog.current?.close()}>
        <X size={20} aria-hidden />
      </button>
    </dialog>
  )
}
