import { X } from 'lucide-react'
import { useId, type ReactNode } from 'react'
import css from './sheet.module.css'
import { useModal, whenClosed } from './use-modal.ts'

interface Props {
  readonly title: string
  /** One line under the title. */
  readonly note?: string
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A dialog over the page, in its middle or, on a phone, at its lower end. Open for as long as it is there. */
export function Sheet({ title, note, onClose, children }: Props) {
  const titleId = useId()
  const { dialog } = useModal()
  return (
    <dialog
      ref={dialog}
      className={css['dialog']}
      aria-labelledby={titleId}
      onClose={whenClosed(onClose)}
      onClick={({ target, currentTarget }) => {
        // Beside the sheet is its backdrop.
        if (target === currentTarget) onClose()
      }}
    >
      <div className={css['body']}>
        <header className={css['head']}>
          <h2 id={titleId}>{title}</h2>
          {note !== undefined && <p>{note}</p>}
          <button type="button" aria-label="关闭" title="关闭（Esc）" onClick={onClose}>
            <X size={20} aria-hidden />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  )
}
