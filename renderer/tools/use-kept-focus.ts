import { useEffect, useRef, type RefObject } from 'react'

/** What had the focus, and where it stood. */
interface Held {
  readonly element: HTMLElement
  /** Of its row, where it stood in one. */
  readonly index: string | undefined
  readonly isInBar: boolean
}

/** Keeps the keyboard's place on a page: when the control that has the focus goes, with its row or because its time is over, what is next to it gets it. */
export function useKeptFocus(): RefObject<HTMLElement | null> {
  const section = useRef<HTMLElement>(null)
  useEffect(() => {
    const { current } = section
    if (!current) return undefined
    let held: Held | undefined
    const hold = ({ target }: FocusEvent): void => {
      if (!(target instanceof HTMLElement)) return
      const index = target.closest<HTMLElement>('[data-index]')?.dataset['index']
      held = { element: target, index, isInBar: target.closest('[data-bar]') !== null }
    }
    const release = ({ relatedTarget }: FocusEvent): void => {
      const left = held
      if (relatedTarget !== null) return
      // A control that goes tells so before it is gone; one that is still there afterwards was clicked away from, or another window is in front.
      queueMicrotask(() => {
        if (held === left && left?.element.isConnected && document.hasFocus()) held = undefined
      })
    }
    const observer = new MutationObserver(() => {
      if (!held || held.element.isConnected || document.activeElement !== document.body) return
      nextTo(held, current)?.focus({ preventScroll: true })
    })
    observer.observe(current, { childList: true, subtree: true })
    current.addEventListener('focusin', hold)
    current.addEventListener('focusout', release)
    return () => {
      observer.disconnect()
      current.removeEventListener('focusin', hold)
      current.removeEventListener('focusout', release)
    }
  }, [])
  return section
}

/** Rows take the focus themselves, no button of theirs: a key held down must not go on to the next file. */
function nextTo({ index, isInBar }: Held, section: HTMLElement): HTMLElement | null {
  const rows = [...section.querySelectorAll<HTMLElement>('[data-index] [role=group]')]
  const row = rows.find((one) => one.closest<HTMLElement>('[data-index]')?.dataset['index'] === index) ?? rows.at(-1)
  if (index !== undefined && row) return row
  if (isInBar && row) return [...section.querySelectorAll<HTMLElement>('[data-bar] button')].at(-1) ?? null
  return section.querySelector<HTMLElement>('[role=region]') ?? section.querySelector('button')
}
