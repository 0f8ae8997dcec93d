import { X } from 'lucide-react'
import { useId, type ReactNode } from 'react'
import css from './editor-dialog.module.css'
import type { EditedRow } from './use-edited-row.ts'
import { Turn } from '../ui/turn.tsx'
import { useModal, whenClosed } from '../ui/use-modal.ts'

interface Props {
  readonly title: string
  readonly edited: EditedRow
  /** Keeps what was changed; false where it can't be, and then this file stays. */
  readonly keep: () => boolean
  /** Another file to edit, or none. */
  readonly onChange: (id: string | undefined) => void
  /** The picture and its controls. */
  readonly children: ReactNode
  readonly footer: ReactNode
  /** Whether the picture is worked on by hand and wants all the room there is. */
  readonly isLarge?: boolean
}

/** What every editor of a file stands in: a dialog with the file's name, the way to its neighbours, and what can be done. */
export function EditorDialog({ title, edited, keep, onChange, children, footer, isLarge }: Props) {
  const { row, position, total, previous, next } = edited
  const { name } = row
  const go = (to: string | undefined) => (to === undefined ? undefined : () => void (keep() && onChange(to)))
  const titleId = useId()
  // The focus is on the whole, not on a control: the next Tab leads to the picture and not to the way out.
  const { dialog, first: body } = useModal()
  return (
    <dialog
      ref={dialog}
      className={css['dialog']}
      data-large={isLarge || undefined}
      aria-labelledby={titleId}
      onClose={whenClosed(() => onChange(undefined))}
    >
      <header className={css['header']}>
        <h2 id={titleId} title={name}>
          {title}
          <small>{name}</small>
        </h2>
        {total > 1 && (
          <div className={css['turns']}>
            <Turn label="上一张" className={css['icon']} onTurn={go(previous)} />
            <span>{`${position} / ${total}`}</span>
            <Turn label="下一张" className={css['icon']} onTurn={go(next)} />
          </div>
        )}
        <button type="button" className={css['icon']} aria-label="关闭" title="关闭（Esc），不保存" onClick={() => dialog.current?.close()}>
          <X size={20} aria-hidden />
        </button>
      </header>
      <div ref={body} className={css['body']} tabIndex={-1}>
        {children}
      </div>
      <footer className={css['footer']}>{footer}</footer>
    </dialog>
  )
}
