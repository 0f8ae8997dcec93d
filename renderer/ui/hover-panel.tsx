import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import css from './hover-panel.module.css'

/** How long a panel stays once the mouse has left. */
const HIDE_MS = 300

interface Props {
  readonly label: ReactNode
  /** What a screen reader calls the panel. */
  readonly title: string
  readonly className: string | undefined
  readonly widthPx: number
  /** The panel; `onDone` closes it and gives the focus back to the button. */
  readonly children: (onDone: () => void) => ReactNode
}

/** A button with a panel under it: opened by the mouse over it, by the focus and by a press; closed by leaving either, and by Esc. */
export function HoverPanel({ label, title, className, widthPx, children }: Props) {
  const id = useId()
  const frame = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const hiding = useRef<ReturnType<typeof setTimeout>>(undefined)
  /** Closed by Esc under the mouse, it stays so until that has left. */
  const isDismissed = useRef(false)
  const [isOpen, setOpen] = useState(false)
  const set = (next: boolean): void => {
    clearTimeout(hiding.current)
    setOpen(next)
  }
  const close = (): void => {
    button.current?.focus()
    set(false)
  }
  useEffect(() => () => clearTimeout(hiding.current), [])
  useEffect(() => {
    if (!isOpen) return undefined
    // A finger that presses elsewhere moves no focus.
    const press = ({ target }: Event): void => {
      if (target instanceof Node && !frame.current?.contains(target)) setOpen(false)
    }
    document.addEventListener('pointerdown', press)
    return () => document.removeEventListener('pointerdown', press)
  }, [isOpen])
  const key = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !isOpen) return
    event.stopPropagation()
    isDismissed.current = true
    close()
  }
  return (
    <div
      ref={frame}
      className={css['frame']}
      // Not on entering, which a mouse at rest does when the page moves under it.
      onPointerMove={({ pointerType }) => {
        if (pointerType === 'mouse' && !isDismissed.current) set(true)
      }}
      onPointerLeave={({ pointerType }) => {
        isDismissed.current = false
        if (pointerType === 'mouse') hiding.current = setTimeout(() => setOpen(false), HIDE_MS)
      }}
      onKeyDown={key}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (relatedTarget !== null && !currentTarget.contains(relatedTarget)) set(false)
      }}
    >
      <button
        ref={button}
        type="button"
        className={className}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        // The focus that a key brought here, not one that was given back.
        onKeyUp={(event) => {
          if (event.key === 'Tab') set(true)
        }}
        onClick={() => set(true)}
      >
        {label}
      </button>
      {isOpen && (
        <div className={css['place']}>
          <div id={id} className={css['panel']} style={{ width: widthPx }} role="dialog" aria-label={title}>
            {children(close)}
          </div>
        </div>
      )}
    </div>
  )
}
